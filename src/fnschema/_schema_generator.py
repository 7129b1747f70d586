"""pydantic's JSON Schema of the arguments, once as it is and once as narrow as the validator that reads them.

pydantic publishes some types wider than it validates them: a dict with integer keys takes any key, a naive date and
time has a format that demands an offset, a Decimal is any string. A definition made of that allows arguments that the
tool then refuses, so the schemas here say more, by patterns and by formats that the rules of strict dialects know.
`params_json_schema` stays what pydantic makes.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from ._json_schema import Schema

__all__ = ["ArgumentsJsonSchema", "QuietJsonSchema", "published_schema"]

_KEY_PATTERNS = {
    "integer": r"^(0|-?[1-9][0-9]{0,17})$",
    "number": r"^-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,17})?$",
    "boolean": r"^(true|false)$",
}


def published_schema(model: type[BaseModel]) -> Schema:
    """The JSON Schema of an arguments model, as pydantic generates it."""
    return model.model_json_schema(schema_generator=QuietJsonSchema)


class QuietJsonSchema(GenerateJsonSchema):
    """pydantic's generator without its warnings: a member of a union that JSON has no form for is left out of it."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012 - as pydantic declares it

    def is_subclass_schema(self, schema: core_schema.IsSubclassSchema) -> JsonSchemaValue:
        """pydantic describes a class as anything at all; no JSON is one."""
        return self.handle_invalid_for_json_schema(schema, "a class")

    def union_schema(self, schema: core_schema.UnionSchema) -> JsonSchemaValue:
        """A union of which no member is left is no schema: JSON Schema forbids an empty ``anyOf``."""
        published = super().union_schema(schema)
        if published.get("anyOf") == []:
            return self.handle_invalid_for_json_schema(schema, "a union without a member that JSON has a form for")
        return published


class ArgumentsJsonSchema(QuietJsonSchema):
    """Narrower than pydantic's where a schema can say what the validator demands; for definitions only."""

    def get_title_from_name(self, name: str) -> str:
        """A NamedTuple's field names are published as they are; other titles are left out of definitions."""
        return name

    def float_schema(self, schema: core_schema.FloatSchema) -> JsonSchemaValue:
        """Bounds as whole numbers where they are whole, as people write them."""
        return {keyword: _whole(value) for keyword, value in super().float_schema(schema).items()}

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """A number and a string of digits; bounds only fit the number, a count of digits only the string."""
        number = self.float_schema(_as_float(schema))
        digits, places = schema.get("max_digits"), schema.get("decimal_places")
        if len(number) > 1:
            return number if digits is None and places is None else _number_of_digits(number, digits, places)
        if digits is None and places is None:
            return {"anyOf": [number, {"type": "string", "format": "decimal"}]}
        return {"type": "string", "format": "decimal", "pattern": _decimal_pattern(digits, places)}

    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> JsonSchemaValue:
        """RFC 3339's date-time has an offset, which a naive one must not have."""
        naive = schema.get("tz_constraint") == "naive"
        return {"type": "string", "format": "local-date-time"} if naive else super().datetime_schema(schema)

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        """Keys are text in JSON: those of numbers and bools have a pattern. No key is taken that fits none."""
        published = super().dict_schema(schema)
        if "patternProperties" in published:
            return {**published, "additionalProperties": False}
        if "keys_schema" not in schema:
            return published
        pattern = _KEY_PATTERNS.get(str(self.generate_inner(schema["keys_schema"]).get("type")))
        return {**published, "propertyNames": {"pattern": pattern}} if pattern else published

    def url_schema(self, schema: core_schema.UrlSchema) -> JsonSchemaValue:
        """The schemes that the type takes."""
        published = super().url_schema(schema)
        schemes = schema.get("allowed_schemes") or []
        return {**published, "pattern": f"^({'|'.join(schemes)})://"} if schemes else published

    def complex_schema(self, schema: core_schema.ComplexSchema) -> JsonSchemaValue:
        """A number as Python writes it."""
        return {**super().complex_schema(schema), "format": "complex"}


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e16 else value


def _as_float(schema: core_schema.DecimalSchema) -> core_schema.FloatSchema:
    def bound(value: Decimal | None) -> float | None:
        return None if value is None else float(value)

    return core_schema.float_schema(
        multiple_of=bound(schema.get("multiple_of")),
        le=bound(schema.get("le")),
        ge=bound(schema.get("ge")),
        lt=bound(schema.get("lt")),
        gt=bound(schema.get("gt")),
    )


def _decimal_pattern(digits: int | None, places: int | None) -> str:
    r"""Digits before and after the point so that the counts hold; ``^-?[0-9]{1,3}(\.[0-9]{1,2})?$`` is five and two."""
    after = digits // 2 if places is None and digits is not None else places or 0
    before = 28 if digits is None else max(digits - after, 1)
    return f"^-?[0-9]{{1,{before}}}" + (rf"(\.[0-9]{{1,{after}}})?$" if after else "$")


def _number_of_digits(number: JsonSchemaValue, digits: int | None, places: int | None) -> JsonSchemaValue:
    """A bounded Decimal with counted digits: a multiple of its last place, within what the digits can write."""
    after = places if places is not None else 0
    step = 10.0**-after if after else 1
    narrowed = {"multipleOf": step, **number}
    if digits is None:
        return narrowed
    most = _whole(10.0 ** max(digits - after, 0) - step)
    if "exclusiveMaximum" not in narrowed:
        narrowed["maximum"] = min(most, narrowed.get("maximum", most))
    if "exclusiveMinimum" not in narrowed:
        narrowed["minimum"] = max(-most, narrowed.get("minimum", -most))
    return narrowed
