"""Rules about keywords in general: what a provider lacks is said in words, what says nothing is left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._json_schema import LISTS_OF_SCHEMAS, MAPS_OF_SCHEMAS, Schema, is_array, resolve, without
from ..facts import SchemaFacts
from .objects import has_one_pattern
from .patterns import is_taken, plain
from .rule import each_schema, each_schema_downwards
from .wording import as_json, sentence_for, told

__all__ = [
    "ASSERTIONS",
    "KEYWORDS_TOLD",
    "additional_properties_told",
    "annotations_left_out",
    "booleans_as_schemas",
    "keywords_told",
    "patterns_plain",
    "property_patterns_told",
    "titles_left_out",
]

# In the order in which they are told.
_TOLD = (
    *("format", "contentEncoding", "contentMediaType", "contentSchema", "pattern"),
    *("minLength", "maxLength", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"),
    *("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
    *("examples", "default", "deprecated"),
)
# `additionalProperties` and its like stay booleans, which every provider reads.
_NEVER_BOOLEAN = frozenset({"contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then"})

KEYWORDS_TOLD = frozenset(_TOLD)

# Keywords that constrain values (JSON Schema 2020-12 and its older drafts); all others only speak about the schema.
ASSERTIONS = frozenset(
    {
        *("$dynamicRef", "$recursiveRef", "$ref", "additionalItems", "additionalProperties", "allOf", "anyOf", "const"),
        *("contains", "dependencies", "dependentRequired", "dependentSchemas", "else", "enum", "exclusiveMaximum"),
        *("exclusiveMinimum", "format", "if", "items", "maxContains", "maxItems", "maxLength", "maxProperties"),
        *("maximum", "minContains", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not", "oneOf"),
        *("pattern", "patternProperties", "prefixItems", "properties", "propertyNames", "required", "then", "type"),
        *("unevaluatedItems", "unevaluatedProperties", "uniqueItems"),
    }
)


@each_schema
def booleans_as_schemas(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """A schema that is true or false is written as an object (JSON Schema 2020-12, core section 4.3.2)."""
    changed: Schema = {}
    for keyword, value in schema.items():
        if keyword in MAPS_OF_SCHEMAS and any(isinstance(below, bool) for below in value.values()):
            changed[keyword] = {name: _spelled_out(below) for name, below in value.items()}
        elif keyword in LISTS_OF_SCHEMAS and is_array(value) and any(isinstance(below, bool) for below in value):
            changed[keyword] = [_spelled_out(below) for below in value]
        elif keyword in _NEVER_BOOLEAN and isinstance(value, bool):
            changed[keyword] = _spelled_out(value)
    return {**schema, **changed} if changed else schema


def _spelled_out(schema: Any) -> Any:
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    return schema


@each_schema
def patterns_plain(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """A pattern of pydantic's own is wider or richer than what it checks: a plain one says what is meant."""
    pattern = schema.get("pattern")
    if not isinstance(pattern, str) or plain(pattern) == pattern:
        return schema
    return {**schema, "pattern": plain(pattern)}


@each_schema
def keywords_told(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """What the provider cannot check is said in the description."""
    for keyword in _TOLD:
        if keyword not in schema or _is_taken(keyword, schema[keyword], facts):
            continue
        value = schema[keyword]
        sentence = sentence_for(keyword, value)
        rest = without(schema, {keyword})
        if keyword == "minItems" and facts.takes(keyword) and facts.most_min_items is not None:
            rest = {**rest, keyword: facts.most_min_items}  # the most that is taken still holds
        schema = told(rest, sentence) if sentence else rest
    return schema


def _is_taken(keyword: str, value: Any, facts: SchemaFacts) -> bool:
    if not facts.takes(keyword):
        return False
    if keyword == "format":
        return facts.formats is None or value in facts.formats
    if keyword == "pattern":
        return is_taken(value, facts.patterns)
    if keyword == "minItems":
        return facts.most_min_items is None or value <= facts.most_min_items
    return True


@each_schema
def annotations_left_out(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """Keywords that constrain nothing and that the provider does not list are left out."""
    extra = {keyword for keyword in schema if keyword not in ASSERTIONS and not facts.takes(keyword)}
    return without(schema, extra) if extra else schema


@each_schema
def titles_left_out(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """Generated titles say what the names say already."""
    return without(schema, {"title"}) if "title" in schema else schema


@each_schema_downwards
def additional_properties_told(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """What other properties an object may have is said in the description."""
    if facts.takes("additionalProperties"):
        return schema
    return _told_and_dropped(schema, "additionalProperties", _other_properties)


@each_schema
def property_patterns_told(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """What the names of a map's properties must be is said in the description."""
    if not facts.takes("propertyNames"):
        schema = _told_and_dropped(
            schema, "propertyNames", lambda names: f"Its keys fit {as_json(resolve(names, root))}."
        )
    if facts.takes("patternProperties") or not has_one_pattern(schema):
        return schema
    ((pattern, below),) = schema["patternProperties"].items()
    schema = {**without(schema, {"patternProperties"}), "additionalProperties": below}
    return told(schema, f"Its keys match the regular expression `{pattern}`.")


def _told_and_dropped(schema: Schema, keyword: str, words: Callable[[Any], str]) -> Schema:
    if keyword not in schema:
        return schema
    sentence = words(schema[keyword])
    rest = without(schema, {keyword})
    return told(rest, sentence) if sentence else rest


def _other_properties(value: Any) -> str:
    if value is False:
        return ""
    return "It may have any other properties." if value is True else f"Its other properties fit {as_json(value)}."
