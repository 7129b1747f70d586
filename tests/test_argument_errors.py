"""What a model is told: where it went wrong and why, and never what it sent."""

from __future__ import annotations

import collections
import datetime
import difflib
import enum
import fractions
import ipaddress
import json
import pathlib
import re
import uuid
import zoneinfo
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, Union

import pydantic
import pytest
from pydantic import AfterValidator, BaseModel, Field, ImportString, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from calls import refusal, refusal_of, table, taking
from fnschema import ArgumentsError, function_schema


class Kind(enum.Enum):
    A = "a"
    B = "b"


class Seat(BaseModel):
    row: int
    letter: Literal["a", "b"] = "a"


class Coupe(BaseModel):
    A: int


class Wagon(BaseModel):
    Coupe: dict[str, int]


class Pair(NamedTuple):
    row: int
    letter: str


def book(seat: Seat, day: datetime.date, guests: list[str], note: str = "") -> None: ...


GOOD = {"seat": {"row": 1}, "day": "2026-01-02", "guests": []}
TEXTS = {
    "missing": ({k: v for k, v in GOOD.items() if k != "day"}, "/day: is missing"),
    "missing below": (GOOD | {"seat": {}}, "/seat/row: is missing"),
    "wrong type": (GOOD | {"guests": [1]}, "/guests/0: should be a valid string"),
    "no array": (GOOD | {"guests": 5}, "/guests: should be an array"),
    "no object": (GOOD | {"seat": 5}, "/seat: should be an object"),
    "no choice": (GOOD | {"seat": {"row": 1, "letter": "z"}}, "/seat/letter: should be 'a' or 'b'"),
    "no date": (GOOD | {"day": "soon"}, "/day: should be a date like 2026-11-30 (ISO 8601)"),
    "unknown with a near match": (GOOD | {"notes": "x"}, "/notes: 'notes' is unknown (did you mean 'note'?)"),
    "unknown with none": (GOOD | {"zzz": 1}, "/zzz: 'zzz' is unknown"),
    "several": (
        {"seat": {"row": "x"}, "guests": []},
        "/seat/row: should be a valid integer; /day: is missing",
    ),
}


@table(TEXTS)
def test_the_text_names_the_place_and_the_reason(arguments: Any, text: str) -> None:
    assert refusal(book, arguments) == text


def test_the_whole_text() -> None:
    with pytest.raises(ArgumentsError) as caught:
        function_schema(book).validate("{}")
    assert str(caught.value) == (
        "Invalid JSON input for tool book: /seat: is missing; /day: is missing; /guests: is missing"
    )


