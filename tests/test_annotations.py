"""String annotations resolve in the scope they were written in, and in no other."""

from __future__ import annotations

import sys
import typing
from typing import Any

import pytest
from pydantic import BaseModel

from calls import call_of, module_of, properties, refusal, table
from fnschema import SignatureError, function_schema
from fnschema._annotations import Scope, Unresolved
from fnschema._signature import read_signature

MODULE = module_of(
    """
from __future__ import annotations
import functools, types
from typing import TYPE_CHECKING, Annotated, Literal, Optional
from pydantic import BaseModel
from fnschema import function_schema
if TYPE_CHECKING:
    from elsewhere import Missing

class Place(BaseModel):
    lat: float
    near: list[Place] = []

def plain(value: Place): ...
def optional(value: Optional["Place"]): ...
def in_list(value: list["Place"]): ...
def in_map(value: dict[str, "Place"]): ...
def with_text(value: Annotated["Place", "where"]): ...
def twice_quoted(value: "Place"): ...
def returning(value: Place) -> Missing: ...

class Shop:
    class Item(BaseModel):
        lat: float
    Alias = Item
    def method(self, value: Item): ...
    def alias(self, value: Alias): ...
    def outer(self, value: Shop.Item): ...
    @classmethod
    def cls_method(cls, value: Item): ...
    @staticmethod
    def static(value: Item): ...
    def set(self, value: set[int]): ...
    class Inner:
        class Item(BaseModel):
            lat: float
            inner: bool = True
        def method(self, value: Item): ...

class HeirOfShop(Shop):
    def own(self, value: Item): ...

def name_of(function):
    schema = function_schema(function, strict_json_schema=False).params_json_schema
    return schema["properties"]["value"]["$ref"].rpartition("/")[2]

def wrapped(function):
    @functools.wraps(function)
    def inner(*args, **kwargs): return function(*args, **kwargs)
    return inner

def in_frame():
    class Local(BaseModel): ...
    def f(value: Local): ...
    return name_of(f)

def in_outer_frame():
    class Local(BaseModel): ...
    def middle():
        def f(value: Local): ...
        return name_of(f)
    return middle()

def in_frame_wrapped():
    class Local(BaseModel): ...
    @wrapped
    def f(value: Local): ...
    return name_of(f)

def method_in_frame():
    class Local(BaseModel): ...
    class Holder:
        def f(self, value: Local): ...
    return name_of(Holder().f)

def in_closure():
    class Local(BaseModel): ...
    def f(value: Local): return Local
    return f

def left_frame():
    class Left(BaseModel): ...
    def f(value: Left): ...
    return f

def of_another_caller(function):
    class Left(BaseModel): ...
    class Stranger(BaseModel): ...
    return function_schema(function)

def stranger(value: Stranger): ...
def bad(value: Missing, other: Optional[Missing], fine: int): ...
def bad_default(value: Missing = None): ...
""",
    "annotated_module",
)

RESOLVED = {
    "module": (MODULE.plain, "Place"),
    "Optional": (MODULE.optional, "Place"),
    "list": (MODULE.in_list, "Place"),
    "dict": (MODULE.in_map, "Place"),
    "Annotated": (MODULE.with_text, "Place"),
    "a string in a string": (MODULE.twice_quoted, "Place"),
    "beside an unresolvable return": (MODULE.returning, "Place"),
    "class scope": (MODULE.Shop().method, "Item"),
    "an alias in class scope": (MODULE.Shop().alias, "Item"),
    "a dotted name": (MODULE.Shop().outer, "Item"),
    "classmethod": (MODULE.Shop.cls_method, "Item"),
    "staticmethod": (MODULE.Shop.static, "Item"),
    "a nested class": (MODULE.Shop.Inner().method, "Item"),
    "an inherited name": (MODULE.HeirOfShop().own, "Item"),
    "an inherited method": (MODULE.HeirOfShop().method, "Item"),
    "closure": (MODULE.in_closure(), "Local"),
}


@table(RESOLVED)
def test_a_string_resolves_where_it_was_written(function: Any, name: str) -> None:
    schema = function_schema(function, strict_json_schema=False).params_json_schema
    assert name in schema["$defs"]


@pytest.mark.parametrize("make", ["in_frame", "in_outer_frame", "in_frame_wrapped", "method_in_frame"])
def test_the_running_frame_that_holds_the_function_is_its_scope(make: str) -> None:
    assert getattr(MODULE, make)() == "Local"


@pytest.mark.parametrize("function", [MODULE.stranger, MODULE.left_frame()], ids=["module", "left frame"])
def test_the_locals_of_another_caller_are_never_taken(function: Any) -> None:
    with pytest.raises(SignatureError, match="cannot be resolved"):
        MODULE.of_another_caller(function)


def test_the_class_scope_of_a_nested_class_is_its_own() -> None:
    schema = function_schema(MODULE.Shop.Inner().method, strict_json_schema=False).params_json_schema
    assert "inner" in schema["$defs"]["Item"]["properties"]


def test_a_method_named_as_a_builtin_does_not_hide_it() -> None:
    assert call_of(MODULE.Shop().set, {"value": [1, 1]}) == ([{1}], {})


def test_a_field_named_as_its_type_does_not_hide_it() -> None:
    source = """
from __future__ import annotations
import dataclasses
from datetime import date

@dataclasses.dataclass
class Diary:
    date: date = None
    def write(self, day: date): ...
"""
    schema = function_schema(module_of(source, "diary").Diary().write).params_json_schema
    assert schema["properties"]["day"] == {"type": "string", "format": "date", "title": "Day"}


