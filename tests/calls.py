"""Expectations written as the Python call: a function, what a model sent, what the function gets."""

from __future__ import annotations

import collections
import inspect
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from fnschema import ArgumentsError, function_schema

Arguments = str | bytes | Mapping[str, Any] | None


def table(cases: Mapping[str, Any]) -> Any:
    """A named table of cases: the columns of a row are the first parameters of the test."""

    def decorate(test: Callable[..., Any]) -> Any:
        rows = list(cases.values())
        width = len(rows[0]) if isinstance(rows[0], tuple) else 1
        names = list(inspect.signature(test).parameters)[:width]
        return pytest.mark.parametrize(",".join(names), rows, ids=list(cases))(test)

    return decorate


def call_of(function: Callable[..., Any], arguments: Arguments, **options: Any) -> tuple[list[Any], dict[str, Any]]:
    """How the function is called: through the arguments model, and the same without one."""
    schema = function_schema(function, strict_json_schema=False, **options)
    args, kwargs = schema.to_call_args(schema.validate(arguments))
    at_once = schema.bind(arguments)
    assert exact(_filled(schema.signature, *at_once)) == exact(_filled(schema.signature, args, kwargs))
    return args, kwargs


def value_of(annotation: Any, json: str, **options: Any) -> Any:
    """What arrives for one parameter of that type, given the JSON of its value."""
    (value,), _ = call_of(taking(annotation), f'{{"value": {json}}}', **options)
    return value


def taking(annotation: Any) -> Callable[..., Any]:
    """A function of one parameter ``value`` of that type."""

    def take(value): ...

    take.__annotations__ = {"value": annotation}
    return take


def refusal(function: Callable[..., Any], arguments: Arguments, **options: Any) -> str:
    """What the model is told, without the words that begin every such text."""
    schema = function_schema(function, strict_json_schema=False, **options)
    texts = []
    for call in (lambda: schema.to_call_args(schema.validate(arguments)), lambda: schema.bind(arguments)):
        with pytest.raises(ArgumentsError) as caught:
            call()
        texts.append(str(caught.value))
    assert texts[0] == texts[1]
    return texts[0].removeprefix(f"Invalid JSON input for tool {schema.name}: ")


def refusal_of(annotation: Any, json: str, **options: Any) -> str:
    """What the model is told of one parameter of that type, given the JSON of its value."""
    return refusal(taking(annotation), f'{{"value": {json}}}', **options)


def exact(value: Any) -> Any:
    """A value that equals only values of the same types, at any depth."""
    if isinstance(value, dict):
        return (type(value), {k: (type(k), exact(v)) for k, v in value.items()})
    if isinstance(value, (list, tuple, collections.deque)):
        return (type(value), [exact(item) for item in value])
    if isinstance(value, (set, frozenset)):
        return (type(value), {(type(item), item) for item in value})
    return (type(value), repr(value) if value != value else value)


def properties(function: Callable[..., Any], **options: Any) -> dict[str, Any]:
    """The properties of the function's JSON Schema, not strict."""
    schema = function_schema(function, strict_json_schema=False, **options).params_json_schema
    found: dict[str, Any] = schema["properties"]
    return found


def module_of(source: str, name: str = "made_module") -> types.ModuleType:
    """A module as a user's file would make it; its annotations see its globals."""
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(source, f"<{name}>", "exec", dont_inherit=True), module.__dict__)
    return module


def _filled(signature: inspect.Signature, args: Any, kwargs: Mapping[str, Any]) -> dict[str, Any]:
    bound = signature.bind_partial(*args, **kwargs)
    bound.apply_defaults()
    return dict(bound.arguments)
