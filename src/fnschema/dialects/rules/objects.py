"""Rules about objects: closing them, requiring their properties, publishing maps as entries."""

from __future__ import annotations

from ..._json_schema import Schema, is_object, kinds_of, only, schemas_in, without
from ..facts import SchemaFacts
from .rule import ANNOTATIONS, NULL, admits_null, each_schema
from .wording import as_json, told

__all__ = [
    "has_one_pattern",
    "is_map",
    "is_open",
    "maps_as_entries",
    "nested_objects_told",
    "objects_closed",
    "objects_opened",
    "optional_as_nullable",
]

# An object within one of these must stay open: `additionalProperties` does not see what its neighbours declare.
_COMPOSITIONS = frozenset({"allOf", "if", "not", "dependentSchemas", "unevaluatedProperties"})


def is_open(schema: Schema) -> bool:
    """Whether the object takes properties that it does not name. One that only names some counts as closed."""
    names_some = "properties" in schema or "additionalProperties" in schema
    if not names_some and "object" not in kinds_of(schema):
        return False
    takes_others = schema.get("patternProperties") or schema.get("additionalProperties", False) is not False
    return not names_some or bool(takes_others)


def is_map(schema: Schema) -> bool:
    """Whether the object is a map: open, without a named property, its values of one schema."""
    one_kind = not schema.get("patternProperties") or has_one_pattern(schema)
    return schema.get("type") == "object" and not schema.get("properties") and one_kind and is_open(schema)


def has_one_pattern(schema: Schema) -> bool:
    """Whether the keys that the object does not name fit one pattern, and their values one schema."""
    return len(schema.get("patternProperties", ())) == 1 and schema.get("additionalProperties", False) is False


@each_schema
def maps_as_entries(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """Maps are not taken: an array of closed key and value objects stands for one."""
    if not is_map(schema):
        return schema
    key, value = _key_and_value(schema)
    entry = {
        "type": "object",
        "properties": {"key": key, "value": value},
        "required": ["key", "value"],
        "additionalProperties": False,
    }
    counts = {"minProperties": "minItems", "maxProperties": "maxItems"}
    bounds = {counts[keyword]: count for keyword, count in schema.items() if keyword in counts}
    return {"type": "array", "items": entry, **bounds, **only(schema, ANNOTATIONS | {"$defs"})}


def _key_and_value(schema: Schema) -> tuple[Schema, Schema]:
    names = schema.get("propertyNames", {})
    if schema.get("patternProperties"):
        ((pattern, value),) = schema["patternProperties"].items()
        return {"type": "string", **names, "pattern": pattern}, value
    key = names if {"$ref", "anyOf", "enum", "const"} & names.keys() else {"type": "string", **names}
    value = schema.get("additionalProperties", True)
    return key, value if is_object(value) else {}


@each_schema
def optional_as_nullable(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """Strict mode requires every property: null stands for one that is left out."""
    properties = schema.get("properties")
    if not is_object(properties):
        return schema
    required = schema.get("required", ())
    asked = {name: below if name in required else _nullable(below, root) for name, below in properties.items()}
    if list(properties) == required:
        return schema
    return {**schema, "properties": asked, "required": list(properties)}


def _nullable(schema: Schema, root: Schema) -> Schema:
    if admits_null(schema, root):
        return schema
    core = without(schema, ANNOTATIONS)
    branches = core["anyOf"] if core.keys() == {"anyOf"} else [core]
    return {"anyOf": [*branches, NULL], **only(schema, ANNOTATIONS)}


def objects_closed(root: Schema, facts: SchemaFacts) -> Schema:
    """An object with named properties takes no others, as the tool itself does."""
    stays_open = not facts.takes("additionalProperties") or (not facts.closed and _has_composition(root))
    return root if stays_open else _close(root, facts)


@each_schema
def _close(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    if "properties" not in schema and (not facts.closed or "object" not in kinds_of(schema)):
        return schema
    if is_open(schema):
        return schema
    required = {"required": list(schema.get("properties", {}))} if facts.all_required else {}
    return {"type": "object", "properties": {}, **schema, **required, "additionalProperties": False}


def objects_opened(root: Schema, facts: SchemaFacts) -> Schema:
    """The tool lets unknown properties pass, and says so where a provider would close its objects."""
    return _open(root, facts) if facts.takes("additionalProperties") else root


@each_schema
def _open(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    if "properties" not in schema or "additionalProperties" in schema:
        return schema
    return {**schema, "additionalProperties": True}


def nested_objects_told(root: Schema, facts: SchemaFacts) -> Schema:
    """The client drops the properties of a property: the description holds them too."""
    properties = root.get("properties", {})
    return {**root, "properties": {name: _shape_told(schema) for name, schema in properties.items()}}


def _shape_told(schema: Schema) -> Schema:
    shape = {keyword: schema[keyword] for keyword in ("properties", "required") if keyword in schema}
    return told(schema, f"Fits the JSON Schema {as_json(shape)}.") if schema.get("properties") else schema


def _has_composition(root: Schema) -> bool:
    return any(is_object(schema) and not _COMPOSITIONS.isdisjoint(schema) for schema in schemas_in(root))
