"""What a language model may answer in a turn, as one JSON Schema: a call of a tool, or an answer in words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic_core import SchemaValidator, core_schema

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
_LONGEST_GUESS = 12  # characters
_LONGEST_TEXT = 1_000  # characters that a text needs
_MOST_VALUES = 1_000  # of an example: references may fan out
_MOST_PATTERNS = 20  # compiled, and none with a great count: a hostile one takes a tenth of a second
_GREAT_COUNT = re.compile(r"\{\d*,?\d{3}")
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
    """No text that comes to mind fits a pattern, or the example grows too large."""


def example_arguments(parameters: Schema) -> dict[str, Any] | None:
    """Arguments that a tool takes; `None` if none come to mind. The order of types in a tuple is not looked at."""
    try:
        arguments: dict[str, Any] = _Example(parameters).value(parameters, "", _MOST_LEVELS)
    except Exception:  # noqa: BLE001 - a foreign schema may say anything, and a run needs no example
        return None
    return arguments


class _Example:
    """One example, and how much of it there may still be."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._values_left = _MOST_VALUES
        self._patterns_left = _MOST_PATTERNS

    def value(self, schema: Schema, name: str, levels: int) -> Any:
        self._values_left -= 1
        if self._values_left < 0:
            raise _NoExampleError
        schema = resolve(schema, self._root)
        if "anyOf" in schema:
            return self.value(self._branch(schema["anyOf"], levels), name, levels)
        if "enum" in schema:
            return schema["enum"][0]
        match schema.get("type"):
            case "object":
                properties: Mapping[str, Schema] = schema.get("properties", {}) if levels > _LAST_LEVEL else {}
                return {key: self.value(below, key, levels - 1) for key, below in properties.items()}
            case "array":
                length = max(schema.get("minItems", 0), min(schema.get("maxItems", 1), 1 if levels > 0 else 0))
                return [self.value(schema.get("items", {}), name, levels - 1) for _ in range(length)]
            case "integer" | "number":
                return _number(schema)
            case "boolean":
                return True
            case "null":
                return None
            case _:
                return self._text(schema, name)

    def _branch(self, branches: Sequence[Schema], levels: int) -> Schema:
        """The first that is not null; null, if there is one, when the example is deep already."""
        kinds = [(resolve(branch, self._root).get("type"), branch) for branch in branches]
        nulls = [branch for kind, branch in kinds if kind == "null"]
        others = [branch for kind, branch in kinds if kind != "null"]
        return nulls[0] if nulls and (levels <= 0 or not others) else others[0]

    def _text(self, schema: Schema, name: str) -> str:
        if schema.get("minLength", 0) > _LONGEST_TEXT:
            raise _NoExampleError
        text = _FORMATS.get(schema.get("format", ""), name or "text")
        sized = text.ljust(schema.get("minLength", 0), "…")[: schema.get("maxLength")]
        return self._fitting(schema, sized) if "pattern" in schema else sized

    def _fitting(self, schema: Schema, text: str) -> str:
        """A text that fits the pattern, too: one that is listed, the one given, or the same sign several times."""
        self._patterns_left -= 1
        if self._patterns_left < 0 or _GREAT_COUNT.search(schema["pattern"]):
            raise _NoExampleError
        # On Rust's engine, as pydantic's: its time grows with the text, whatever a stranger's pattern is.
        fits = SchemaValidator(core_schema.str_schema(pattern=schema["pattern"])).isinstance_python
        given: Any = schema.get("examples", ())
        listed = [example for example in given if isinstance(example, str)] if isinstance(given, list) else []
        plain = (sign * length for length in range(1, _LONGEST_GUESS + 1) for sign in _SIGNS)
        shortest, longest = schema.get("minLength", 0), schema.get("maxLength", math.inf)
        for guess in (*listed, text, *plain):
            if shortest <= len(guess) <= longest and fits(guess):
                return guess
        raise _NoExampleError


def _number(schema: Schema) -> Any:
    step = schema.get("multipleOf", 1)
    lowest = schema.get("minimum", schema.get("exclusiveMinimum", -math.inf) + step)
    highest = schema.get("maximum", schema.get("exclusiveMaximum", math.inf) - step)
    return step if lowest <= step <= highest else lowest if lowest > step else highest
