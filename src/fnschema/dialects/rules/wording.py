"""What a schema cannot say is said in its description: one short sentence a keyword."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ..._json_schema import Schema, is_array

__all__ = ["as_json", "sentence_for", "told"]


def as_json(value: object) -> str:
    """JSON on one line, letters of every script as they are."""
    return json.dumps(value, ensure_ascii=False)


def told(schema: Schema, sentence: str) -> Schema:
    """The schema with a sentence at the end of its description, unless it is there already."""
    text = str(schema.get("description", "")).rstrip()
    if sentence in text:
        return schema
    if not text:
        return {**schema, "description": sentence}
    stop = "" if text.endswith((".", "!", "?", ":", ";", "`", "。")) else "."
    gap = "\n" if "\n" in text else " "
    return {**schema, "description": f"{text}{stop}{gap}{sentence}"}


def sentence_for(keyword: str, value: Any) -> str | None:
    """What a keyword says, in words; `None` when only a schema can say it."""
    words = _WORDS.get(keyword)
    return words(value) if words else None


def _characters(count: Any) -> str:
    return f"{count} character{'s' * (count != 1)}"


def _items(count: Any) -> str:
    return f"{count} item{'s' * (count != 1)}"


def _entries(count: Any) -> str:
    return f"{count} {'entry' if count == 1 else 'entries'}"


def _listed(values: Any) -> list[Any]:
    """OpenAPI's `examples` are a map, and people write one example alone."""
    return values if is_array(values) else [values]


_WORDS: dict[str, Callable[[Any], str]] = {
    "const": lambda value: f"Only {as_json(value)}.",
    "contentEncoding": lambda value: f"Encoded as {value}.",
    "contentMediaType": lambda value: f"Holds {value}.",
    "contentSchema": lambda value: f"Its content fits the JSON Schema {as_json(value)}.",
    "default": lambda value: f"Default: {as_json(value)}.",
    "deprecated": lambda value: "Deprecated." if value else "",
    "enum": lambda values: f"One of: {', '.join(map(as_json, values))}.",
    "examples": lambda values: f"Examples: {', '.join(map(as_json, _listed(values)))}." if values else "",
    "exclusiveMaximum": lambda value: f"Less than {as_json(value)}.",
    "exclusiveMinimum": lambda value: f"More than {as_json(value)}.",
    "format": lambda value: f"Format: {value}.",
    "maxItems": lambda count: f"At most {_items(count)}.",
    "maxLength": lambda count: f"At most {_characters(count)}.",
    "maxProperties": lambda count: f"At most {_entries(count)}.",
    "maximum": lambda value: f"At most {as_json(value)}.",
    "minItems": lambda count: f"At least {_items(count)}." if count else "",
    "minLength": lambda count: f"At least {_characters(count)}." if count else "",
    "minProperties": lambda count: f"At least {_entries(count)}." if count else "",
    "minimum": lambda value: f"At least {as_json(value)}.",
    "multipleOf": lambda value: f"A multiple of {as_json(value)}.",
    "pattern": lambda value: f"Matches the regular expression `{value}`.",
    "uniqueItems": lambda value: "No item twice." if value else "",
}
