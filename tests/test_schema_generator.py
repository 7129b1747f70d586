"""What definitions say beyond pydantic's own schema."""

from decimal import Decimal
from typing import Annotated, NamedTuple

import pytest
from pydantic import Field, HttpUrl, NaiveDatetime, TypeAdapter

from fnschema._schema_generator import ArgumentsJsonSchema


class Box(NamedTuple):
    width_cm: int


NUMBER = {"type": "number"}
ANY_DECIMAL = {"anyOf": [NUMBER, {"type": "string", "format": "decimal"}]}


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        (Decimal, ANY_DECIMAL),
        (Annotated[Decimal, Field(ge=0, lt=10)], {"type": "number", "minimum": 0, "exclusiveMaximum": 10}),
        (
            Annotated[Decimal, Field(max_digits=5, decimal_places=2)],
            {"type": "string", "format": "decimal", "pattern": r"^-?[0-9]{1,3}(\.[0-9]{1,2})?$"},
        ),
        (
            Annotated[Decimal, Field(max_digits=5)],
            {"type": "string", "format": "decimal", "pattern": r"^-?[0-9]{1,3}(\.[0-9]{1,2})?$"},
        ),
        (
            Annotated[Decimal, Field(decimal_places=0)],
            {"type": "string", "format": "decimal", "pattern": "^-?[0-9]{1,28}$"},
        ),
        (
            Annotated[Decimal, Field(max_digits=5, decimal_places=2, ge=0)],
            {"type": "number", "multipleOf": 0.01, "minimum": 0, "maximum": 999.99},
        ),
        (Annotated[float, Field(gt=0)], {"type": "number", "exclusiveMinimum": 0}),
        (NaiveDatetime, {"type": "string", "format": "local-date-time"}),
        (complex, {"type": "string", "format": "complex"}),
        (
            HttpUrl,
            {"type": "string", "format": "uri", "minLength": 1, "maxLength": 2083, "pattern": "^(http|https)://"},
        ),
        (
            dict[int, str],
            {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "propertyNames": {"pattern": "^(0|-?[1-9][0-9]{0,17})$"},
            },
        ),
        (dict[str, str], {"type": "object", "additionalProperties": {"type": "string"}}),
        (
            dict[Annotated[str, Field(pattern="^[a-z]+$", max_length=3)], int],
            {
                "type": "object",
                "patternProperties": {"^[a-z]+$": {"type": "integer"}},
                "propertyNames": {"maxLength": 3},
                "additionalProperties": False,
            },
        ),
        (
            Box,
            {"type": "array", "prefixItems": [{"type": "integer", "title": "width_cm"}], "minItems": 1, "maxItems": 1},
        ),
    ],
    ids=str,
)
def test_a_type_is_published_as_narrow_as_it_is_validated(annotation, schema):
    assert TypeAdapter(annotation).json_schema(schema_generator=ArgumentsJsonSchema) == schema


def test_whole_bounds_are_whole_numbers():
    schema = TypeAdapter(Annotated[float, Field(ge=0)]).json_schema(schema_generator=ArgumentsJsonSchema)
    assert repr(schema["minimum"]) == "0"
