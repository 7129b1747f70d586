"""Values that are built when they are first asked for: most tools are published more often than called."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

__all__ = ["BuiltAtFirstNeed", "Deferred"]

T = TypeVar("T")


class Deferred(Generic[T]):
    """A value that is built when somebody asks for it, once. A pickled copy builds its own.

    Args:
        build: makes the value; pickle can find it.
        built: the value, where it is there already.
    """

    __slots__ = ("_build", "_built")

    _lock = threading.RLock()  # building may run a user's code, which may build another

    def __init__(self, build: Callable[[], T], *built: T) -> None:
        self._build = build
        self._built = built

    def value(self) -> T:
        """The value, the same every time."""
        if not self._built:
            with self._lock:
                self._built = self._built or (self._build(),)  # another thread may have been faster
        return self._built[0]

    def __reduce__(self) -> tuple[Any, ...]:
        return Deferred, (self._build,)


class BuiltAtFirstNeed:
    """An attribute that may be given as a `Deferred` and is read as its value.

    Args:
        name: of the attribute.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: object | None, owner: type) -> Any:
        kept = {} if instance is None else vars(instance)
        if self._name not in kept:
            raise AttributeError(f"{owner.__name__} has no attribute {self._name!r} before it is given to an instance")
        given = kept[self._name]
        return given.value() if isinstance(given, Deferred) else given

    def __set__(self, instance: object, value: object) -> None:
        vars(instance)[self._name] = value
