"""A few fixed random inputs for each fuzz target, and everything that once broke a promise."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from trust.targets import TARGETS

COUNT = 40


def _streamed(call_id: str, sent: str) -> list[Any]:
    call = {"index": 0, "id": call_id, "function": {"name": "scalars", "arguments": sent}}
    return [
        {"choices": [{"delta": {"tool_calls": [call]}}]},
        {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]},
    ]


def _completed(call_id: str, sent: str) -> list[Any]:
    call = {"type": "function_call", "call_id": call_id, "name": "scalars", "arguments": sent}
    return [{"type": "response.completed", "response": {"output": [call]}}]


def _referring(reference: str) -> Any:
    return {"type": "object", "properties": {"a": {"$ref": reference, "title": "T"}}, "anyOf": [{}]}


# Found by fuzzing and by hand: a target's name and the input.
FOUND: dict[str, tuple[str, Any]] = {
    "a lone half in streamed arguments": ("stream", _streamed("x", "\ud83d")),
    "a lone half in an id": ("stream", _streamed("\ud83d", "{}")),
    "a lone half in a response's call": ("stream", _completed("x", "\ud83d")),
    "a lone half of a refusal": ("stream", [{"choices": [{"delta": {"refusal": "\ud83d"}, "finish_reason": "stop"}]}]),
    "an index with more digits than Python reads": ("schema", _referring("#/anyOf/" + "9" * 5000)),
    "a text in a schema's place": ("schema", {"type": "object", "properties": {"a": "string"}}),
    "a type that is a list of lists": ("schema", {"type": [[]]}),
    "a default of null": ("schema", {"default": None}),
}


@pytest.mark.parametrize("name", TARGETS)
def test_a_few_inputs(name: str) -> None:
    target, inputs = TARGETS[name]

    @seed(8)
    @settings(max_examples=COUNT, database=None, deadline=None, phases=[Phase.generate, Phase.shrink],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(inputs)
    def attempt(given_input: Any) -> None:
        target(given_input)

    attempt()


@pytest.mark.parametrize(("name", "given_input"), FOUND.values(), ids=FOUND)
def test_what_was_found(name: str, given_input: Any) -> None:
    target, _ = TARGETS[name]
    target(given_input)
