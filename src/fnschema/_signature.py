"""Any callable → a frozen `Signature` of frozen `Parameter`s. Nothing here knows pydantic or JSON Schema."""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections import ChainMap
from collections.abc import Callable, Mapping
from typing import Annotated, Any, NamedTuple

from typing_extensions import TypeAliasType

from ._annotations import Scope, Unresolved, owner_of, substituted, type_arguments
from ._callables import (
    Source,
    applied_keywords,
    filled_by_position,
    is_callable_object,
    partial_under,
    positions,
    source_of,
    what_is_called,
    without_partials,
    without_wrappers,
)
from ._context import RunContextWrapper, is_of_agents_sdk
from .errors import Problem, SignatureError, UserError, pointer

__all__ = ["EMPTY", "Parameter", "Signature", "is_context", "read_signature", "takes_context"]

EMPTY = inspect.Parameter.empty
_UNBOUND = (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType)
_PARTIAL_METHOD = ("_partialmethod", "__partialmethod__")  # what marks one before and from Python 3.13
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Parameter(NamedTuple):
    """One parameter that may be filled by a model.

    Attributes:
        name: as in the signature, without stars.
        kind: one of the five kinds of `inspect.Parameter`.
        annotation: resolved, with `Annotated` kept; `EMPTY` when there is none, `Unresolved` when it names nothing.
        default: the very object, or `EMPTY`.
    """

    name: str
    kind: Any
    annotation: Any
    default: Any = EMPTY

    @property
    def is_variadic(self) -> bool:
        """Whether it is ``*args`` or ``**kwargs``, which take nothing when nothing is given."""
        return self.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)

    @property
    def is_optional(self) -> bool:
        """Whether the function can be called without it."""
        return self.default is not EMPTY or self.is_variadic


class Signature(NamedTuple):
    """What is known of a callable before anything is built from it.

    Attributes:
        name: its own name; `None` for a lambda, which has none.
        qualified_name: ``module.qualname``, for messages to the author.
        docstring: where the purpose stands (for a callable object: its class).
        parameter_docstring: where the parameters are documented (for a callable object: `__call__`).
        parameters: what a model may fill, in order: without the context and without what a partial has applied.
        context: the name of the parameter that takes the `RunContextWrapper`.
        applied: names that a partial has filled by keyword.
        filled: names that binding or a partial has filled by position.
        return_annotation: resolved where it can be; it never matters for the schema.
        inspect_signature: as Python sees the callable.
        positions: how many arguments a wrapper takes by position, the others going by name; `None` where what is called
            is what is described, so that each may go either way.
    """

    name: str | None
    qualified_name: str
    docstring: str | None
    parameter_docstring: str | None
    parameters: tuple[Parameter, ...]
    context: str | None
    applied: frozenset[str]
    filled: frozenset[str]
    return_annotation: Any
    inspect_signature: inspect.Signature
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
    source = source_of(function)
    _refuse_what_is_no_tool(function, source)
    signature = _python_signature(function, source)
    if bound_first:
        signature = _without_first(signature, source)
    elif _is_unbound_method(function):
        raise _unusable(source, "it is a method without its object", "Pass the method of an object: object.method.")
    scope, known = Scope.of(source.function), _type_arguments(function)
    applied = frozenset(applied_keywords(function))
    parameters = [_parameter(p, scope, known) for p in signature.parameters.values() if p.name not in applied]
    context = _context_of(parameters, source)
    return Signature(
        name=None if source.name == "<lambda>" else source.name,
        qualified_name=source.qualified_name,
        docstring=source.docstring,
        parameter_docstring=source.parameter_docstring,
        parameters=tuple(p for p in parameters if p.name != context),
        context=context,
        applied=applied,
        filled=frozenset(filled_by_position(function, int(bound_first))),
        return_annotation=_return_annotation(signature, scope, known),
        inspect_signature=signature,
        positions=positions(function, bound_first=bound_first),
    )


def _refuse_what_is_no_tool(function: Any, source: Source) -> None:
    base = without_partials(function)
    if isinstance(base, classmethod):
        raise _unusable(source, "it is a classmethod object without its class", "Take the method from its class.")
    if not callable(function):
        raise _unusable(source, "it is not callable", "Pass a function.")
    if typing.get_origin(base) is not None:
        raise _unusable(source, "a type with arguments has no signature of its own", "Pass the class itself.")
    # A wrapper hands the generator on as a rule, so what is wrapped decides.
    called = without_wrappers(what_is_called(base))
    if inspect.isgeneratorfunction(called) or inspect.isasyncgenfunction(called):
        raise _unusable(source, "it is a generator function, whose call runs nothing", "Return a list.")


def _python_signature(function: Any, source: Source) -> inspect.Signature:
    try:
        return inspect.signature(_asked_about(function))
    except (ValueError, TypeError) as error:
        remedy = "Wrap it in a function whose parameters are annotated."
        raise _unusable(source, f"it has no signature that Python can read ({error})", remedy) from error


def _asked_about(function: Any) -> Any:
    """What `inspect.signature` is to be asked about, where it would drop a parameter for an object that takes none.

    Of a callable object it drops the first parameter of a static `__call__`, of a method that wraps a plain function
    the first parameter of that function. Where a partial has `__wrapped__`, it forgets what the partial has applied.
    """
    if partial := partial_under(function):
        return functools.partial(_asked_about(partial.func), *partial.args, **partial.keywords)
    if isinstance(function, staticmethod):
        return function.__func__
    method = function.__call__ if is_callable_object(function) and _has_ordinary_call(function) else function
    if inspect.ismethod(method) and hasattr(method.__func__, "__wrapped__"):
        wrapped = without_wrappers(method.__func__)
        if not _home(wrapped):
            return wrapped
    return method


