"""String annotations resolved as Python's own scoping would: class body, enclosing functions, module.

A string (written by hand, or by `from __future__ import annotations`) has lost the scope that it was written in. What
can be found of that scope again: the globals of the function's module, the class named by `__qualname__`, the
function's closure, and the locals of a frame that is running now *and whose code holds this function's code*, which is
the frame that defined it. The locals of any other caller are never looked at.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import sys
import types
import typing
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import typing_extensions

__all__ = ["Scope", "Unresolved", "owner_of", "substituted", "type_arguments"]

_LITERAL = (typing.Literal, typing_extensions.Literal)


class Unresolved(NamedTuple):
    """An annotation that names something that is not there at run time.

    Attributes:
        text: the annotation as it was written.
        reason: why it does not resolve.
        guess: what it would be if every missing name were some class, for those who ask what is outside of that.
    """

    text: str
    reason: str
    guess: object = None


class Scope:
    """The names that the annotations of one function may use, looked for when there is a string to evaluate.

    Args:
        function: a plain function, or a class (whose methods share its module).
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @functools.cached_property
    def names(self) -> Mapping[str, Any]:
        """What can be found: innermost first class body, closure, enclosing frames and the module."""
        return ChainMap(self._local, self._globals)

    @functools.cached_property
    def _globals(self) -> dict[str, Any]:
        module_globals: dict[str, Any] | None = getattr(self._function, "__globals__", None)
        if module_globals is None:
            module = sys.modules.get(getattr(self._function, "__module__", None) or "")
            module_globals = vars(module) if module else {}
        return module_globals

    @functools.cached_property
    def _local(self) -> ChainMap[str, Any]:
        local: list[Any] = [_type_parameters(self._function)]
        if "." in getattr(self._function, "__qualname__", ""):
            outer = ChainMap(*_closure_and_frames(self._function))
            owner = owner_of(self._function, ChainMap(outer, self._globals))
            local += [_namespace(owner), _type_parameters(owner)] if owner else []
            local.append(outer)
        return ChainMap(*local)  # of mappings, some of them read only, which is enough for this chain

    def resolve(self, annotation: Any) -> Any:
        """The annotation with every string inside it evaluated, or `Unresolved`."""
        if annotation is None:
            return type(None)
        if not _holds_text(annotation):
            return annotation
        try:
            return _evaluated(annotation, self._globals, self._local)
        except Exception as error:  # noqa: BLE001 - an annotation may run any code, so it may raise anything
            return Unresolved(_text(annotation), _reason(error), self._guess(annotation))

    def _guess(self, annotation: Any) -> object:
        try:
            return _evaluated(annotation, {}, _WithoutGaps({**vars(builtins), **self.names}))
        except Exception:  # noqa: BLE001 - as above
            return None


