"""The public callables of the standard library and of three documented libraries. They are collected, never called.

A method is bound to a stand-in: only its signature and its documentation are read.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fnschema import DocstringStyle

__all__ = ["LIBRARIES", "Library", "library_functions", "standard_functions"]

AnyCallable = Callable[..., Any]

_NOT_IMPORTED = {
    "antigravity": "opens a browser",
    "distutils": "setuptools puts its own in its place and warns",
    "encodings": "a hundred modules of the same functions",
    "ensurepip": "brings its own pip",
    "idlelib": "a desktop program",
    "lib2to3": "reads and writes grammar files",
    "test": "not for users",
    "this": "prints",
    "tkinter": "needs a display",
    "turtle": "needs a display",
    "turtledemo": "needs a display",
}
_NOT_FOR_USERS = {"conftest", "test", "tests"}
_STAND_IN = object()


@dataclass(frozen=True, slots=True)
class Library:
    """A library whose authors document parameters in one style.

    Attributes:
        name: of the package to import.
        style: the one that its docstrings are written in.
    """

    name: str
    style: DocstringStyle


LIBRARIES = (Library("networkx", "numpy"), Library("rich", "google"), Library("werkzeug", "sphinx"))


def standard_functions() -> dict[str, AnyCallable]:
    """Dotted name → callable, of every public module of the standard library that this platform has."""
    tops = sorted(name for name in sys.stdlib_module_names if not name.startswith("_") and name not in _NOT_IMPORTED)
    return {name: function for top in tops for name, function in library_functions(top).items()}


def library_functions(name: str) -> dict[str, AnyCallable]:
    """Dotted name → function, method or class, of every public module below the named one, each where it is defined."""
    found: dict[str, AnyCallable] = {}
    taken: set[int] = set()
    for module in _modules(name):
        for path, public in sorted(_public(module.__name__, vars(module))):
            if getattr(public, "__module__", None) == module.__name__ and id(public) not in taken:
                taken.add(id(public))
                found.update(_callables(path, public))
    return found


def _modules(name: str) -> Iterator[types.ModuleType]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # modules that are deprecated say so when imported
        try:
            module = importlib.import_module(name)
        except ImportError:  # of another platform
            return
    yield module
    for below in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{name}."):
        last = below.name.rpartition(".")[2]
        if not last.startswith("_") and last not in _NOT_FOR_USERS:
            yield from _modules(below.name)


def _public(prefix: str, namespace: Any) -> Iterator[tuple[str, Any]]:
    return ((f"{prefix}.{name}", value) for name, value in list(namespace.items()) if not name.startswith("_"))


def _callables(path: str, public: Any) -> Iterator[tuple[str, AnyCallable]]:
    if not callable(public):
        return
    yield path, public
    if isinstance(public, type):
        for name, attribute in _public(path, vars(public)):
            if isinstance(attribute, types.FunctionType):
                yield name, types.MethodType(attribute, _STAND_IN)
            elif isinstance(attribute, (classmethod, staticmethod)):
                yield name, attribute.__get__(None, public)
