"""`typing.TypedDict` works like the one of `typing_extensions`, on every Python."""

import dataclasses
import sys
import typing
from typing import Annotated, Any, Generic, Optional, TypeVar, Union

import pytest
import typing_extensions
from pydantic import Field, TypeAdapter

from calls import call_of, module_of, refusal, refusal_of, table, taking, value_of
from fnschema import SignatureError, function_schema
from fnschema._typed_dicts import portable

T = TypeVar("T")


class Stamp(typing.TypedDict):
    """A stamp."""

    country: str
    year: typing.NotRequired[int]


class Album(Stamp, total=False):
    stamps: "list[Stamp]"
    price: Annotated[int, Field(ge=0)]


class Tree(typing.TypedDict):
    leaf: int
    branches: "list[Tree]"


class Crate(typing.TypedDict, Generic[T]):
    held: T
    more: "list[Crate[T]]"


class Modern(typing_extensions.TypedDict):
    stamp: typing_extensions.NotRequired[int]


STAMP = '{"country": "SM", "year": 1894}'
PLACES = {
    "alone": (Stamp, STAMP, {"country": "SM", "year": 1894}),
    "without a key that may be absent": (Stamp, '{"country": "SM"}', {"country": "SM"}),
    "null for a key that may be absent": (Stamp, '{"country": "SM", "year": null}', {"country": "SM"}),
    "list": (list[Stamp], f"[{STAMP}]", [{"country": "SM", "year": 1894}]),
    "dict": (dict[str, Stamp], f'{{"a": {STAMP}}}', {"a": {"country": "SM", "year": 1894}}),
    "tuple": (tuple[Stamp, int], f"[{STAMP}, 1]", ({"country": "SM", "year": 1894}, 1)),
    "Optional": (Optional[Stamp], "null", None),
    "pipe union": (Stamp | int, STAMP, {"country": "SM", "year": 1894}),
    "Union": (Union[int, Stamp], "5", 5),
    "Annotated": (Annotated[Stamp, "a stamp"], STAMP, {"country": "SM", "year": 1894}),
    "inherited and nested": (
        Album,
        f'{{"country": "SM", "stamps": [{STAMP}], "price": 3}}',
        {"country": "SM", "stamps": [{"country": "SM", "year": 1894}], "price": 3},
    ),
    "recursive": (
        Tree,
        '{"leaf": 1, "branches": [{"leaf": 2, "branches": []}]}',
        {"leaf": 1, "branches": [{"leaf": 2, "branches": []}]},
    ),
    "generic": (Crate[int], '{"held": "5", "more": []}', {"held": 5, "more": []}),
    "generic and recursive": (
        Crate[int],
        '{"held": 5, "more": [{"held": 6, "more": []}]}',
        {"held": 5, "more": [{"held": 6, "more": []}]},
    ),
    "of typing_extensions": (Modern, '{"stamp": null}', {}),
}


@table(PLACES)
def test_a_typed_dict_works_wherever_it_stands(annotation: Any, json: str, expected: Any) -> None:
    assert value_of(annotation, json) == expected


REFUSED = {
    "unknown key": (Stamp, '{"country": "SM", "yaer": 1}', "/value/yaer: 'yaer' is unknown (did you mean 'year'?)"),
    "unknown key below": (
        Album,
        '{"country": "SM", "stamps": [{"country": "SM", "perforation": 1}]}',
        "/value/stamps/0/perforation: 'perforation' is unknown",
    ),
    "missing key": (Stamp, "{}", "/value/country: is missing"),
    "bound of a key": (Album, '{"country": "SM", "price": -1}', "/value/price: should be greater than or equal to 0"),
    "true in a generic one": (Crate[int], '{"held": true, "more": []}', "/value/held: should be a valid integer"),
}


@table(REFUSED)
def test_a_typed_dict_refuses_what_does_not_fit(annotation: Any, json: str, text: str) -> None:
    assert refusal_of(annotation, json) == text


