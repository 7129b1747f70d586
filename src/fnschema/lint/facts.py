"""Functions → the facts that rules are about."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from .. import dialects
from .._function_schema import FuncSchema
from .._tool import FunctionTool, is_tool, tool_of
from ..dialects import Dialect, Strict
from ..errors import Problem, SchemaError, SignatureError, UserError
from .places import Place, place_of
from .subjects import LintedParameter, LintedTool, Request, UnusableFunction

__all__ = ["read_request", "sentences"]

_EMPTY = inspect.Parameter.empty
_Tool: TypeAlias = FunctionTool[..., Any]


def read_request(
    functions: Sequence[Callable[..., Any]], dialect: str, module: Place, strict: Strict = None
) -> tuple[LintedTool | UnusableFunction | Request, ...]:
    """The facts of functions that go into one request together, and of the request.

    Args:
        functions: tools, or functions, which become tools as an agent makes them.
        dialect: one of `fnschema.dialects.names()`.
        module: that holds them.
        strict: as for `Dialect.definition`.
    """
    chosen = dialects.get(dialect)
    subjects: list[LintedTool | UnusableFunction] = []
    tools: list[_Tool] = []
    for function in functions:
        place = place_of(_written(function), module)
        try:
            tool, laxness = _made(function, chosen, strict)
            refusals = _errors(tool, chosen, strict)
            subjects.append(_linted(tool, chosen, place, refusals, laxness))
            tools.append(tool)
        except UserError as error:
            name = getattr(function, "name", None) or getattr(function, "__name__", type(function).__name__)
            subjects.append(UnusableFunction(place, str(name), sentences(error)))
    linted = tuple(subject for subject in subjects if isinstance(subject, LintedTool))
    together = tuple(problem for problem in dialects.check(tools, chosen, strict=strict) if problem.path == "")
    return (*subjects, Request(module, linted, together))


def sentences(error: UserError) -> tuple[tuple[str, str | None], ...]:
    """The message of each problem of an error, and its remedy."""
    if not isinstance(error, (SignatureError, SchemaError)):
        return ((str(error), None),)
    kind = type(error)
    return tuple(
        (str(kind(error.action, error.subject, [replace(problem, remedy=None)])), problem.remedy)
        for problem in error.problems
    )


def _written(function: Callable[..., Any]) -> Callable[..., Any]:
    return (function.function or function.on_invoke_tool) if is_tool(function) else function


def _made(function: Callable[..., Any], dialect: Dialect, strict: Strict) -> tuple[_Tool, tuple[Problem, ...]]:
    """A tool, as an agent makes it, and the reasons why it is not strict, where the dialect could be.

    Where strict is asked for or not wanted, nothing is left to say: the tool's refusals tell the rest.
    """
    tool, reason = tool_of(function, dialect.name if strict is None else None)
    if strict is not None or reason is None or dialect.strictness != "by nature":
        return tool, ()
    if not isinstance(reason, SchemaError):
        raise reason
    refused = _errors(tool, dialect, None)
    return tool, tuple(problem for problem in reason.problems if problem not in refused)


def _errors(tool: _Tool, dialect: Dialect, strict: Strict) -> tuple[Problem, ...]:
    return tuple(problem for problem in tool.problems(dialect.name, strict=strict) if problem.severity == "error")


def _linted(
    tool: _Tool, dialect: Dialect, place: Place, refusals: tuple[Problem, ...], laxness: tuple[Problem, ...]
) -> LintedTool:
    schema = tool.schema
    return LintedTool(
        place=place,
        name=tool.name,
        subject=schema.policy.subject if schema else tool.name,
        dialect=dialect.name,
        description=tool.description,
        longest_description=dialect.tools.longest_description,
        parameters=_parameters(tool),
        hidden=tuple(name for name in schema.hidden if name not in schema.policy.hide) if schema else (),
        documented_in_vain=tuple(_documented_in_vain(tool, schema)) if schema and tool.function else (),
        refusals=refusals,
        laxness=laxness,
    )


def _parameters(tool: _Tool) -> tuple[LintedParameter, ...]:
    written: Mapping[str, inspect.Parameter] = tool.schema.signature.parameters if tool.schema else {}
    published = tool.tool_schema.schema
    required = published.get("required", ())
    # Definitions leave out a description that the parameter's class has word for word.
    described = tool.params_json_schema.get("properties", {})
    return tuple(
        LintedParameter(
            name,
            property_.get("description", described.get(name, {}).get("description", "")),
            is_annotated=name not in written or written[name].annotation is not _EMPTY,
            conceals_default=name not in required
            and "default" not in property_
            and name in written
            and written[name].default is not _EMPTY,
        )
        for name, property_ in published.get("properties", {}).items()
    )


def _documented_in_vain(tool: _Tool, schema: FuncSchema) -> Iterable[str]:
    written = schema.signature.parameters.values()
    published = tool.params_json_schema.get("properties", {})
    if any(parameter.kind is parameter.VAR_KEYWORD and parameter.name in published for parameter in written):
        return ()  # the docstring may describe the keywords that it takes
    known = {parameter.name for parameter in written} | published.keys()
    return (name for name in schema.policy.documented if name.partition(".")[0] not in known)
