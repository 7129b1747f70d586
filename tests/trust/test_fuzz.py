"""A few fixed random inputs for each fuzz target, and everything that once broke a promise."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from trust.targets import TARGETS

COUNT = 60

# Found by fuzzing and by hand: a target's name and the input.
FOUND: dict[str, tuple[str, Any]] = {
    "a lone half in streamed arguments": (
        "stream",
        [{"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "x", "function": {"name": "scalars", "arguments": "\ud83d"}}]}}]},
         {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}],
    ),
    "a lone half in an id": (
        "stream",
        [{"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "\ud83d", "function": {"name": "scalars", "arguments": "{}"}}]}}]},
         {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}],
    ),
    "a lone half in a response's call": (
        "stream",
        [{"type": "response.completed", "response": {"output": [
            {"type": "function_call", "call_id": "x", "name": "scalars", "arguments": "\ud83d"}]}}],
    ),
    "a lone half of a refusal": ("stream", [{"choices": [{"delta": {"refusal": "\ud83d"}, "finish_reason": "stop"}]}]),
    "an index with more digits than Python reads": (
        "schema",
        {"type": "object", "properties": {"a": {"$ref": "#/anyOf/" + "9" * 5000, "title": "T"}}, "anyOf": [{}]},
    ),
    "a text in a schema's place": ("schema", {"type": "object", "properties": {"a": "string"}}),
    "a type that is a list of lists": ("schema", {"type": [[]]}),
    "a default of null": ("schema", {"default": None}),
}  # fmt: skip


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
