"""Any callable → a frozen `Signature` of frozen `Parameter`s. Nothing here knows pydantic or JSON Schema."""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, NamedTuple

from typing_extensions import TypeAliasType

from ._annotations import Scope, Unresolved, substituted
from ._callables import Source, source_of
from ._context import RunContextWrapper, is_of_agents_sdk
from ._deferred import Deferred
from ._inspection import POSITIONAL, Parameter, inspected
from .errors import Problem, SignatureError, UserError, pointer

__all__ = ["Signature", "is_context", "read_signature", "takes_context"]


class Signature(NamedTuple):
    """What is known of a callable before anything is built from it.

    Attributes:
        name: its own name; `None` for a lambda, which has none.
        qualified_name: ``module.qualname``, for messages to the author.
        docstring: where the purpose stands (for a callable object: its class).
        parameter_docstring: where the parameters are documented (for a callable object: `__call__`).
        names: of all parameters, in order, without stars.
        parameters: what a model may fill, in order: without the context and without what a partial has applied.
        context: the name of the parameter that takes the `RunContextWrapper`.
        applied: names that a partial has filled by keyword.
        filled: names that binding or a partial has filled by position.
        return_annotation: resolved where it can be; it never matters for the schema.
        inspect_signature: as Python sees the callable, or what makes it.
        positions: how many arguments a wrapper takes by position, the others going by name; `None` where what is called
            is what is described, so that each may go either way.
    """

    name: str | None
    qualified_name: str
    docstring: str | None
    parameter_docstring: str | None
    names: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    context: str | None
    applied: frozenset[str]
    filled: frozenset[str]
    return_annotation: Any
    inspect_signature: inspect.Signature | Deferred[inspect.Signature]
    positions: int | None


def read_signature(function: Callable[..., Any], *, bound_first: bool = False) -> Signature:
    """Read any callable.

    Args:
        function: function, method, partial, class, builtin or object with `__call__`.
        bound_first: whether the first parameter will be filled by binding (a method still in its class body).

    Raises:
        SignatureError: it cannot be called as a tool, with the reason.
        UserError: the context stands where it cannot be injected.
    """
    found = inspected(function, bound_first=bound_first)
    source, scope = found.source, Scope(found.source.function)
    resolve = functools.partial(_resolved, scope=scope, known=found.type_arguments)
    parameters = [_with_annotation(p, resolve(p.annotation)) for p in found.parameters if p.name not in found.applied]
    context = _context_of(parameters, source)
    return_annotation = resolve(found.return_annotation)
    return Signature(
        name=None if source.name == "<lambda>" else source.name,
        qualified_name=source.qualified_name,
        docstring=source.docstring,
        parameter_docstring=source.parameter_docstring,
        names=tuple(p.name for p in found.parameters),
        parameters=tuple(p for p in parameters if p.name != context),
        context=context,
        applied=found.applied,
        filled=found.filled,
        return_annotation=found.return_annotation if isinstance(return_annotation, Unresolved) else return_annotation,
        inspect_signature=found.signature,
        positions=found.positions,
    )


def _with_annotation(parameter: Parameter, resolved: Any) -> Parameter:
    return parameter if resolved is parameter.annotation else parameter._replace(annotation=resolved)


def _resolved(annotation: Any, scope: Scope, known: Mapping[Any, Any]) -> Any:
    resolved = scope.resolve(annotation)
    # An argument of the class may be a string, too.
    return scope.resolve(substituted(resolved, known)) if known else resolved


def _context_of(parameters: list[Parameter], source: Source) -> str | None:
    """The context is the first parameter, or a keyword-only one, as in the Agents SDK and beyond it."""
    classes = {parameter.name: _classes(parameter.annotation) for parameter in parameters}
    _refuse_contexts_of_agents_sdk(classes, source)
    found = [(i, p) for i, p in enumerate(parameters) if _are_contexts(classes[p.name])]
    misplaced = [
        p for i, p in found if not (i == 0 and p.kind in POSITIONAL) and p.kind is not inspect.Parameter.KEYWORD_ONLY
    ]
    if misplaced or len(found) > 1:
        names = ", ".join(repr(p.name) for p in misplaced or [p for _, p in found])
        raise UserError(
            f"Cannot inject the context into parameter {names} of {source.qualified_name}: "
            "a RunContextWrapper or ToolContext is the first parameter or keyword-only, and there is one. Move it."
        )
    return found[0][1].name if found else None


def _refuse_contexts_of_agents_sdk(classes: Mapping[str, list[type]], source: Source) -> None:
    """An import that was not changed; without this the class would be published to the model."""
    problems = [
        Problem(pointer((name,)), f"it is the Agents SDK's {cls.__name__}", "Import it from fnschema.")
        for name, of_parameter in classes.items()
        for cls in of_parameter
        if is_of_agents_sdk(cls)
    ]
    if problems:
        raise SignatureError("read parameter", source.qualified_name, problems)


def is_context(annotation: Any) -> bool:
    """Whether it is a context class, `Optional` of one, annotated or aliased, or one of a type that is missing."""
    return _are_contexts(_classes(annotation))


def _are_contexts(classes: Iterable[type]) -> bool:
    is_one = [issubclass(cls, RunContextWrapper) for cls in classes if cls is not type(None)]
    return bool(is_one) and all(is_one)


def takes_context(function: Callable[..., Any], parameter: inspect.Parameter) -> bool:
    """Whether a parameter of the function, as Python sees it, is annotated with a context class."""
    return is_context(Scope(source_of(function).function).resolve(parameter.annotation))


def _classes(annotation: Any) -> list[type]:
    """The classes that an annotation is made of: itself, or the members of a union; `object` for what is no class."""
    if type(annotation) is type:  # spares most annotations the questions below
        return [annotation]
    if isinstance(annotation, Unresolved):
        annotation = annotation.guess
    origin = typing.get_origin(annotation)
    if origin is Annotated:
        return _classes(typing.get_args(annotation)[0])
    if origin in (typing.Union, types.UnionType):
        return [cls for member in typing.get_args(annotation) for cls in _classes(member)]
    if isinstance(annotation, TypeAliasType):
        return _classes(annotation.__value__)
    cls = origin or annotation
    return [cls if isinstance(cls, type) else object]
