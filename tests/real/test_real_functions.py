"""Functions that nobody wrote for us: every one is read, or refused with a reason, and left as it was."""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import io
import logging
import re
import sys
import types
import typing
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import griffe
import jsonschema_rs
import pytest

from fnschema import ArgumentsError, FuncSchema, Problem, SchemaError, SignatureError, UserError, function_schema
from real.functions import LIBRARIES, AnyCallable, Library, is_thorough, library_functions, listed, real_functions

# What no default mends: the contract has these named, default or not.
_UNREADABLE_ANNOTATION = re.compile("cannot be resolved|for class bodies|only where a method is checked")


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading one function.

    Attributes:
        name: dotted, where it was found.
        function: what was read.
        schema: what `function_schema` gave, if it did.
        error: what it raised, if it did.
        noise: warnings, log records and output on the way.
        is_changed: whether the function is not what it was before.
    """

    name: str
    function: AnyCallable
    schema: FuncSchema | None
    error: Exception | None
    noise: tuple[str, ...]
    is_changed: bool


@functools.cache
def _readings(*, strict: bool) -> tuple[Reading, ...]:
    return tuple(_read(name, function, strict) for name, function in real_functions().items())


def _read(name: str, function: AnyCallable, strict: bool) -> Reading:
    before, schema, error = _state(function), None, None
    with _heard() as noise:
        try:
            schema = function_schema(function, strict_json_schema=strict)
        except Exception as raised:  # noqa: BLE001 - any other exception than ours is what we look for
            error = raised
    return Reading(name, function, schema, error, tuple(noise), _state(function) != before)


@contextlib.contextmanager
def _heard() -> Iterator[list[str]]:
    """Collect what is said in the block, whoever says it: warnings, log records of any level and logger, output."""
    noise: list[str] = []
    output = io.StringIO()
    factory, level = logging.getLogRecordFactory(), logging.root.level

    def note(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = factory(*args, **kwargs)
        noise.append(f"log record: {record.getMessage()}")
        return record

    logging.setLogRecordFactory(note)
    logging.root.setLevel(logging.DEBUG)
    try:
        with (
            warnings.catch_warnings(record=True) as warned,
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(output),
        ):
            warnings.simplefilter("always")  # "error" would be swallowed where any exception is
            yield noise
    finally:
        logging.setLogRecordFactory(factory)
        logging.root.setLevel(level)
    noise += [f"{warning.category.__name__}: {warning.message}" for warning in warned]
    noise += [f"output: {output.getvalue()}"] if output.getvalue() else []


def _state(function: AnyCallable) -> list[object]:
    """All that could be changed of a function or class, by identity, and what its mutable defaults hold."""
    written = getattr(function, "__func__", function)
    if isinstance(written, type):
        return [(name, id(value)) for name, value in vars(written).items()]
    if not isinstance(written, types.FunctionType):
        return []
    defaults = [*(written.__defaults__ or ()), *(written.__kwdefaults__ or {}).values()]
    return [
        *map(id, (written.__code__, written.__doc__, written.__name__, written.__qualname__, written.__module__)),
        *map(id, defaults),
        *(copy.copy(default) for default in defaults if type(default) in (list, dict, set)),
        *((name, id(value)) for space in (vars(written), written.__annotations__) for name, value in space.items()),
    ]


both = pytest.mark.parametrize("strict", [False, True], ids=["relaxed", "strict"])


def test_there_are_thousands_of_functions() -> None:
    assert len(real_functions()) >= 5000
    assert all(len(library_functions(library)) >= 300 for library in LIBRARIES)


@both
def test_every_function_is_read_or_refused(strict: bool) -> None:
    offenders = [
        f"{r.name}: {type(r.error).__name__}: {r.error}"
        for r in _readings(strict=strict)
        if r.error and not isinstance(r.error, UserError)
    ]
    assert not offenders, listed(offenders)


@both
def test_reading_is_silent(strict: bool) -> None:
    offenders = [f"{r.name}: {said}" for r in _readings(strict=strict) for said in r.noise]
    assert not offenders, listed(offenders)


@both
def test_a_function_that_was_read_is_what_it_was(strict: bool) -> None:
    offenders = [r.name for r in _readings(strict=strict) if r.is_changed]
    assert not offenders, listed(offenders)


@both
def test_most_functions_are_read(strict: bool) -> None:
    readings = _readings(strict=strict)
    refused = [r for r in readings if r.error and "Cannot read the signature" not in str(r.error)]
    assert len(refused) < len(readings) / 4


@both
def test_a_refusal_names_the_parameter_or_says_why_there_is_no_signature(strict: bool) -> None:
    offenders = [
        f"{r.name}: {r.error}" for r in _readings(strict=strict) if isinstance(r.error, UserError) and not _explains(r)
    ]
    assert not offenders, listed(offenders)


def _explains(reading: Reading) -> bool:
    error = reading.error
    if not isinstance(error, (SignatureError, SchemaError)):
        return False
    if error.action in ("read the signature of", "name the tool made of"):
        return all(problem.reason and problem.remedy for problem in error.problems)
    names = inspect.signature(reading.function).parameters
    return bool(error.problems) and all(
        problem.remedy and any(_is_named(name, problem, str(error)) for name in names) for problem in error.problems
    )


def _is_named(parameter: str, problem: Problem, text: str) -> bool:
    """By the path, or by the reason where the path leads into a class that several parameters share."""
    is_own = f"{problem.path}/".startswith(f"/properties/{parameter}/")
    return f"'{parameter}'" in (text if is_own else problem.reason)


def test_what_cannot_be_described_is_hidden_where_it_has_a_default() -> None:
    offenders = [
        f"{r.name}: {problem.path}: {problem.reason}"
        for r in _readings(strict=False)
        if isinstance(r.error, SignatureError) and r.error.action == "describe parameter"
        for problem in r.error.problems
        if _is_optional(inspect.signature(r.function).parameters[problem.path.split("/")[2]])
        and not _UNREADABLE_ANNOTATION.search(problem.reason)
    ]
    assert not offenders, listed(offenders)


def test_an_annotation_that_cannot_be_resolved_is_one_that_python_cannot_resolve() -> None:
    offenders = [
        f"{r.name}: {problem.path}: {problem.reason}"
        for r in _readings(strict=False)
        if isinstance(r.error, SignatureError)
        for problem in r.error.problems
        if "cannot be resolved" in problem.reason and _resolves(r.function, problem.path.split("/")[2])
    ]
    assert not offenders, listed(offenders)


def _resolves(function: AnyCallable, parameter: str) -> bool:
    annotation = inspect.signature(function).parameters[parameter].annotation
    holder = types.SimpleNamespace(__annotations__={parameter: annotation})
    try:  # locals of its own: without them a forward reference answers what it once was somewhere else
        typing.get_type_hints(holder, vars(sys.modules[function.__module__]), {})
    except Exception:  # noqa: BLE001 - an annotation may run any code
        return False
    return True


def test_only_what_has_a_default_is_hidden() -> None:
    offenders = [
        f"{r.name}: {name}"
        for r in _readings(strict=False)
        if r.schema
        for name in r.schema.hidden
        if not _is_optional(r.schema.signature.parameters[name])
    ]
    assert not offenders, listed(offenders)


def _is_optional(parameter: inspect.Parameter) -> bool:
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return parameter.default is not inspect.Parameter.empty or parameter.kind in variadic


@both
def test_the_properties_are_the_parameters_that_are_not_hidden(strict: bool) -> None:
    offenders = [
        f"{r.name}: {list(_properties(r.schema))}"
        for r in _readings(strict=strict)
        if r.schema and list(_properties(r.schema)) != [p.name for p in _shown(r.schema)]
    ]
    assert not offenders, listed(offenders)


@both
def test_a_schema_is_a_json_schema(strict: bool) -> None:
    offenders = [
        f"{r.name}: {r.schema.params_json_schema}"
        for r in _readings(strict=strict)
        if r.schema and not jsonschema_rs.meta.is_valid(r.schema.params_json_schema)
    ]
    assert not offenders, listed(offenders)


@both
def test_required_is_what_has_no_default_and_in_a_strict_schema_all(strict: bool) -> None:
    offenders = [
        f"{r.name}: {r.schema.params_json_schema}"
        for r in _readings(strict=strict)
        if r.schema
        and r.schema.params_json_schema.get("required", [])
        != [p.name for p in _shown(r.schema) if strict or not _is_optional(p)]
    ]
    assert not offenders, listed(offenders)


def _properties(schema: FuncSchema) -> dict[str, Any]:
    properties: dict[str, Any] = schema.params_json_schema["properties"]
    return properties


def _shown(schema: FuncSchema) -> list[inspect.Parameter]:
    return [p for p in schema.signature.parameters.values() if p.name not in schema.hidden]


def test_no_arguments_bind_where_none_are_required_and_are_refused_elsewhere() -> None:
    offenders = [
        f"{r.name}: {outcome}"
        for r in _readings(strict=False)[:: 1 if is_thorough() else 3]
        if r.schema and (outcome := _outcome_of_no_arguments(r.schema)) != _expected_of_no_arguments(r.schema)
    ]
    assert not offenders, listed(offenders)


def _outcome_of_no_arguments(schema: FuncSchema) -> str:
    with _heard() as noise:
        try:
            args, kwargs = schema.to_call_args(schema.validate("{}"))
        except ArgumentsError as error:
            return f"refused: {', '.join(problem.path for problem in error.problems)}"
        except Exception as error:  # noqa: BLE001 - any other exception is what we look for
            return f"{type(error).__name__}: {error}"
    schema.signature.bind(*args, **kwargs)
    return "; ".join(noise) or "bound"


def _expected_of_no_arguments(schema: FuncSchema) -> str:
    required = [f"/{p.name}" for p in _shown(schema) if not _is_optional(p)]
    return f"refused: {', '.join(required)}" if required else "bound"


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
def test_a_library_is_written_in_its_style(library: Library) -> None:
    docstrings = [inspect.getdoc(function) for function in library_functions(library).values()]
    seen = {
        style: sum(len(_seen_by_griffe(doc, style)) for doc in docstrings) for style in ("google", "numpy", "sphinx")
    }
    assert seen[library.style] > 10 * sum(count for style, count in seen.items() if style != library.style), seen


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
def test_what_griffe_reads_of_a_parameter_in_the_right_style_is_in_the_schema(library: Library) -> None:
    described, lost = 0, []
    for reading in _readings(strict=False):
        if reading.schema and reading.name.startswith(f"{library.name}."):
            properties = _properties(reading.schema)
            seen = _seen_by_griffe(inspect.getdoc(reading.function), library.style)
            for name in seen.keys() & properties.keys():
                described += 1
                read = properties[name].get("description", "")
                if _words(seen[name]) != _words(read):
                    lost.append(f"{reading.name}, {name}:\n  griffe: {seen[name]!r}\n  schema: {read!r}")
    assert described >= 100
    assert len(lost) <= described / 100, listed(lost)


def _seen_by_griffe(docstring: str | None, style: Any) -> dict[str, str]:
    sections = griffe.Docstring(docstring or "").parse(style, warnings=False)
    kinds = (griffe.DocstringSectionParameters, griffe.DocstringSectionOtherParameters)
    items = [item for section in sections if isinstance(section, kinds) for item in section.value]
    described = {item.name.lstrip("*\\"): item.description.strip() for item in items}
    if style == "sphinx":  # reST ends a field at a line that is not indented; griffe reads on to the next field
        described = {name: re.split(r"\n\s*\n(?=\S)", text)[0] for name, text in described.items()}
    return {name: text for name, text in described.items() if text}


def _words(text: str) -> str:
    return " ".join(text.split())
