"""Results: the text of an answer, the schema of what an annotation allows, and what does not fit it."""

from __future__ import annotations

import copy
import enum
import json
import math
import pickle
import uuid
from collections.abc import Awaitable, Coroutine, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from inspect import Signature
from ipaddress import IPv4Address
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, PlainSerializer, computed_field

from fnschema import Agent, FunctionTool, Result, Runner, UserError, function_tool
from fnschema._results import Rendered, ResultError, Results, render
from fnschema.testing import ScriptedModel, ToolCall


class Colour(enum.Enum):
    RED = "red"


class Word(enum.StrEnum):
    YES = "yes"


@dataclass
class Point:
    x: int


class Pair(NamedTuple):
    left: int
    right: int


class Named(BaseModel):
    model_config = ConfigDict(serialize_by_alias=True)
    given_name: str = Field(alias="givenName")


VALUES: dict[str, tuple[Any, str]] = {
    "text": ("é\n", "é\n"),
    "an empty text": ("", ""),
    "text that looks like JSON": ('{"a": 1}', '{"a": 1}'),
    "bytes": (b"abc", '"abc"'),
    "an enum": (Colour.RED, '"red"'),
    "an enum of strings": (Word.YES, '"yes"'),
    "a dataclass": (Point(1), '{"x":1}'),
    "a named tuple": (Pair(1, 2), "[1,2]"),
    "a set": ({1}, "[1]"),
    "a date": ([date(2020, 1, 2)], '["2020-01-02"]'),
    "a decimal": (Decimal("1.10"), '"1.10"'),
    "a path": (Path("/a"), '"/a"'),
    "keys that are no strings": ({1: "a"}, '{"1":"a"}'),
    "a model with its own aliases, nested": ({"who": Named(givenName="Ann")}, '{"who":{"givenName":"Ann"}}'),
    "the word NaN": ("NaN", "NaN"),
    "the word NaN in a list": (["NaN"], '["NaN"]'),
}


@pytest.mark.parametrize(("value", "text"), VALUES.values(), ids=VALUES)
def test_render(value: Any, text: str) -> None:
    assert render(value) == text


@pytest.mark.parametrize("value", [object(), {"a": object}, "\ud800", ["\ud800"], b"\xff"])
def test_what_json_cannot_hold(value: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        render(value)


def nested(value: Any, levels: int) -> Any:
    return [nested(value, levels - 1)] if levels else value


NOT_READ_BACK = {
    "not a number": (float("nan"), "JSON cannot hold NaN or Infinity"),
    "infinite, in a list": ([float("-inf")], "JSON cannot hold NaN or Infinity"),
    "the word NaN too deep to be looked at": (
        nested("NaN", 210),
        "the JSON is too deeply nested: more than 200 levels",
    ),
}


@pytest.mark.parametrize(("value", "text"), NOT_READ_BACK.values(), ids=NOT_READ_BACK)
def test_what_json_cannot_hold_is_named(value: Any, text: str) -> None:
    with pytest.raises(ValueError, match=f"^{text}$"):
        FunctionTool.result_text(value)


class Tree(BaseModel):
    """A tree."""

    size: float
    branches: list[Tree] = []


class Inch(BaseModel):
    length: float

    @computed_field
    @property
    def centimetres(self) -> float:
        return self.length * 2.54


class Address(TypedDict):
    street: str
    number: NotRequired[int]


class Sized(BaseModel):
    name: Annotated[str, Field(pattern=r"^(?s:.)*$", alias="Name")]
    at: datetime | None = None


_STRING, _INTEGER, _NUMBER = ({"type": kind} for kind in ("string", "integer", "number"))


def _wrapped(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"result": schema}, "required": ["result"]}


