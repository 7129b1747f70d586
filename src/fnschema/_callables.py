"""What a callable is made of: partials, wrappers and objects with `__call__`, and where its facts are written.

What is *called* and what is *described* may be two objects: a partial calls what it describes less the applied
arguments, an object with `__call__` is described by its class, a decorated function by what it wraps.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

__all__ = [
    "Source",
    "applied_keywords",
    "filled_by_position",
    "is_async",
    "is_callable_object",
    "partial_under",
    "positions",
    "qualified_name",
    "source_of",
    "what_is_called",
    "without_partials",
    "without_wrappers",
]

_FOREIGN = sys.stdlib_module_names | {"pydantic", "typing_extensions"}


class Source(NamedTuple):
    """Where the facts of a callable are written.

    Attributes:
        function: the plain function (or class) under partials, objects and wrappers, in whose scope annotations mean
            something.
        name: the callable's own.
        qualified_name: ``module.qualname``, for messages to the author.
        docstring: where the purpose stands (for a callable object: its class).
        parameter_docstring: where the parameters are documented (for a callable object: `__call__`).
    """

    function: Callable[..., Any]
    name: str
    qualified_name: str
    docstring: str | None
    parameter_docstring: str | None


def source_of(function: Any) -> Source:
    """The source of a callable; what is set on a partial of it stands in front."""
    source = _source_of_called(function)
    name, doc = _said_of_partial(function, "__name__"), _said_of_partial(function, "__doc__")
    if name:
        source = source._replace(name=str(name))
    return (
        source._replace(docstring=inspect.cleandoc(doc), parameter_docstring=inspect.cleandoc(doc)) if doc else source
    )


def _said_of_partial(function: Any, attribute: str) -> Any:
    """What the author, or `functools.update_wrapper`, has set on a partial."""
    while isinstance(function, functools.partial):
        if attribute in vars(function):
            return vars(function)[attribute]
        function = function.func
    return None


def _source_of_called(function: Any) -> Source:
    base = without_wrappers(without_partials(function))
    if isinstance(base, functools.partial):  # a wrapper round a partial
        return source_of(base)
    if isinstance(base, type):
        return _class_source(base)
    if is_callable_object(base):
        return _object_source(base)
    plain = without_wrappers(without_wrappers(base).__func__) if inspect.ismethod(base) else base
    shown = without_partials(function)
    doc = inspect.getdoc(shown if getattr(shown, "__doc__", None) else plain)
    name = getattr(shown, "__name__", None) or getattr(plain, "__name__", type(base).__name__)
    return Source(plain, str(name), qualified_name(plain), doc, doc)


def _class_source(cls: type) -> Source:
    init = cls.__init__ if cls.__init__ is not object.__init__ else cls.__new__  # type: ignore[misc]
    init_doc = None if _is_foreign(init) else init.__doc__ and inspect.cleandoc(init.__doc__)
    doc = _own_doc(cls)
    described = "\n\n".join(filter(None, (doc, init_doc)))
    # collections.namedtuple makes a `__new__` whose globals hold nothing: neither the module's names nor builtins.
    is_written = inspect.isfunction(init) and not str(init.__module__).startswith("namedtuple_")
    function = init if is_written else cls
    return Source(function, cls.__name__, qualified_name(cls), doc or init_doc, described or None)


def _object_source(instance: Any) -> Source:
    cls = type(instance)
    call = without_wrappers(without_partials(instance.__call__))
    call_doc = inspect.getdoc(call)
    if call_doc == type.__call__.__doc__:  # what Python itself says of every `__call__`
        call_doc = None
    doc = _own_doc(cls) or call_doc
    name = getattr(instance, "__name__", cls.__name__)
    return Source(getattr(call, "__func__", call), str(name), qualified_name(cls), doc, call_doc or doc)


def _own_doc(cls: type) -> str | None:
    """The docstring that the author wrote: no library's base class's, nor the signature that `dataclass` puts there."""
    for base in cls.__mro__:
        if _is_foreign(base):
            return None
        if base.__doc__ and not base.__doc__.startswith(f"{base.__name__}("):
            return inspect.cleandoc(base.__doc__)
    return None


def _is_foreign(written: object) -> bool:
    """Whether it stands in a library whose texts say nothing of the author's class."""
    return str(getattr(written, "__module__", "builtins")).partition(".")[0] in _FOREIGN


def qualified_name(function: object) -> str:
    """``module.qualname`` of anything, for messages to the author."""
    named: Any = function if hasattr(function, "__qualname__") else type(function)
    module = getattr(named, "__module__", None)
    return f"{module}.{named.__qualname__}" if module else str(named.__qualname__)


