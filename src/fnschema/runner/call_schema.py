"""What a language model may answer in a turn, as one JSON Schema: a call of a tool, or an answer in words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .._json_schema import DEFINITIONS, Schema, resolve, rewrite, without

__all__ = ["example_arguments", "turn_schema"]

_ANSWER: Schema = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}
_REFERENCE = re.compile(rf"#/({'|'.join(map(re.escape, DEFINITIONS))})/(?P<name>.*)")
_MOST_LEVELS = 3  # of an example: below, what may be null is null and what may be empty is empty
_LAST_LEVEL = -7  # a type that holds itself, come what may, ends here
_SIGNS = "1aA"
_LONGEST_GUESS = 12  # characters: an author's pattern runs on Python's `re`, which doubles its steps with each one
_FORMATS = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "PT1H",
    "email": "someone@example.com",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "uuid": "6a2f41a3-c54c-4ce8-a8d1-9c5f2d1b0f6e",
}


def turn_schema(functions: Sequence[Mapping[str, Any]], *, answer: bool = True) -> Schema:
    """A union of calls, ``{"tool": name, "arguments": {…}}``, and of the answer, ``{"answer": text}``.

    Args:
        functions: the name and the parameters of each tool, as Chat Completions has them.
        answer: whether the model may also answer in words.
    """
    branches = [_call(function) for function in functions] + ([_ANSWER] if answer else [])
    schema = branches[0] if len(branches) == 1 else {"anyOf": branches}
    definitions = {name: definition for function in functions for name, definition in _definitions(function)}
    return {**schema, "$defs": definitions} if definitions else schema


def _call(function: Mapping[str, Any]) -> Schema:
    parameters = _moved(function["parameters"], function["name"])
    return {
        "type": "object",
        # The tool comes first: a model writes from left to right, and has to choose before it fills in.
        "properties": {
            "tool": {"type": "string", "enum": [function["name"]]},
            "arguments": without(parameters, DEFINITIONS),
        },
        "required": ["tool", "arguments"],
        "additionalProperties": False,
    }


def _definitions(function: Mapping[str, Any]) -> Iterator[tuple[str, Schema]]:
    """The tool's own definitions, under names that no other tool's have: a tool's name has no full stop."""
    for keyword in DEFINITIONS:
        for name, definition in function["parameters"].get(keyword, {}).items():
            yield f"{function['name']}.{name}", _moved(definition, function["name"])


def _moved(schema: Schema, tool: str) -> Schema:
    """The schema with its references to where `turn_schema` puts the definitions."""

    def move(below: Schema) -> Schema:
        match = _REFERENCE.fullmatch(below.get("$ref", ""))
        return {**below, "$ref": f"#/$defs/{tool}.{match['name']}"} if match else below

    return rewrite(schema, move)


class _NoExampleError(Exception):
    """No text that comes to mind fits a pattern."""


def example_arguments(parameters: Schema) -> dict[str, Any] | None:
    """Arguments that a tool takes; `None` if none come to mind. The order of types in a tuple is not looked at."""
    try:
        arguments: dict[str, Any] = _example(parameters, parameters, "", _MOST_LEVELS)
    except _NoExampleError:
        return None
    return arguments


def _example(schema: Schema, root: Schema, name: str, levels: int) -> Any:
    schema = resolve(schema, root)
    if "anyOf" in schema:
        return _example(_branch(schema["anyOf"], root, levels), root, name, levels)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            properties: Mapping[str, Schema] = schema.get("properties", {}) if levels > _LAST_LEVEL else {}
            return {key: _example(below, root, key, levels - 1) for key, below in properties.items()}
        case "array":
            length = max(schema.get("minItems", 0), min(schema.get("maxItems", 1), 1 if levels > 0 else 0))
            return [_example(schema.get("items", {}), root, name, levels - 1) for _ in range(length)]
        case "integer" | "number":
            return _number(schema)
        case "boolean":
            return True
        case "null":
            return None
        case _:
            return _text(schema, name)


def _branch(branches: Sequence[Schema], root: Schema, levels: int) -> Schema:
    """The first that is not null; null, if there is one, when the example is deep already."""
    nulls = [branch for branch in branches if resolve(branch, root).get("type") == "null"]
    others = [branch for branch in branches if branch not in nulls]
    return nulls[0] if nulls and (levels <= 0 or not others) else others[0]


def _number(schema: Schema) -> Any:
    step = schema.get("multipleOf", 1)
    lowest = schema.get("minimum", schema.get("exclusiveMinimum", -math.inf) + step)
    highest = schema.get("maximum", schema.get("exclusiveMaximum", math.inf) - step)
    return step if lowest <= step <= highest else lowest if lowest > step else highest


def _text(schema: Schema, name: str) -> str:
    text = _FORMATS.get(schema.get("format", ""), name or "text")
    sized = text.ljust(schema.get("minLength", 0), "…")[: schema.get("maxLength")]
    return _fitting(schema, sized) if "pattern" in schema else sized


def _fitting(schema: Schema, text: str) -> str:
    """A text that fits the pattern, too: the one given, or the same sign several times."""
    given: Any = schema.get("examples", ())
    listed = [example for example in given if isinstance(example, str)]
    plain = (sign * length for length in range(1, _LONGEST_GUESS + 1) for sign in _SIGNS)
    try:
        pattern = re.compile(schema["pattern"])
    except (re.error, OverflowError, RecursionError) as error:  # in the syntax of another engine, as pydantic's is
        raise _NoExampleError from error
    shortest, longest = schema.get("minLength", 0), schema.get("maxLength", math.inf)
    for guess in (*listed, text, *plain):
        if shortest <= len(guess) <= longest and pattern.search(guess):
            return guess
    raise _NoExampleError
