"""Which argument goes where, when others are hidden or a name is taken."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from calls import call_of, refusal, table
from fnschema import ArgumentsError, FunctionTool, function_tool


def configure(name: str, *, level: int = 1, **extra: int) -> None: ...


RESERVED = {
    "a keyword-only parameter": {"level": 5},
    "a positional one": {"name": 5},
    "several": {"level": 5, "name": 6},
}


@table(RESERVED)
def test_a_key_of_kwargs_that_names_a_parameter_is_refused(extra: dict[str, int]) -> None:
    told = refusal(configure, {"name": "a", "extra": extra})
    assert told == "; ".join(f"/extra/{key}: '{key}' is a parameter of its own or not yours to fill" for key in extra)


def test_a_key_of_kwargs_may_be_called_as_a_positional_only_parameter() -> None:
    def f(name: str, /, **extra: int) -> None: ...

    assert call_of(f, {"name": "a", "extra": {"name": 1}}) == (["a"], {"name": 1})


def test_a_key_of_kwargs_may_be_called_as_it() -> None:
    assert call_of(configure, {"name": "a", "extra": {"extra": 1}}) == (["a"], {"level": 1, "extra": 1})


def test_hidden_parameters_before_star_args_take_their_place() -> None:
    def f(a: int, b: int = 2, c: int = 3, *rest: int) -> None: ...

    assert call_of(f, {"a": 1, "rest": [4]}, hide=["b", "c"]) == ([1, 2, 3, 4], {})


def test_a_hidden_positional_only_parameter_takes_its_place() -> None:
    def f(a: int = 1, b: int = 2, /, c: int = 3) -> None: ...

    assert call_of(f, {"b": 5}, hide=["a"]) == ([1, 5, 3], {})


class Shelf:
    def __init__(self, **books: int) -> None: ...

    def __call__(self, **books: int) -> None: ...

    def put(self, **books: int) -> None: ...

    @classmethod
    def of(cls, **books: int) -> None: ...

    @function_tool(strict_mode=False)
    def tool(self, **books: int) -> None: ...


class Single:
    def __new__(cls, **books: int) -> Single:
        return super().__new__(cls)


def passed_on(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(this: Any, *args: Any, **kwargs: Any) -> Any:
        return function(this, *args, **kwargs)

    return wrapper


class Wrapped:
    @passed_on
    def put(self, **books: int) -> None: ...


def put(shelf: str, **books: int) -> None: ...


FILLED = {
    "a method": (Shelf().put, "self"),
    "a class method": (Shelf.of, "cls"),
    "a tool in a class": (Shelf().tool, "self"),
    "a callable object": (Shelf(), "self"),
    "a class": (Shelf, "self"),
    "a class with __new__": (Single, "cls"),
    "a wrapped method": (Wrapped().put, "self"),
    "its wrapper": (Wrapped().put, "this"),
    "a partial": (functools.partial(put, "a"), "shelf"),
    "a partial of a method": (functools.partial(Shelf().put), "self"),
}


@table(FILLED)
def test_a_key_of_kwargs_that_names_what_is_filled_by_position_is_refused(function: Any, name: str) -> None:
    if not isinstance(function, FunctionTool):
        function = function_tool(function, name_override="put", strict_mode=False)

    with pytest.raises(ArgumentsError, match=f"/books/{name}: '{name}' is a parameter of its own or not yours to fill"):
        function.call({"books": {name: 1}})


def test_a_key_of_kwargs_may_be_called_as_what_is_filled_by_position_only() -> None:
    class Open:
        def put(self, /, **books: int) -> dict[str, int]:
            return books

    tool = function_tool(Open().put, strict_mode=False)
    assert tool.call({"books": {"self": 1, "cls": 2}}) == {"self": 1, "cls": 2}
