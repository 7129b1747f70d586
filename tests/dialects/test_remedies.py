"""A remedy mends what it is a remedy for: each row breaks a tool, quotes the remedy, and follows it."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict

import pytest
from pydantic import BaseModel, ConfigDict, Field

from fnschema import FunctionTool, SchemaError, function_schema, function_tool

Attempt = Callable[[], object]

NOT_LISTED = {"not": {"const": "a"}}
LONG = tuple(f"{'long' * 20}{i}" for i in range(251))
MANY = tuple(range(1001))


class Folder(BaseModel):
    name: str
    below: "list[Folder]" = []


class Chain(BaseModel):
    name: str
    next: "Chain | None" = None


class Endless(BaseModel):
    below: "list[Endless]"


class Flat(TypedDict):
    name: str
    parent: str | None


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


class Closed(BaseModel):
    a: int


class Empty(BaseModel): ...


class Spaced(BaseModel):
    a: int = Field(alias="a b")


class Aliased(BaseModel):
    a: int = Field(alias="a_b")


class L1(BaseModel):
    a: int


class L2(BaseModel):
    below: L1


class L3(BaseModel):
    below: L2


class L4(BaseModel):
    below: L3


class L5(BaseModel):
    below: L4


def taking(annotation: Any) -> Callable[..., None]:
    def take(x):
        """Take it."""

    take.__annotations__ = {"x": annotation}
    return take


def defined(annotation: Any, dialect: str, strict: bool | None = None, **options: Any) -> Attempt:
    return lambda: function_tool(taking(annotation), **options).definition(dialect, strict=strict)


def schema_of(annotation: Any, **options: Any) -> Attempt:
    return lambda: function_schema(taking(annotation), **options)


async def _answer(context: Any, arguments: str) -> str:
    return arguments


def by_hand(dialect: str, **options: Any) -> Attempt:
    schema = {"type": "object", "properties": {"x": {}}}
    return lambda: FunctionTool("take", "Take it.", schema, _answer, **options).definition(dialect)


def renamed(name: str) -> Attempt:
    return lambda: dataclasses.replace(function_tool(taking(int)), name=name).definition("gemini")


MAP, ENTRIES = dict[str, int], {"open_objects": "entries"}
LOOSE = {"strict_mode": False}
_NAMED = "a TypedDict, a dataclass or a model with named fields"


@dataclass(frozen=True)
class Row:
    broken: Attempt
    remedy: str
    mended: tuple[Attempt, ...]


ROWS = {
    "a map in a tool": Row(
        defined(MAP, "openai"),
        f'Use open_objects="entries", {_NAMED}, or strict_mode=False.',
        (defined(MAP, "openai", **ENTRIES), defined(Flat, "openai"), defined(MAP, "openai", **LOOSE)),
    ),
    "a map in a schema": Row(
        schema_of(MAP),
        f'Use open_objects="entries", {_NAMED}, or strict_json_schema=False.',
        (schema_of(MAP, **ENTRIES), schema_of(Flat), schema_of(MAP, strict_json_schema=False)),
    ),
    "a map, strict on request": Row(
        defined(MAP, "anthropic", strict=True, **LOOSE),
        f'Leave out strict=True, or use open_objects="entries", {_NAMED}.',
        (
            defined(MAP, "anthropic", **LOOSE),
            defined(MAP, "anthropic", strict=True, **ENTRIES),
            defined(Flat, "anthropic", strict=True),
        ),
    ),
    "a map where there are none": Row(
        defined(MAP, "gemini-openapi", **LOOSE),
        'Use open_objects="entries" for a map, or a type with named fields.',
        (defined(MAP, "gemini-openapi", **LOOSE, **ENTRIES), defined(Flat, "gemini-openapi", **LOOSE)),
    ),
    "a map beside an array": Row(
        defined(MAP | list[int], "openai", **ENTRIES),
        f"Use one of them, {_NAMED}, or strict_mode=False without open_objects.",
        (
            defined(MAP, "openai", **ENTRIES),
            defined(Flat | list[int], "openai"),
            defined(MAP | list[int], "openai", **LOOSE),
        ),
    ),
    "a map beside an array in a schema that is not strict": Row(
        schema_of(MAP | list[int], strict_json_schema=False, **ENTRIES),
        f'Use one of them, {_NAMED}, or open_objects="reject".',
        (
            schema_of(MAP, strict_json_schema=False, **ENTRIES),
            schema_of(Flat | list[int], strict_json_schema=False, **ENTRIES),
            schema_of(MAP | list[int], strict_json_schema=False, open_objects="reject"),
        ),
    ),
    "a model with any properties": Row(
        defined(Open, "openai"),
        'Leave out extra="allow", or use strict_mode=False.',
        (defined(Closed, "openai"), defined(Open, "openai", **LOOSE)),
    ),
    "no type": Row(
        defined(Any, "openai"),
        "Annotate it with a type that says what it holds, or use strict_mode=False.",
        (defined(int, "openai"), defined(Any, "openai", **LOOSE)),
    ),
    "no type, strict in so many words": Row(
        defined(Any, "openai", strict=True),
        "Use strict=False, or annotate it with a type that says what it holds.",
        (defined(Any, "openai", strict=False), defined(int, "openai", strict=True)),
    ),
    "no type in a tool by hand": Row(
        by_hand("openai"),
        "Annotate it with a type that says what it holds, or use strict_json_schema=False.",
        (by_hand("openai", strict_json_schema=False),),
    ),
    "no type where nothing is strict": Row(
        defined(Any, "gemini-openapi"),
        "Annotate it with a type that says what it holds.",
        (defined(int, "gemini-openapi"),),
    ),
    "a recursive type, strict on request": Row(
        defined(Folder, "anthropic", strict=True),
        "Leave out strict=True, or use a flat list whose items name their parent.",
        (defined(Folder, "anthropic"), defined(list[Flat], "anthropic", strict=True)),
    ),
    "a recursive type, strict by nature": Row(
        defined(Folder, "mistral"),
        "Use a flat list whose items name their parent, or strict_mode=False.",
        (defined(list[Flat], "mistral"), defined(Folder, "mistral", **LOOSE)),
    ),
    "a recursive type, strict or not": Row(
        defined(Folder, "xai"), "Use a flat list whose items name their parent.", (defined(list[Flat], "xai"),)
    ),
    "a recursive type, for which the provider has another dialect": Row(
        defined(Folder, "gemini-openapi"),
        "Use dialect 'gemini', or a flat list whose items name their parent.",
        (defined(Folder, "gemini"), defined(list[Flat], "gemini-openapi")),
    ),
    "a required field of its own type": Row(
        defined(Endless, "gemini"),
        "Give that field a default, or use a flat list whose items name their parent.",
        (defined(Folder, "gemini"), defined(list[Flat], "gemini")),
    ),
    "a reference in a union": Row(
        defined(Chain, "deepseek"),
        "Use a list of it instead of an optional one, or strict_mode=False.",
        (defined(Folder, "deepseek"), defined(Chain, "deepseek", **LOOSE)),
    ),
    "an object without fields": Row(
        defined(Empty, "deepseek"),
        "Use a type with named fields, or strict_mode=False.",
        (defined(Closed, "deepseek"), defined(Empty, "deepseek", **LOOSE)),
    ),
    "the name of a property": Row(
        defined(Spaced, "gemini"), "Rename it, or give it an alias that does.", (defined(Aliased, "gemini"),)
    ),
    "a pattern with look-around": Row(
        defined(Annotated[str, Field(pattern="^(?=a)")], "mcp"),
        "Add max_length=256 or less, or write the pattern without look-around.",
        (
            defined(Annotated[str, Field(pattern="^(?=a)", max_length=256)], "mcp"),
            defined(Annotated[str, Field(pattern="^a")], "mcp"),
        ),
    ),
    "a keyword, strict": Row(
        defined(Annotated[str, Field(json_schema_extra=NOT_LISTED)], "openai"),
        "Leave the keyword out, or use strict_mode=False.",
        (defined(str, "openai"), defined(Annotated[str, Field(json_schema_extra=NOT_LISTED)], "openai", **LOOSE)),
    ),
    "a keyword, strict or not": Row(
        defined(Annotated[str, Field(json_schema_extra=NOT_LISTED)], "gemini"),
        "Leave the keyword out.",
        (defined(str, "gemini"),),
    ),
    "values that are long": Row(
        defined(Literal[LONG], "openai"),
        "Use a string whose description says what it may be, or strict_mode=False.",
        (
            defined(Annotated[str, "A name, such as longlong0."], "openai"),
            defined(Literal[LONG], "openai", **LOOSE),
        ),
    ),
    "values that are many": Row(
        defined(Literal[MANY], "openai"),
        "Use a string whose description says what it may be, or strict_mode=False.",
        (defined(Annotated[str, "A number up to 1000."], "openai"), defined(Literal[MANY], "openai", **LOOSE)),
    ),
    "levels of objects": Row(
        defined(L5, "azure"),
        "Take an inner object as a parameter of its own, or use strict_mode=False.",
        (defined(L4, "azure"), defined(L5, "azure", **LOOSE)),
    ),
    "strict where there is no such mode": Row(
        defined(int, "gemini", strict=True), "Leave out strict=True.", (defined(int, "gemini"),)
    ),
    "the name of a tool": Row(renamed("1st"), "Set name_override.", (renamed("first"),)),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_a_remedy_that_is_followed_helps(row: Row) -> None:
    with pytest.raises(SchemaError) as caught:
        row.broken()

    assert {problem.remedy for problem in caught.value.problems} == {row.remedy}
    for attempt in row.mended:
        assert attempt()


def test_a_schema_that_is_not_strict_has_entries_too() -> None:
    schema = function_schema(taking(MAP), strict_json_schema=False, open_objects="entries")

    assert schema.params_json_schema["properties"]["x"]["type"] == "array"
    assert schema.validate('{"x": [{"key": "a", "value": 1}]}') == schema.validate('{"x": {"a": 1}}')


def test_a_tool_that_is_not_strict_has_entries_where_there_are_no_maps() -> None:
    tool = function_tool(taking(MAP), strict_mode=False, open_objects="entries")

    assert tool.definition("gemini-openapi")["parameters"]["properties"]["x"]["type"] == "array"
    assert tool.definition("anthropic", strict=True)["input_schema"]["properties"]["x"]["type"] == "array"
    assert tool.definition("anthropic")["input_schema"]["properties"]["x"]["type"] == "object"
