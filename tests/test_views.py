"""A schema as people read it."""

from dataclasses import dataclass
from datetime import date, datetime
from html.parser import HTMLParser
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from pydantic import Field

from fnschema import FunctionTool, function_schema, function_tool
from fnschema._deferred import Deferred
from fnschema._views import Row, rows


@dataclass
class Drink:
    """What the customer wants."""

    name: Literal["tea", "coffee"]
    sugar: int = 0


@dataclass
class Tray:
    drinks: list[Drink]
    below: "Tray | None" = None


@dataclass
class Cake:
    slices: int


def serve(tray: Tray, extra: Drink | Cake | None = None, *, table: int = 1) -> None:
    """Bring it to the table.

    Args:
        table: By the window is 1.
    """


def _shown(function: Any) -> list[str]:
    schema = function_schema(function, strict_json_schema=False).params_json_schema
    return [f"{'  ' * row.depth}{row.signature}" for row in rows(schema)]


def test_fields_are_below_what_holds_them_and_each_type_is_shown_once() -> None:
    assert _shown(serve) == [
        "tray: Tray",
        "  drinks: array of Drink",
        '    name: "tea" | "coffee"',
        "    sugar: integer = 0",
        "  below: Tray | null = null",
        "extra: Drink | Cake | null = null",
        "  Cake: object",
        "    slices: integer",
        "table: integer = 1",
    ]


def test_a_row_has_the_description_of_the_parameter_else_that_of_the_type() -> None:
    shown = {row.name: row for row in rows(function_schema(serve).params_json_schema)}

    assert shown["table"] == Row(0, "table", "integer", "1", "By the window is 1.")
    assert shown["drinks"].description == "What the customer wants."


def test_what_may_be_left_out_without_a_default_is_marked() -> None:
    class Note(TypedDict):
        title: str
        tags: NotRequired[list[str]]

    def add(note: Note, words: str | None = None) -> None: ...

    assert _shown(add) == ["note: Note", "  title: string", "  tags?: array of string", "words: string | null = null"]


def test_a_row_without_a_description_has_that_of_its_type() -> None:
    schema = {"properties": {"at": {"$ref": "#/$defs/Point"}}, "$defs": {"Point": {"description": "X, then Y."}}}

    assert [row.description for row in rows(schema)] == ["X, then Y."]


def test_objects_without_names_are_told_apart() -> None:
    kinds = [{"type": "object", "properties": {"kind": {"const": kind}}} for kind in ("cat", "dog")]
    shown = [row.signature for row in rows({"properties": {"pet": {"anyOf": kinds}}, "required": ["pet"]})]

    assert shown == ["pet: object", "object", 'kind?: "cat"', "object", 'kind?: "dog"']


def test_fields_that_are_nested_too_deeply_are_said_to_be_left_out() -> None:
    schema: dict[str, Any] = {"type": "integer"}
    for _ in range(20):
        schema = {"properties": {"below": schema}}
    *_, before, last = rows(schema)

    assert (before.depth, before.signature) == (10, "below?: any")
    assert last == Row(11, "…", "", "", "Deeper fields are not drawn.")
    assert last.signature == "…"


def test_fields_are_found_wherever_objects_are_held() -> None:
    drink = {"type": "object", "properties": {"sugar": {"type": "integer"}}}
    holders: list[dict[str, Any]] = [
        {"type": "array", "prefixItems": [{"type": "integer"}, drink]},
        {"type": "array", "items": [drink]},
        {"type": "object", "patternProperties": {"^a": drink}},
    ]

    for holder in holders:
        assert [row.name for row in rows({"properties": {"held": holder}})] == ["held", "sugar"]


@dataclass
class Everything:
    start: datetime
    code: Annotated[str, Field(pattern="^[A-Z]{3}$")]
    name: Annotated[str, Field(min_length=1, max_length=64)]
    ratio: Annotated[float, Field(gt=0, le=1)]
    step: Annotated[int, Field(ge=0, multiple_of=5)]
    position: tuple[float, float]
    tags: set[str]
    days: Annotated[list[date], Field(min_length=2, max_length=5)]
    ages: dict[Annotated[str, Field(pattern="^[a-z]+$")], Annotated[int, Field(ge=0)]]
    seats: dict[Literal["a", "b"], list[int | str]]
    latitude: Annotated[float, Field(ge=-90, le=90)] | None
    percent: Annotated[int, Field(ge=0, le=100)] = 10


