"""`typing.TypedDict` for pydantic on Python 3.11.

Before 3.12 a `typing.TypedDict` does not keep what pydantic needs, so pydantic refuses it and asks for the one of
`typing_extensions`. Users do not care which one they imported; what an annotation shows of it is rebuilt here.
"""

from __future__ import annotations

import sys
import threading
import types
import typing
import weakref
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple

import typing_extensions
from typing_extensions import TypeAliasType

__all__ = ["Key", "keys_of", "portable"]

_REFUSED_BY_PYDANTIC = sys.version_info < (3, 12)
_REQUIRED: Any = typing_extensions.Required
_NOT_REQUIRED: Any = typing_extensions.NotRequired
_QUALIFIERS = (_REQUIRED, _NOT_REQUIRED, typing_extensions.ReadOnly)


class Key(NamedTuple):
    """One key of a typed dict, its annotation without `Required`, `NotRequired` and `ReadOnly`."""

    name: str
    annotation: Any
    is_required: bool


def keys_of(typed_dict: Any) -> Iterator[Key]:
    """The keys of a typed dict, inherited ones included.

    Raises:
        NameError: an annotation names something that is not in the module.
    """
    hints = typing_extensions.get_type_hints(typed_dict, include_extras=True)
    for name, hint in hints.items():
        is_required = name in typed_dict.__required_keys__
        while (qualifier := typing.get_origin(hint)) in _QUALIFIERS:
            if qualifier in (_REQUIRED, _NOT_REQUIRED):  # one in a string is not known to the class
                is_required = qualifier is _REQUIRED
            hint = typing.get_args(hint)[0]
        yield Key(name, hint, is_required)


def portable(annotation: Any) -> Any:
    """The annotation with every `typing.TypedDict` in it, at any depth, as one of `typing_extensions`.

    Raises:
        NameError: as `keys_of`.
    """
    if not _REFUSED_BY_PYDANTIC or not _may_hold_refused(annotation):
        return annotation
    with _lock:
        return _rebuilt(annotation)


# One class for each class: pydantic tells definitions of the same name apart by the identity of the class.
_classes: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
_lock = threading.RLock()  # no thread may see a class whose keys are still being rebuilt


def _may_hold_refused(annotation: Any) -> bool:
    """Whether there may be anything to rebuild, at a fraction of the time that it takes to try."""
    if isinstance(annotation, type):
        return _is_refused(annotation)
    if isinstance(annotation, TypeAliasType) or _is_refused(getattr(annotation, "__origin__", None)):
        return True
    arguments = getattr(annotation, "__args__", None)
    return isinstance(arguments, tuple) and any(map(_may_hold_refused, arguments))


def _rebuilt(annotation: Any) -> Any:
    if _is_refused(annotation):
        return _classes.get(annotation) or _rebuilt_class(annotation)
    if isinstance(annotation, TypeAliasType):
        value = _rebuilt(annotation.__value__)
        return annotation if value is annotation.__value__ else value
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if not arguments or origin is Literal or any(isinstance(a, list) for a in arguments):
        return annotation
    rebuilt = tuple(map(_rebuilt, arguments[:1] if origin is Annotated else arguments))
    if _is_refused(origin):
        return _rebuilt(origin)[rebuilt]
    if all(new is old for new, old in zip(rebuilt, arguments, strict=False)):
        return annotation
    return _with_arguments(annotation, origin, rebuilt)


def _is_refused(annotation: Any) -> bool:
    return typing.is_typeddict(annotation) and not isinstance(annotation, typing_extensions._TypedDictMeta)  # type: ignore[attr-defined]


def _rebuilt_class(original: Any) -> Any:
    parameters = getattr(original, "__parameters__", ())
    generic = (typing.Generic[parameters],) if parameters else ()  # type: ignore[index]  # of values
    created: Any = types.new_class(original.__name__, (typing_extensions.TypedDict, *generic))
    keys = list(keys_of(original))
    _classes[original] = created  # before the annotations, which may hold the class itself
    for attribute in (
        "__module__",
        "__qualname__",
        "__doc__",
        "__required_keys__",
        "__optional_keys__",
        "__total__",
        "__pydantic_config__",
    ):
        if hasattr(original, attribute):
            setattr(created, attribute, getattr(original, attribute))
    created.__annotations__ = {
        key.name: (_REQUIRED if key.is_required else _NOT_REQUIRED)[_rebuilt(key.annotation)] for key in keys
    }
    return created


def _with_arguments(annotation: Any, origin: Any, arguments: tuple[Any, ...]) -> Any:
    if origin is Annotated:
        return Annotated[(arguments[0], *annotation.__metadata__)]
    if origin in (typing.Union, types.UnionType):
        return typing.Union[arguments]  # noqa: UP007 - of values
    return annotation.copy_with(arguments) if hasattr(annotation, "copy_with") else origin[arguments]
