"""Functions that nobody wrote for us, in every dialect: a definition without a fault, or a reason for a parameter."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import pytest

from dialects.checker import faults
from fnschema import FunctionTool, Problem, SchemaError, UserError, dialects, function_tool
from real.functions import is_thorough, listed, real_functions

_TYPED = ("rich.", "werkzeug.")  # the others have hardly an annotation, and what is untyped is refused for that alone
_SCHEMA_KEYS = ("parameters", "parametersJsonSchema", "input_schema", "inputSchema")
FORMS = [
    (name, strict) for name in dialects.names() for strict in (False, True) if not strict or dialects.get(name).strict
]


@dataclass(frozen=True, slots=True)
class Definition:
    """What came of defining one tool.

    Attributes:
        function: dotted, where it was found.
        parameters: the names of the properties that the tool has.
        schema: what stands in the definition, if there is one.
        problems: why there is none.
    """

    function: str
    parameters: tuple[str, ...]
    schema: dict[str, Any] | None
    problems: tuple[Problem, ...]


@functools.cache
def _tools() -> dict[str, FunctionTool]:
    functions = real_functions()
    names = [name for index, name in enumerate(functions) if is_thorough() or name.startswith(_TYPED) or index % 8 == 0]
    found = {}
    for name in names:
        try:
            found[name] = function_tool(functions[name], strict_mode=False)
        except UserError:
            continue
    return found


@functools.cache
def _definitions(dialect: str, strict: bool) -> tuple[Definition, ...]:
    return tuple(_define(name, tool, dialect, strict) for name, tool in _tools().items())


def _define(name: str, tool: FunctionTool, dialect: str, strict: bool) -> Definition:
    parameters = tuple(tool.params_json_schema["properties"])
    try:
        payload = tool.definition(dialect, strict=strict)
    except SchemaError as error:
        return Definition(name, parameters, None, error.problems)
    return Definition(name, parameters, _schema_of(payload), ())


def _schema_of(payload: dict[str, Any]) -> dict[str, Any]:
    """Each provider has its own name for it; where an object without properties is refused, there is none."""
    inside = payload.get("function") or payload.get("toolSpec") or payload
    found = [inside[key] for key in _SCHEMA_KEYS if key in inside] or [{"type": "object"}]
    schema: dict[str, Any] = found[0].get("json", found[0])
    return schema


every_form = pytest.mark.parametrize(("dialect", "strict"), FORMS)


def test_there_are_a_thousand_tools() -> None:
    assert len(_tools()) >= 1000


@every_form
def test_a_definition_has_no_fault(dialect: str, strict: bool) -> None:
    chosen = dialects.get(dialect)
    form = chosen.strict if strict and chosen.strict else chosen.loose
    offenders = [
        f"{definition.function}: {fault}"
        for definition in _definitions(dialect, strict)
        if definition.schema is not None
        for fault in faults(definition.schema, form.facts)
    ]
    assert not offenders, listed(offenders)


@every_form
def test_a_refusal_names_the_parameters(dialect: str, strict: bool) -> None:
    offenders = [
        f"{definition.function}: {problem}"
        for definition in _definitions(dialect, strict)
        for problem in definition.problems
        if problem.severity == "error" and not any(_names(problem, name) for name in definition.parameters)
    ]
    assert not offenders, listed(offenders)


def _names(problem: Problem, parameter: str) -> bool:
    """By the path, or by the reason where the path leads into a class that several parameters share."""
    return f"{problem.path}/".startswith(f"/properties/{parameter}/") or f"'{parameter}'" in problem.reason


@pytest.mark.parametrize("dialect", [name for name, strict in FORMS if strict])
def test_what_cannot_be_strict_has_reasons(dialect: str) -> None:
    offenders = [d.function for d in _definitions(dialect, True) if d.schema is None and not d.problems]
    assert not offenders, listed(offenders)


@pytest.mark.parametrize("dialect", [name for name, strict in FORMS if strict])
def test_typed_functions_can_be_strict(dialect: str) -> None:
    typed = [d for d in _definitions(dialect, True) if not any("no type" in problem.reason for problem in d.problems)]
    strict = [d for d in typed if d.schema is not None]
    assert len(strict) >= 400
    assert len(strict) >= 0.7 * len(typed), listed(f"{d.function}: {d.problems}" for d in typed if d.schema is None)


@pytest.mark.parametrize("dialect", ["openai", "anthropic", "mcp", "llama.cpp"])
def test_nearly_all_functions_have_a_definition_that_is_not_strict(dialect: str) -> None:
    offenders = [f"{d.function}: {d.problems}" for d in _definitions(dialect, False) if d.schema is None]
    assert len(offenders) <= len(_tools()) / 100, listed(offenders)
