"""What a rule is, and the few words that rules share.

A rule is a function of the whole schema and of what the provider takes. It never changes the dict it gets, and applied
twice it does what it does once. The first line of its docstring is the reason that `Dialect.changes` gives.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from ..._json_schema import Schema, is_object, kinds_of, resolve, rewrite_by_place, rewrite_down, values_of
from ..facts import SchemaFacts

__all__ = [
    "ANNOTATIONS",
    "NULL",
    "DialectRule",
    "admits_null",
    "each_schema",
    "each_schema_downwards",
    "kind_of",
]

DialectRule = Callable[[Schema, SchemaFacts], Schema]

NULL: Schema = {"type": "null"}

_KINDS: dict[type, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}

# Words about a schema: they stay outside when it becomes a branch of a union, and constrain nothing.
ANNOTATIONS = frozenset(
    {"$comment", "default", "deprecated", "description", "examples", "readOnly", "title", "writeOnly"}
)


def each_schema(rule: Callable[[Schema, Schema, SchemaFacts], Schema]) -> DialectRule:
    """Make a rule of a function of (schema, root, facts), applied to every schema, leaves first."""

    @functools.wraps(rule)
    def everywhere(root: Schema, facts: SchemaFacts) -> Schema:
        return rewrite_by_place(root, lambda schema, _: rule(schema, root, facts))

    return everywhere


def each_schema_downwards(rule: Callable[[Schema, Schema, SchemaFacts], Schema]) -> DialectRule:
    """The same, parents first: for rules that write a schema into a text, which must not hold texts of that kind."""

    @functools.wraps(rule)
    def everywhere(root: Schema, facts: SchemaFacts) -> Schema:
        return rewrite_down(root, lambda schema: rule(schema, root, facts))

    return everywhere


def kind_of(value: object) -> str:
    """The JSON type of a value."""
    return _KINDS.get(type(value), "null")


def admits_null(schema: Schema, root: Schema) -> bool:
    """Whether the schema takes null, as its types, enums, unions and references say."""
    pending, seen = [schema], set[int]()
    while pending:
        current = resolve(pending.pop(), root)
        if id(current) in seen:
            continue
        seen.add(id(current))
        if _takes_null_itself(current):
            return True
        if "null" in kinds_of(current) or not kinds_of(current):
            unions = (current.get(keyword, ()) for keyword in ("anyOf", "oneOf"))
            pending.extend(branch for union in unions for branch in union if is_object(branch))
    return False


def _takes_null_itself(schema: Schema) -> bool:
    kinds = kinds_of(schema)
    values = values_of(schema)
    if values is not None:
        return None in values and (not kinds or "null" in kinds)
    if kinds:
        return "null" in kinds and not {"anyOf", "oneOf", "allOf"} & schema.keys()
    return not {"anyOf", "oneOf", "allOf", "not"} & schema.keys()
