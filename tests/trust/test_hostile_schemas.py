"""Schemas of strangers: made strict or refused with a `UserError`, and never changed, fetched or followed for ever."""

from __future__ import annotations

import contextlib
import copy
import socket
import tracemalloc
from typing import Any

import pytest

from calls import table
from fnschema import FunctionTool, UserError, dialects, ensure_strict_json_schema
from trust.hostile import MILLION, NOT_STRICT, ODD, of

DEEP = {"deep", "endless", "deep tuples", "an object of Python's"}  # which nothing can copy or compare


async def _never(context: Any, arguments: str) -> str:
    raise AssertionError


def same(left: Any, right: Any) -> bool:
    """Equality for which no number equals itself."""
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right or left != left


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any) -> None:
        raise AssertionError("something was fetched")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@table(NOT_STRICT)
def test_it_is_refused(schema: Any) -> None:
    with pytest.raises(UserError) as caught:
        ensure_strict_json_schema(schema)

    assert len(str(caught.value)) < 500


@table(NOT_STRICT)
def test_no_tool_is_made_of_it(schema: Any) -> None:
    with pytest.raises(UserError):
        FunctionTool("t", "", schema, _never)


@table({name: schema for name, schema in {**NOT_STRICT, **ODD}.items() if name not in DEEP})
def test_the_callers_object_is_not_changed(schema: Any) -> None:
    before = copy.deepcopy(schema)
    for use in (ensure_strict_json_schema, lambda given: FunctionTool("t", "", given, _never).definition()):
        with contextlib.suppress(UserError):
            use(schema)
        assert same(schema, before)


def test_the_definitions_of_a_tool_keep_one_copy_of_its_text() -> None:
    schema = of(a={"type": "string", "description": "a" * MILLION})
    tool = FunctionTool("t", "", schema, _never, strict_json_schema=False)
    tracemalloc.start()
    try:
        for dialect in dialects.names():
            tool.definition(dialect)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 4 * MILLION


SLOW = {"wide", "a bomb of properties"}  # bounded, and bounded alike in every dialect: "a bomb of alternatives" will do


@pytest.mark.parametrize("dialect", dialects.names())
@table({name: schema for name, schema in {**NOT_STRICT, **ODD}.items() if name not in SLOW})
def test_a_definition_of_it_or_an_authors_error(schema: Any, dialect: str) -> None:
    tool = FunctionTool("t", "", schema, _never, strict_json_schema=False)
    for strict in (None, True):
        with contextlib.suppress(UserError):
            assert isinstance(tool.definition(dialect, strict=strict), dict)
