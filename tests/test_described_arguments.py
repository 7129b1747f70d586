"""What cannot be described is hidden where it has a default, and named with its reason where it has none."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import Field, RootModel
from typing_extensions import TypeAliasType

from fnschema import ArgumentsError, SignatureError, function_schema, function_tool

Password = Annotated[str, Field(pattern=r"^(?=.*\d).+$", max_length=64)]
REMEDY = (
    "Use a type that JSON can hold, give the parameter a default (it is then hidden from the model), "
    "or pass the object in the context (RunContextWrapper)."
)

INDESCRIBABLE = {
    "an object": socket.socket,
    "a function": Callable[[int], int],
    "a class": type[int],
    "a union of nothing but those": Callable[[int], int] | type[int],
    "many of a union of those": list[Callable[[int], int] | type[int]],
}
indescribable = pytest.mark.parametrize("annotation", INDESCRIBABLE.values(), ids=INDESCRIBABLE.keys())


@indescribable
def test_with_a_default_it_is_hidden(annotation: Any) -> None:
    def connect(host: str, link=None): ...

    connect.__annotations__["link"] = annotation
    schema = function_schema(connect)
    assert schema.hidden == ("link",)
    assert schema.to_call_args(schema.validate({"host": "a"})) == (["a", None], {})


@indescribable
def test_without_a_default_it_is_named(annotation: Any) -> None:
    def connect(link, host: str): ...

    connect.__annotations__["link"] = annotation
    with pytest.raises(SignatureError, match=r"^Cannot describe parameter 'link' of .*connect: no JSON Schema"):
        function_schema(connect)


def test_a_member_of_a_union_that_json_has_no_form_for_is_left_out() -> None:
    def wait(until: int | Callable[[], int]): ...

    assert function_schema(wait).params_json_schema["properties"] == {"until": {"type": "integer", "title": "Until"}}


def test_a_pattern_that_no_engine_reads_has_the_reason() -> None:
    def f(code: Annotated[str, Field(pattern="^(?<!a")]): ...

    named = "PatternError: " if sys.version_info >= (3, 13) else ""  # pydantic says it where Python gives it a name
    reason = f"no JSON Schema describes it ({named}missing ), unterminated subpattern at position 1)"
    with pytest.raises(SignatureError) as caught:
        function_schema(f)
    name = f"{__name__}.{f.__qualname__}"
    assert str(caught.value) == f"Cannot describe parameter 'code' of {name}: {reason}. {REMEDY}"


def test_a_pattern_with_look_around_is_enforced_beside_others() -> None:
    @function_tool
    def register(password: Password, older: list[Password] = [], code: Annotated[str, Field(pattern="^a+$")] = "a"):  # noqa: B006
        return password, older, code

    assert register.call({"password": "a1", "older": ["b2"], "code": "aa"}) == ("a1", ["b2"], "aa")
    with pytest.raises(ArgumentsError) as caught:
        register.call({"password": "a", "older": ["b"], "code": "b"})
    assert [problem.path for problem in caught.value.problems] == ["/password", "/older/0", "/code"]


Itself = TypeAliasType("Itself", "Itself | int")  # type: ignore[misc]
Nested = TypeAliasType("Nested", "list[Nested] | int")  # type: ignore[misc]


class Root(RootModel["Root | int"]): ...


@pytest.mark.parametrize("annotation", [Itself, Itself | None, list[Itself], Root], ids=str)
def test_a_union_that_holds_itself_is_named(annotation: Any) -> None:
    def f(x): ...

    f.__annotations__["x"] = annotation
    with pytest.raises(SignatureError, match=r"^Cannot describe parameter 'x' of .*f: its type '\w+' is a union that"):
        function_schema(f, strict_json_schema=False)


def test_a_union_that_holds_itself_in_a_list_is_taken() -> None:
    def f(x: Nested): ...

    assert function_tool(f, strict_mode=False).schema.validate({"x": [1, [2]]}).model_dump() == {"x": [1, [2]]}
