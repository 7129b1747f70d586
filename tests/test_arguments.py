"""From what a model sends to validated arguments: texts, bytes, mappings, and what is none of them."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import json
import logging
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field

from calls import call_of, refusal, table
from fnschema import ArgumentsError, function_schema, function_tool


class Item(BaseModel):
    sku: str
    count: int = 1


def optional(n: int = 1) -> None: ...
def required(n: int) -> None: ...
def text(s: str, n: int = 1) -> None: ...
def order(items: list[Item], notes: dict[str, int] = {}, first: Item = None, urgent: bool = False) -> None: ...  # noqa: B006


NO_ARGUMENTS = {
    "None": None, "empty": "", "empty bytes": b"", "blank": " \t\r\n", "null": "null", "blanks round null": " null\n",
    "object": "{}", "object in a string": '"{}"', "mapping": {}, "bytes": b"{}", "bytearray": bytearray(b"null"),
}  # fmt: skip


@table(NO_ARGUMENTS)
def test_these_mean_no_arguments(arguments: Any) -> None:
    assert call_of(optional, arguments) == ([1], {})


@table(NO_ARGUMENTS)
def test_no_arguments_miss_what_is_required(arguments: Any) -> None:
    assert refusal(required, arguments) == "/n: is missing"


READ = {
    "text": '{"s": "a", "n": 2}',
    "bytes": b'{"s": "a", "n": 2}',
    "bytearray": bytearray(b'{"s": "a", "n": 2}'),
    "mapping": {"s": "a", "n": 2},
    "another mapping": collections.ChainMap({"s": "a"}, {"n": 2}),
    "blanks around": ' \n{"s": "a", "n": 2}\t',
    "encoded twice": json.dumps('{"s": "a", "n": 2}'),
    "encoded twice with blanks": json.dumps(' {"s": "a", "n": 2} '),
    "escapes": r'{"\u0073": "\u0061", "n": 2}',
}


@table(READ)
def test_these_are_read(arguments: Any) -> None:
    assert call_of(text, arguments) == (["a", 2], {})


NO_OBJECT = {
    "array": "[]", "number": "5", "true": "true", "string": '"a"', "array in a string": '"[]"', "encoded three times":
    json.dumps(json.dumps("{}")), "null in a string": '"null"', "empty string in a string": '""',
    "list": [1], "int": 5, "set": {1}, "memoryview": memoryview(b"{}"), "object": object(),
}  # fmt: skip


@table(NO_OBJECT)
def test_these_are_no_object(arguments: Any) -> None:
    assert refusal(optional, arguments) == "expected a JSON object"


BROKEN = {
    "cut off": '{"s": "a"',
    "two objects": '{"s": "a"}{"s": "b"}',
    "text around": 'Sure! {"s": "a"}',
    "markdown": '```json\n{"s": "a"}\n```',
    "comment": '{"s": "a"} // x',
    "single quotes": "{'s': 'a'}",
    "byte order mark": b'\xef\xbb\xbf{"s": "a"}',
    "no-break space": '\u00a0{"s": "a"}',
    "UTF-16": '{"s": "a"}'.encode("utf-16"),
    "no UTF-8": b'{"s": "\xff"}',
    "a surrogate in UTF-8": b'{"s": "\xed\xa0\x80"}',
    "raw lone surrogate": '{"s": "\ud800"}',
    "escaped lone surrogate": r'{"s": "\ud800"}',
    "lone surrogate in a key": r'{"s": "a", "\udc00": 1}',
    "lone surrogate inside a string in a string": json.dumps(r'{"s": "\ud800"}'),
    "broken inside a string": json.dumps('{"s": '),
    "deep": '{"s": ' + "[" * 100_000 + "]" * 100_000 + "}",
    "deep inside a string": json.dumps('{"s": ' + "[" * 100_000),
    "a million digits": '{"s": "a", "n": ' + "9" * 1_000_000 + "}",
    "repeated key": '{"s": "a", "s": "b"}',
    "repeated escaped key": r'{"s": "a", "\u0073": "b"}',
    "repeated key inside a string": json.dumps('{"s": "a", "s": "b"}'),
    "repeated key beside an escaped colon": r'{"s": "a\u003a", "n": 1, "n": 2}',
    "NaN": '{"s": "a", "n": NaN}',
}


@table(BROKEN)
def test_broken_text_is_refused(arguments: Any) -> None:
    assert len(refusal(text, arguments)) < 200


class Tree(BaseModel):
    below: list[Tree] = []


def tree_of(levels: int) -> dict[str, Any]:
    return {"below": [tree_of(levels - 1)]} if levels else {}


@pytest.mark.parametrize("levels", [100, 199, 300])
def test_what_is_nested_too_deeply_is_told_as_such_in_each_form(levels: int) -> None:
    def plant(tree: Tree) -> None: ...

    plant.__annotations__ = {"tree": Tree}
    sent = {"tree": tree_of(levels)}
    for form in (sent, json.dumps(sent), json.dumps(sent).encode(), json.dumps(json.dumps(sent))):
        assert refusal(plant, form) == "the JSON is too deeply nested: more than 200 levels"
    assert call_of(plant, {"tree": tree_of(98)})[1] == {}


def test_a_pair_of_surrogates_is_one_letter() -> None:
    assert call_of(text, r'{"s": "\ud83d\ude00"}') == (["\U0001f600", 1], {})


Data = Annotated[int, Field(validation_alias=AliasPath("data", 0))]
More = Annotated[int, Field(validation_alias=AliasPath("data", 1))]
Either = Annotated[int, Field(validation_alias=AliasChoices("data", "a"))]
Or = Annotated[int, Field(validation_alias=AliasChoices("b", "data"))]

READ_BY_TWO = {"paths": (Data, More, "[1, 2]", [1, 2]), "choices": (Either, Or, "3", [3, 3])}


@table(READ_BY_TWO)
def test_a_key_that_two_parameters_read_comes_once(first: Any, second: Any, json: str, args: list[int]) -> None:
    def f(a: Any, b: Any) -> None: ...

    f.__annotations__ = {"a": first, "b": second}

    assert call_of(f, f'{{"data": {json}}}') == (args, {})
    assert refusal(f, f'{{"data": {json}, "data": {json}}}') == "the key 'data' comes twice"


def test_a_repeated_key_is_named_at_any_depth() -> None:
    sent = '{"items": [{"sku": "a", "count": 1, "count": 2}]}'
    assert refusal(order, sent) == "the key 'count' comes twice"


DECODED = {
    "list": ({"items": '[{"sku": "a"}]'}, [[Item(sku="a")], {}, None, False]),
    "object": ({"items": [], "first": '{"sku": "a"}'}, [[], {}, Item(sku="a"), False]),
    "map": ({"items": [], "notes": '{"a": 1}'}, [[], {"a": 1}, None, False]),
    "bool": ({"items": [], "urgent": "true"}, [[], {}, None, True]),
    "null": ({"items": [], "first": "null"}, [[], {}, None, False]),
    "several": ({"items": "[]", "notes": "{}", "first": "null"}, [[], {}, None, False]),
}


@table(DECODED)
def test_a_string_is_decoded_where_the_type_admits_none(arguments: Any, args: Any) -> None:
    assert call_of(order, arguments) == (args, {})


class Plan(BaseModel):
    model_config = ConfigDict(strict=True)
    day: datetime.date
    tags: set[str]


def test_what_a_string_holds_is_read_as_json_is() -> None:
    def keep(plan: Plan) -> None: ...

    plan = {"day": "2026-11-30", "tags": ["a"]}
    kept = Plan(day=datetime.date(2026, 11, 30), tags={"a"})
    assert call_of(keep, {"plan": plan}) == call_of(keep, {"plan": json.dumps(plan)}) == ([kept], {})


def test_a_string_is_never_decoded_where_the_type_admits_one() -> None:
    def f(a: str, b: Optional[str], c: str | list[str], d: Any, e: Annotated[str, Field(max_length=99)]) -> None: ...

    sent = {"a": '{"k": 1}', "b": "null", "c": '["x"]', "d": "[1]", "e": "5"}
    assert call_of(f, sent) == (list(sent.values()), {})


NOT_DECODED = {
    "broken inside": ({"items": "[1"}, "/items: should be an array"),
    "wrong inside": ({"items": '[{"sku": 1}]'}, "/items/0/sku: should be a valid string"),
    "unknown inside": (
        {"items": '[{"sku": "a", "cuont": 1}]'},
        "/items/0/cuont: 'cuont' is unknown (did you mean 'count'?)",
    ),
    "a repeated key inside": ({"items": '[{"sku": "a", "sku": "b"}]'}, "/items: the key 'sku' comes twice"),
    "NaN inside": ({"items": "[NaN]"}, "/items: NaN is not JSON"),
    "nested strings stay": ({"items": ['{"sku": "a"}']}, "/items/0: should be an object"),
}


@table(NOT_DECODED)
def test_what_a_string_holds_is_checked_as_well(arguments: Any, expected: str) -> None:
    assert refusal(order, arguments) == expected


def test_a_mapping_may_hold_python_values() -> None:
    @dataclasses.dataclass
    class Plain:
        sku: str

    def f(item: Item, total: Decimal, raw: bytes) -> None: ...

    f.__annotations__ = {"item": Item, "total": Decimal, "raw": bytes}
    sent = {"item": Plain("a"), "total": Decimal("12345678901234567890.123456789"), "raw": b"ab"}
    assert call_of(f, sent) == ([Item(sku="a"), sent["total"], b"ab"], {})


class Endless(Mapping[str, Any]):
    def __getitem__(self, key: str) -> Any:
        return object()

    def __iter__(self) -> Iterator[str]:
        return iter(["s"])

    def __len__(self) -> int:
        return 1


ITSELF: dict[str, Any] = {}
ITSELF["s"] = ITSELF
NOT_WRITTEN = {
    "an object": {"s": object()},
    "bytes that are no text": {"s": b"\xff"},
    "a lone surrogate": {"s": "\ud800"},
    "a lone surrogate as a key": {"\ud800": 1},
    "itself": ITSELF,
    "a mapping of objects": Endless(),
}


@table(NOT_WRITTEN)
def test_what_cannot_be_written_as_json_is_refused(arguments: Any) -> None:
    assert refusal(text, arguments) == "the mapping holds what JSON cannot"


def test_nan_in_a_mapping_is_refused() -> None:
    def f(x: float) -> None: ...

    assert refusal(f, {"x": float("nan")}) == "/x: should be a valid number"


def test_keys_of_a_mapping_that_become_one_are_refused() -> None:
    assert refusal(text, {"s": "a", 1: 1, "1": 2}) != ""


def test_the_mapping_is_not_changed() -> None:
    sent = {"items": '[{"sku": "a"}]', "notes": {"a": 1}}
    before = json.dumps(sent)
    call_of(order, sent)
    assert json.dumps(sent) == before


@pytest.mark.parametrize("kind", [str, bytes, dict])
def test_max_bytes_bounds_the_text(kind: Any) -> None:
    def made(letters: int) -> Any:
        sent = {"s": "é" * letters}
        whole = json.dumps(sent, ensure_ascii=False)
        return sent if kind is dict else whole if kind is str else whole.encode()

    overhead = len(b'{"s":""}' if kind is dict else b'{"s": ""}')
    assert call_of(text, made(20), max_bytes=40 + overhead) == (["é" * 20, 1], {})
    assert refusal(text, made(21), max_bytes=40 + overhead) == f"the text is longer than {40 + overhead} bytes"


def test_ten_megabytes_are_read_by_default() -> None:
    assert refusal(text, " " * 10_000_001) == "the text is longer than 10000000 bytes"


def everything(
    a: int, b: list[Item], c: dict[int, float], d: Literal[1, "x", None], e: Decimal, f: Any = 1, *g: bool, **h: str
) -> None: ...


SCHEMA = function_schema(everything, strict_json_schema=False)
PIECES = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        '"',
        '"a"',
        '"b"',
        "1",
        "1.5",
        "1e999",
        "NaN",
        "null",
        "true",
        "\\u003a",
        "\\ud800",
        "e",
        " ",
    ]
)


@given(
    st.binary() | st.text() | st.lists(PIECES).map("".join) | st.lists(PIECES).map(lambda p: '{"a":' + "".join(p) + "}")
)
def test_any_text_gives_arguments_or_an_arguments_error(arguments: Any) -> None:
    for read in (SCHEMA.validate, SCHEMA.bind):
        try:
            read(arguments)
        except ArgumentsError as error:
            assert len(str(error).encode()) < 1024  # noqa: PT017 - most texts are refused, some are not


def test_nothing_is_logged_of_arguments_that_fit(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        call_of(text, {"s": "a"})
        refusal(text, {"s": 1})
    assert caplog.records == []


def test_wrong_values_without_end_are_not_listed() -> None:
    def f(numbers: list[int]) -> None: ...

    assert refusal(f, {"numbers": ["x"] * 10_001}) == "more than 10,000 values are wrong"
    assert refusal(f, {"numbers": ["x"] * 10_000}).endswith("more")


NO_JSON = {
    "words": ("not json", "expected ident at line 1 column 2"),
    "a fenced block": ('```json\n{"a": 1}\n```', "expected value at line 1 column 1"),
    "single quotes": ("{'a': 1}", "key must be a string at line 1 column 2"),
    "text after the object": ('{"a": 1} thanks', "trailing characters at line 1 column 10"),
    "cut off": ('{"a": "one', "EOF while parsing a string at line 1 column 10"),
    "in a string": ('"{a: 1}"', "key must be a string at line 1 column 2"),
}


@table(NO_JSON)
def test_who_sends_no_json_is_told_what_to_send(text: str, reason: str) -> None:
    def f(a: int) -> None: ...

    with pytest.raises(ArgumentsError) as caught:
        function_schema(f).bind(text)

    assert str(caught.value) == (
        f"Invalid JSON input for tool f: the text is no JSON: {reason} (send one whole JSON object and nothing else)"
    )


class Bolt(BaseModel):
    length_mm: int = Field(1, alias="lengthMm")


def test_a_model_in_a_mapping_is_read_by_its_aliases():
    def drill(bolt: Bolt) -> int:
        return bolt.length_mm

    assert function_tool(drill, strict_mode=False).call({"bolt": Bolt(lengthMm=5)}) == 5
