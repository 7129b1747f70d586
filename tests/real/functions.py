"""The public callables of the standard library and of three documented libraries. They are collected, never called.

A method is bound to a stand-in: only its signature and its documentation are read.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import sys
import types
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from hypothesis import settings

from fnschema import DocstringStyle

__all__ = ["LIBRARIES", "AnyCallable", "Library", "is_thorough", "library_functions", "listed", "real_functions"]

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


def is_thorough() -> bool:
    """Whether to try everything, as the nox sessions do, and not only what fits into the gate of a change."""
    return settings.get_current_profile_name() == "full"


@functools.cache
def real_functions() -> dict[str, AnyCallable]:
    """Dotted name → callable: the standard library as far as this platform has it, and the libraries."""
    tops = sorted(name for name in sys.stdlib_module_names if not name.startswith("_") and name not in _NOT_IMPORTED)
    found = {name: function for top in tops for name, function in _found(top, methods=is_thorough())}
    for library in LIBRARIES:
        found |= library_functions(library)
    return found


@functools.cache
def library_functions(library: Library) -> dict[str, AnyCallable]:
    """Dotted name → function, class or method, of every public module of the library, each where it is defined."""
    return dict(_found(library.name, methods=True))


def listed(offenders: Iterable[str]) -> str:
    """Offenders as the text of an assertion, the first of them if they are many."""
    lines = list(offenders)
    more = [f"… and {len(lines) - 40} more"] if len(lines) > 40 else []
    return "\n".join([f"{len(lines)} offenders:", *lines[:40], *more])


def _found(name: str, *, methods: bool) -> Iterator[tuple[str, AnyCallable]]:
    taken: set[int] = set()
    for module in _modules(name):
        for path, public in sorted(_public(module.__name__, vars(module)), key=itemgetter(0)):
            is_at_home = getattr(public, "__module__", None) == module.__name__
            if is_at_home and callable(public) and id(public) not in taken:
                taken.add(id(public))
                yield path, public
                if methods and isinstance(public, type):
                    yield from _methods(path, public)


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


def _methods(path: str, owner: type) -> Iterator[tuple[str, AnyCallable]]:
    for name, attribute in _public(path, vars(owner)):
        if isinstance(attribute, types.FunctionType):
            yield name, types.MethodType(attribute, _STAND_IN)
        elif isinstance(attribute, (classmethod, staticmethod)):
            yield name, attribute.__get__(None, owner)
