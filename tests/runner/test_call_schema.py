"""The schema of a turn, and the example of a call."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import BaseModel, Field

from fnschema import function_tool
from fnschema.runner.call_schema import example_arguments, turn_schema

TEXT = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
ANSWER = {**TEXT, "additionalProperties": False}


def function(name: str, **parameters: Any) -> dict[str, Any]:
    return {"name": name, "parameters": {"type": "object", "properties": {}, **parameters}}


def call(name: str, **parameters: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "tool": {"type": "string", "enum": [name]},
            "arguments": {"type": "object", "properties": {}, **parameters},
        },
        "required": ["tool", "arguments"],
        "additionalProperties": False,
    }


def test_without_tools_there_is_only_an_answer() -> None:
    assert turn_schema([]) == ANSWER


def test_a_turn_is_a_call_of_any_tool_or_an_answer() -> None:
    assert turn_schema([function("pay"), function("ship")]) == {"anyOf": [call("pay"), call("ship"), ANSWER]}


def test_a_forced_turn_has_no_answer() -> None:
    assert turn_schema([function("pay")], answer=False) == call("pay")


def test_the_tool_is_chosen_before_its_arguments_are_written() -> None:
    schema = turn_schema([function("pay")], answer=False)

    assert list(schema["properties"]) == ["tool", "arguments"]


@pytest.mark.parametrize("keyword", ["$defs", "definitions"])
def test_each_tool_keeps_its_own_definition_of_a_name(keyword: str) -> None:
    def tool(name: str, kind: str) -> dict[str, Any]:
        item = {"items": {"$ref": f"#/{keyword}/Item"}, "type": "array"}
        return function(name, properties={"all": item}, **{keyword: {"Item": {"type": kind}}})

    schema = turn_schema([tool("pay", "string"), tool("ship", "integer")])

    assert schema["$defs"] == {"pay.Item": {"type": "string"}, "ship.Item": {"type": "integer"}}
    arguments = [branch["properties"].get("arguments") for branch in schema["anyOf"]]
    assert arguments[0]["properties"]["all"]["items"] == {"$ref": "#/$defs/pay.Item"}
    assert arguments[1]["properties"]["all"]["items"] == {"$ref": "#/$defs/ship.Item"}
    assert keyword not in arguments[0]


def test_a_definition_that_leads_to_itself_still_does() -> None:
    node = {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}}}

    schema = turn_schema([function("walk", **{"$defs": {"Node": node}})])

    assert schema["$defs"]["walk.Node"]["properties"]["next"]["anyOf"][0] == {"$ref": "#/$defs/walk.Node"}


def test_a_property_named_like_a_keyword_is_none() -> None:
    properties = {"$ref": {"type": "string"}, "$defs": {"type": "string"}}

    schema = turn_schema([function("look", properties=properties)], answer=False)

    assert schema["properties"]["arguments"]["properties"] == properties


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


@dataclass
class Parcel:
    to: str
    size: Size
    insured: bool = False


class Branch(BaseModel):
    name: str
    twigs: list[Branch]
    parent: Branch | None = None


def simple(text: str, count: int, ratio: float, flag: bool) -> None: ...
def bounded(
    low: Annotated[int, Field(ge=10)],
    high: Annotated[int, Field(le=-10)],
    between: Annotated[float, Field(gt=0, lt=2)],
    under: Annotated[int, Field(lt=0)],
    over: Annotated[int, Field(gt=100)],
    step: Annotated[int, Field(multiple_of=5, ge=5)],
) -> None: ...
def sized(
    long: Annotated[str, Field(min_length=12)],
    short: Annotated[str, Field(max_length=2)],
    several: Annotated[list[int], Field(min_length=3)],
    no: Annotated[list[int], Field(max_length=0)],
) -> None: ...
def dated(day: date, moment: datetime, hour: time, span: timedelta, identity: UUID) -> None: ...
def chosen(unit: Literal["metre", "foot"], size: Size, either: int | str, maybe: Literal[1] | None) -> None: ...
def nested(parcel: Parcel, parcels: list[Parcel], pair: tuple[int, int]) -> None: ...
def recursive(branch: Branch) -> None: ...
def patterned(
    year: Annotated[str, Field(pattern=r"^\d{4}$")],
    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")],
    word: Annotated[str, Field(pattern=r"^\w+$")],
    bounded: Annotated[str, Field(pattern="^[0-9]+$", min_length=5, max_length=6)],
) -> None: ...
def optional(words: str = "", limit: int | None = None) -> None: ...
def nothing() -> None: ...


FUNCTIONS = [simple, bounded, sized, dated, chosen, nested, recursive, patterned, optional, nothing]


@pytest.mark.parametrize("strict", [True, False], ids=["strict", "loose"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_tool_takes_its_example(function: Callable[..., Any], strict: bool) -> None:
    tool = function_tool(function, strict_mode=strict)
    parameters = tool.definition("openai")["function"]["parameters"]

    example = example_arguments(parameters)

    assert example is not None
    tool.call(example)


def test_the_example_of_a_text_is_the_name_of_its_property() -> None:
    parameters = function_tool(nested).definition("openai")["function"]["parameters"]

    assert example_arguments(parameters) == {
        "parcel": {"to": "to", "size": "small", "insured": True},
        "parcels": [{"to": "to", "size": "small", "insured": None}],
        "pair": [1, 1],
    }


def test_an_example_needs_no_types() -> None:
    assert example_arguments({"properties": {"anything": {}}, "type": "object"}) == {"anything": "anything"}


UNGUESSED = {
    "of several parts": r"^[A-Z]{2}-\d{4}$",
    "in the syntax of another engine": r"^(?=A)A$",
}


@pytest.mark.parametrize("pattern", UNGUESSED.values(), ids=UNGUESSED)
def test_no_example_is_better_than_a_wrong_one(pattern: str) -> None:
    properties = {"code": {"type": "string", "pattern": pattern}}

    assert example_arguments({"type": "object", "properties": properties}) is None


def _fan(levels: int) -> dict[str, Any]:
    below = [{"properties": {p: {"$ref": f"#/$defs/d{i + 1}"} for p in "abcde"}} for i in range(levels)]
    definitions = {f"d{i}": {"type": "object", **schema} for i, schema in enumerate(below)}
    return {"$defs": {**definitions, f"d{levels}": {"type": "string"}}, "properties": {"x": {"$ref": "#/$defs/d0"}}}


HOSTILE: dict[str, dict[str, Any]] = {
    "a pattern that takes for ever": {"properties": {"a" * 60 + "!": {"type": "string", "pattern": "^(a+)+b$"}}},
    "a pattern with a great count": {"properties": {"x": {"type": "string", "pattern": "^(a{999}){999}$"}}},
    "a long text": {"properties": {"x": {"type": "string", "minLength": 10**12}}},
    "a long array": {"properties": {"x": {"type": "array", "minItems": 10**12}}},
    "references that fan out": _fan(8),
    "a union that holds itself": {"properties": {"x": {"$ref": "#/$defs/A"}},
                                  "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "integer"}]}}},
    "what is no schema": {"properties": {"x": {"type": "string", "minLength": "long"}}},
}  # fmt: skip


@pytest.mark.parametrize("schema", HOSTILE.values(), ids=HOSTILE)
def test_no_example_is_better_than_one_without_end(schema: dict[str, Any]) -> None:
    assert example_arguments({"type": "object", **schema}) is None


def test_examples_that_are_no_list_are_not_looked_at() -> None:
    code = {"type": "string", "pattern": "^1$", "examples": 5}

    assert example_arguments({"type": "object", "properties": {"code": code}}) == {"code": "1"}


def test_an_example_of_the_author_is_taken_where_it_fits() -> None:
    code = {"type": "string", "pattern": "^[A-Z]-[0-9]$", "examples": ["one", "A-1"]}

    assert example_arguments({"type": "object", "properties": {"code": code}}) == {"code": "A-1"}
