"""Rules about enums, constants and bounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from ..._json_schema import Schema, kinds_of, only, values_of, without
from ..facts import SchemaFacts
from .rule import ANNOTATIONS, NULL, each_schema, kind_of
from .wording import sentence_for, told

__all__ = [
    "constants_as_enums",
    "enums_told",
    "enums_typed",
    "exclusive_bounds_as_inclusive",
    "number_enums_as_ranges",
]


@each_schema
def enums_typed(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """Every enum has a type; one of several types becomes a union with a branch for each."""
    values = values_of(schema)
    if values is None or isinstance(schema.get("type"), str):
        return schema
    kinds = kinds_of(schema)
    by_kind = _by_kind(value for value in values if not kinds or kind_of(value) in kinds)
    rest = without(schema, {"type", "enum", "const"})
    if "const" in schema and by_kind:
        return {**rest, "type": next(iter(by_kind)), "const": schema["const"]}
    if len(by_kind) == 1:
        ((kind, same),) = by_kind.items()
        return {**rest, **_typed(kind, same)}
    branches = [_typed(kind, same) for kind, same in by_kind.items()]
    words = only(rest, ANNOTATIONS)
    return {"anyOf": [{**branch, **without(rest, words)} for branch in branches], **words} if branches else schema


def _by_kind(values: Iterable[Any]) -> dict[str, list[Any]]:
    by_kind: dict[str, list[Any]] = {}
    for value in values:
        by_kind.setdefault(kind_of(value), []).append(value)
    if "number" in by_kind and "integer" in by_kind:
        by_kind["number"] += by_kind.pop("integer")
    return by_kind


def _typed(kind: str, values: list[Any]) -> Schema:
    return dict(NULL) if kind == "null" else {"type": kind, "enum": values}


@each_schema
def constants_as_enums(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """`const` is not taken: an enum of one value says the same."""
    if "const" not in schema or facts.takes("const"):
        return schema
    rest = without(schema, {"const"})
    return rest if schema["const"] is None else {**rest, "enum": [schema["const"]]}


@each_schema
def number_enums_as_ranges(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """Numbers may not stand in an enum: ranges of one or more numbers say the same."""
    kind = schema.get("type")
    if "enum" not in schema or kind not in {"integer", "number"} or kind in facts.enum_types:
        return schema
    numbers = [value for value in schema["enum"] if kind_of(value) in {"integer", "number"}]
    ranges = [{"type": kind, "minimum": low, "maximum": high} for low, high in _ranges(numbers, kind)]
    if not ranges:
        return schema
    rest = without(schema, {"type", "enum"})
    return {**rest, **ranges[0]} if len(ranges) == 1 else {**rest, "anyOf": ranges}


def _ranges(values: Sequence[float], kind: str) -> list[tuple[float, float]]:
    ranges: list[tuple[float, float]] = []
    for value in sorted(values):
        if ranges and kind == "integer" and value <= ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], value)
        else:
            ranges.append((value, value))
    return ranges


@each_schema
def enums_told(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """Values of this type may not stand in an enum: the description lists them."""
    values = schema.get("enum", [])
    kinds = {kind_of(value) for value in values}
    if kinds <= facts.enum_types or (facts.typed and kinds & {"array", "object"}):
        return schema  # without the values of lists and objects, nothing would say what is in them
    keyword = "const" if len(values) == 1 else "enum"
    return told(without(schema, {"enum"}), sentence_for(keyword, values[0] if len(values) == 1 else values) or "")


@each_schema
def exclusive_bounds_as_inclusive(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """Exclusive bounds are not taken: for an integer the next integer is the bound."""
    if schema.get("type") != "integer" or not facts.takes("minimum"):
        return schema
    if "exclusiveMinimum" in schema and not facts.takes("exclusiveMinimum"):
        above = math.floor(schema["exclusiveMinimum"]) + 1
        schema = {**without(schema, {"exclusiveMinimum"}), "minimum": max(above, schema.get("minimum", above))}
    if "exclusiveMaximum" in schema and not facts.takes("exclusiveMaximum"):
        below = math.ceil(schema["exclusiveMaximum"]) - 1
        schema = {**without(schema, {"exclusiveMaximum"}), "maximum": min(below, schema.get("maximum", below))}
    return schema
