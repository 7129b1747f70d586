"""The types that a parameter may have, what a model may send for each and what may not, for the tests and for the docs.

`python tests/typed_values.py` writes the page `docs/reference/types.md` anew from this table.
"""

from __future__ import annotations

import datetime as dt
import html
import inspect
import ipaddress
import json
import re
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

from pydantic import AwareDatetime, BaseModel, Field, HttpUrl, SecretStr

from fnschema import ArgumentsError, FunctionTool, SchemaError, dialects, function_tool

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "types.md"

INTRODUCTION = """\
# Types

What a parameter `value` of each type is in a definition, what a model may send for it, and what the function then gets.
The tool is strict. Dialects that say the same share a line; *strict* is `strict=True`, for those that are strict on
request only. Every line is tried by the tests, and this page is written from their table."""

_NO_DEFAULT = inspect.Parameter.empty


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Point(NamedTuple):
    x: float
    y: float


@dataclass
class Order:
    item: str
    pieces: int = 1


class Song(TypedDict):
    title: str
    year: NotRequired[int]


class Guest(BaseModel):
    name: str
    age: int | None = None


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]


class Folder(BaseModel):
    name: str
    inside: list[Folder] = []


@dataclass(frozen=True)
class Typed:
    """A parameter of one type.

    Attributes:
        source: how the annotation is written.
        annotation: the type.
        accepted: JSON texts of values that a model may send → what the function gets.
        refused: JSON texts → where and why they are refused.
        default: the parameter's, if it has one.
        options: of `function_tool`.
        note: what there is to know.
        kind: of the parameter; ``*value`` and ``**value`` are given as a tuple and a dict.
    """

    source: str
    annotation: Any
    accepted: Mapping[str, Any]
    refused: Mapping[str, str] = field(default_factory=dict)
    default: Any = _NO_DEFAULT
    options: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD

    def tool(self) -> FunctionTool[..., Any]:
        """A strict tool with a parameter ``value`` of the type; it returns what it gets."""

        def give(*args: Any, **kwargs: Any) -> Any:
            if self.kind is inspect.Parameter.VAR_POSITIONAL:
                return args
            return kwargs if self.kind is inspect.Parameter.VAR_KEYWORD else kwargs.get("value", *args)

        parameter = inspect.Parameter("value", self.kind, annotation=self.annotation, default=self.default)
        give.__signature__ = inspect.Signature([parameter])  # type: ignore[attr-defined]
        return function_tool(give, **self.options)


