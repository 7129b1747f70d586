"""Transcripts: repaired calls, and those left open."""

from __future__ import annotations

from typing import Any

import pytest

from fnschema.runner.transcript import ModelCall, arguments_text, read_call, read_history, repair_ids, sendable


def call(id: str, name: str = "pay", arguments: str = "{}") -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


CALLS = {
    "whole": (call("a", "pay", '{"cents": 1}'), call("a", "pay", '{"cents": 1}')),
    "without a type": ({"id": "a", "function": {"name": "pay", "arguments": "{}"}}, call("a")),
    "without an id": ({"function": {"name": "pay", "arguments": "{}"}}, call("")),
    "arguments: null": ({"id": "a", "function": {"name": "pay", "arguments": None}}, call("a")),
    "without arguments": ({"id": "a", "function": {"name": "pay"}}, call("a")),
    "empty arguments": (call("a", arguments=""), call("a")),
    "arguments as an object": (
        {"id": "a", "function": {"name": "pay", "arguments": {"city": "Zürich"}}},
        call("a", arguments='{"city":"Zürich"}'),
    ),
    "arguments as a list": ({"id": "a", "function": {"name": "pay", "arguments": [1]}}, call("a", arguments="[1]")),
    "with empty siblings": ({**call("a"), "index": 0, "custom": {"input": "", "name": ""}}, call("a")),
    "function: null": ({"id": "a", "function": None}, call("a", "")),
    "with a signature": ({**call("a"), "extra_content": {"s": 1}}, {**call("a"), "extra_content": {"s": 1}}),
}


@pytest.mark.parametrize(("sent", "read"), CALLS.values(), ids=CALLS)
def test_a_call_is_repaired(sent: dict[str, Any], read: dict[str, Any]) -> None:
    assert read_call(sent) == read


def test_ids_are_made_for_calls_without_one() -> None:
    taken = {"a"}

    repaired = repair_ids([call(""), call("a"), call("b"), call("")], taken)

    ids = [made["id"] for made in repaired]
    assert ids == ["call00001", "call00002", "b", "call00004"]
    assert taken == {"a", *ids}


def test_a_made_id_is_never_one_that_is_taken() -> None:
    assert repair_ids([call("")], {"call00001"})[0]["id"] == "call00002"


@pytest.mark.parametrize(
    ("name", "sent"), [("pay", "pay"), ("functions.pay", "functions_pay"), ("", "unnamed"), ("x" * 70, "x" * 64)]
)
def test_a_name_goes_back_as_servers_take_it(name: str, sent: str) -> None:
    assert sendable(call("a", name))["function"]["name"] == sent


@pytest.mark.parametrize(
    ("text", "sent"),
    [('{"a": 1}', '{"a": 1}'), ('{"a"', '{"invalid_json":"{\\"a\\""}'), ("[1]", '{"invalid_json":"[1]"}')],
)
def test_arguments_go_back_as_servers_take_them(text: str, sent: str) -> None:
    assert sendable(call("a", arguments=text))["function"]["arguments"] == sent


def asks(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "tool_calls": list(calls)}


def told(id: str, text: str = "ok") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": text}


def test_a_history_with_every_answer_stays_as_it_is() -> None:
    history = [{"role": "user", "content": "hi"}, asks(call("a"), call("b")), told("b"), told("a")]

    assert read_history(history, set()) == (history, [])


def test_the_calls_that_a_history_ends_in() -> None:
    _, open_calls = read_history([asks(call("a"), call("b")), told("a")], set())

    assert open_calls == [ModelCall("b", "pay", "{}")]


def test_all_ids_of_a_history_are_taken() -> None:
    taken: set[str] = set()

    read_history([asks(call("a")), told("a"), asks(call("b"))], taken)

    assert taken == {"a", "b"}


def test_a_passed_over_call_is_answered() -> None:
    user = {"role": "user", "content": "hi"}

    history, open_calls = read_history([asks(call("a"), call("b")), told("b"), user], set())

    assert [message.get("tool_call_id") for message in history] == [None, "b", "a", None]
    assert history[2]["content"] == "It is not known whether this call was executed."
    assert open_calls == []


def test_an_id_that_comes_again_is_repaired_with_its_answer() -> None:
    history, _ = read_history([asks(call("a")), told("a", "1"), asks(call("a")), told("a", "2")], set())

    assert [message["tool_call_id"] for message in history if message["role"] == "tool"] == ["a", "call00001"]
    assert history[2]["tool_calls"][0]["id"] == "call00001"


def test_calls_without_ids_are_repaired_with_their_answers() -> None:
    history, open_calls = read_history([asks(call(""), call("")), told("", "1")], set())

    made = [one["id"] for one in history[0]["tool_calls"]]
    assert history[1]["tool_call_id"] == made[0]
    assert [one.id for one in open_calls] == made[1:]


def test_an_answer_that_nobody_asked_for_stays() -> None:
    history = [asks(call("a")), told("a"), told("b")]

    assert read_history(history, set()) == (history, [])


def test_a_null_among_the_calls_of_a_history() -> None:
    history, _ = read_history([{"role": "assistant", "tool_calls": [None, call("a")]}], set())

    assert history[0]["tool_calls"] == [call("a")]


def test_a_user_message_has_no_calls() -> None:
    history = [{"role": "user", "content": "hi", "tool_calls": [call("a")]}]

    assert read_history(history, set()) == (history, [])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ('{"a": "\ud83d"}', r'{"a": "\ud83d"}'),
        ('{"a": "\ud83d\ude00"}', r'{"a": "\ud83d\ude00"}'),
        ({"a": "\ud83d"}, r'{"a":"\ud83d"}'),
        ({"a": "é"}, '{"a":"é"}'),
    ],
)
def test_halves_of_surrogate_pairs_are_escaped(arguments: Any, text: str) -> None:
    assert arguments_text(arguments) == text


def test_a_name_and_an_id_that_are_numbers_become_texts() -> None:
    call = read_call({"id": 5, "function": {"name": 7}})
    assert (call["id"], call["function"]["name"]) == ("5", "7")
