"""Names of a package that are imported from its modules when they are first asked for.

A program pays for what it uses, and `from fnschema import …` finds every public name.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["lazy_names"]


def lazy_names(package: str, namespace: dict[str, Any], home_of: Mapping[str, str]) -> Callable[[str], Any]:
    """The module's `__getattr__` (PEP 562).

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