GROUPS: Mapping[str, Sequence[Typed]] = {
    "Numbers and text": [
        Typed(
            "int",
            int,
            {"5": 5, "5.0": 5, '"5"': 5},
            {"5.5": "/value: should be a valid integer", "true": "/value: should be a valid integer"},
        ),
        Typed("float", float, {"5": 5.0, '"2.5"': 2.5}, {'"NaN"': "/value: NaN is not JSON"}),
        Typed(
            "bool",
            bool,
            {"true": True, '"false"': False},
            {"2": "/value: should be true or false"},
        ),
        Typed("str", str, {'"tea"': "tea", '"5"': "5"}, {"5": "/value: should be a valid string"}),
        Typed(
            "Decimal",
            Decimal,
            {"1.10": Decimal("1.10"), '"1.10"': Decimal("1.10")},
            note="All digits of JSON text arrive, which is what OpenAI sends. Anthropic's and Google's clients hand\n"
            "over what they have parsed: there a number is a float, and `1.10` arrives as `1.1`. Digits in a\n"
            "string arrive from every client. A bound such as `ge=0` makes the schema a number in every dialect;\n"
            "`decimal_places` without a bound makes it a string.",
        ),
        Typed(
            "Annotated[Decimal, Field(ge=0)]",
            Annotated[Decimal, Field(ge=0)],
            {"1.10": Decimal("1.10"), '"1.10"': Decimal("1.10")},
            {"-1": "/value: should be greater than or equal to 0"},
        ),
        Typed(
            "Annotated[Decimal, Field(decimal_places=2)]",
            Annotated[Decimal, Field(decimal_places=2)],
            {'"1.10"': Decimal("1.10"), "1.10": Decimal("1.10")},
            {'"1.101"': "/value: should have no more than 2 decimal places"},
        ),
        Typed(
            "Annotated[int, Field(ge=1, le=9)]",
            Annotated[int, Field(ge=1, le=9)],
            {"3": 3},
            {"10": "/value: should be less than or equal to 9"},
        ),
        Typed(
            'Annotated[str, Field(pattern="^[a-z]+$")]',
            Annotated[str, Field(pattern="^[a-z]+$")],
            {'"tea"': "tea"},
            {'"TEA"': "/value: should match pattern '^[a-z]+$'"},
        ),
        Typed("bytes", bytes, {'"tea"': b"tea"}),
        Typed("Path", Path, {'"a/b.txt"': Path("a/b.txt")}),
        Typed(
            "UUID",
            uuid.UUID,
            {'"6c84fb90-12c4-11e1-840d-7b25c5ee775a"': uuid.UUID("6c84fb90-12c4-11e1-840d-7b25c5ee775a")},
        ),
    ],
    "Addresses and secrets": [
        Typed(
            "HttpUrl",
            HttpUrl,
            {'"https://example.org/a"': HttpUrl("https://example.org/a")},
            {'"ftp://example.org"': "/value: should have the scheme 'http' or 'https'"},
        ),
        Typed("IPv4Address", ipaddress.IPv4Address, {'"127.0.0.1"': ipaddress.IPv4Address("127.0.0.1")}),
        Typed("SecretStr", SecretStr, {'"tea"': SecretStr("tea")}),
    ],
    "Dates and times": [
        Typed(
            "date",
            dt.date,
            {'"2026-12-24"': dt.date(2026, 12, 24)},
            {'"2026-02-30"': "/value: should be a date like 2026-11-30 (ISO 8601), but its day is out of range"},
            note="The pattern leaves out days that no calendar has. It is 199 characters long, that of a `datetime`\n"
            "292, and it is sent with every request, once for each such parameter. A definition that is not\n"
            'strict has none, in any dialect: `strict=False`, or with `strict="if possible"` a tool with\n'
            "`strict_mode=False`. The tool checks the date all the same.",
        ),
        Typed(
            "time",
            dt.time,
            {'"19:30:00Z"': dt.time(19, 30, tzinfo=dt.UTC), '"19:30"': dt.time(19, 30)},
            note="The format and the pattern ask for an offset from UTC; a time without one is taken all the same.",
        ),
        Typed(
            "datetime",
            dt.datetime,
            {
                '"2026-12-24T19:30:00Z"': dt.datetime(2026, 12, 24, 19, 30, tzinfo=dt.UTC),
                '"2026-12-24T19:30:00"': dt.datetime(2026, 12, 24, 19, 30),
                '"2026-12-24"': dt.datetime(2026, 12, 24),
                "1798140600": dt.datetime(2026, 12, 24, 19, 30, tzinfo=dt.UTC),
            },
            note="The format and the pattern ask for an offset from UTC. A datetime without one is taken all the\n"
            "same, so that the function may get a naive one, which Python does not order among the others.\n"
            "`AwareDatetime` refuses it. A date alone is its midnight, and a number counts seconds since 1970.",
        ),
        Typed(
            "AwareDatetime",
            AwareDatetime,
            {'"2026-12-24T19:30:00Z"': dt.datetime(2026, 12, 24, 19, 30, tzinfo=dt.UTC)},
            {
                '"2026-12-24T19:30:00"': "/value: should have an offset from UTC, as 2026-11-30T14:30:00Z has",
            },
            note="pydantic's datetime with an offset. The schema is that of `datetime`.",
        ),
        Typed("timedelta", dt.timedelta, {'"PT90S"': dt.timedelta(seconds=90)}),
    ],
    "Choices": [
        Typed(
            'Literal["tea", "coffee"]',
            Literal["tea", "coffee"],
            {'"tea"': "tea"},
            {'"milk"': "/value: should be 'tea' or 'coffee'", '"Tea"': "/value: should be 'tea' or 'coffee'"},
            note="Upper and lower case matter; Anthropic does not promise them, not even in strict mode.",
        ),
        Typed("Literal[1, 2]", Literal[1, 2], {"1": 1}, {"true": "/value: should be 1 or 2"}),
        Typed("Enum", Colour, {'"red"': Colour.RED}, {'"RED"': "/value: should be 'red' or 'blue'"}),
        Typed("IntEnum", Level, {"2": Level.HIGH}, {"true": "/value: should be 1 or 2"}),
    ],
    "Containers": [
        Typed("list[int]", list[int], {"[1, 2]": [1, 2], '"[1, 2]"': [1, 2]}, {"1": "/value: should be an array"}),
        Typed("Sequence[int]", Sequence[int], {"[1, 2]": [1, 2]}),
        Typed("Iterable[int]", Iterable[int], {"[1, 2]": [1, 2]}),
        Typed("frozenset[int]", frozenset[int], {"[1, 1]": frozenset({1})}),
        Typed("set[str]", set[str], {'["a", "a"]': {"a"}}),
        Typed("tuple[int, ...]", tuple[int, ...], {"[1, 2]": (1, 2)}),
        Typed("tuple[int, str]", tuple[int, str], {'[1, "a"]': (1, "a")}),
        Typed("NamedTuple", Point, {"[1, 2.5]": Point(1, 2.5)}),
        Typed(
            "dict[str, int]",
            dict[str, int],
            {'[{"key": "a", "value": 1}]': {"a": 1}, '{"a": 1}': {"a": 1}},
            options={"open_objects": "entries"},
            note='With `open_objects="entries"`. Without it, a strict tool is refused.',
        ),
        Typed(
            "dict[str, int], not strict",
            dict[str, int],
            {'{"a": 1}': {"a": 1}},
            {'{"a": "one"}': "/value/a: should be a valid integer"},
            options={"strict_mode": False},
            note="With `strict_mode=False`.",
        ),
    ],
    "Objects": [
        Typed(
            "a dataclass",
            Order,
            {'{"item": "tea", "pieces": null}': Order("tea", 1)},
            {'{"itm": "tea"}': "/value/item: is missing; /value/itm: 'itm' is unknown (did you mean 'item'?)"},
        ),
        Typed("a TypedDict", Song, {'{"title": "Air", "year": null}': {"title": "Air"}}),
        Typed("a pydantic model", Guest, {'{"name": "Ada", "age": null}': Guest(name="Ada")}),
        Typed(
            "a model that holds itself",
            Folder,
            {'{"name": "a", "inside": [{"name": "b"}]}': Folder(name="a", inside=[Folder(name="b")])},
        ),
    ],
    "Optional, default, union": [
        Typed("int | None", int | None, {"5": 5, "null": None}),
        Typed("int = 10", int, {"5": 5, "null": 10}, default=10),
        Typed("int | None = 10", int | None, {"5": 5, "null": None}, default=10),
        Typed("int | str", int | str, {"5": 5, '"5"': "5"}),
        Typed("bool | int", bool | int, {"1": 1, "true": True}),
        Typed(
            'Annotated[Cat | Dog, Field(discriminator="kind")]',
            Annotated[Cat | Dog, Field(discriminator="kind")],
            {'{"kind": "cat", "lives": 7}': Cat(kind="cat", lives=7)},
            {'{"kind": "cow"}': "/value: 'kind' should be one of 'cat', 'dog'"},
        ),
        Typed(
            'Annotated[str, "A CSS colour."]',
            Annotated[str, "A CSS colour."],
            {'"red"': "red"},
            note="The text is the description.",
        ),
    ],
    "Any number of arguments": [
        Typed(
            "*value: int",
            int,
            {"[1, 2]": (1, 2), "[]": (), "null": ()},
            {'["one"]': "/value/0: should be a valid integer"},
            note="A list, which may be left out: then there are none.",
            kind=inspect.Parameter.VAR_POSITIONAL,
        ),
        Typed(
            "**value: int",
            int,
            {'[{"key": "a", "value": 1}]': {"a": 1}, '{"a": 1}': {"a": 1}, "null": {}},
            options={"open_objects": "entries"},
            note='With `open_objects="entries"`. Without it, a strict tool is refused.',
            kind=inspect.Parameter.VAR_KEYWORD,
        ),
    ],
    "Without a type": [
        Typed("Any", Any, {"5": 5, '{"a": [1]}': {"a": [1]}}, note="Strict definitions need a type."),
    ],
}