SCHEMAS: dict[str, tuple[Any, dict[str, Any] | None]] = {
    "text": (str, _wrapped(_STRING)),
    "nothing": (None, _wrapped({"type": "null"})),
    "a list": (list[int], _wrapped({"type": "array", "items": _INTEGER})),
    "a union": (int | None, _wrapped({"anyOf": [_INTEGER, {"type": "null"}]})),
    "a map": (dict[str, int], {"type": "object", "additionalProperties": _INTEGER}),
    "a typed dict": (
        Address,
        {"type": "object", "properties": {"street": _STRING, "number": _INTEGER}, "required": ["street"]},
    ),
    "a dataclass": (Point, {"type": "object", "properties": {"x": _INTEGER}, "required": ["x"]}),
    "a computed field": (
        Inch,
        {
            "type": "object",
            "properties": {"length": _NUMBER, "centimetres": {**_NUMBER, "readOnly": True}},
            "required": ["length", "centimetres"],
        },
    ),
    "an alias that is used": (
        Named,
        {"type": "object", "properties": {"givenName": _STRING}, "required": ["givenName"]},
    ),
    "an awaitable": (Awaitable[int], _wrapped(_INTEGER)),
    "a coroutine": (Coroutine[Any, Any, int], _wrapped(_INTEGER)),
    "an iterable": (Iterable[int], _wrapped({"type": "array", "items": _INTEGER})),
    "bounds": (Annotated[int, Field(ge=0)], _wrapped({**_INTEGER, "minimum": 0})),
    "its own text": (Annotated[int, PlainSerializer(str, return_type=str)], _wrapped(_STRING)),
    "no annotation": (Signature.empty, None),
    "anything": (Any, None),
    "any object": (object, None),
    "a name that is nowhere": ("Nowhere", None),
    "a class": (type, None),
    "a class or text": (str | type, None),
    "an agent": (Agent, None),
    "a result": (Result, None),
}


@pytest.mark.parametrize(("annotation", "schema"), SCHEMAS.values(), ids=SCHEMAS)
def test_the_schema_of_an_annotation(annotation: Any, schema: dict[str, Any] | None) -> None:
    assert Results(annotation).schema == schema


def test_a_recursive_result_is_an_object_itself() -> None:
    schema = Results(Tree).schema

    assert schema is not None
    assert (schema["type"], schema["properties"]["branches"]["items"]) == ("object", {"$ref": "#/$defs/Tree"})


RENDERED: dict[str, tuple[Any, Any, Rendered]] = {
    "text": (str, "é", Rendered("é", {"result": "é"})),
    "a whole float": (float, 5, Rendered("5", {"result": 5.0})),
    "a dict for a model": (Tree, {"size": 1}, Rendered('{"size":1.0,"branches":[]}', {"size": 1.0, "branches": []})),
    "a tuple for a list": (list[int], (1, 2), Rendered("[1,2]", {"result": [1, 2]})),
    "an enum of strings": (Word, Word.YES, Rendered('"yes"', {"result": "yes"})),
    "written in another way": (
        Annotated[int, PlainSerializer(lambda _: "many")],
        3,
        Rendered("many", {"result": "many"}),
    ),
    "hidden by the annotation": (Point, Point(1), Rendered('{"x":1}', {"x": 1})),
    "drained": (Iterable[int], iter([1, 2]), Rendered("[1,2]", {"result": [1, 2]})),
    "no annotation": (Signature.empty, [1], Rendered("[1]")),
}


@pytest.mark.parametrize(("annotation", "value", "rendered"), RENDERED.values(), ids=RENDERED)
def test_a_result_as_it_is_sent(annotation: Any, value: Any, rendered: Rendered) -> None:
    assert Results(annotation).render(value) == rendered


class Leaf(BaseModel):
    kind: Literal["leaf"]


class Twig(BaseModel):
    kind: Literal["twig"]


def _refused(value: str) -> str:
    raise ValueError(f"{value} is unknown")


