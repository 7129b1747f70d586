"""What a model is told: where it went wrong and why, and never what it sent."""

from __future__ import annotations

import datetime
import enum
import json
import uuid
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, Union

import pytest
from pydantic import AfterValidator, BaseModel, Field, model_validator
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
    "no date": (GOOD | {"day": "soon"}, "/day: should be a valid date or datetime, input is too short"),
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