ALL = [(f"{group}: {typed.source}", typed) for group, typeds in GROUPS.items() for typed in typeds]


def page() -> str:
    """The text of ``docs/reference/types.md``."""
    parts = [INTRODUCTION]
    for group, typeds in GROUPS.items():
        parts.append(f"## {group}")
        parts.extend(_section(typed) for typed in typeds)
    return "\n\n".join(parts) + "\n"


def _section(typed: Typed) -> str:
    lines = [f"### `{typed.source}`", ""]
    lines += [typed.note, ""] if typed.note else []
    lines += ["| dialect | schema |", "|---|---|"]
    schemas = _schemas(typed)
    lines += (f"| {', '.join(names) if schemas[1:] else 'every dialect'} | {schema} |" for schema, names in schemas)
    lines += ["", "| sent | the function gets |", "|---|---|"]
    lines += (f"| {_code(text)} | {_code(repr(value))} |" for text, value in typed.accepted.items())
    refused = ((text, html.escape(reason, quote=False)) for text, reason in typed.refused.items())
    lines += (f"| {_code(text)} | refused: {reason} |" for text, reason in refused)
    return "\n".join(lines)


def _schemas(typed: Typed) -> list[tuple[str, list[str]]]:
    """The schemas of the value, as cells, each with the dialects that publish it so."""
    tool = typed.tool()
    found: dict[str, list[str]] = {}
    for label, publish in _published(tool):
        try:
            cell = _code(json.dumps(_value_schema(publish()), ensure_ascii=False))
        except SchemaError as error:
            cell = f"refused: {error.problems[0].reason}"
        found.setdefault(cell, []).append(label)
    return list(found.items())