MISFITS: dict[str, tuple[Any, Any, str]] = {
    "another type": (int, "many", "should be a valid integer, unable to parse string as an integer"),
    "deep down": (list[Address], [{"street": 1}], "/0/street: should be a valid string"),
    "out of bounds": (Annotated[int, Field(ge=0)], -1, "should be greater than or equal to 0"),
    "a text of pydantic's that quotes the value": (
        Annotated[Leaf | Twig, Field(discriminator="kind")],
        {"kind": "s3cr3t"},
        "'kind' should be one of 'leaf', 'twig'",
    ),
    "a validator's text that quotes the value": (Annotated[str, AfterValidator(_refused)], "s3cr3t", "is not valid"),
    "a key like an order": (dict[str, list[int]], {"a\nb": 1}, "/a\\nb: should be an array"),
    "not a number": (float, float("nan"), "JSON cannot hold NaN or Infinity"),
    "not a number in a model": (Tree, Tree(size=float("nan")), "JSON cannot hold NaN or Infinity"),
    "infinite without an annotation": (Signature.empty, [float("-inf")], "JSON cannot hold NaN or Infinity"),
    "bytes that are no text": (bytes, b"\xff", "JSON cannot hold it as the annotation says"),
    "an object without an annotation": (Signature.empty, object(), "JSON cannot hold it"),
}


@pytest.mark.parametrize(("annotation", "value", "reason"), MISFITS.values(), ids=MISFITS)
def test_a_result_that_does_not_fit(annotation: Any, value: Any, reason: str) -> None:
    with pytest.raises(ResultError) as caught:
        Results(annotation, "shop.find").render(value)

    remedy = "Return what the annotation says, or change the annotation."
    assert str(caught.value) == f"Cannot send the result of shop.find: {reason}. {remedy}"


def test_a_result_error_is_the_authors() -> None:
    assert issubclass(ResultError, UserError)


def _text(most: int = 5) -> st.SearchStrategy[str]:
    return st.text(st.characters(exclude_categories=["Cs"]), max_size=most)


_FINITE = st.floats(allow_nan=False, allow_infinity=False)
_TREES: st.SearchStrategy[Tree] = st.recursive(
    st.builds(Tree, size=_FINITE), lambda below: st.builds(Tree, size=_FINITE, branches=st.lists(below, max_size=2))
)
# Each annotation with values that it allows.
ALLOWED: dict[str, tuple[Any, st.SearchStrategy[Any]]] = {
    "bool": (bool, st.booleans()),
    "int": (int, st.integers()),
    "float": (float, _FINITE),
    "multiples": (Annotated[float, Field(multiple_of=0.1)], st.integers(-99, 99).map(lambda number: number * 0.1)),
    "Decimal": (Decimal, st.decimals(allow_nan=False, allow_infinity=False)),
    "bounded Decimal": (Annotated[Decimal, Field(ge=0, max_digits=3)], st.decimals(0, 9, places=2)),
    "str": (str, _text()),
    "pattern": (Annotated[str, Field(pattern=r"(?i)^[a-z]*$")], st.from_regex(r"\A[a-zA-Z]*\Z")),
    "bytes": (bytes, _text().map(str.encode)),
    "date": (date, st.dates()),
    "datetime": (datetime, st.datetimes(timezones=st.none() | st.timezones())),
    "aware datetime": (AwareDatetime, st.datetimes(timezones=st.timezones(), min_value=datetime(1970, 1, 2))),
    "time": (time, st.times()),
    "timedelta": (timedelta, st.timedeltas()),
    "UUID": (uuid.UUID, st.uuids()),
    "IPv4Address": (IPv4Address, st.ip_addresses(v=4)),
    "Path": (Path, st.sampled_from(["a/b", "/", ""]).map(Path)),
    "Enum": (Colour | Word, st.sampled_from([*Colour, *Word])),
    "Literal": (Literal[1, "a", None], st.sampled_from([1, "a", None])),
    "set": (set[bytes | str], st.sets(st.sampled_from([b"a", "a", "b"]))),
    "frozenset": (frozenset[float], st.frozensets(_FINITE, max_size=3)),
    "tuple": (tuple[int, str], st.tuples(st.integers(), _text())),
    "NamedTuple": (Pair, st.builds(Pair, st.integers(), st.integers())),
    "dict": (dict[int, float | None], st.dictionaries(st.integers(), st.none() | _FINITE, max_size=3)),
    "TypedDict": (Address, st.fixed_dictionaries({"street": _text()}, optional={"number": st.integers()})),
    "dataclass": (list[Point], st.lists(st.builds(Point, st.integers()), max_size=3)),
    "model": (Sized, st.builds(Sized, Name=_text(), at=st.none() | st.datetimes())),
    "computed field": (Inch, st.builds(Inch, length=st.floats(-1e6, 1e6))),
    "recursive model": (Tree | int, _TREES | st.integers()),
    "a validator": (Annotated[int, AfterValidator(abs)], st.integers()),
}