def test_types_are_shown_with_what_narrows_them() -> None:
    assert _shown(Everything) == [
        "start: date-time",
        "code: string /^[A-Z]{3}$/",
        "name: string of 1–64",
        "ratio: number > 0 and <= 1",
        "step: integer >= 0 multiple of 5",
        "position: [number, number]",
        "tags: array of unique string",
        "days: array of 2–5 date",
        "ages: object of integer >= 0 (keys /^[a-z]+$/)",
        'seats: object of (array of (integer | string)) (keys "a" | "b")',
        "latitude: number -90 to 90 | null",
        "percent: integer 0–100 = 10",
    ]


_LONG = "^[A-Z]{3}-[0-9]{1,12}-(foo|bar|baz|quux)-[a-z]+$"
_POINT = {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}

TYPES: dict[str, tuple[Any, str]] = {
    "anything": ({}, "any"),
    "true": (True, "any"),
    "false": (False, "never"),
    "a list of anything": ({"type": "array", "items": {}}, "array"),
    "a list of a number of anything": ({"type": "array", "minItems": 1}, "array of >= 1 any"),
    "a list": ({"type": "array", "items": {"type": ["integer", "string"]}}, "array of (integer | string)"),
    "a list of constants": ({"type": "array", "items": {"enum": [1, 2]}}, "array of (1 | 2)"),
    "a set": ({"type": "array", "uniqueItems": True, "maxItems": 3}, "array of <= 3 unique any"),
    "a tuple": ({**_POINT, "minItems": 2, "items": False}, "[integer, string]"),
    "a tuple that may end early": ({**_POINT, "minItems": 1, "maxItems": 2}, "[integer, string?]"),
    "a tuple that may go on": (
        {**_POINT, "minItems": 3, "items": {"type": "null"}},
        "[integer, string, *null] of >= 3",
    ),
    "a tuple, as it was": ({"type": "array", "items": [{}, {"enum": [1, 2]}], "maxItems": 2}, "[any?, (1 | 2)?]"),
    "a map": ({"type": "object", "additionalProperties": {"type": "number"}}, "object of number"),
    "a map of a size": ({"type": "object", "minProperties": 1, "maxProperties": 1}, "object of 1 any"),
    "a map of any names": ({"type": "object", "propertyNames": {"type": "string"}}, "object"),
    "a map by patterns": (
        {"type": "object", "patternProperties": {"^a": {"type": "null"}}, "additionalProperties": {"type": "number"}},
        "object of (null | number) (keys /^a/)",
    ),
    "a constant": ({"const": 1}, "1"),
    "constants": ({"enum": ["a", 1, None]}, '"a" | 1 | null'),
    "a union": ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer | null"),
    "a union with a bound beside": (
        {"anyOf": [{"type": "integer"}, {"type": "null"}], "minimum": 1},
        "integer >= 1 | null",
    ),
    "both": (
        {"allOf": [{"type": "string", "format": "date"}, {"type": "string", "pattern": "^2"}]},
        "date & string /^2/",
    ),
    "one of two and both": (
        {"type": "number", "anyOf": [{"minimum": 1}, {"maximum": 0}], "allOf": [{"multipleOf": 2}]},
        "(number >= 1 | number <= 0) & number multiple of 2",
    ),
    "nullable": ({"type": "string", "nullable": True}, "string | null"),
    "nullable twice": ({"enum": ["a", None], "nullable": True}, '"a" | null'),
    "a list of types": ({"type": ["string", "null"], "minLength": 2, "maxLength": 2}, "string of 2 | null"),
    "a number of a format": (
        {"type": "integer", "format": "int64", "exclusiveMaximum": 1e6},
        "integer (int64) < 1000000",
    ),
    "coded text": ({"type": "string", "contentEncoding": "base64"}, "base64"),
    "a long pattern": ({"type": "string", "pattern": _LONG}, f"string /{_LONG[:39]}…/"),
    "a pattern of two lines": ({"type": "string", "pattern": "a\nb\x1b[2J"}, r"string /a\nb\x1b[2J/"),
    "many values": ({"enum": list(range(50))}, " | ".join(map(str, range(20))) + " | … 30 more"),
    "many branches": (
        {"anyOf": [{"const": one} for one in range(21)]},
        " | ".join(map(str, range(20))) + " | … 1 more",
    ),
    "a long value": ({"const": "a" * 100}, f'"{"a" * 58}…'),
    "bounds that are none": ({"type": "integer", "minimum": True, "maximum": "9", "multipleOf": None}, "integer"),
    "a type that is none": ({"type": []}, "any"),
    "a reference to nothing": ({"$ref": "#/$defs/Lost"}, "Lost"),
    "a value that JSON cannot hold": ({"const": {1}}, '"{1}"'),
}


