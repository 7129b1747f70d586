"""How long a function takes to become a schema, with nothing kept from before: the function is new each time."""

from __future__ import annotations

from typing import Any

import pytest
from corpus import COMMON, GENERAL, Function, clone, order_seeds
from libraries import Library

MANY = 200


@pytest.mark.parametrize("name", COMMON)
def test_common_types(benchmark: Any, library: Library, rounds: int, name: str) -> None:
    _measure(benchmark, library, rounds, COMMON[name])


@pytest.mark.parametrize("name", GENERAL)
def test_types_that_need_pydantics_generator(benchmark: Any, library: Library, rounds: int, name: str) -> None:
    _measure(benchmark, library, rounds, GENERAL[name])


def test_two_hundred_tools(benchmark: Any, library: Library) -> None:
    def build(functions: list[Function]) -> list[dict[str, Any]]:
        return [library.build(function) for function in functions]

    benchmark.pedantic(build, setup=lambda: (([clone(order_seeds) for _ in range(MANY)],), {}), rounds=3)
    benchmark.extra_info["batch"] = MANY


def _measure(benchmark: Any, library: Library, rounds: int, function: Function) -> None:
    schema = benchmark.pedantic(library.build, setup=lambda: ((clone(function),), {}), rounds=rounds, warmup_rounds=2)
    assert schema["properties"]
