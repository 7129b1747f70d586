"""Checks of a rewritten schema, of a tool, and of all tools of a request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .._json_schema import DEFINITIONS, Path, Schema, is_array, is_object, kinds_of, schemas_below, walk
from .facts import TYPES, SchemaFacts, ToolFacts
from .graph import cyclic_places, levels_of_objects
from .problems import Finding
from .rules.keywords import ASSERTIONS

__all__ = ["SCHEMA_CHECKS", "SchemaCheck", "description_length", "tool_name"]

SchemaCheck = Callable[[Schema, SchemaFacts], Iterator[Finding]]

_ANNOTATE = "Annotate it with a type that says what it holds."
_MAP = 'open_objects="entries" for a map, or '
_FLAT = "a flat list whose items name their parent."
_TEXT = "Use a string whose description says what it may be."


def root_is_an_object(root: Schema, facts: SchemaFacts) -> Iterator[Finding]:
    if root.get("type") != "object":
        yield Finding((), "the root of its schema is not an object", "Put the value into a property.")
    for keyword in sorted(facts.root_refuses & root.keys()):
        yield Finding((), f"the root of its schema has {keyword!r}", "Put the value into a property.")


def keywords_are_taken(root: Schema, facts: SchemaFacts) -> Iterator[Finding]:
    for path, schema in _walk_taken(root, facts):
        for keyword in sorted(ASSERTIONS & schema.keys()):
            if facts.takes(keyword):
                continue
            if keyword == "$ref":
                yield Finding(path, "it refers to itself, and references are not taken", _not_recursive(facts))
            elif keyword == "allOf":
                yield Finding(path, "its `allOf` cannot be merged into one schema", "Write one schema for it.")
            else:
                yield Finding(path, f"its keyword {keyword!r} is not taken", "Leave the keyword out.")


def _walk_taken(root: Schema, facts: SchemaFacts) -> Iterator[tuple[Path, Schema]]:
    """`walk`, but not into keywords that are a problem themselves."""
    pending: list[tuple[Path, Schema]] = [((), root)]
    while pending:
        path, schema = pending.pop()
        yield path, schema
        below = [((*path, *steps), child) for steps, child in schemas_below(schema) if facts.takes(str(steps[0]))]
        pending.extend((steps, child) for steps, child in reversed(below) if is_object(child))


def schemas_are_typed(root: Schema, facts: SchemaFacts) -> Iterator[Finding]:
    for path, schema in _walk_taken(root, facts):
        unknown = [kind for kind in kinds_of(schema) if kind not in TYPES]
        if unknown:
            yield Finding(path, f"its type {unknown[0]!r} is none of JSON Schema's", _ANNOTATE)
        elif facts.typed and not schema.keys() & {"type", "anyOf", "$ref", "allOf", "not"}:
            what = "the items of its array have" if path[-1:] == ("items",) else "it has"
            yield Finding(path, f"{what} no type: Any, object, or no annotation", _ANNOTATE)
        elif facts.typed and "array" in kinds_of(schema) and not is_object(schema.get("items")):
            yield Finding(path, "the items of its array have no type", _ANNOTATE)


def enums_are_taken(root: Schema, facts: SchemaFacts) -> Iterator[Finding]:
    total = 0
    for path, schema in walk(root):
        for keyword in ("enum", "anyOf"):
            if schema.get(keyword) == []:
                yield Finding(path, f"its {keyword} is empty, so that no value fits", "Give it a value.")
        values = schema.get("enum", ())
        if facts.typed and any(is_object(value) or is_array(value) for value in (*values, schema.get("const"))):
            yield Finding(path, "its values are lists or objects, which no type describes", _ANNOTATE)
        total += len(values)
        characters = sum(len(value) for value in values if isinstance(value, str))
        if facts.long_enum and len(values) > facts.long_enum[0] and characters > facts.long_enum[1]:
            reason = f"its enum of {len(values)} values has {characters:,} characters, over {facts.long_enum[1]:,}"
            yield Finding(path, reason, _TEXT)
    if facts.most_enum_values is not None and total > facts.most_enum_values:
        yield Finding((), f"its enums have {total:,} values, and {facts.most_enum_values:,} are the limit", _TEXT)


def unions_hold_no_references(root: Schema, facts: SchemaFacts) -> Iterator[Finding]:
    for path, schema in walk(root):
        if not facts.references_in_unions and "$ref" in schema and path[-2:-1] == ("anyOf",):
            yield Finding(path, "it refers to itself in a union", "Use a list of it instead of an optional one.")


def recursion_is_taken(root: Schema, facts: SchemaFacts) -> Iterator[Finding]:
    if facts.recursion == "any":
        return
    for place, names in cyclic_places(root, optional_counts=facts.recursion == "none").items():
        if facts.recursion == "none":
            yield Finding(place, "its type refers to itself", _not_recursive(facts))
        elif names:
            where = f"the required field{'s' * (len(names) > 1)} {', '.join(map(repr, names))}"
            default = "Give each of them" if len(names) > 1 else "Give that field"
            yield Finding(place, f"its type refers to itself in {where}", f"{default} a default, or use {_FLAT}")
        else:
            reason = "its type refers to itself, and not in a field that may be left out"
            yield Finding(place, reason, _not_recursive(facts))


def _not_recursive(facts: SchemaFacts) -> str:
    other = f"dialect {facts.recursive_dialect!r}, or " if facts.recursive_dialect else ""
    return f"Use {other}{_FLAT}"


def property_names_are_taken(root: Schema, facts: SchemaFacts) -> Iterator[Finding]:
    if facts.property_name is None:
        return
    for path, schema in walk(root):
        for name in schema.get("properties", {}):
            if not re.fullmatch(facts.property_name, name):
                where: Path = (*path, "properties", name)
                yield Finding(
                    where,
                    f"its name does not match ^{facts.property_name}$",
                    "Rename it, or give it an alias that does.",
                )


def objects_are_not_empty(root: Schema, facts: SchemaFacts) -> Iterator[Finding]:
    no_maps = not facts.takes("additionalProperties")  # one was told in words, and now looks empty
    remedy = f"Use {_MAP if no_maps else ''}a type with named fields."
    for path, schema in walk(root):
        if path and not facts.empty_objects and "object" in kinds_of(schema) and not schema.get("properties"):
            yield Finding(path, "it is an object without named properties", remedy)


def sizes_are_taken(root: Schema, facts: SchemaFacts) -> Iterator[Finding]:
    properties = sum(len(schema.get("properties", {})) for _, schema in walk(root))
    for what, count, most in (
        ("properties", properties, facts.most_properties),
        ("characters of names and values", _characters(root) if facts.most_characters else 0, facts.most_characters),
    ):
        if most is not None and count > most:
            yield Finding((), f"its schema has {count:,} {what}, and {most:,} are the limit", "Split the function.")


def levels_are_taken(root: Schema, facts: SchemaFacts) -> Iterator[Finding]:
    most = facts.most_levels
    if most is None or levels_of_objects(root) <= most:
        return
    for name, schema in root.get("properties", {}).items():
        levels = levels_of_objects({**root, "properties": {name: schema}})
        if levels > most:
            reason = f"its schema has {levels:,} levels of objects, and {most:,} are the limit"
            yield Finding(("properties", name), reason, "Take an inner object as a parameter of its own.")


def _characters(root: Schema) -> int:
    total = 0
    for _, schema in walk(root):
        values: Sequence[Any] = (*schema.get("enum", ()), *([schema["const"]] if "const" in schema else ()))
        names = [name for keyword in ("properties", *DEFINITIONS) for name in schema.get(keyword, {})]
        total += sum(map(len, names)) + sum(len(str(value)) for value in values)
    return total


SCHEMA_CHECKS: tuple[SchemaCheck, ...] = (
    root_is_an_object,
    keywords_are_taken,
    schemas_are_typed,
    enums_are_taken,
    unions_hold_no_references,
    recursion_is_taken,
    property_names_are_taken,
    objects_are_not_empty,
    levels_are_taken,
    sizes_are_taken,
)


def tool_name(name: str, facts: ToolFacts) -> Iterator[Finding]:
    if not re.fullmatch(facts.name, name):
        yield Finding((), f"the name {name!r} does not match ^{facts.name}$", "Set name_override.")


def description_length(description: str | None, facts: ToolFacts) -> Iterator[Finding]:
    length = len(description or "")
    if length > facts.longest_description:
        yield Finding(
            (),
            f"the description has {length:,} characters, and some providers take {facts.longest_description:,} at most",
            "Shorten it.",
            "warning",
        )
