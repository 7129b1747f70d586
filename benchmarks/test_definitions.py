"""How long a tool takes to become the definition that one provider wants: the common functions that it takes."""

from __future__ import annotations

from typing import Any

import pytest
from corpus import COMMON

dialects = pytest.importorskip("fnschema.dialects")


@pytest.mark.parametrize("dialect", dialects.names())
def test_definition(benchmark: Any, rounds: int, dialect: str) -> None:
    from fnschema import function_tool

    chosen = dialects.get(dialect)
    schemas = [function_tool(function).tool_schema for function in COMMON.values()]
    schemas = [s for s in schemas if all(problem.severity != "error" for problem in chosen.problems(s))]
    define = chosen.definition
    benchmark.pedantic(lambda: [define(schema) for schema in schemas], rounds=max(rounds // 4, 3), warmup_rounds=1)
    benchmark.extra_info["batch"] = len(schemas)