def is_async(function: Callable[..., Any]) -> bool:
    """Whether calling it gives a coroutine: an async function, a partial of one, an object with an async `__call__`."""
    base = without_partials(function)
    return inspect.iscoroutinefunction(base) or (
        is_callable_object(base) and inspect.iscoroutinefunction(without_partials(base.__call__))
    )


def what_is_called(function: Any) -> Any:
    """The method that a call of an object runs; any other callable itself."""
    return function.__call__ if is_callable_object(function) else function


def is_callable_object(function: Any) -> bool:
    """Whether it is called by way of the `__call__` of its class: no function, method, class or partial."""
    return (
        callable(function) and not inspect.isroutine(function) and not isinstance(function, (type, functools.partial))
    )


def without_partials(function: Any) -> Any:
    """What partials apply arguments to; of a static method its function."""
    while isinstance(function, functools.partial):
        function = function.func
    return function.__func__ if isinstance(function, staticmethod) else function


def without_wrappers(function: Any) -> Any:
    """What decorators wrapped; the object itself where that never ends (a mock answers to `__wrapped__` for ever)."""
    try:
        return inspect.unwrap(function)
    except ValueError:
        return function


def partial_under(function: Any) -> functools.partial[Any] | None:
    """The partial that decorators wrap, or that the callable is.

    `functools.update_wrapper` makes a partial look like a wrapper of its function, which takes more than it does.
    """
    try:
        found = inspect.unwrap(function, stop=lambda f: isinstance(f, functools.partial) or hasattr(f, "__signature__"))
    except ValueError:
        return None
    return found if isinstance(found, functools.partial) and not hasattr(found, "__signature__") else None


def applied_keywords(function: Any) -> Iterator[str]:
    """The names that partials have filled by keyword."""
    while partial := partial_under(function):
        yield from partial.keywords
        function = partial.func


def filled_by_position(function: Any, filled: int = 0) -> Iterator[str]:
    """The names of parameters that binding or a partial fills by position, so that no keyword may be called so.

    Args:
        function: any callable.
        filled: how many are filled already.
    """
    if isinstance(function, functools.partial):
        yield from filled_by_position(function.func, filled + len(function.args))
    elif isinstance(function, type):
        for method in _constructors(function):
            yield from filled_by_position(method, filled + 1)
    elif inspect.ismethod(function):
        yield from filled_by_position(function.__func__, filled + 1)
    elif isinstance(function, staticmethod):
        yield from filled_by_position(function.__func__, filled)
    elif is_callable_object(function):
        yield from filled_by_position(function.__call__, filled)
    else:
        for layer in (function, *_wrapped_by(function)):
            if inspect.isfunction(layer):
                code = layer.__code__
                yield from code.co_varnames[code.co_posonlyargcount : min(code.co_argcount, filled)]


def positions(function: Any, *, bound_first: bool) -> int | None:
    """How many arguments a wrapper takes by position; `None` where what is called is what is described.

    A wrapper may take ``*args`` alone or ``**kwargs`` alone, whatever it wraps.
    """
    base = without_partials(function)
    called = _constructors(base) if isinstance(base, type) else [what_is_called(base)]
    marks = ("__signature__", "__wrapped__")
    if not any(hasattr(described, mark) for described in (base, *called) for mark in marks):
        return None
    is_bound = bound_first or isinstance(base, type) or any(map(inspect.ismethod, called))
    plain = [method.__func__ if inspect.ismethod(method) else method for method in called]
    codes = [
        layer.__code__
        for outermost in plain
        for layer in (outermost, *_wrapped_by(outermost))
        if inspect.isfunction(layer)
    ]
    return min(map(_room_for_positions, codes), default=sys.maxsize) - is_bound - _applied_positions(function)


def _constructors(cls: Any) -> list[Any]:
    """What a call of the class runs, each with all the arguments."""
    return [method for method in (cls.__new__, cls.__init__) if method not in (object.__new__, object.__init__)]


def _wrapped_by(function: Any) -> Iterator[Any]:
    while hasattr(function, "__wrapped__") and not hasattr(function, "__signature__"):
        function = function.__wrapped__
        yield function


def _room_for_positions(code: types.CodeType) -> int:
    return sys.maxsize if code.co_flags & inspect.CO_VARARGS else code.co_argcount


def _applied_positions(function: Any) -> int:
    applied = 0
    while isinstance(function, functools.partial):
        applied += len(function.args)
        function = function.func
    return applied
