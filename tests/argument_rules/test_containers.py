"""Maps, arrays and JSON in a string."""

from __future__ import annotations

import collections
import datetime
import enum
import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, Union

import pytest
from pydantic import AfterValidator, BaseModel, Discriminator, Field, Json, PlainValidator, SecretStr, Tag

from argument_rules.legs import Leg, Level
from calls import refusal_of, table, value_of

MAPS = {
    "int keys": (dict[int, str], '{"1": "a"}', {1: "a"}),
    "float keys": (dict[float, str], '{"1.5": "a"}', {1.5: "a"}),
    "enum keys": (dict[Level, str], '{"1": "a"}', {Level.LOW: "a"}),
    "date keys": (dict[datetime.date, int], '{"2026-01-02": 1}', {datetime.date(2026, 1, 2): 1}),
    "tuple of values": (dict[str, tuple[int, int]], '{"a": [1, 2]}', {"a": (1, 2)}),
    "OrderedDict": (collections.OrderedDict[str, int], '{"a": 1}', collections.OrderedDict(a=1)),
    "Counter": (collections.Counter[str], '{"a": 1}', collections.Counter(a=1)),
    "bare": (dict, '{"a": [1]}', {"a": [1]}),
}


@table(MAPS)
def test_a_map_arrives(annotation: Any, json: str, expected: Any) -> None:
    assert value_of(annotation, json) == expected


@pytest.mark.parametrize(
    ("annotation", "json"),
    [
        (dict[int, str], '{"1": "a", "01": "b"}'),
        (dict[float, int], '{"1": 1, "1.0": 2}'),
        (dict[Annotated[str, Field(max_length=3), AfterValidator(str.lower)], int], '{"a": 1, "A": 2}'),
        (Mapping[int, int], '{"1": 1, "+1": 2}'),
        (dict[Decimal, int], '{"1.1": 1, "1.10": 2}'),
    ],
)
def test_two_keys_that_become_one_are_refused(annotation: Any, json: str) -> None:
    assert refusal_of(annotation, json) == "/value: a key comes twice"


ENTRIES = {
    "entries": (dict[str, int], '[{"key": "a", "value": 1}]', {"a": 1}),
    "plain": (dict[str, int], '{"a": 1}', {"a": 1}),
    "empty entries": (dict[str, int], "[]", {}),
    "int keys": (dict[int, int], '[{"key": "1", "value": 2}]', {1: 2}),
    "keys that are no strings": (dict[int, int], '[{"key": 1, "value": 2}]', {1: 2}),
    "nested": (dict[str, dict[str, int]], '[{"key": "a", "value": [{"key": "b", "value": 1}]}]', {"a": {"b": 1}}),
    "below a list": (list[dict[str, int]], '[[{"key": "a", "value": 1}]]', [{"a": 1}]),
    "a class as value": (dict[str, Leg], '[{"key": "a", "value": {"miles": null}}]', {"a": Leg()}),
    "OrderedDict": (collections.OrderedDict[str, int], '[{"key": "a", "value": 1}]', collections.OrderedDict(a=1)),
}


@table(ENTRIES)
def test_a_map_arrives_from_entries(annotation: Any, json: str, expected: Any) -> None:
    value = value_of(annotation, json, open_objects="entries")
    assert type(value) is type(expected)
    assert value == expected


NO_ENTRIES = {
    "repeated key": (
        dict[str, int],
        '[{"key": "a", "value": 1}, {"key": "a", "value": 2}]',
        "/value/1/key: a key comes twice",
    ),
    "repeated int key": (
        dict[int, int],
        '[{"key": "1", "value": 1}, {"key": "01", "value": 2}]',
        "/value/1/key: a key comes twice",
    ),
    "a key for the second time": (
        dict[str, list[dict[int, int]]],
        '[{"key": "a", "value": [[{"key": 1, "value": 1}, {"key": 2, "value": 1}, {"key": "+1", "value": 1}]]}]',
        "/value/0/value/0/2/key: a key comes twice",
    ),
    "a repeated key in Json": (
        Json[dict[str, int]],
        json.dumps('[{"key": "a", "value": 1}, {"key": "a", "value": 2}]'),
        "/value: a key comes twice",
    ),
    "true as a value": (dict[str, int], '[{"key": "a", "value": true}]', "/value/0/value: should be a valid integer"),
    "no value": (dict[str, int], '[{"key": "a"}]', "/value/0/value: is missing"),
    "a key too many": (dict[str, int], '[{"key": "a", "value": 1, "x": 1}]', "/value/0/x: 'x' is unknown"),
    "an array as a key": (
        dict[Any, int],
        '[{"key": [1], "value": 1}]',
        "/value/0/key: a key should be no array and no object",
    ),
    "an array inside a key": (
        dict[tuple[Any, ...], int],
        '[{"key": [[1]], "value": 1}]',
        "/value/0/key: a key should be no array and no object",
    ),
    "a wrong value of a plain map": (dict[str, int], '{"a": "x"}', "/value/a: should be a valid integer"),
}


