"""The line on which a function begins."""

import functools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fnschema import function_tool
from fnschema.lint.places import Place, place_of

MODULE = Place("module.py")
LINES = Path(__file__).read_text(encoding="utf-8").splitlines()


def wrapping(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return function(*args)

    return wrapper


def plain() -> None: ...  # line of plain


@wrapping
@wrapping
def decorated() -> None: ...  # line of decorated


async def asynchronous() -> None: ...  # line of asynchronous


@function_tool
def tool() -> None:  # line of tool
    """A tool."""


class Callable_:  # line of Callable_
    def __call__(self) -> None: ...

    def method(self) -> None: ...  # line of method


nameless = lambda: None  # noqa: E731 # line of nameless

WRITTEN = {
    "plain": plain,
    "decorated": decorated,
    "asynchronous": asynchronous,
    "tool": tool.function,
    "Callable_": Callable_(),
    "method": Callable_().method,
    "nameless": nameless,
}


@pytest.mark.parametrize(("name", "function"), WRITTEN.items(), ids=WRITTEN)
def test_the_line_below_the_decorators(name: str, function: Any) -> None:
    line = next(number for number, text in enumerate(LINES, start=1) if text.endswith(f"# line of {name}"))

    assert place_of(function, MODULE) == Place(__file__, line)


def test_of_a_partial_it_is_the_function() -> None:
    assert place_of(functools.partial(functools.partial(plain)), MODULE) == place_of(plain, MODULE)


@pytest.mark.parametrize("function", [math.sqrt, len, int], ids=["extension", "builtin", "builtin class"])
def test_without_source_it_is_the_module(function: Any) -> None:
    assert place_of(function, MODULE) == MODULE