SHAPES: dict[str, tuple[Any, str, str]] = {
    "date": (datetime.date, "tomorrow", "should be a date like 2026-11-30 (ISO 8601)"),
    "date of no type that it may have": (datetime.date, "[]", "should be a date like 2026-11-30 (ISO 8601)"),
    "date with a time": (
        datetime.date,
        "2026-11-30T14:30:00Z",
        "should be a date like 2026-11-30 (ISO 8601), without a time",
    ),
    "date of no calendar": (
        datetime.date,
        "2026-02-30",
        "should be a date like 2026-11-30 (ISO 8601), but its day is out of range",
    ),
    "date with an hour of no clock": (
        datetime.date,
        "2026-11-30T25:00:00",
        "should be a date like 2026-11-30 (ISO 8601)",
    ),
    "time": (datetime.time, "noon", "should be a time like 14:30:00 (ISO 8601)"),
    "time of no clock": (
        datetime.time,
        "12:99",
        "should be a time like 14:30:00 (ISO 8601), but its minute is out of range",
    ),
    "datetime": (datetime.datetime, "now", "should be a date and time like 2026-11-30T14:30:00Z (ISO 8601)"),
    "datetime with an offset": (
        pydantic.AwareDatetime,
        "2026-11-30T14:30:00",
        "should have an offset from UTC, as 2026-11-30T14:30:00Z has",
    ),
    "datetime without an offset": (
        pydantic.NaiveDatetime,
        "2026-11-30T14:30:00Z",
        "should have no offset from UTC, as 2026-11-30T14:30:00 has none",
    ),
    "timedelta": (datetime.timedelta, "a while", "should be a duration like P1DT2H30M (ISO 8601)"),
    "UUID": (uuid.UUID, "abc", "should be a UUID like 123e4567-e89b-42d3-a456-426614174000"),
    "UUID of a version": (
        pydantic.UUID4,
        "00000000-0000-0000-0000-000000000000",
        "should be a UUID of version 4, like 123e4567-e89b-42d3-a456-426614174000",
    ),
    "URL": (pydantic.AnyUrl, "here", "should be a URL like scheme://host/path"),
    "URL of a scheme": (pydantic.HttpUrl, "ftp://host/path", "should have the scheme 'http' or 'https'"),
    "IPv4 address": (ipaddress.IPv4Address, "here", "should be an IPv4 address like 192.0.2.1"),
    "IPv6 address": (ipaddress.IPv6Address, "here", "should be an IPv6 address like 2001:db8::1"),
    "IPv4 network": (ipaddress.IPv4Network, "here", "should be an IPv4 network like 192.0.2.0/24"),
    "IPv6 network": (ipaddress.IPv6Network, "here", "should be an IPv6 network like 2001:db8::/32"),
    "IPv4 interface": (ipaddress.IPv4Interface, "here", "should be an IPv4 interface like 192.0.2.1/24"),
    "IPv6 interface": (ipaddress.IPv6Interface, "here", "should be an IPv6 interface like 2001:db8::1/32"),
    "IP address": (pydantic.IPvAnyAddress, "here", "should be an IP address like 192.0.2.1 or 2001:db8::1"),
    "IP network": (pydantic.IPvAnyNetwork, "here", "should be an IP network like 192.0.2.0/24 or 2001:db8::/32"),
    "IP interface": (
        pydantic.IPvAnyInterface,
        "here",
        "should be an IP interface like 192.0.2.1/24 or 2001:db8::1/32",
    ),
    "bytes": (bytes, "[1]", "should be a string"),
    "Base64": (pydantic.Base64Bytes, "abcde", "should be Base64 like aGVsbG8="),
    "Base64 of no text": (pydantic.Base64Str, "/w==", "should hold text in UTF-8"),
    "Decimal": (Decimal, "ten", "should be a number like 12.50"),
    "Fraction": (fractions.Fraction, "half", "should be a fraction like 3/4"),
    "complex": (complex, "i", "should be a complex number like 1+2j"),
    "bool": (bool, "perhaps", "should be true or false"),
    "size": (pydantic.ByteSize, "10 zz", "should be a size like 10MB"),
    "regular expression": (re.Pattern, "(", "should be a regular expression"),
    "path": (pathlib.Path, "[]", "should be a path, a string"),
    "path of a file": (pydantic.FilePath, "/", "should be the path of a file that is there"),
    "path of a folder": (pydantic.DirectoryPath, "/nowhere", "should be the path of a folder that is there"),
    "path of nothing": (pydantic.NewPath, "/", "should be a path at which nothing is yet"),
    "time zone": (zoneinfo.ZoneInfo, "Nowhere/At_all", "should be a time zone like Europe/Berlin"),
    "JSON": (pydantic.Json[int], "[", "should be JSON in a string: EOF while parsing a list at line 1 column 1"),
}


@table(SHAPES)
def test_the_reason_is_what_the_value_should_be(annotation: Any, sent: str, reason: str) -> None:
    as_json = sent if sent in ("[]", "[1]") else json.dumps(sent)

    assert refusal_of(annotation, as_json) == f"/value: {reason}"


EXAMPLE = re.compile(r"like (\S+)")


@table({name: row for name, row in SHAPES.items() if EXAMPLE.search(row[2]) and name != "URL"})
def test_the_example_of_a_reason_is_taken(annotation: Any, sent: str, reason: str) -> None:
    example = EXAMPLE.search(reason)
    assert example is not None

    function_schema(taking(annotation)).validate(json.dumps({"value": example[1].rstrip(",")}))


