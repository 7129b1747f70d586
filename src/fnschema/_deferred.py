"""Values that are built when they are first asked for: most tools are published more often than called."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

__all__ = ["BuiltAtFirstNeed", "Deferred"]

T = TypeVar("T")


class Deferred(Generic[T]):
    """A value that is to be built when somebody asks for it.

    Args:
        build: makes the value.
    """

    def __init__(self, build: Callable[[], T]) -> None:
        self.build = build


class BuiltAtFirstNeed:
    """An attribute that may be given as a `Deferred` and is read as what that builds, once.

    Args:
        name: of the attribute.
    """

    _lock = threading.RLock()  # building may run a user's code, which may build another

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: object | None, owner: type) -> Any:
        kept = {} if instance is None else vars(instance)
        if self._name not in kept:
            raise AttributeError(f"{owner.__name__} has no attribute {self._name!r} before it is given to an instance")
        if isinstance(kept[self._name], Deferred):
            with self._lock:
                deferred = kept[self._name]  # another thread may have been faster
                if isinstance(deferred, Deferred):
                    kept[self._name] = deferred.build()
        return kept[self._name]

    def __set__(self, instance: object, value: object) -> None:
        vars(instance)[self._name] = value
