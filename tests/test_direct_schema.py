import dataclasses
import datetime
import decimal
import enum
import inspect
import ipaddress
import pathlib
import uuid
from typing import Annotated, Any, Literal, NamedTuple, Optional

import pytest
from pydantic import AfterValidator, BaseModel, Field, HttpUrl, WithJsonSchema
from typing_extensions import TypedDict, deprecated

from fnschema import function_schema
from fnschema._arguments import arguments_model
from fnschema._direct_schema import direct_schema
from fnschema._fields import argument_field
from fnschema._inspection import EMPTY, Parameter
from fnschema._schema_generator import published_schema
from fnschema._signature import read_signature


class Colour(enum.Enum):
    RED = "red"


class Point(BaseModel):
    x: int


class Cloud(BaseModel):
    points: list[Point]
    inner: Optional["Cloud"] = None


@dataclasses.dataclass
class Box:
    corner: Point
    kind: Literal["box"] = "box"


class Circle(BaseModel):
    kind: Literal["circle"]


class Pin(NamedTuple):
    x: float


class Query(TypedDict):
    text: str


def direct(annotation, default=EMPTY, kind=inspect.Parameter.POSITIONAL_OR_KEYWORD):
    field = argument_field(Parameter("v", kind, annotation, default), None, ())
    return direct_schema("f", [field])


@pytest.mark.parametrize(
    "annotation",
    [
        *(str, int, float, bool, None, Any, bytes, EMPTY),
        *(datetime.datetime, datetime.date, datetime.time, datetime.timedelta, uuid.UUID),
        *(decimal.Decimal, pathlib.Path, list[ipaddress.IPv4Address]),
        *(list, dict, set, frozenset, tuple),
        *(list[int], set[str], frozenset[str], tuple[int, str], tuple[int, ...], dict[str, list[int]]),
        *(int | None, int | str, Literal["a", "b"], Literal[1, None], Colour, Point, Cloud, Box, Query),
        *(list[Point] | None, dict[str, Colour]),
        Annotated[int, Field(ge=1, lt=9)],
        Annotated[str, Field(min_length=1, pattern="^a"), "What it is."],
        Annotated[list[int], Field(min_length=1, max_length=9)],
        Annotated[dict[str, int], Field(max_length=9)],
    ],
    ids=str,
)
def test_common_types_need_no_model(annotation):
    assert direct(annotation) is not None


@pytest.mark.parametrize("default", [object(), 10**5000, {"\ud800": 1}], ids=["object", "digits", "surrogate"])
def test_a_default_that_json_cannot_hold_is_not_told(default):
    assert direct(Any, default) == {"properties": {"v": {"title": "V"}}, "title": "f_args", "type": "object"}


@pytest.mark.parametrize("default", [None, 1, "a", 1.5, [], [1], {"a": [None]}, (), Colour.RED, float("nan")], ids=str)
def test_common_defaults_need_no_model(default):
    assert direct(Any, default) is not None


def general(annotation):
    field = argument_field(Parameter("v", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation, EMPTY), None, ())
    return published_schema(arguments_model("f", [field]))


@pytest.mark.parametrize(
    "annotation",
    [
        *(object, complex, list[complex], dict[int, str], Pin, HttpUrl, list[Pin], Box | Pin),
        Annotated[Box | Circle, Field(discriminator="kind")],
        Annotated[Point, AfterValidator(lambda value: value)],
        Annotated[int, WithJsonSchema({"$ref": "https://example.com/a.json"})],
    ],
    ids=str,
)
def test_other_types_are_written_by_pydantic_without_a_model(annotation):
    assert direct(annotation) == general(annotation)


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[str, Field(pattern="(?=a)")],
        Annotated[str, Field(title="Own")],
        Annotated[str, Field(alias="w")],
        Annotated[str, deprecated("Use another.")],
        Annotated[int, WithJsonSchema({"$ref": "#/$defs/Nowhere"})],
        Annotated[list[int], Field(min_length=-1)],
        Annotated[int, Field(ge=0.5)],
    ],
    ids=str,
)
def test_what_only_a_model_can_say_needs_one(annotation):
    assert direct(annotation) is None


def test_definitions_of_types_that_pydantic_writes_are_joined_with_the_others():
    def draw(box: Box, shape: Annotated[Box | Circle, Field(discriminator="kind")], pin: Pin, points: list[Point]): ...

    fields = [argument_field(p, None, ()) for p in read_signature(draw).parameters]
    written = direct_schema("draw", fields)
    assert written == published_schema(arguments_model("draw", fields))
    assert list(written["$defs"]) == ["Box", "Circle", "Pin", "Point"]


@pytest.mark.parametrize("default", [{1}, {1: 2}, datetime.date(2020, 1, 1), Field(1)], ids=str)
def test_other_defaults_are_left_to_pydantic(default):
    assert direct(Any, default) is None


def test_a_function_of_any_keywords_is_left_to_pydantic():
    assert direct(Box, kind=inspect.Parameter.VAR_KEYWORD) is None


def test_editing_one_schema_leaves_the_next_alone():
    def paint(colour: Colour, where: list[int] = [1]): ...  # noqa: B006 - as people write it

    before = function_schema(paint, strict_json_schema=False).params_json_schema
    before["$defs"]["Colour"]["enum"].append("blue")
    before["properties"]["where"]["default"].append(2)
    after = function_schema(paint, strict_json_schema=False).params_json_schema
    assert (after["$defs"]["Colour"]["enum"], after["properties"]["where"]["default"]) == (["red"], [1])
    assert paint.__defaults__ == ([1],)


def test_two_classes_of_one_name_need_a_model():
    other = enum.Enum("Colour", {"BLUE": "blue"})
    assert direct(tuple[Colour, other]) is None
