"""What a provider sent, as plain dicts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from fnschema.runner.wire import ProviderError, Turn, add_usage, body_of, parts, plain, sound

BODY = {"id": "r", "choices": [{"message": {"content": "Hi.", "tool_calls": [{"function": {"arguments": {"a": 1}}}]}}]}


@pytest.mark.parametrize(
    "payload",
    [
        BODY,
        ChatCompletion.model_construct(**BODY),  # type: ignore[arg-type]
        SimpleNamespace(id="r", choices=(SimpleNamespace(message=BODY["choices"][0]["message"]),)),  # type: ignore[index]
    ],
    ids=["a dict", "a model with fields of other types", "objects"],
)
def test_plain_dicts(payload: Any) -> None:
    assert plain(payload) == BODY


def test_keys_that_a_model_does_not_know_are_kept() -> None:
    chunk = ChatCompletionChunk.model_construct(choices=[], provider="x")  # type: ignore[call-arg]

    assert plain(chunk) == {"choices": [], "provider": "x"}


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        ({"error": {"message": "Tool call validation failed", "code": 400}}, "Tool call validation failed"),
        ({"error": "overloaded"}, "overloaded"),
        ({"error": {"code": 1}, "choices": []}, '{"code":1}'),
    ],
)
def test_an_error_in_a_body(payload: Any, text: str) -> None:
    with pytest.raises(ProviderError) as caught:
        body_of(payload)

    assert str(caught.value) == f"The provider sent an error: {text}"


@pytest.mark.parametrize("payload", ["<html>", None, [1]])
def test_what_is_no_object(payload: Any) -> None:
    with pytest.raises(ProviderError, match=r"The provider sent (str|NoneType|list), not a JSON object\."):
        body_of(payload)


def test_a_null_error_is_none() -> None:
    assert body_of({"error": None}) == {"error": None}


@pytest.mark.parametrize("value", [None, "text", {"a": 1}, [None, 3]])
def test_parts_of_what_is_no_list_of_objects(value: Any) -> None:
    assert parts({"tool_calls": value}, "tool_calls") == []


@pytest.mark.parametrize(
    ("text", "sent"), [("é 😀", "é 😀"), ("\ud83d\ude00", "😀"), ("half \ud83d", "half �"), ("\ude00 half", "� half")]
)
def test_halves_of_surrogate_pairs(text: str, sent: str) -> None:
    assert sound(text) == sent


def test_usage_is_added_up_with_what_is_nested() -> None:
    total: dict[str, Any] = {}

    for _ in range(2):
        add_usage(total, {"total_tokens": 3, "details": {"cached": 1, "audio": None}, "cost": 0.5, "is_byok": False})

    assert total == {"total_tokens": 6, "details": {"cached": 2}, "cost": 1.0}


def test_usage_that_changes_its_shape_is_left_out() -> None:
    total: dict[str, Any] = {}

    for usage in ({"a": 5, "b": {"c": 1}, "d": 0.5}, {"a": {"b": 1}, "b": 2, "d": 10**400}, {"a": 1, "b": {"c": 1}}):
        add_usage(total, usage)

    assert total == {"a": 6, "b": {"c": 2}, "d": 0.5}


def of_tools(choice: Any, *, tools: bool = True) -> dict[str, Any]:
    turn = Turn("m", None, [], [{"name": "pay"}] if tools else [], choice, None, stream=False)
    return turn.of_tools(lambda name: {"named": name})


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        ("auto", "auto"),
        ("required", "required"),
        ("pay", {"named": "pay"}),
        ({"type": "function", "name": "pay"}, {"named": "pay"}),
        ({"type": "function", "function": {"name": "pay"}}, {"named": "pay"}),
        ({"type": "allowed_tools", "tools": []}, {"type": "allowed_tools", "tools": []}),
    ],
)
def test_the_choice_of_a_tool(choice: Any, sent: Any) -> None:
    assert of_tools(choice) == {"tools": [{"name": "pay"}], "tool_choice": sent}


def test_no_choice() -> None:
    assert of_tools(None) == {"tools": [{"name": "pay"}]}


def test_no_choice_without_tools() -> None:
    assert of_tools("required", tools=False) == {}
