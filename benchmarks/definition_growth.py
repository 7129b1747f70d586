"""How the size of definitions and the time to make them grow: exponents near 1 are linear.

    python benchmarks/definition_growth.py

For each dimension a schema is made twice as large five times; the exponent is the slope of the last doublings on a
logarithmic scale. Dialects without references inline them, so what is shared is counted for every place it stands in.
"""

# ruff: noqa: T201 - it prints what it measured

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from typing import Any

from fnschema import dialects
from fnschema.dialects import ToolSchema

Schema = dict[str, Any]

LEVELS = [25, 50, 100, 200, 400]
REPEATS = 3


def tool(properties: Schema, definitions: Schema | None = None) -> ToolSchema:
    return ToolSchema("f", "Does.", {"type": "object", "properties": properties, "$defs": definitions or {}})


def depth(n: int) -> list[ToolSchema]:
    """A chain of types, each with a described field of the next."""
    chain = {f"T{i}": {"type": "array", "items": {"$ref": f"#/$defs/T{i + 1}", "description": "d"}} for i in range(n)}
    return [tool({"a": {"$ref": "#/$defs/T0"}}, chain | {f"T{n}": {"type": "string"}})]


def fan_out(n: int) -> list[ToolSchema]:
    """Optional parameters beside each other."""
    return [tool({f"p{i}": {"type": "integer", "default": i, "minimum": 0} for i in range(n)})]


def union_width(n: int) -> list[ToolSchema]:
    """Branches of one union."""
    branch = {f"B{i}": {"type": "object", "properties": {f"k{i}": {"type": "string"}}} for i in range(n)}
    return [tool({"a": {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in branch]}}, branch)]


def shared_types(n: int) -> list[ToolSchema]:
    """Parameters of one type, each with its own description."""
    shared = {
        "T": {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "string", "default": "a"}}}
    }
    return [tool({f"p{i}": {"$ref": "#/$defs/T", "description": f"Number {i}."} for i in range(n)}, shared)]


def tools(n: int) -> list[ToolSchema]:
    """Tools of one request."""
    return fan_out(3) * n


def measured(name: str, given: list[ToolSchema]) -> tuple[float, float]:
    """Characters of the definitions, and seconds to make them."""
    dialect = dialects.get(name)
    best = math.inf
    for _ in range(REPEATS):
        start = time.perf_counter()
        schemas = [dialect.parameters(schema) for schema in given]
        best = min(best, time.perf_counter() - start)
    return len(json.dumps(schemas)), best


def exponents(name: str, dimension: Callable[[int], list[ToolSchema]]) -> tuple[float, float]:
    (small, soon), (large, late) = (measured(name, dimension(n)) for n in (LEVELS[-3], LEVELS[-1]))
    doublings = math.log(LEVELS[-1] / LEVELS[-3])
    return math.log(large / small) / doublings, math.log(late / soon) / doublings


if __name__ == "__main__":
    print(f"{'dialect':18}{'dimension':14}{'size':>6}{'time':>6}")
    for name in ("openai", "anthropic", "gemini", "gemini-openapi", "mcp", "deepseek"):
        for dimension in (depth, fan_out, union_width, shared_types, tools):
            if dimension is depth and not dialects.get(name).loose.facts.takes("$ref"):
                continue  # inlined chains end at 100 levels
            size, seconds = exponents(name, dimension)
            print(f"{name:18}{dimension.__name__:14}{size:6.2f}{seconds:6.2f}")