def _has_ordinary_call(instance: object) -> bool:
    """Whether `instance.__call__` says what a call takes; else the object does, by `__signature__` or as a wrapper."""
    call = inspect.getattr_static(type(instance), "__call__")
    is_ordinary = isinstance(call, (types.FunctionType, staticmethod, classmethod, functools.partialmethod))
    return is_ordinary and not hasattr(instance, "__signature__") and not hasattr(instance, "__wrapped__")


def _home(function: Any) -> str:
    """The qualified name of the class in whose body the function was written, or nothing."""
    home = str(getattr(function, "__qualname__", "")).rpartition(".")[0]
    return "" if home.endswith("<locals>") else home


def _without_first(signature: inspect.Signature, source: Source) -> inspect.Signature:
    first, *rest = signature.parameters.values() or [None]
    if first is None or first.kind not in _POSITIONAL:
        raise _unusable(source, "a method needs a first parameter for its object", "Add self.")
    return signature.replace(parameters=rest)  # type: ignore[arg-type]


def _is_unbound_method(function: Any) -> bool:
    base = without_partials(function)
    if isinstance(base, _UNBOUND) or any(hasattr(base, mark) for mark in _PARTIAL_METHOD):
        return True
    if inspect.ismethod(base):
        return False
    plain = without_wrappers(base)
    if not inspect.isfunction(plain) or not _home(plain) or _first_name(base) != _first_name(function):
        return False
    scope = Scope.of(plain)
    owner = owner_of(plain, ChainMap(dict(scope.locals), scope.globals))
    if owner:
        found = inspect.getattr_static(owner, plain.__name__, None)
        return hasattr(found, "__get__") and not isinstance(found, (staticmethod, classmethod))
    first = next(iter(inspect.signature(plain).parameters.values()), None)
    return bool(first and first.name in ("self", "cls") and first.annotation is EMPTY)


def _first_name(function: Any) -> str | None:
    """The first parameter that can still be given by position."""
    first = next(iter(inspect.signature(_asked_about(function)).parameters.values()), None)
    return first.name if first and first.kind in _POSITIONAL else None


def _type_arguments(function: Any) -> Mapping[Any, Any]:
    """What is known of the type variables of the class that a method was written in."""
    base = without_partials(function)
    method = what_is_called(base)
    holder = method.__self__ if inspect.ismethod(method) else None
    cls: type = holder if isinstance(holder, type) else type(holder)
    name = getattr(method, "__name__", None)
    owner = next((c for c in cls.__mro__ if name in vars(c)), None) if holder is not None else None
    return type_arguments(holder, owner) if owner else {}


def _parameter(parameter: inspect.Parameter, scope: Scope, known: Mapping[Any, Any]) -> Parameter:
    annotation = parameter.annotation
    if annotation is not EMPTY:
        annotation = _resolved(annotation, scope, known)
    return Parameter(parameter.name, parameter.kind, annotation, parameter.default)


def _resolved(annotation: Any, scope: Scope, known: Mapping[Any, Any]) -> Any:
    resolved = scope.resolve(annotation)
    # An argument of the class may be a string, too.
    return scope.resolve(substituted(resolved, known)) if known else resolved


def _return_annotation(signature: inspect.Signature, scope: Scope, known: Mapping[Any, Any]) -> Any:
    annotation = signature.return_annotation
    resolved = annotation if annotation is inspect.Signature.empty else _resolved(annotation, scope, known)
    return annotation if isinstance(resolved, Unresolved) else resolved


def _context_of(parameters: list[Parameter], source: Source) -> str | None:
    """The context is the first parameter, or a keyword-only one, as in the Agents SDK and beyond it."""
    _refuse_contexts_of_agents_sdk(parameters, source)
    found = [(i, p) for i, p in enumerate(parameters) if is_context(p.annotation)]
    misplaced = [
        p for i, p in found if not (i == 0 and p.kind in _POSITIONAL) and p.kind is not inspect.Parameter.KEYWORD_ONLY
    ]
    if misplaced or len(found) > 1:
        names = ", ".join(repr(p.name) for p in misplaced or [p for _, p in found])
        raise UserError(
            f"Cannot inject the context into parameter {names} of {source.qualified_name}: "
            "a RunContextWrapper or ToolContext is the first parameter or keyword-only, and there is one. Move it."
        )
    return found[0][1].name if found else None


def _refuse_contexts_of_agents_sdk(parameters: list[Parameter], source: Source) -> None:
    """An import that was not changed; without this the class would be published to the model."""
    problems = [
        Problem(pointer((p.name,)), f"it is the Agents SDK's {cls.__name__}", "Import it from fnschema.")
        for p in parameters
        for cls in _classes(p.annotation)
        if is_of_agents_sdk(cls)
    ]
    if problems:
        raise SignatureError("read parameter", source.qualified_name, problems)


def is_context(annotation: Any) -> bool:
    """Whether it is a context class, `Optional` of one, annotated or aliased, or one of a type that is missing."""
    classes = [cls for cls in _classes(annotation) if cls is not type(None)]
    return bool(classes) and all(issubclass(cls, RunContextWrapper) for cls in classes)


def takes_context(function: Callable[..., Any], parameter: inspect.Parameter) -> bool:
    """Whether a parameter of the function, as Python sees it, is annotated with a context class."""
    return is_context(Scope.of(source_of(function).function).resolve(parameter.annotation))


def _classes(annotation: Any) -> list[type]:
    """The classes that an annotation is made of: itself, or the members of a union; `object` for what is no class."""
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


def _unusable(source: Source, reason: str, remedy: str) -> SignatureError:
    return SignatureError("read the signature of", source.qualified_name, [Problem("", reason, remedy)])
