"""How long a call takes, from the JSON text that a model sent to what the function returns."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from corpus import CALLS, WRONG, clone
from libraries import Library

from conftest import batch_of


@pytest.mark.parametrize("name", CALLS)
def test_call(benchmark: Any, library: Library, rounds: int, loop: asyncio.Runner, name: str) -> None:
    sent = CALLS[name]
    batch = batch_of(sent, library.invoker(clone(sent.function)), loop)
    assert isinstance(benchmark.pedantic(batch, rounds=rounds, warmup_rounds=1), str)
    benchmark.extra_info["batch"] = sent.batch


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments(benchmark: Any, rounds: int, name: str) -> None:
    from fnschema import ArgumentsError, function_tool

    sent = WRONG[name]
    tool = function_tool(clone(sent.function))

    def batch() -> int:
        refused = 0
        for _ in range(sent.batch):
            try:
                tool.call(sent.arguments)
            except ArgumentsError as error:
                refused += bool(str(error))
        return refused

    assert benchmark.pedantic(batch, rounds=rounds, warmup_rounds=1) == sent.batch
    benchmark.extra_info["batch"] = sent.batch


@pytest.mark.parametrize("name", ["4 scalars", "1000 models"])
def test_validation_without_the_search_for_repeated_keys(benchmark: Any, rounds: int, name: str) -> None:
    from pydantic_core import SchemaValidator

    from fnschema import function_tool
    from fnschema._argument_rules import with_argument_rules
    from fnschema._core_schema import values_schema

    sent = CALLS[name]
    schema: Any = function_tool(clone(sent.function)).schema
    values: Any = values_schema(schema.params_pydantic_model.__pydantic_core_schema__)
    read = SchemaValidator(with_argument_rules(values), _use_prebuilt=False).validate_json

    def batch() -> Any:
        for _ in range(sent.batch):
            read(sent.arguments)

    benchmark.pedantic(batch, rounds=rounds, warmup_rounds=1)
    benchmark.extra_info["batch"] = sent.batch


@pytest.mark.parametrize("name", ["4 scalars", "1000 models"])
def test_validation_by_pydantic_alone(benchmark: Any, rounds: int, name: str) -> None:
    from libraries import arguments_validator

    sent = CALLS[name]
    read = arguments_validator(sent.function).validate_json

    def batch() -> Any:
        for _ in range(sent.batch):
            read(sent.arguments)

    benchmark.pedantic(batch, rounds=rounds, warmup_rounds=1)
    benchmark.extra_info["batch"] = sent.batch