def _published(tool: FunctionTool[..., Any]) -> Iterator[tuple[str, Callable[[], Any]]]:
    for name in dialects.names():
        yield f"`{name}`", lambda name=name: tool.definition(name)
        if dialects.get(name).strictness == "on request":
            yield f"`{name}` *strict*", lambda name=name: tool.definition(name, strict=True)


def _value_schema(definition: Any) -> Any:
    """The schema of the parameter ``value``, with the definitions that it needs."""
    parameters = _parameters(definition)
    needed = {"$defs": parameters["$defs"]} if "$defs" in parameters else {}
    return {**parameters["properties"]["value"], **needed}


def _parameters(definition: Any) -> Any:
    """The schema in a payload, wherever the dialect puts it."""
    if isinstance(definition.get("properties"), dict):
        return definition
    (below,) = (value for value in definition.values() if isinstance(value, dict))
    return _parameters(below)


def _code(text: str) -> str:
    """Markdown reads on inside the tag, so its own characters are written as entities."""
    escaped = re.sub(r"[\\|*_`\[\]]", lambda found: f"&#{ord(found[0])};", html.escape(text, quote=False))
    return f"<code>{escaped}</code>"


def sent(typed: Typed, text: str) -> Any:
    """What the function gets when a model sends the text for the value."""
    return typed.tool().call(f'{{"value": {text}}}')


def refusal(typed: Typed, text: str) -> str:
    """Why the text is refused."""
    try:
        value = sent(typed, text)
    except ArgumentsError as error:
        return str(error).removeprefix("Invalid JSON input for tool give: ")
    return f"accepted as {value!r}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