def test_a_typed_dict_as_keywords() -> None:
    def f(**album: typing_extensions.Unpack[Album]) -> None: ...

    assert call_of(f, f'{{"country": "SM", "stamps": [{STAMP}]}}') == (
        [],
        {"country": "SM", "stamps": [{"country": "SM", "year": 1894}]},
    )
    assert refusal(f, '{"country": "SM", "price": -1}') == "/price: should be greater than or equal to 0"


def test_two_parameters_share_one_definition() -> None:
    def f(one: Stamp, many: list[Stamp], album: Album) -> None: ...

    definitions = function_schema(f, strict_json_schema=False).params_json_schema["$defs"]
    assert sorted(definitions) == ["Album", "Stamp"]


def test_the_class_of_the_user_is_not_changed() -> None:
    before = dict(vars(Album)), dict(Album.__annotations__)
    function_schema(taking(list[Album]))
    assert (dict(vars(Album)), dict(Album.__annotations__)) == before


def test_what_holds_no_typed_dict_is_the_same_object() -> None:
    for annotation in (int, list[int], Optional[list[str]], Annotated[int, "x"], Modern, typing.Literal["a"]):
        assert portable(annotation) is annotation


@pytest.mark.parametrize("annotation", [Stamp, list[Stamp], Crate[int]], ids=repr)
def test_a_portable_annotation_means_the_same(annotation: Any) -> None:
    if sys.version_info >= (3, 12):
        assert portable(annotation) is annotation
    else:
        assert TypeAdapter(portable(annotation)).json_schema()


STRINGS = module_of(
    """
from __future__ import annotations
import typing, typing_extensions
class Old(typing.TypedDict):
    a: int
    b: typing.NotRequired[int]
class New(typing_extensions.TypedDict, total=False):
    a: typing_extensions.Required[int]
    b: typing_extensions.NotRequired[int]
def old(value: Old): ...
def new(value: New): ...
def old_keys(**keys: typing.Unpack[Old]): ...
def new_keys(**keys: typing.Unpack[New]): ...
class Fixed(typing_extensions.TypedDict):
    a: typing_extensions.Required[typing_extensions.ReadOnly[int]]
    b: typing_extensions.ReadOnly[typing_extensions.NotRequired[int]]
def fixed_keys(**keys: typing.Unpack[Fixed]): ...
def local():
    class Part: ...
    class Whole(typing.TypedDict):
        part: Part
    def plain(value: Whole): ...
    def keys(**keys: typing.Unpack[Whole]): ...
    plain.__annotations__ = {"value": Whole}
    keys.__annotations__ = {"keys": typing.Unpack[Whole]}
    return plain, keys
""",
    "typed_dicts_in_strings",
)


@pytest.mark.parametrize("function", [STRINGS.old, STRINGS.new], ids=["typing", "typing_extensions"])
def test_qualifiers_in_strings_count(function: Any) -> None:
    assert call_of(function, {"value": {"a": 1, "b": None}}) == ([{"a": 1}], {})
    assert refusal(function, {"value": {"b": 1}}) == "/value/a: is missing"


@pytest.mark.parametrize(
    "function",
    [STRINGS.old_keys, STRINGS.new_keys, STRINGS.fixed_keys],
    ids=["typing", "typing_extensions", "ReadOnly"],
)
def test_qualifiers_in_strings_count_for_keywords(function: Any) -> None:
    assert call_of(function, {"a": 1, "b": None}) == ([], {"a": 1})
    assert refusal(function, {"b": 1}) == "/a: is missing"


@pytest.mark.parametrize("function", STRINGS.local(), ids=["parameter", "keywords"])
def test_a_key_of_an_unresolvable_type_is_the_authors_mistake(function: Any) -> None:
    with pytest.raises(SignatureError, match="Part"):
        function_schema(function, strict_json_schema=False)


@dataclasses.dataclass
class Holder:
    stamp: Stamp


def test_inside_a_dataclass_python_decides() -> None:
    if sys.version_info >= (3, 12):
        assert value_of(Holder, f'{{"stamp": {STAMP}}}') == Holder({"country": "SM", "year": 1894})
        return
    with pytest.raises(SignatureError, match="typing_extensions"):
        function_schema(taking(Holder))