class _Missing(type):
    """Classes of which every attribute, and what they are with type arguments, is the class itself."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return cls

    def __getitem__(cls, arguments: object) -> Any:
        return cls


class _Anything(metaclass=_Missing):
    pass


class _WithoutGaps(dict[str, Any]):
    def __missing__(self, key: str) -> Any:
        return _Anything


def _holds_text(annotation: Any) -> bool:
    """Whether there is anything to evaluate; texts of a `Literal` or beside an `Annotated` type are none."""
    if isinstance(annotation, type) or typing.get_origin(annotation) in _LITERAL:
        return False
    if isinstance(annotation, (str, typing.ForwardRef)):
        return True
    arguments = getattr(annotation, "__args__", None)
    return isinstance(arguments, tuple) and any(map(_holds_text, arguments))


def _evaluated(annotation: Any, global_names: dict[str, Any], local_names: Mapping[str, Any]) -> Any:
    holder = types.SimpleNamespace(__annotations__={"it": annotation})
    return typing.get_type_hints(holder, global_names, local_names, include_extras=True)["it"]


def owner_of(function: Callable[..., Any], names: Mapping[str, Any]) -> type | None:
    """The class in whose body the function was written, where `__qualname__` leads to it through the given names."""
    path = function.__qualname__.rpartition("<locals>.")[2].split(".")[:-1]
    owner: type | None = None
    for name in path:
        found = names.get(name) if owner is None else inspect.getattr_static(owner, name, None)
        if not isinstance(found, type):
            return None
        owner = found
    return owner


def type_arguments(instance: object, owner: type) -> dict[Any, Any]:
    """What the type variables of a class mean for an object of it or of an heir: ``{T: int}`` for ``Stock[int]()``.

    Args:
        instance: the object, or the class, whose method it is.
        owner: the class in whose body the method was written.
    """
    cls = instance if isinstance(instance, type) else type(instance)
    given = _named_arguments(getattr(instance, "__orig_class__", None), {})
    return next((known for base, known in _bases_with_arguments(cls, given) if base is owner), {})


def _bases_with_arguments(cls: type, known: dict[Any, Any]) -> Iterator[tuple[type, dict[Any, Any]]]:
    yield cls, known
    pydantic_generic = vars(cls).get("__pydantic_generic_metadata__", {})
    if origin := pydantic_generic.get("origin"):
        parameters = origin.__pydantic_generic_metadata__["parameters"]
        yield from _bases_with_arguments(origin, dict(zip(parameters, pydantic_generic["args"], strict=True)))
    for base in vars(cls).get("__orig_bases__", cls.__bases__):
        yield from _bases_with_arguments(typing.get_origin(base) or base, _named_arguments(base, known))


def _named_arguments(alias: Any, known: Mapping[Any, Any]) -> dict[Any, Any]:
    """The arguments of ``Stock[int]`` by the type variables of ``Stock``."""
    parameters, arguments = getattr(typing.get_origin(alias), "__parameters__", ()), typing.get_args(alias)
    if len(parameters) != len(arguments):  # a variadic one takes any number
        return {}
    return dict(zip(parameters, (substituted(a, known) for a in arguments), strict=True))


def substituted(annotation: Any, known: Mapping[Any, Any]) -> Any:
    """The annotation with what is known of its type variables in their place."""
    if isinstance(annotation, typing.TypeVar):
        return known.get(annotation, annotation)
    parameters = getattr(annotation, "__parameters__", ()) if typing.get_origin(annotation) else ()
    if not any(parameter in known for parameter in parameters):
        return annotation
    return annotation[tuple(known.get(parameter, parameter) for parameter in parameters)]


def _type_parameters(generic: object) -> dict[str, Any]:
    return {parameter.__name__: parameter for parameter in getattr(generic, "__type_params__", ())}


def _namespace(owner: type) -> Mapping[str, Any]:
    """What its body can mean in an annotation: a class or an alias, not its method `set`, nor `None` as a default."""
    return ChainMap(*({k: v for k, v in vars(base).items() if _may_be_a_type(v)} for base in owner.__mro__[:-1]))


def _may_be_a_type(value: object) -> bool:
    return value is not None and not hasattr(type(value), "__get__")


def _closure_and_frames(function: Callable[..., Any]) -> Iterator[dict[str, Any]]:
    code = getattr(function, "__code__", None)
    if code is None:
        yield {}
        return
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    yield {name: cell.cell_contents for name, cell in cells if not _is_empty(cell)}
    frame = inspect.currentframe()
    while frame:
        if frame.f_locals is not frame.f_globals and _holds(frame.f_code, code):
            yield dict(frame.f_locals)
        frame = frame.f_back


def _holds(outer: types.CodeType, inner: types.CodeType) -> bool:
    nested = [constant for constant in outer.co_consts if isinstance(constant, types.CodeType)]
    return any(code is inner or _holds(code, inner) for code in nested)


def _is_empty(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018  # the only way to ask
    except ValueError:
        return True
    return False


def _text(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    return inspect.formatannotation(annotation).replace("ForwardRef(", "").replace("')", "'")


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__
