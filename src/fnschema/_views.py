"""A schema as people read it: its parameters in a few words each, as text or as HTML."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ._json_schema import Schema, branches_of, is_object
from ._type_words import DEEPEST, TypeWords, fields_of, name_of, target_of, tuple_of, value
from .errors import on_one_line

__all__ = ["Row", "as_html", "as_text", "rows"]


@dataclass(frozen=True, slots=True)
class Row:
    """A parameter, or a field of what a parameter holds.

    Attributes:
        depth: 0 for a parameter, 1 for a field of it.
        name: the property's.
        type: in a few words: ``integer 0–100``, ``array of string``, ``"a" | "b"``, the name of an object.
        default: as JSON; ``""`` if there is none.
        description: the property's, or that of its type, or of the object it holds.
        is_optional: whether it may be left out though it has no default.
    """

    depth: int
    name: str
    type: str
    default: str
    description: str
    is_optional: bool = False

    @property
    def signature(self) -> str:
        """As Python would write it; what may be left out is marked as in TypeScript."""
        name = on_one_line(self.name) + ("?" if self.is_optional else "")
        return name + (f": {self.type}" if self.type else "") + (f" = {self.default}" if self.default else "")


def rows(schema: Schema) -> Iterator[Row]:
    """The parameters of a tool in their order, below each the fields of what it holds.

    A type of several parameters has its fields below the first of them only. A row whose name is ``…`` stands for
    fields that are nested too deeply to be drawn.
    """
    return _rows(schema, schema, TypeWords(schema), 0, set())


def _rows(schema: Schema, root: Schema, words: TypeWords, depth: int, shown: set[str]) -> Iterator[Row]:
    if depth > DEEPEST:
        yield Row(depth, "…", "", "", "Deeper fields are not drawn.")
        return
    required = schema.get("required") or ()
    for name, written in fields_of(schema).items():
        property_: Schema = written if is_object(written) else {}
        held = dict(_objects(property_, root, set()))
        default = value(property_["default"]) if "default" in property_ else ""
        is_optional = not default and name not in required
        described = next(iter(held.values())) if len(held) == 1 else target_of(property_, root)
        description = _description(property_) or _description(described)
        yield Row(depth, name, words.of(written), default, description, is_optional)
        for reference, target in held.items():
            if reference in shown:
                continue
            shown.add(reference)
            if len(held) > 1:
                yield _heading(depth + 1, reference, target)
            yield from _rows(target, root, words, depth + (2 if len(held) > 1 else 1), shown)


def _heading(depth: int, reference: str, target: Schema) -> Row:
    """The row above the fields of one of several objects that a parameter holds."""
    name = name_of(reference) if "/" in reference else ""
    return Row(depth, name or "object", "object" if name else "", "", _description(target))


def _objects(schema: Schema, root: Schema, seen: set[str], level: int = 0) -> Iterator[tuple[str, Schema]]:
    """The objects with fields that a value of the schema is or holds, each with the reference or a mark of its own."""
    target = target_of(schema, root)
    mark = str(schema.get("$ref") or f"#{id(schema)}")
    if level > DEEPEST or mark in seen:
        return
    seen.add(mark)
    if fields_of(target):
        yield mark, target
    for part in _parts(target):
        if is_object(part):
            yield from _objects(part, root, seen, level + 1)


def _parts(schema: Schema) -> Iterable[Any]:
    """The schemas of what a value holds, less those of its fields."""
    patterns = schema.get("patternProperties")
    return (
        *branches_of(schema),
        *tuple_of(schema),
        schema.get("items"),
        schema.get("additionalProperties"),
        *(patterns.values() if is_object(patterns) else ()),
    )


def _description(schema: Schema) -> str:
    return str(schema.get("description") or "")


def as_text(name: str, schema: Schema) -> str:
    """A tool on one line: ``name='book', parameters=('day', 'seats')``."""
    return f"name={name!r}, parameters={tuple(fields_of(schema))!r}"


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