POINTERS = {
    "slash and tilde": (dict[str, int], '{"a/b": "x"}', "/value/a~1b"),
    "tilde": (dict[str, int], '{"a~b": "x"}', "/value/a~0b"),
    "empty key": (dict[str, int], '{"": "x"}', "/value/"),
    "tuple": (tuple[int, str], "[1, 2]", "/value/1"),
    "named tuple as an array": (Pair, '["x", "a"]', "/value/0"),
    "named tuple as an object": (Pair, '{"row": "x", "letter": "a"}', "/value/row"),
    "dict of lists": (dict[str, list[int]], '{"a": [1, "x"]}', "/value/a/1"),
    "a key of a map": (dict[int, int], '{"x": 1}', "/value/x"),
    "union": (Union[Seat, int], '{"row": "x"}', "/value/row"),
    "a member named as a key": (Union[Coupe, Wagon], '{"Coupe": {"a": "x"}}', "/value/Coupe/a"),
    "alias": (Annotated[int, Field(ge=3)], "1", "/value"),
    "a number as a key": (dict[str, dict[str, int]], '{"0": {"1": "x"}}', "/value/0/1"),
}


@table(POINTERS)
def test_paths_are_json_pointers_into_the_arguments(annotation: Any, json: str, path: str) -> None:
    with pytest.raises(ArgumentsError) as caught:
        function_schema(taking(annotation), strict_json_schema=False).validate(f'{{"value": {json}}}')
    assert path in [problem.path for problem in caught.value.problems]


class Cat(BaseModel):
    kind: Literal["cat"]
    cat: dict[str, int] = {}
    n: int


class Dog(BaseModel):
    kind: Literal["dog"]


PETS = Annotated[Union[Cat, Dog], Field(discriminator="kind")]


def test_a_tag_is_no_part_of_a_path_even_when_it_is_a_key_too() -> None:
    assert refusal_of(PETS, '{"kind": "cat", "cat": {"n": 3}}') == "/value/n: is missing"
    assert refusal_of(PETS, '{"kind": "cat", "n": 1, "cat": {"a": "x"}}') == "/value/cat/a: should be a valid integer"


def test_the_alternatives_of_a_union_are_joined() -> None:
    assert refusal_of(Union[int, list[int]], '"x"') == "/value: should be a valid integer, or should be an array"


LOWER = Annotated[str, Field(pattern="^[a-z]+$")]
COUNTS = dict[LOWER, Annotated[int, Field(ge=0)]]
PATTERN = "its key should match pattern '^[a-z]+$'"
KEYS = {
    "a key": (COUNTS, '{"Q": 1}', f"/value/Q: {PATTERN}"),
    "a key and its value": (
        COUNTS, '{"Q": -1}', f"/value/Q: {PATTERN}; /value/Q: should be greater than or equal to 0",
    ),
    "a key like pydantic's label": (
        dict[LOWER, dict[str, int]], '{"Q": {"[key]": 1}, "q": {"[key]": "x"}}',
        f"/value/Q: {PATTERN}; /value/q/[key]: should be a valid integer",
    ),
    "a key of two kinds": (
        dict[Union[int, datetime.date], int], '{"Q": 1}',
        "/value/Q: its key should be a valid integer, or should be a date like 2026-11-30 (ISO 8601)",
    ),
    "a key of a counter": (collections.Counter[LOWER], '{"Q": 1}', f"/value/Q: {PATTERN}"),
    "inside a key": (
        dict[pydantic.Json[list[int]], list[int]], '{"[true]": [1]}',
        "/value/[true]: its key should be a valid integer",
    ),
    "an author's own words": (
        dict[Annotated[str, AfterValidator(lambda key: only_letters(key))], int], '{"7": 1}',
        "/value/7: its key: only letters",
    ),
}  # fmt: skip


def only_letters(key: str) -> str:
    if not key.isalpha():
        raise ValueError("only letters")
    return key


@table(KEYS)
def test_what_is_wrong_with_a_key_is_told_as_the_keys(annotation: Any, json: str, text: str) -> None:
    assert refusal_of(annotation, json) == text


def test_the_key_of_an_entry_has_a_path_of_its_own() -> None:
    sent = '[{"key": "Q", "value": -1}]'
    assert refusal_of(COUNTS, sent, open_objects="entries") == (
        "/value/0/key: should match pattern '^[a-z]+$'; /value/0/value: should be greater than or equal to 0"
    )


