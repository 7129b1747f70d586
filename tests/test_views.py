"""A schema as people read it."""

from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any, Literal

import pytest

from fnschema import FunctionTool, function_schema, function_tool
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


TYPES: dict[str, tuple[Any, str]] = {
    "anything": ({}, "any"),
    "true": (True, "any"),
    "a list of anything": ({"type": "array", "items": {}}, "array"),
    "a list": ({"type": "array", "items": {"type": ["integer", "string"]}}, "array of integer | string"),
    "a map": ({"type": "object", "additionalProperties": {"type": "number"}}, "object of number"),
    "a constant": ({"const": 1}, "1"),
    "constants": ({"enum": ["a", 1, None]}, '"a" | 1 | null'),
    "a union": ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer | null"),
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


def test_the_repr_of_a_schema_names_its_parameters_and_builds_no_model() -> None:
    schema = function_schema(serve)

    assert repr(schema) == "FuncSchema(name='serve', parameters=('tray', 'extra', 'table'))"
    assert "build" in repr(vars(schema)["params_pydantic_model"])


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
        "properties": {evil: {"description": evil, "enum": [evil], "default": evil}},
    }
    read = _Tags()

    read.feed(_html(FunctionTool("look", evil, schema, _answer, strict_json_schema=False)))

    assert read.seen == {"div", "strong", "code", "p", "table", "tbody", "tr", "td"}
    assert read.text == f'look{evil}{evil}: "{evil}" = "{evil}"{evil}'


def test_a_tool_without_parameters_and_description_is_its_name() -> None:
    assert _html(function_tool(lambda: None, name_override="wait")) == "<div><strong><code>wait</code></strong></div>"