@pytest.mark.parametrize("name", ALLOWED)
@given(data=st.data())
def test_every_result_that_the_annotation_allows_fits_its_schema(name: str, data: st.DataObject) -> None:
    annotation, values = ALLOWED[name]
    results = Results(annotation)

    sent = results.render(data.draw(values)).structured

    assert results.schema is not None
    jsonschema_rs.Draft202012Validator(results.schema, validate_formats=True).validate(sent)


@pytest.mark.parametrize(("value", "text"), VALUES.values(), ids=VALUES)
def test_a_tool_says_what_a_model_is_told_of_a_result(value: Any, text: str) -> None:
    tool = function_tool(lambda: value, name_override="constant")
    told = Runner(ScriptedModel(ToolCall("constant"), "Done.")).run(Agent(functions=[tool]), "Go.").messages[1]

    assert tool.result_text(tool.call("")) == told["content"] == text


@pytest.mark.parametrize(("value", "text"), VALUES.values(), ids=VALUES)
def test_the_json_value_of_a_result_is_what_its_text_says(value: Any, text: str) -> None:
    is_text = type(value) is str
    assert FunctionTool.result_json(value) == (text if is_text else json.loads(text))


class Sender(BaseModel):
    from_: str = Field(alias="from")


def test_the_json_value_of_a_result_names_fields_as_its_text_does() -> None:
    sender = Sender.model_validate({"from": "Ada"})

    assert FunctionTool.result_text([sender]) == '[{"from_":"Ada"}]'
    assert FunctionTool.result_json([sender]) == [{"from_": "Ada"}]
    assert FunctionTool.result_json(Named.model_validate({"givenName": "Ada"})) == {"givenName": "Ada"}


@pytest.mark.parametrize(
    "value",
    [math.nan, [math.inf], {"a": -math.inf}, "\ud800", ["\ud800"], object()],
    ids=["NaN", "infinity", "in a dict", "half a pair", "half a pair in a list", "no JSON"],
)
def test_what_json_cannot_hold_has_no_json_value(value: Any) -> None:
    for said in (FunctionTool.result_text, FunctionTool.result_json):
        with pytest.raises(ValueError, match=r"."):
            said(value)


def find(article: str) -> list[Point]:
    return [Point(len(article))]


def test_a_tool_has_the_schema_of_its_function() -> None:
    assert function_tool(find).output_json_schema == Results(list[Point]).schema


def test_a_tool_made_by_hand_has_none() -> None:
    async def answer(context: Any, text: str) -> str:
        return text

    assert FunctionTool("echo", "", {"type": "object", "properties": {}}, answer).output_json_schema is None


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda tool: pickle.loads(pickle.dumps(tool))])
def test_a_copy_of_a_tool_that_has_shown_its_schema(again: Any) -> None:
    tool = function_tool(find)
    shown = tool.output_json_schema

    assert again(tool).output_json_schema == shown
