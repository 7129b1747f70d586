"""What is made when it is first asked for, so that a program pays for what it uses."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

__all__ = ["BuiltAtFirstNeed", "Deferred", "lazy_names"]

T = TypeVar("T")


class Deferred(Generic[T]):
    """A value that is to be built when somebody asks for it.

    Args:
        build: makes the value, once.
    """

    __slots__ = ("build",)

    def __init__(self, build: Callable[[], T]) -> None:
        self.build = build


class BuiltAtFirstNeed:
    """An attribute that is given as a `Deferred` and read as what that builds; it must be given.

    Args:
        name: of the attribute.
    """

    _lock = threading.RLock()  # building may run a user's code, which may build another

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: object | None, owner: type) -> Any:
        if instance is None:
            raise AttributeError(f"{self._name} is an attribute of instances")
        kept = vars(instance)
        if isinstance(kept[self._name], Deferred):
            with self._lock:
                deferred = kept[self._name]  # another thread may have been faster
                if isinstance(deferred, Deferred):
                    kept[self._name] = deferred.build()
        return kept[self._name]

    def __set__(self, instance: object, value: object) -> None:
        vars(instance)[self._name] = value


def lazy_names(package: str, namespace: dict[str, Any], home_of: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` (PEP 562) of a package, whose names are imported from its modules when they are asked for.

    So `from fnschema import …` finds every public name.

    Args:
        package: its ``__name__``.
        namespace: its ``globals()``, where a name is kept once it has been imported.
        home_of: the module of each name, or the name itself for a module.
    """

    def __getattr__(name: str) -> Any:  # noqa: N807 - it becomes one
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = importlib.import_module(f".{home_of[name]}", package)
        namespace[name] = value = home if home_of[name] == name else getattr(home, name)
        return value

    return __getattr__
