"""Any callable → what Python says of it, annotations as they are written. Nothing here knows pydantic or JSON Schema.

A function as `def` makes it is read from its code object, and its `inspect.Signature`, which only a call needs, is made
of that later. For everything else `inspect.signature` is asked, which takes three times as long.
"""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeGuard

from ._annotations import Scope, owner_of, type_arguments
from ._callables import (
    Source,
    applied_keywords,
    filled_by_position,
    is_callable_object,
    partial_under,
    positions,
    qualified_name,
    source_of,
    what_is_called,
    without_partials,
    without_wrappers,
)
from ._deferred import Deferred
from .errors import Problem, SignatureError

__all__ = ["EMPTY", "POSITIONAL", "Inspection", "Parameter", "inspected"]

EMPTY = inspect.Parameter.empty
POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_KINDS = inspect.Parameter
_GENERATOR = inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR
_UNBOUND = (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType)
_PARTIAL_METHOD = ("_partialmethod", "__partialmethod__")  # what marks one before and from Python 3.13


class Parameter(NamedTuple):
    """One parameter of a callable.

    Attributes:
        name: as in the signature, without stars.
        kind: one of the five kinds of `inspect.Parameter`.
        annotation: as it is written in an `Inspection`. In a `Signature` it is resolved, with `Annotated` kept, or
            `Unresolved` when it names nothing; `EMPTY` when there is none.
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


class Inspection(NamedTuple):
    """What Python says of a callable.

    Attributes:
        source: where its facts are written.
        parameters: all of them, with their annotations as they are written.
        return_annotation: as it is written.
        signature: as `inspect.signature` gives it, or what makes it.
        applied, filled, positions: as in `Signature`.
        type_arguments: what is known of the type variables of the class that a method was written in.
    """

    source: Source
    parameters: tuple[Parameter, ...]
    return_annotation: Any
    signature: inspect.Signature | Deferred[inspect.Signature]
    applied: frozenset[str] = frozenset()
    filled: frozenset[str] = frozenset()
    positions: int | None = None
    type_arguments: Mapping[Any, Any] = types.MappingProxyType({})


def inspected(function: Callable[..., Any], *, bound_first: bool = False) -> Inspection:
    """Ask Python about any callable.

    Args:
        function: function, method, partial, class, builtin or object with `__call__`.
        bound_first: whether the first parameter will be filled by binding (a method still in its class body).

    Raises:
        SignatureError: it cannot be called as a tool, with the reason.
    """
    return _of_any(function, bound_first) if bound_first or not _is_plain(function) else _of_plain(function)


def _is_plain(function: Any) -> TypeGuard[types.FunctionType]:
    """Whether it is what a `def` outside of a class makes, and nobody has put anything on it, such as `__wrapped__`."""
    return (
        type(function) is types.FunctionType
        and not function.__dict__
        and not function.__code__.co_flags & _GENERATOR
        and not _home(function)
    )


def _of_plain(function: types.FunctionType) -> Inspection:
    doc = inspect.cleandoc(function.__doc__) if isinstance(function.__doc__, str) else None
    annotations = function.__annotations__
    parameters = tuple(
        Parameter(name, kind, annotations.get(name, EMPTY), default) for name, kind, default in _in_code(function)
    )
    return_annotation = annotations.get("return", EMPTY)
    return Inspection(
        source=Source(function, function.__name__, qualified_name(function), doc, doc),
        parameters=parameters,
        return_annotation=return_annotation,
        signature=Deferred(functools.partial(_signature_of, parameters, return_annotation)),
    )


def _signature_of(parameters: Iterable[Parameter], return_annotation: Any) -> inspect.Signature:
    """What `inspect.signature` says of a plain function, made of what was read of it."""
    made = [inspect.Parameter(p.name, p.kind, default=p.default, annotation=p.annotation) for p in parameters]
    return inspect.Signature(made, return_annotation=return_annotation)


def _in_code(function: types.FunctionType) -> Iterator[tuple[str, Any, Any]]:
    """Name, kind and default of each parameter, in the order of `inspect.signature`.

    Source: Python's reference, "Code objects": first in ``co_varnames`` stand the parameters, positional ones, then
    keyword-only ones, then ``*args``, then ``**kwargs``.
    """
    code, defaults, named = function.__code__, function.__defaults__ or (), function.__kwdefaults__ or {}
    names, positional = code.co_varnames, code.co_argcount
    keyword_end = positional + code.co_kwonlyargcount
    has_args = bool(code.co_flags & inspect.CO_VARARGS)
    required = positional - len(defaults)
    for at, name in enumerate(names[:positional]):
        kind = _KINDS.POSITIONAL_ONLY if at < code.co_posonlyargcount else _KINDS.POSITIONAL_OR_KEYWORD
        yield name, kind, EMPTY if at < required else defaults[at - required]
    if has_args:
        yield names[keyword_end], _KINDS.VAR_POSITIONAL, EMPTY
    for name in names[positional:keyword_end]:
        yield name, _KINDS.KEYWORD_ONLY, named.get(name, EMPTY)
    if code.co_flags & inspect.CO_VARKEYWORDS:
        yield names[keyword_end + has_args], _KINDS.VAR_KEYWORD, EMPTY


def _of_any(function: Callable[..., Any], bound_first: bool) -> Inspection:
    source = source_of(function)
    _refuse_what_is_no_tool(function, source)
    signature = _python_signature(function, source)
    if bound_first:
        signature = _without_first(signature, source)
    elif _is_unbound_method(function):
        raise _unusable(source, "it is a method without its object", "Pass the method of an object: object.method.")
    return Inspection(
        source=source,
        parameters=tuple(Parameter(p.name, p.kind, p.annotation, p.default) for p in signature.parameters.values()),
        return_annotation=signature.return_annotation,
        signature=signature,
        applied=frozenset(applied_keywords(function)),
        filled=frozenset(filled_by_position(function, int(bound_first))),
        positions=positions(function, bound_first=bound_first),
        type_arguments=_type_arguments(function),
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
    if first is None or first.kind not in POSITIONAL:
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
    owner = owner_of(plain, Scope(plain).names)
    if owner:
        found = inspect.getattr_static(owner, plain.__name__, None)
        return hasattr(found, "__get__") and not isinstance(found, (staticmethod, classmethod))
    first = next(iter(inspect.signature(plain).parameters.values()), None)
    return bool(first and first.name in ("self", "cls") and first.annotation is EMPTY)


def _first_name(function: Any) -> str | None:
    """The first parameter that can still be given by position."""
    first = next(iter(inspect.signature(_asked_about(function)).parameters.values()), None)
    return first.name if first and first.kind in POSITIONAL else None


def _type_arguments(function: Any) -> Mapping[Any, Any]:
    """What is known of the type variables of the class that a method was written in."""
    base = without_partials(function)
    method = what_is_called(base)
    holder = method.__self__ if inspect.ismethod(method) else None
    cls: type = holder if isinstance(holder, type) else type(holder)
    name = getattr(method, "__name__", None)
    owner = next((c for c in cls.__mro__ if name in vars(c)), None) if holder is not None else None
    return type_arguments(holder, owner) if owner else {}


def _unusable(source: Source, reason: str, remedy: str) -> SignatureError:
    return SignatureError("read the signature of", source.qualified_name, [Problem("", reason, remedy)])
