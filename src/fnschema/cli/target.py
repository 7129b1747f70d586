"""TARGET, as every command takes it: ``package.module[:name]`` or ``path/to/file.py[:name]``.

Loading a target runs the module, as `import` does. What the module prints meanwhile goes to stderr, because stdout
belongs to the command's own answer.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from .._tool import FunctionTool, is_tool, tool_of
from ..errors import UserError
from ..runner import Agent

__all__ = ["Found", "Target", "TargetError", "find_tools", "gather", "only_tool", "requests_of", "search_first"]

T = TypeVar("T")
R = TypeVar("R")


class TargetError(UserError):
    """The target is not there, cannot be imported, or holds nothing to work with."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a tool is.

    Attributes:
        place: a dotted module name, or the path of a ``.py`` file.
        name: an attribute of the module, dotted for a class's; `None` stands for all that the module offers.
    """

    place: str
    name: str | None = None

    @classmethod
    def parse(cls, text: str) -> Target:
        if text.endswith(".py"):  # also C:\tools.py, whose colon begins no name
            return cls(text)
        place, colon, name = text.rpartition(":")
        return cls(place, name) if colon and name else cls(text.removesuffix(":"))

    def __str__(self) -> str:
        return f"{self.place}:{self.name}" if self.name else self.place

    @property
    def is_file(self) -> bool:
        return self.place.endswith(".py") or os.sep in self.place

    def module(self) -> ModuleType:
        """Import the module.

        Raises:
            TargetError: there is no such file or module, or running it raised an exception.
        """
        with contextlib.redirect_stdout(sys.stderr):
            return _module_of_file(Path(self.place)) if self.is_file else _module_of_name(self.place)

    def named(self, module: ModuleType) -> Any:
        """The attribute of the module that `name` means.

        Raises:
            TargetError: there is no such attribute.
        """
        assert self.name is not None
        try:
            return attrgetter(self.name)(module)
        except AttributeError:
            known = ", ".join(name for name in vars(module) if not name.startswith("_"))
            there = f" It has {known}." if known else ""
            raise TargetError(f"Cannot find {self.name!r} in {self.place}.{there}") from None


@dataclass(frozen=True, slots=True)
class Found:
    """What a target holds.

    Attributes:
        tools: in the module's order.
        refusals: why the other functions of the module are not among them.
        is_one: whether the target names one function.
    """

    tools: tuple[FunctionTool[..., Any], ...]
    refusals: tuple[UserError, ...] = ()
    is_one: bool = False


def find_tools(target: Target, dialect: str | None = None) -> Found:
    """The tool that the target names, or every one that its module offers (`requests_of`).

    Args:
        target: where to look.
        dialect: plain functions that it cannot express as strict become tools that are not, as an agent makes them.

    Raises:
        TargetError: there is nothing of that name, or nothing at all.
        UserError: what the target names cannot be a tool.
    """
    module = target.module()
    if target.name and not isinstance(named := target.named(module), Agent):
        return Found((tool_of(named, dialect)[0],), is_one=True)
    functions = _unique(function for request in requests_of(target, module) for function in request)
    if not functions:
        raise TargetError(f"Cannot find a tool in {target}: it defines no public function.")
    return Found(*gather(lambda function: tool_of(function, dialect)[0], functions))


def requests_of(target: Target, module: ModuleType) -> list[list[Callable[..., Any]]]:
    """The functions that count as tools, those together that go into one request.

    What the target names is one, or an agent with its functions. A module offers the functions of its agents, and its
    tools; where it has neither, the public functions that it defines itself, less ``main``, which starts a program.

    Raises:
        TargetError: there is nothing of that name.
    """
    if target.name:
        named = target.named(module)
        return [list(named.functions) if isinstance(named, Agent) else [named]]
    public = [value for name, value in vars(module).items() if not name.startswith("_")]
    requests = [list(agent.functions) for agent in _unique(public) if isinstance(agent, Agent)]
    used = {id(function) for request in requests for function in request}
    tools: list[Callable[..., Any]] = [tool for tool in _unique(public) if is_tool(tool) and id(tool) not in used]
    if requests or tools:
        return [*requests, tools]
    functions = [value for value in public if inspect.isroutine(value) and value.__module__ == module.__name__]
    return [_unique(function for function in functions if function.__name__ != "main")]


def _unique(things: Iterable[T]) -> list[T]:
    """Each thing once, however many names it has."""
    return list({id(thing): thing for thing in things}.values())


def gather(make: Callable[[T], R], things: Iterable[T]) -> tuple[tuple[R, ...], tuple[UserError, ...]]:
    """What is made of each thing, and the errors of those of which nothing can be made."""
    made: list[R] = []
    refusals: list[UserError] = []
    for thing in things:
        try:
            made.append(make(thing))
        except UserError as error:
            refusals.append(error)
    return tuple(made), tuple(refusals)


def only_tool(target: Target) -> FunctionTool[..., Any]:
    """The one tool of the target.

    Raises:
        TargetError: there is none, or a choice of several.
        UserError: what the target names cannot be a tool.
    """
    found = find_tools(target)
    if not found.tools:
        raise found.refusals[0]
    first, *others = found.tools
    if others:
        names = ", ".join(tool.name for tool in found.tools)
        example = f"{target}:{first.name}"
        raise TargetError(f"Cannot choose a tool of {target}: it has {names}. Name one, as in {example}.")
    return first


def _module_of_name(name: str) -> ModuleType:
    if not all(part.isidentifier() for part in name.split(".")):
        raise TargetError(f"Cannot import {name!r}: it is neither a module's name nor the path of a .py file.")
    search_first(Path.cwd())  # as `python -m` does; a console script looks only beside itself
    with _import_failures(name):
        return importlib.import_module(name)


def _module_of_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise TargetError(f"Cannot import {path}: there is no such file.")
    if path.suffix != ".py":
        raise TargetError(f"Cannot import {path}: it is not a .py file.")
    path = path.resolve()
    root, name = _import_name(path)
    search_first(root)
    with _import_failures(str(path)):
        module = importlib.import_module(name)
        file = getattr(module, "__file__", None)  # a built-in module, such as time, has none
        return module if file and path.samefile(file) else _module_beside(name, path)


def _module_beside(name: str, path: Path) -> ModuleType:
    """A file whose name a loaded module has, such as calendar.py, which must not replace that module."""
    spec = importlib.util.spec_from_file_location(f"{name}_file", path)
    assert spec is not None  # as for every .py file
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _import_name(path: Path) -> tuple[Path, str]:
    """The folder to search and the dotted name; a file in a package keeps its relative imports."""
    parts = [] if path.stem == "__init__" else [path.stem]
    folder = path.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return folder, ".".join(parts)


def search_first(folder: Path) -> None:
    """Let imports look into the folder before anywhere else."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


@contextlib.contextmanager
def _import_failures(place: str) -> Generator[None]:
    """Turn whatever a foreign module raises while it runs into one line."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name and (place == error.name or place.startswith(error.name + ".")):
            raise TargetError(f"Cannot import {place}: there is no module {error.name!r}.") from error
        raise TargetError(f"Cannot import {place}: {str(error).rstrip('.')}. Install what it needs first.") from error
    except SystemExit as error:
        raise TargetError(f"Cannot import {place}: it exits when it is imported.") from error
    except Exception as error:  # any exception at all can come out of a foreign module
        raise TargetError(f"Cannot import {place}: {type(error).__name__}: {error}") from error