def test_the_same_reason_is_given_once() -> None:
    assert refusal_of(Union[list[int], tuple[int, ...]], "5") == "/value: should be an array"


def test_a_key_of_another_alternative_has_no_near_match() -> None:
    assert "did you mean 'n'" not in refusal_of(Union[Cat, Dog], '{"kind": "dog", "n": 1}')


SECRET = "hunter2"
SHOWN_NEVER = {
    "int": (int, f'"{SECRET}"'),
    "date": (datetime.date, f'"{SECRET}"'),
    "uuid": (uuid.UUID, f'"{SECRET}"'),
    "enum": (Kind, f'"{SECRET}"'),
    "literal": (Literal["a"], f'"{SECRET}"'),
    "pattern": (Annotated[str, Field(pattern="^a$")], f'"{SECRET}"'),
    "length": (Annotated[str, Field(max_length=3)], f'"{SECRET}"'),
    "decimal": (Decimal, f'"{SECRET}"'),
    "list": (list[int], f'["{SECRET}"]'),
    "map value": (dict[str, int], f'{{"a": "{SECRET}"}}'),
    "union": (Union[int, list[int]], f'"{SECRET}"'),
    "discriminated": (PETS, f'{{"kind": "{SECRET}"}}'),
    "model": (Seat, f'"{SECRET}"'),
    "url": (Annotated[str, Field(min_length=99)], f'"{SECRET}"'),
    "decoded": (list[int], json.dumps(f'["{SECRET}"]')),
}


@table(SHOWN_NEVER)
def test_no_value_is_shown(annotation: Any, text: str) -> None:
    with pytest.raises(ArgumentsError) as caught:
        function_schema(taking(annotation), strict_json_schema=False).validate(f'{{"value": {text}}}')
    shown = "".join([str(caught.value), repr(caught.value), *map(repr, caught.value.problems)])
    assert SECRET not in shown
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def saying(text: str) -> Any:
    def validate(value: Any) -> Any:
        raise ValueError(text.format(value))

    return Annotated[Any, AfterValidator(validate)]


AUTHORS = {
    "its own words": ("must be even", '"x"', "must be even"),
    "the value": ("bad value {}", f'"{SECRET}"', "is not valid"),
    "a short value": ("bad value {}", '"8"', "is not valid"),
    "a short value inside a word": ("must be 8 letters", '"let"', "must be 8 letters"),
    "the value inside an object": ("bad value {}", f'{{"password": "{SECRET}"}}', "is not valid"),
    "one of many": ("bad value {}", '["a1b2", "c3d4"]', "is not valid"),
    "a number": ("bad value {}", "12345.678", "is not valid"),
    "a whole number": ("bad value 5", "5.0", "is not valid"),
    "true": ("bad value {}", "true", "is not valid"),
    "nothing": ("", '"x"', "is not valid"),
    "a link": ("see https://example.com/a?b", '"x"', "see"),
    "a long text": ("y" * 999, '"x"', "y" * 199 + "…"),
    "a comma": ("first, second", '"x"', "first, second"),
}


@table(AUTHORS)
def test_an_authors_text_is_passed_on_unless_it_repeats_the_value(text: str, json: str, reason: str) -> None:
    assert refusal_of(saying(text), json) == f"/value: {reason}"


def quoting(value: Any) -> Any:
    raise ValueError(f"cannot use {value!r}")


CHANGED = {
    "a new line": (str, "SECRET\nline"),
    "a backslash": (str, "C:\\SECRET"),
    "a quote": (str, 'it\'s "SECRET"'),
    "stripped": (Annotated[str, StringConstraints(strip_whitespace=True)], " SECRET"),
    "leading zeros": (int, "0424242"),
    "blanks around a number": (int, " 424242"),
    "a number in another form": (float, "424242e0"),
}


@table(CHANGED)
def test_an_authors_text_with_the_value_in_another_form_is_left_out(annotation: Any, sent: str) -> None:
    assert refusal_of(Annotated[annotation, AfterValidator(quoting)], json.dumps(sent)) == "/value: is not valid"