@table(NO_ENTRIES)
def test_entries_that_do_not_fit_are_refused(annotation: Any, json: str, text: str) -> None:
    assert refusal_of(annotation, json, open_objects="entries") == text


FORMS = {
    "Json": (Json[list[int]], '"[1, 2]"', [1, 2]),
    "bare Json": (Json, '"{\\"a\\": 1.5}"', {"a": 1.5}),
    "Json of a model": (Json[Leg], '"{\\"miles\\": null}"', Leg()),
    "secret": (SecretStr, '"hunter2"', SecretStr("hunter2")),
    "plain validator": (Annotated[int, PlainValidator(lambda v: v)], '"x"', "x"),
    "iterable": (Iterable[int], '["1", 2]', [1, 2]),
    "set": (set[int], "[1, 1]", {1}),
    "frozen set": (frozenset[str], '["a"]', frozenset({"a"})),
    "bytes": (bytes, '"ab"', b"ab"),
    "discriminated": (Annotated[Union["Cat", "Dog"], Field(discriminator="kind")], '{"kind": "dog", "n": null}', None),
}


class Cat(BaseModel):
    kind: Literal["cat"]
    cat: dict[str, int] = {}
    n: int


class Dog(BaseModel):
    kind: Literal["dog"]
    n: int = 2


class Breed(enum.Enum):
    CAT = "cat"
    DOG = 2


class CatOfBreed(BaseModel):
    breed: Literal[Breed.CAT]
    n: int = 1


class DogOfBreed(BaseModel):
    breed: Literal[Breed.DOG]
    n: int = 2


def kind_of(value: Any) -> Any:
    return value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)


PETS = Annotated[Union[Cat, Dog], Field(discriminator="kind")]
BREEDS = Annotated[Union[CatOfBreed, DogOfBreed], Field(discriminator="breed")]
TAGGED = Annotated[Union[Annotated[Cat, Tag("cat")], Annotated[Dog, Tag("dog")]], Discriminator(kind_of)]
FORMS["discriminated by a member"] = (BREEDS, '{"breed": "cat", "n": null}', CatOfBreed(breed=Breed.CAT))
FORMS["discriminated by another member"] = (BREEDS, '{"breed": 2}', DogOfBreed(breed=Breed.DOG))
FORMS["discriminated by a function"] = (TAGGED, '{"kind": "dog", "n": null}', Dog(kind="dog"))
FORMS["discriminated"] = (PETS, '{"kind": "dog", "n": null}', Dog(kind="dog"))


@table(FORMS)
def test_other_forms_arrive(annotation: Any, json: str, expected: Any) -> None:
    assert value_of(annotation, json) == expected


NO_FORMS = {
    "true in Json": (Json[list[int]], '"[true]"', "/value: should be a valid integer"),
    "unknown key in Json": (Json[Leg], '"{\\"mils\\": 1}"', "/value: 'mils' is unknown"),
    "repeated key in Json": (Json, '"{\\"a\\": 1, \\"a\\": 2}"', "/value: the key 'a' comes twice"),
    "NaN in Json": (Json, '"[NaN]"', "/value: NaN is not JSON"),
    "too large in Json": (Json, '"[1e999]"', "/value: should be a finite number"),
    "an item of an iterable": (Iterable[int], '["z"]', "/value/0: should be a valid integer"),
    "another tag": (PETS, '{"kind": "cow"}', "/value: 'kind' should be one of 'cat', 'dog'"),
    "no tag": (PETS, "{}", "/value: 'kind' is missing"),
    "no tag for a function": (TAGGED, "{}", "/value: its kind is missing"),
    "another tag for a function": (TAGGED, '{"kind": "cow"}', "/value: its kind should be one of 'cat', 'dog'"),
    "true for a tag of a member": (BREEDS, '{"breed": true}', "/value: 'breed' should be one of 'cat', 2"),
    "unknown key behind a tag": (PETS, '{"kind": "dog", "m": 1}', "/value/m: 'm' is unknown"),
}


@table(NO_FORMS)
def test_other_forms_are_refused(annotation: Any, json: str, text: str) -> None:
    assert refusal_of(annotation, json) == text
