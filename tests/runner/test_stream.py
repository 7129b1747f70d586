"""Calls that arrive in pieces."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fnschema.runner.stream import Calls


def piece(index: int | None = None, id: str | None = None, name: str | None = None, arguments: Any = None) -> Any:
    """An entry of a delta's `tool_calls`; what is None is left out."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    entry = {"index": index, "id": id, "function": function or None}
    return {key: value for key, value in entry.items() if value is not None}


def merged(*pieces: Any) -> list[tuple[str, str, str]]:
    calls = Calls()
    for entry in pieces:
        calls.add(entry)
    return [(call["id"], call["function"]["name"], call["function"]["arguments"]) for call in calls.whole()]


ONE = [("a", "pay", '{"cents": 1}')]
TWO = [("a", "pay", '{"cents": 1}'), ("b", "pay", '{"cents": 2}')]

SHAPES = {
    "OpenAI: the id first, then pieces of the arguments": (
        [piece(0, "a", "pay", ""), piece(0, arguments='{"cents"'), piece(0, arguments=": 1}")],
        ONE,
    ),
    "id and name in every piece": ([piece(0, "a", "pay", '{"cents"'), piece(0, "a", "pay", ": 1}")], ONE),
    "the name in every piece, without ids": (
        [piece(0, name="pay", arguments='{"cents"'), piece(0, name="pay", arguments=": 1}"), piece(0, name="pay")],
        [("", "pay", '{"cents": 1}')],
    ),
    "two indices, in turns": (
        [
            piece(0, "a", "pay"),
            piece(1, "b", "pay"),
            piece(0, arguments='{"cents": 1}'),
            piece(1, arguments='{"cents": 2}'),
        ],
        TWO,
    ),
    "every index is 0": ([piece(0, "a", "pay", '{"cents": 1}'), piece(0, "b", "pay", '{"cents": 2}')], TWO),
    "every index is 0, in pieces": (
        [
            piece(0, "a", "pay", ""),
            piece(0, arguments='{"cents": 1}'),
            piece(0, "b", "pay", ""),
            piece(0, arguments='{"cents": 2}'),
        ],
        TWO,
    ),
    "every index is 0, ids repeated, in turns": (
        [
            piece(0, "a", "pay", '{"cents"'),
            piece(0, "b", "pay", '{"cents"'),
            piece(0, "a", arguments=": 1}"),
            piece(0, "b", arguments=": 2}"),
        ],
        TWO,
    ),
    "every index is 0, without ids": (
        [piece(0, name="pay", arguments='{"cents": 1}'), piece(0, name="tip", arguments='{"cents": 2}')],
        [("", "pay", '{"cents": 1}'), ("", "tip", '{"cents": 2}')],
    ),
    "no index": ([piece(None, "a", "pay", '{"cents": 1}'), piece(None, "b", "pay", '{"cents": 2}')], TWO),
    "no index, in pieces": (
        [piece(None, "a", "pay", '{"cents"'), piece(arguments=": 1}"), piece(None, "b", "pay", '{"cents": 2}')],
        TWO,
    ),
    "no index, ids repeated": ([piece(None, "a", "pay", '{"cents"'), piece(None, "a", "pay", ": 1}")], ONE),
    "neither index nor id": (
        [piece(name="pay", arguments='{"cents": 1}'), piece(name="pay", arguments='{"cents": 2}')],
        [("", "pay", '{"cents": 1}'), ("", "pay", '{"cents": 2}')],
    ),
    "two equal calls without ids": (
        [piece(name="roll", arguments="{}"), piece(name="roll", arguments="{}")],
        [("", "roll", "{}"), ("", "roll", "{}")],
    ),
    "one id for two calls": (
        [piece(0, "a", "pay", '{"cents": 1}'), piece(1, "a", "pay", '{"cents": 2}')],
        [("a", "pay", '{"cents": 1}'), ("a", "pay", '{"cents": 2}')],
    ),
    "one id for two calls, no index": (
        [piece(None, "a", "pay", '{"cents": 1}'), piece(None, "a", "pay", '{"cents": 2}')],
        [("a", "pay", '{"cents": 1}'), ("a", "pay", '{"cents": 2}')],
    ),
    "the whole call once more": ([piece(0, "a", "pay", '{"cents": 1}')] * 2, ONE),
    "the index counts pieces": ([piece(0, "a", "pay", '{"cents"'), piece(1, "a", arguments=": 1}")], ONE),
    "an index for what has neither id nor name": (
        [piece(0, "a", "pay", '{"cents"'), piece(1, arguments=": 1}")],
        ONE,
    ),
    "the id after the name": ([piece(0, name="pay"), piece(0, "a", arguments='{"cents": 1}')], ONE),
    "the name after the id": ([piece(0, "a"), piece(0, name="pay", arguments='{"cents": 1}')], ONE),
    "the name in pieces": (
        [piece(0, "a", "pa"), piece(0, name="y"), piece(0, arguments='{"cents": 1}')],
        ONE,
    ),
    "arguments as an object": ([piece(0, "a", "pay", {"cents": 1})], [("a", "pay", '{"cents":1}')]),
    "no arguments": ([piece(0, "a", "pay")], [("a", "pay", "")]),
    "function: null": ([{"index": 0, "id": "a", "function": None}, piece(0, name="pay")], [("a", "pay", "")]),
}


@pytest.mark.parametrize(("pieces", "calls"), SHAPES.values(), ids=SHAPES)
def test_pieces_of_calls(pieces: list[Any], calls: list[tuple[str, str, str]]) -> None:
    assert merged(*pieces) == calls


@pytest.mark.parametrize(
    ("arguments", "complete"), [("{}", True), ('{"a": [1]}', True), ('{"a": ', False), ("", False), ("[]", False)]
)
def test_whether_calls_are_complete(arguments: str, complete: bool) -> None:
    calls = Calls()
    calls.add(piece(0, "a", "pay", arguments))

    assert calls.complete is complete


def test_a_signature_is_kept() -> None:
    calls = Calls()
    calls.add({**piece(0, "a", "pay", "{}"), "extra_content": {"google": {"thought_signature": "s"}}})

    assert calls.whole()[0]["extra_content"] == {"google": {"thought_signature": "s"}}


arguments_texts = st.dictionaries(st.text("ab", min_size=1), st.integers()).map(
    lambda value: repr(value).replace("'", '"')
)
indices = st.sampled_from(["counted", "all zero", "none"])


@given(
    st.lists(st.tuples(st.sampled_from(["pay", "tip"]), arguments_texts), max_size=4), indices, st.booleans(), st.data()
)
def test_calls_cut_anywhere_are_put_together(
    calls: list[tuple[str, str]], numbering: str, ids_repeated: bool, data: st.DataObject
) -> None:
    pieces = []
    for position, (name, text) in enumerate(calls):
        index = {"counted": position, "all zero": 0, "none": None}[numbering]
        cut = data.draw(st.integers(0, len(text)))
        pieces.append(piece(index, f"id{position}", name, text[:cut]))
        pieces.append(piece(index, f"id{position}" if ids_repeated else None, None, text[cut:]))

    assert merged(*pieces) == [(f"id{position}", name, text) for position, (name, text) in enumerate(calls)]
