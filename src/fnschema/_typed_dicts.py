"""`typing.TypedDict` for pydantic on Python 3.11.

Before 3.12 a `typing.TypedDict` does not keep what pydantic needs, so pydantic refuses it and asks for the one of
`typing_extensions`. Users do not care which one they imported; what an annotation shows of it is rebuilt here.
"""

from __future__ import annotations

import functools
import operator
import sys
import types
import typing
from typing import Annotated, Any, Literal

import typing_extensions
from typing_extensions import TypeAliasType

__all__ = ["portable"]

_REFUSED_BY_PYDANTIC = sys.version_info < (3, 12)
_QUALIFIERS = {True: typing_extensions.Required, False: typing_extensions.NotRequired}


def portable(annotation: Any) -> Any:
    """The annotation with every `typing.TypedDict` in it, at any depth, as one of `typing_extensions`."""
    return _Rebuild().annotation(annotation) if _REFUSED_BY_PYDANTIC else annotation


class _Rebuild:
    """One walk; a class that is met again, also inside itself, is the same class."""

    def __init__(self) -> None:
        self._rebuilt: dict[Any, Any] = {}

    def annotation(self, annotation: Any) -> Any:
        if typing.is_typeddict(annotation) and not isinstance(annotation, typing_extensions._TypedDictMeta):  # type: ignore[attr-defined]
            return self._rebuilt.get(annotation) or self._typed_dict(annotation)
        if isinstance(annotation, TypeAliasType):
            value = self.annotation(annotation.__value__)
            return annotation if value is annotation.__value__ else value
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if not arguments or origin is Literal or any(isinstance(a, list) for a in arguments):
            return annotation
        rebuilt = tuple(map(self.annotation, arguments[:1] if origin is Annotated else arguments))
        if all(new is old for new, old in zip(rebuilt, arguments, strict=False)):
            return annotation
        return _with_arguments(annotation, origin, rebuilt)

    def _typed_dict(self, original: Any) -> Any:
        created: Any = typing_extensions.TypedDict(original.__name__, {})
        self._rebuilt[original] = created
        hints = typing_extensions.get_type_hints(original, include_extras=True)
        for attribute in ("__module__", "__qualname__", "__doc__", "__required_keys__", "__optional_keys__", "__total__"):
            setattr(created, attribute, getattr(original, attribute))
        if hasattr(original, "__pydantic_config__"):
            created.__pydantic_config__ = original.__pydantic_config__
        created.__annotations__ = {
            key: _QUALIFIERS[key in original.__required_keys__][self.annotation(_unqualified(hint))]
            for key, hint in hints.items()
        }
        return created


def _unqualified(hint: Any) -> Any:
    while typing.get_origin(hint) in (*_QUALIFIERS.values(), typing.Required, typing.NotRequired):
        hint = typing.get_args(hint)[0]
    return hint


def _with_arguments(annotation: Any, origin: Any, arguments: tuple[Any, ...]) -> Any:
    if origin is Annotated:
        return Annotated[(arguments[0], *annotation.__metadata__)]  # type: ignore[index]
    if origin is typing.Union or origin is types.UnionType:
        return functools.reduce(operator.or_, arguments) if origin is types.UnionType else typing.Union[arguments]
    return annotation.copy_with(arguments) if hasattr(annotation, "copy_with") else origin[arguments]