@pytest.mark.parametrize(("schema", "words"), TYPES.values(), ids=TYPES)
def test_a_type_in_a_few_words(schema: Any, words: str) -> None:
    (row,) = rows({"type": "object", "properties": {"value": schema}})

    assert row.type == words


def test_what_is_nested_without_end_is_cut() -> None:
    endless: dict[str, Any] = {"type": "array"}
    endless["items"] = endless
    (row,) = rows({"properties": {"value": endless}})

    assert row.type == "array of " * 11 + "…"


REFERENCES: dict[str, tuple[dict[str, Any], str]] = {
    "a tuple": ({"type": "array", "prefixItems": [{"type": "integer"}], "maxItems": 1, "minItems": 1}, "[integer]"),
    "values": ({"enum": [1, 2]}, "1 | 2"),
    "itself": ({"type": "array", "items": {"$ref": "#/$defs/It"}}, "array of It"),
    "anything": ({}, "It"),
    "an object of any fields": ({"type": "object"}, "It"),
    "an object with fields": ({"type": "object", "properties": {"a": {}}}, "It"),
}


@pytest.mark.parametrize(("target", "words"), REFERENCES.values(), ids=REFERENCES)
def test_a_reference_is_what_it_leads_to_or_its_name(target: Any, words: str) -> None:
    row, *_ = rows({"properties": {"value": {"$ref": "#/$defs/It"}}, "$defs": {"It": target}})

    assert row.type == words


def test_references_to_many_references_stay_short() -> None:
    definitions: dict[str, Any] = {
        f"D{one}": {"type": "array", "prefixItems": [{"$ref": f"#/$defs/D{one + 1}"}] * 20} for one in range(30)
    }
    (row,) = rows({"properties": {"value": {"$ref": "#/$defs/D0"}}, "$defs": definitions})

    assert len(row.type) == 500
    assert row.type.endswith("…")


def test_the_repr_of_a_schema_names_its_parameters_and_builds_no_model() -> None:
    schema = function_schema(serve)

    assert repr(schema) == "FuncSchema(name='serve', parameters=('tray', 'extra', 'table'))"
    assert isinstance(vars(schema)["params_pydantic_model"], Deferred)


def _html(thing: Any) -> str:
    return str(thing._repr_html_())


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_notebook_shows_a_schema_as_it_shows_its_tool() -> None:
    assert _html(function_schema(serve)) == _html(function_tool(serve))


async def _answer(context: Any, arguments: str) -> str:
    return ""


def test_everything_in_a_notebook_is_escaped() -> None:
    evil = "<script>alert('1')</script>"
    schema = {
        "type": "object",
        "properties": {
            evil: {"description": evil, "enum": [evil], "default": evil},
            "code": {"type": "string", "pattern": evil, "default": ""},
            "day": {"type": "string", "format": evil, "default": ""},
        },
    }
    read = _Tags()

    read.feed(_html(FunctionTool("look", evil, schema, _answer, strict_json_schema=False)))

    assert read.seen == {"div", "strong", "code", "p", "table", "tbody", "tr", "td"}
    assert read.text == f'look{evil}{evil}: "{evil}" = "{evil}"{evil}code: string /{evil}/ = ""day: {evil} = ""'


def test_a_tool_without_parameters_and_description_is_its_name() -> None:
    assert _html(function_tool(lambda: None, name_override="wait")) == "<div><strong><code>wait</code></strong></div>"
