"""Parameters → fields → the arguments model and its JSON Schema; what cannot be described is hidden, or a problem."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import BaseModel
from pydantic_core import SchemaError

from ._arguments import arguments_model
from ._deferred import Deferred
from ._direct_schema import direct_schema
from ._fields import ArgumentField, argument_field, may_be_left_out, parameters_of, unusable_reason
from ._json_schema import Path, Schema, check_depth, circles, definitions_reached, leads_to_others, walk
from ._schema_generator import published_schema
from ._signature import Signature
from .errors import Problem, SignatureError, pointer

__all__ = ["DescribedArguments", "describe_arguments"]

_REMEDY = (
    "Use a type that JSON can hold, give the parameter a default (it is then hidden from the model), "
    "or pass the object in the context (RunContextWrapper)."
)


class DescribedArguments(NamedTuple):
    """What a language model may send.

    Attributes:
        model: the arguments model, which is not needed before the first call.
        schema: the JSON Schema of the model, as pydantic generates it.
        hidden: parameters that nothing describes and that have a default.
    """

    model: Deferred[type[BaseModel]]
    schema: Schema
    hidden: tuple[str, ...]


def describe_arguments(
    name: str,
    signature: Signature,
    descriptions: Mapping[str, str],
    *,
    hide: Sequence[str] = (),
    injected: Sequence[str] = (),
) -> DescribedArguments:
    """Describe the arguments of a function.

    Args:
        name: the tool's name.
        signature: of the function.
        descriptions: of its parameters, from the docstring.
        hide: names of parameters that are left out and take their default.
        injected: names of parameters that are left out since the caller of the tool fills them.

    Raises:
        SignatureError: parameters that cannot be described or hidden, all of them.
        UserError: the schema is too deeply nested.
        RecursionError: a type is too deeply nested for pydantic or for Python.
    """
    shown = list(parameters_of(p for p in signature.parameters if p.name not in hide and p.name not in injected))
    unusable = {p.name: reason for p in shown if (reason := unusable_reason(p))}
    problems = [*_hide_problems(signature, hide), *_unusable_problems(unusable)]
    fields = [argument_field(p, descriptions.get(p.name), signature.names) for p in shown if p.name not in unusable]
    problems += _shared_property_problems(fields)
    problems += _shared_name_problems(signature, hide, {problem.path for problem in problems})
    if problems:
        problems += [
            _undescribed(f, reason) for f, reason in _undescribable(fields) if not may_be_left_out(f.parameter)
        ]
        raise SignatureError("describe parameter", signature.qualified_name, problems)
    described = _described(name, fields, signature)
    check_depth(described.schema)
    if any(map(leads_to_others, described.schema.get("$defs", {}).values())):
        _refuse_circles(described.schema, signature)
    return described


def _refuse_circles(schema: Schema, signature: Signature) -> None:
    problems = [
        Problem(_path(name), f"its type {path[1]!r} is a union that holds itself", "Put a list or a model in between.")
        for path in circles(walk(schema), schema)
        for name, below in schema["properties"].items()
        if path[:2] in set[Path](definitions_reached(below, schema))
    ]
    if problems:
        raise SignatureError("describe parameter", signature.qualified_name, problems)


def _described(name: str, fields: Sequence[ArgumentField], signature: Signature) -> DescribedArguments:
    build = functools.partial(arguments_model, name, fields)
    if schema := direct_schema(name, fields):
        return DescribedArguments(Deferred(build), schema, ())
    try:
        model = build()
        return DescribedArguments(Deferred(build, model), published_schema(model), ())
    except (RecursionError, Warning):  # say nothing of one type; a warning is one that the user has made an error
        raise
    except Exception as error:  # noqa: BLE001 - pydantic has many errors, and a user's own schema hook may raise anything
        hidden = _to_hide(fields, signature, error)
    kept = [f for f in fields if f.parameter.name not in hidden]
    described = _described(name, kept, signature)
    return DescribedArguments(described.model, described.schema, (*hidden, *described.hidden))


def _to_hide(fields: Sequence[ArgumentField], signature: Signature, error: Exception) -> list[str]:
    """The parameters at fault, once each is known to have a default."""
    at_fault = list(_undescribable(fields))
    problems = [_undescribed(f, reason) for f, reason in at_fault if not may_be_left_out(f.parameter)]
    if not at_fault:
        problems = [Problem("", f"no JSON Schema describes its arguments together ({_reason_of(error)})")]
    if problems:
        raise SignatureError("describe parameter", signature.qualified_name, problems) from error
    return [f.parameter.name for f, _ in at_fault]


def _undescribable(fields: Iterable[ArgumentField]) -> Iterator[tuple[ArgumentField, str]]:
    for argument in fields:
        try:
            published_schema(arguments_model(argument.name, [argument]))
        except Warning:
            raise
        except Exception as error:  # noqa: BLE001 - as above
            yield argument, _reason_of(error)


def _undescribed(argument: ArgumentField, reason: str) -> Problem:
    return Problem(_path(argument.parameter.name), f"no JSON Schema describes it ({reason})", _REMEDY)


def _hide_problems(signature: Signature, hide: Sequence[str]) -> Iterator[Problem]:
    known = {parameter.name: parameter for parameter in signature.parameters}
    for name in hide:
        if name not in known:
            yield Problem(_path(name), "it is to be hidden and there is no such parameter", "Change hide.")
        elif not may_be_left_out(known[name]):
            yield Problem(_path(name), "it is to be hidden and has no default", "Give it a default, or change hide.")


def _unusable_problems(reasons: Mapping[str, str]) -> Iterator[Problem]:
    remedy = "Use a type that exists at run time (not only under TYPE_CHECKING), or hide the parameter."
    for parameter, reason in reasons.items():
        yield Problem(_path(parameter), reason, remedy)


def _shared_property_problems(fields: Sequence[ArgumentField]) -> Iterator[Problem]:
    owners: dict[str, list[str]] = {}
    for argument in fields:
        owners.setdefault(argument.property_name, []).append(argument.parameter.name)
    for shared, names in owners.items():
        if len(names) > 1:
            reason = f"the model would see {' and '.join(map(repr, names))} under the same name {shared!r}"
            yield Problem(_path(names[0]), reason, "Change an alias.")


def _shared_name_problems(signature: Signature, hide: Sequence[str], told: Collection[str]) -> Iterator[Problem]:
    """Keys of `**kwargs: Unpack[TypedDict]` that would fill another parameter, which the model may not even see."""
    for parameter in signature.parameters:
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD or parameter.name in hide:
            continue
        names = {*signature.names, *signature.applied, *signature.filled}
        for key in parameters_of([parameter]):
            if key is not parameter and key.name in names and _path(key.name) not in told:
                reason = f"a key of the typed dict of {parameter.name!r} has the name of a parameter"
                yield Problem(_path(key.name), reason, "Rename one of them.")


def _path(parameter: str) -> str:
    return pointer(("properties", parameter))


def _reason_of(error: Exception) -> str:
    lines = (str(error).strip() or type(error).__name__).splitlines()
    if isinstance(error, SchemaError):  # its first lines say where in pydantic's own structure, its last one why
        return lines[-1].strip().removeprefix("error: ")
    return lines[0].partition(" Set `arbitrary_types_allowed")[0].rstrip(".")