def test_control_characters_of_an_authors_text_are_escaped() -> None:
    assert refusal_of(saying("one\ntwo \x1b[2J"), '"x"') == r"/value: one\ntwo \x1b[2J"


def test_what_cannot_be_imported_is_not_named() -> None:
    text = refusal_of(ImportString, '"SECRETmod.x"')
    assert text == "/value: should name something that can be imported, like math.cos"


def test_near_matches_are_looked_for_only_where_they_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_for: list[str] = []

    def get_close_matches(word: str, known: list[str], **kwargs: Any) -> list[str]:
        looked_for.extend([word] if known else [])
        return real(word, known, **kwargs)

    real = difflib.get_close_matches
    monkeypatch.setattr(difflib, "get_close_matches", get_close_matches)
    with pytest.raises(ArgumentsError) as caught:
        function_schema(taking(Seat), strict_json_schema=False).validate({"value": {f"row{i}": 1 for i in range(200)}})
    shown = str(caught.value).count("did you mean 'row'?")
    assert shown > 5
    assert len(looked_for) <= shown + 2


def test_an_authors_text_about_very_many_values_is_left_out() -> None:
    assert refusal_of(saying("must be sorted"), json.dumps(list(range(900)))) == "/value: must be sorted"
    assert refusal_of(saying("must be sorted"), json.dumps(list(range(1100)))) == "/value: is not valid"


def test_the_text_of_an_assertion_is_an_authors() -> None:
    class Even(BaseModel):
        n: int

        @model_validator(mode="after")
        def check(self) -> Even:
            if self.n % 2:  # pytest adds the value to the text of an assert
                raise AssertionError("must be even")
            return self

    assert refusal_of(Even, '{"n": 3}') == "/value: must be even"


def test_a_custom_error_is_an_authors() -> None:
    def odd(value: Any) -> Any:
        raise PydanticCustomError("odd", "{value} is odd" if value == SECRET else "is odd", {"value": value})

    annotation = Annotated[Any, AfterValidator(odd)]
    assert refusal_of(annotation, '"x"') == "/value: is odd"
    assert refusal_of(annotation, f'"{SECRET}"') == "/value: is not valid"


def test_another_exception_of_a_validator_passes_through() -> None:
    def broken(value: Any) -> Any:
        raise KeyError("bug")

    with pytest.raises(KeyError, match="bug"):
        function_schema(taking(Annotated[Any, AfterValidator(broken)]), strict_json_schema=False).validate(
            '{"value": 1}'
        )


def many(items: list[int]) -> None: ...
def maps(items: list[dict[str, int]]) -> None: ...
def none() -> None: ...


HUGE = {
    "a hundred thousand wrong items": (many, '{"items": [' + ",".join(['"x"'] * 100_000) + "]}"),
    "a hundred thousand unknown keys": (none, "{" + ",".join(f'"é{i}": 1' for i in range(100_000)) + "}"),
    "a long key": (none, '{"' + "é" * 100_000 + '": 1}'),
    "a long key of control characters": (none, '{"' + r"\u0001" * 10_000 + '": 1}'),
    "a long key of emoji": (none, '{"' + "🙂" * 10_000 + '": 1}'),
    "long keys on the way": (maps, '{"items": [' + ",".join(f'{{"{i}{"🙂" * 999}": "x"}}' for i in range(99)) + "]}"),
    "a long key on the way many times": (many, '{"items": {"' + "k" * 10_000 + '": 1}}'),
}


@table(HUGE)
def test_the_text_is_under_a_kilobyte_and_the_problems_a_hundred(function: Any, text: str) -> None:
    with pytest.raises(ArgumentsError) as caught:
        function_schema(function, strict_json_schema=False).validate(text)
    assert len(str(caught.value).encode()) < 1024
    assert len(caught.value.problems) <= 100
    assert sum(len(repr(problem)) for problem in caught.value.problems) < 200_000


def test_a_made_up_name_is_escaped_and_cut() -> None:
    assert refusal(none, json.dumps({"\u202e" + "k" * 99: 1})).endswith(f"'\\u202e{'k' * 63}'… is unknown")
