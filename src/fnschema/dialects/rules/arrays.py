"""Rules about arrays: tuples."""

from __future__ import annotations

from typing import Any

from ..._json_schema import Schema, is_object, kinds_of, resolve, same_json, values_of, without
from ..facts import SchemaFacts
from .rule import each_schema
from .wording import as_json, told

__all__ = ["arrays_have_items", "tuple_order_told", "tuples_as_lists"]


@each_schema
def tuple_order_told(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """The description names the elements of a tuple, where names or their order would be lost."""
    elements = schema.get("prefixItems")
    if not elements or not all(is_object(element) for element in elements):
        return schema
    named = any("title" in element for element in elements)
    if not named and (facts.takes("prefixItems") or _all_same(elements)):
        return schema
    return told(schema, f"In order: {', '.join(_element_in_words(element, root) for element in elements)}.")


def _element_in_words(element: Schema, root: Schema) -> str:
    target = resolve(element, root)
    kinds = _kinds_in_words(target)
    name = element.get("title")
    default = f", default {as_json(element['default'])}" if "default" in element else ""
    return f"{name} ({kinds}{default})" if name else kinds


def _kinds_in_words(schema: Schema) -> str:
    values = values_of(schema)
    if values is not None:
        return " or ".join(map(as_json, values))
    branches = [branch for branch in schema.get("anyOf", ()) if is_object(branch)]
    kinds = kinds_of(schema) or [kind for branch in branches for kind in kinds_of(branch) or ("object",)]
    return " or ".join(dict.fromkeys(kinds)) or "any value"


@each_schema
def tuples_as_lists(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """`prefixItems` is refused: an array of any of the elements, of the same length, stands for the tuple."""
    if "prefixItems" not in schema or facts.takes("prefixItems"):
        return schema
    rest = schema.get("items", {"not": {}} if schema.get("maxItems") == len(schema["prefixItems"]) else {})
    elements = [without(element, {"title", "default"}) for element in schema["prefixItems"]]
    if rest is not False and rest != {"not": {}}:
        elements.append(rest)
    return {**without(schema, {"prefixItems", "items"}), "items": _any_of(elements)}


@each_schema
def arrays_have_items(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """An array must say what its items are, an empty tuple too (fastcore 798, reported)."""
    if schema.get("type") != "array" or "items" in schema or "prefixItems" in schema:
        return schema
    return {**schema, "items": {"type": "null"} if schema.get("maxItems") == 0 else {}}


def _any_of(schemas: list[Any]) -> Schema:
    distinct: list[Any] = []
    for schema in schemas:
        if not any(same_json(schema, other) for other in distinct):
            distinct.append(schema)
    return distinct[0] if len(distinct) == 1 else {"anyOf": distinct}


def _all_same(elements: list[Schema]) -> bool:
    return all(same_json(element, elements[0]) for element in elements)
