"""What a callable is made of, told without reading its signature."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from calls import table
from fnschema._callables import is_async, qualified_name


def lend(book: int) -> None: ...


async def lend_later(book: int) -> None: ...


@functools.wraps(lend_later)
def wrapper(book: int) -> None: ...


class Desk:
    def __call__(self, book: int) -> None: ...


class NightDesk:
    async def __call__(self, book: int) -> None: ...


@table(
    {
        "function": (lend, False),
        "async function": (lend_later, True),
        "partial": (functools.partial(lend_later, 1), True),
        "object": (Desk(), False),
        "async object": (NightDesk(), True),
        "wrapper of an async function": (wrapper, False),
        "class": (Desk, False),
    }
)
def test_whether_the_call_gives_a_coroutine(function: Callable[..., Any], expected: bool) -> None:
    assert is_async(function) is expected


@pytest.mark.parametrize(("named", "name"), [(lend, "lend"), (Desk(), "Desk"), (Desk.__call__, "Desk.__call__")])
def test_a_qualified_name_is_of_module_and_object(named: object, name: str) -> None:
    assert qualified_name(named) == f"{__name__}.{name}"
