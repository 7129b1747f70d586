"""Rules about `$ref` and `$defs`."""

from __future__ import annotations

from collections.abc import Mapping

from ..._json_schema import (
    DEFINITIONS,
    Path,
    Schema,
    definitions_reached,
    inline,
    only,
    references,
    rewrite,
    target_of,
    without,
)
from ...errors import pointer
from ..facts import SchemaFacts
from .rule import each_schema

__all__ = [
    "definitions_renamed",
    "references_inlined",
    "references_wrapped",
    "root_reference_replaced",
    "union_references_inlined",
    "unused_definitions_left_out",
]


def definitions_renamed(root: Schema, facts: SchemaFacts) -> Schema:
    """`definitions` is the name that `$defs` had before JSON Schema 2019-09, and few providers list it."""
    older = root.get("definitions")
    if not older:
        return root
    newer = root.get("$defs", {})
    names = {name: name if name not in newer else f"{name}_" for name in older}
    moved = {f"#{pointer(('definitions', name))}": f"#{pointer(('$defs', new))}" for name, new in names.items()}
    defs = {**newer, **{new: older[name] for name, new in names.items()}}
    return rewrite({**without(root, {"definitions"}), "$defs": defs}, lambda schema: _with_reference(schema, moved))


def _with_reference(schema: Schema, moved: Mapping[str, str]) -> Schema:
    return {**schema, "$ref": moved[schema["$ref"]]} if schema.get("$ref") in moved else schema


def root_reference_replaced(root: Schema, facts: SchemaFacts) -> Schema:
    """The root must be an object itself, not a reference to one."""
    seen = set[str]()
    while "$ref" in root and root["$ref"] not in seen:
        seen.add(root["$ref"])
        root = {**target_of(root["$ref"], root), **without(root, {"$ref"})}
    return root


@each_schema
def references_wrapped(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """Keywords beside a `$ref` are refused: it becomes the only branch of a union that has them."""
    if "$ref" not in schema or len(schema) == 1:
        return schema
    return {**without(schema, {"$ref"}), "anyOf": [{"$ref": schema["$ref"]}]}


def references_inlined(root: Schema, facts: SchemaFacts) -> Schema:
    """`$ref` is not taken: what it leads to stands in its place."""
    if facts.takes("$ref"):
        return root
    inlined = inline(without(root, DEFINITIONS), root)
    if not references(inlined):
        return inlined
    # A type that refers to itself is found by a check; until then its references lead somewhere.
    return {**inlined, **only(root, DEFINITIONS)}


def union_references_inlined(root: Schema, facts: SchemaFacts) -> Schema:
    """`$ref` is refused in a union: what it leads to stands in its place."""

    def stands_in_union(schema: Schema, path: Path) -> bool:
        return path[-2:-1] == ("anyOf",)

    return root if facts.references_in_unions else inline(root, root, stands_in_union)


def unused_definitions_left_out(root: Schema, facts: SchemaFacts) -> Schema:
    """Definitions that nothing refers to are left out."""
    kept = set(definitions_reached(without(root, DEFINITIONS), root))
    changed = root
    for keyword in DEFINITIONS:
        if keyword in root:
            used = {name: child for name, child in root[keyword].items() if (keyword, name) in kept}
            changed = without(changed, {keyword}) if not used else {**changed, keyword: used}
    return changed
