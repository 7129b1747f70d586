"""All dialects by name, and the check of several tools at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Protocol

from .._json_schema import Schema, is_array, walk
from ..errors import Problem, UserError, closest, pointer
from .dialect import Dialect, Strict, ToolSchema

__all__ = ["check", "get", "names"]

_MODULES = {
    "openai": "openai",
    "openai-responses": "openai_responses",
    "azure": "azure",
    "anthropic": "anthropic",
    "gemini": "gemini",
    "gemini-openapi": "gemini_openapi",
    "mcp": "mcp",
    "bedrock": "bedrock",
    "mistral": "mistral",
    "deepseek": "deepseek",
    "xai": "xai",
    "groq": "groq",
    "ollama": "ollama",
    "llama.cpp": "llama_cpp",
}

_NAMED = 3  # tools; with them the costs of a request are mostly told


class HasToolSchema(Protocol):
    """A tool, as far as dialects know one."""

    @property
    def tool_schema(self) -> ToolSchema: ...


def names() -> tuple[str, ...]:
    """The names of all dialects."""
    return tuple(_MODULES)


def get(name: str) -> Dialect:
    """The dialect of that name.

    Raises:
        UserError: there is none; the message names the close matches.
    """
    if name not in _MODULES:
        near = closest(str(name).lower(), _MODULES)
        hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else f"There are {', '.join(_MODULES)}."
        raise UserError(f"There is no dialect {name!r}. {hint}")
    dialect = import_module(f".{_MODULES[name]}", __package__).DIALECT
    assert isinstance(dialect, Dialect)
    return dialect


def check(
    tools: Iterable[HasToolSchema | ToolSchema], dialect: str | Dialect, *, strict: Strict = None
) -> tuple[Problem, ...]:
    """Everything that is wrong with the tools of one request: with each of them, and with all together.

    Args:
        tools: tools, or what they tell about themselves.
        dialect: a dialect or its name.
        strict: as for `Dialect.definition`, and for each tool on its own. Only tools whose definition is then strict
            count for the caps of strict tools.

    Returns:
        problems whose path starts with the tool's name, and goes on into its schema.
    """
    chosen = dialect if isinstance(dialect, Dialect) else get(dialect)
    schemas = [tool if isinstance(tool, ToolSchema) else tool.tool_schema for tool in tools]
    single = [
        replace(problem, path=pointer((schema.name,)) + problem.path)
        for schema in schemas
        for problem in chosen.problems(schema, strict=strict)
    ]
    return (*single, *_duplicates(schemas), *_too_many(schemas, chosen), *_strict_caps(schemas, chosen, strict))


def _duplicates(schemas: Sequence[ToolSchema]) -> Iterator[Problem]:
    for name, count in Counter(schema.name for schema in schemas).items():
        if count > 1:
            yield Problem(pointer((name,)), f"{count} tools have the name {name!r}", "Set name_override.")


def _too_many(schemas: Sequence[ToolSchema], dialect: Dialect) -> Iterator[Problem]:
    most = dialect.tools.most_tools
    if most is not None and len(schemas) > most:
        yield Problem("", f"{len(schemas)} tools are in the request, and {dialect.name} takes {most}", "Send fewer.")


def _strict_caps(schemas: Sequence[ToolSchema], dialect: Dialect, strict: Strict) -> Iterator[Problem]:
    """Caps over all tools whose definition is strict (Anthropic's guide "Structured outputs", documented)."""
    takes = dialect.tools
    if not any((takes.most_strict_tools, takes.most_unions, takes.most_optional)):
        return
    published = [
        (schema.name, dialect.parameters(schema, strict=True))
        for schema in schemas
        if dialect.is_strict(schema, strict)
    ]
    instead = 'strict="if possible", and ' if strict is True else ""
    remedy = f"Use {instead}strict_mode=False for some tools."
    if takes.most_strict_tools is not None and len(published) > takes.most_strict_tools:
        reason = f"{len(published)} strict tools are in the request, and {dialect.name} takes {takes.most_strict_tools}"
        yield Problem("", reason, remedy)
    for what, count, most in (
        ("parameters with a union", _unions, takes.most_unions),
        ("parameters that are not required", _optional, takes.most_optional),
    ):
        costs = Counter[str]()
        for name, schema in published:
            costs[name] += count(schema)
        if most is not None and costs.total() > most:
            reason = f"{costs.total()} {what} are in all strict tools together, and {dialect.name} takes {most}"
            yield Problem("", f"{reason}; most are in {_costliest(costs)}", remedy)


def _costliest(costs: Counter[str]) -> str:
    *others, last = (f"{name} ({cost})" for name, cost in costs.most_common(_NAMED) if cost)
    return f"{', '.join(others)} and {last}" if others else last


def _unions(schema: Schema) -> int:
    return sum("anyOf" in below or is_array(below.get("type")) for _, below in walk(schema))


def _optional(schema: Schema) -> int:
    return sum(len(below.get("properties", {})) - len(below.get("required", ())) for _, below in walk(schema))
