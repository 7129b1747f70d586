"""A schema as people read it: its parameters in a few words each, as text or as HTML."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ._json_schema import Schema, branches_of, is_array, is_object, resolve
from .errors import UserError

__all__ = ["Row", "as_html", "as_text", "rows"]

_DEEPEST = 10  # levels; no schema that a person would read has more


@dataclass(frozen=True, slots=True)
class Row:
    """A parameter, or a field of what a parameter holds.

    Attributes:
        depth: 0 for a parameter, 1 for a field of it.
        name: the property's.
        type: in a few words: ``integer``, ``array of string``, ``"a" | "b"``, the name of an object.
        default: as JSON; ``""`` if there is none.
        description: the property's, or that of the object it holds.
    """

    depth: int
    name: str
    type: str
    default: str
    description: str

    @property
    def signature(self) -> str:
        """As Python would write it."""
        return f"{self.name}: {self.type}" + (f" = {self.default}" if self.default else "")


def rows(schema: Schema) -> Iterator[Row]:
    """The parameters of a tool in their order, below each the fields of what it holds.

    A type of several parameters has its fields below the first of them only.
    """
    return _rows(schema, schema, 0, set())


def _rows(schema: Schema, root: Schema, depth: int, shown: set[str]) -> Iterator[Row]:
    for name, written in _properties(schema).items():
        property_: Schema = written if is_object(written) else {}
        held = dict(_objects(property_, root, depth))
        default = _json(property_["default"]) if "default" in property_ else ""
        description = property_.get("description") or (_description(*held.values()) if len(held) == 1 else "")
        yield Row(depth, name, _type(property_, root, depth), default, str(description))
        for reference, target in held.items():
            if reference in shown:
                continue
            shown.add(reference)
            if len(held) > 1:
                yield Row(depth + 1, _name_of(reference), "object", "", _description(target))
            yield from _rows(target, root, depth + (2 if len(held) > 1 else 1), shown)


def _objects(schema: Schema, root: Schema, depth: int) -> Iterator[tuple[str, Schema]]:
    """The objects with fields that a value of the schema is or holds, each with the reference or a mark of its own."""
    target = _target(schema, root)
    if depth > _DEEPEST:
        return
    if _properties(target):
        yield str(schema.get("$ref") or f"#{id(schema)}"), target
    for part in (*branches_of(target), target.get("items"), target.get("additionalProperties")):
        if is_object(part):
            yield from _objects(part, root, depth + 1)


def _properties(schema: Schema) -> Mapping[str, Any]:
    properties = schema.get("properties")
    return properties if is_object(properties) else {}


def _target(schema: Schema, root: Schema) -> Schema:
    """What the schema refers to; the schema itself where that is nothing, since views judge no schema."""
    try:
        return resolve(schema, root)
    except UserError:
        return schema


def _type(schema: Schema, root: Schema, depth: int) -> str:
    if depth > _DEEPEST:
        return "…"
    target = _target(schema, root)
    if "$ref" in schema and "enum" not in target and "const" not in target:
        return _name_of(str(schema["$ref"]))
    if "const" in target:
        return _json(target["const"])
    if is_array(values := target.get("enum")):
        return " | ".join(map(_json, values))
    if branches := branches_of(target):
        words = (_type(branch if is_object(branch) else {}, root, depth + 1) for branch in branches)
        return " | ".join(dict.fromkeys(words))
    kind = target.get("type", "any")
    if kind == "array" and is_object(items := target.get("items")) and items:
        return f"array of {_type(items, root, depth + 1)}"
    if kind == "object" and is_object(others := target.get("additionalProperties")) and others:
        return f"object of {_type(others, root, depth + 1)}"
    return " | ".join(map(str, kind)) if is_array(kind) else str(kind)


def _description(schema: Schema) -> str:
    return str(schema.get("description", ""))


def _name_of(reference: str) -> str:
    return reference.rpartition("/")[2]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=repr)


def as_text(name: str, schema: Schema) -> str:
    """A tool on one line: ``name='book', parameters=('day', 'seats')``."""
    return f"name={name!r}, parameters={tuple(_properties(schema))!r}"


def as_html(name: str, description: str | None, schema: Schema) -> str:
    """A tool as a notebook shows it. Whatever the author or a foreign server wrote is escaped."""
    cells = "".join(
        f'<tr><td style="text-align:left;padding-left:{1 + 2 * row.depth}em"><code>{html.escape(row.signature)}</code>'
        f'</td><td style="text-align:left">{html.escape(row.description)}</td></tr>'
        for row in rows(schema)
    )
    said = f"<p>{html.escape(description)}</p>" if description else ""
    table = f"<table><tbody>{cells}</tbody></table>" if cells else ""
    return f"<div><strong><code>{html.escape(name)}</code></strong>{said}{table}</div>"