def test_every_unresolvable_parameter_is_named_at_once() -> None:
    with pytest.raises(SignatureError) as caught:
        function_schema(MODULE.bad)
    assert [p.path for p in caught.value.problems] == ["/properties/value", "/properties/other"]
    assert str(caught.value).splitlines()[0] == (
        "Cannot describe parameter 'value' of annotated_module.bad: its annotation 'Missing' cannot be resolved "
        "(name 'Missing' is not defined). Use a type that exists at run time (not only under TYPE_CHECKING), "
        "or hide the parameter."
    )


def test_a_default_does_not_excuse_an_unresolvable_annotation() -> None:
    with pytest.raises(SignatureError, match="'value'"):
        function_schema(MODULE.bad_default)


def test_the_annotation_of_a_hidden_parameter_does_not_matter() -> None:
    schema = function_schema(MODULE.bad_default, hide=["value"])
    assert schema.hidden == ("value",)
    assert schema.to_call_args(schema.validate("{}")) == ([None], {})


def test_an_unresolvable_return_stays_as_it_was_written() -> None:
    assert read_signature(MODULE.returning).return_annotation == "Missing"


class Swapped(BaseModel):
    is_global: bool = True


def test_a_local_name_beats_a_global_one() -> None:
    class Swapped(BaseModel):
        is_local: bool = True

    def f(value: Swapped) -> None: ...

    schema = function_schema(f, strict_json_schema=False).params_json_schema
    assert list(schema["$defs"]["Swapped"]["properties"]) == ["is_local"]


def test_recursion_finds_the_locals_of_its_own_level() -> None:
    def level(depth: int) -> Any:
        local_type = int if depth else str

        def f(value: local_type) -> None: ...

        return properties(f) if depth == 0 else (properties(f), level(depth - 1))

    deep, shallow = level(1)
    assert (deep["value"]["type"], shallow["value"]["type"]) == ("integer", "string")


ODD = {
    "empty": "",
    "no expression": "3 +",
    "an error of its own": "1 / 0",
    "a name of nothing": "nothing.at.all",
    "a call that raises": "int('x')",
}


@table(ODD)
def test_an_annotation_that_cannot_be_evaluated_names_its_parameter(text: str) -> None:
    def f(value): ...  # type: ignore[no-untyped-def]

    f.__annotations__ = {"value": text}
    with pytest.raises(SignatureError, match="parameter 'value' of"):
        function_schema(f)


def test_what_is_missing_has_its_text_its_reason_and_a_guess() -> None:
    unresolved = Scope(lambda: None).resolve("list[Nowhere]")
    assert isinstance(unresolved, Unresolved)
    assert (unresolved.text, unresolved.reason) == ("list[Nowhere]", "name 'Nowhere' is not defined")
    assert typing.get_origin(unresolved.guess) is list


PEP_695 = """
from typing import Annotated
from pydantic import BaseModel, Field
type Age = Annotated[int, Field(ge=0, description="Years.")]
type Ages = list[Age]
type Tree = int | list[Tree]
type Pair[T] = tuple[T, T]
type Maybe = int | None
class Box[T](BaseModel):
    held: T
def f[T: int](age: Age, ages: Ages, tree: Tree, pair: Pair[int], box: Box[int], own: T, maybe: Maybe = 3): ...
def g[T](value: "list[T]", other: "T | None" = None): ...
class Shop[T: int]:
    type Price = Annotated[int, "Cents."]
    def pay[U](self, price: Price, own: T, other: "U"): ...
"""


def test_strings_inside_an_annotation_are_shown_as_they_were_written() -> None:
    module = module_of("from typing import Optional\ndef f(a: list['Missing'], b: Optional['Missing'] = None): ...")
    with pytest.raises(SignatureError) as caught:
        function_schema(module.f)
    assert ["'Missing'" in problem.reason for problem in caught.value.problems] == [True, True]


def test_a_name_of_the_closure_that_is_not_there_yet_is_missing() -> None:
    def f(value: Later) -> None:
        _ = Later

    with pytest.raises(SignatureError, match="'Later'"):
        function_schema(f)

    class Later(BaseModel): ...

    assert list(properties(f)) == ["value"]


def test_self_names_no_class_outside_of_one() -> None:
    module = module_of("from typing_extensions import Self\ndef f(value: list[Self]): ...")
    with pytest.raises(SignatureError, match="only where a method is checked; name the class"):
        function_schema(module.f)


if sys.version_info >= (3, 12):  # type statements are no syntax before

    @pytest.mark.parametrize("first_line", ["", "from __future__ import annotations"], ids=["objects", "strings"])
    def test_type_statements_and_type_parameters(first_line: str) -> None:
        module = module_of(first_line + PEP_695, "pep_695_module")
        sent = {"age": "5", "ages": [1], "tree": [1, [2]], "pair": [1, 2], "box": {"held": 1}, "own": 1, "maybe": None}
        assert call_of(module.f, sent) == ([5, [1], [1, [2]], (1, 2), module.Box[int](held=1), 1, None], {})
        assert call_of(module.g, {"value": [1, "a"]}) == ([[1, "a"], None], {})
        assert call_of(module.Shop().pay, {"price": 3, "own": 1, "other": "x"}) == ([3, 1, "x"], {})
        assert refusal(module.f, sent | {"tree": [True], "age": True}).startswith("/age: should be a valid integer")
