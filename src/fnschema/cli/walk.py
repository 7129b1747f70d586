"""TARGETs of `fnschema check` → the modules to be looked at; a package or a folder stands for all of its own.

Nothing is imported on the way but what is above a dotted name, so that each module can fail by itself.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .target import Target, TargetError, search_first

__all__ = ["Source", "sources"]

# Importing these does something else than to define tools.
_NO_TOOLS = ("conftest", "noxfile", "setup", "tests")


@dataclass(frozen=True, slots=True)
class Source:
    """A module that is to be looked at.

    Attributes:
        target: the module, and what of it.
        file: where it is written.
    """

    target: Target
    file: Path

    @property
    def is_package(self) -> bool:
        return self.file.stem == "__init__"


def sources(target: Target) -> Iterator[Source]:
    """The modules that a target stands for, in alphabetical order, a package before what is in it.

    Of a package or a folder these are the public ones: a name that begins with an underscore or a dot is left out with
    all below it, and so are tests, ``conftest.py``, ``noxfile.py`` and ``setup.py``.

    Raises:
        TargetError: there is no such module, file or folder.
    """
    path = Path(target.place)
    if target.name is None and path.is_dir():
        yield from (Source(Target(str(file)), file) for file in _files(path))
    elif target.is_file:
        if not path.is_file():
            raise TargetError(f"Cannot check {target.place}: there is no such file or folder.")
        yield Source(target, path)
    else:
        yield from _modules(target)


def _modules(target: Target) -> Iterator[Source]:
    name = target.place
    search_first(Path.cwd())
    try:
        spec = importlib.util.find_spec(name) if all(map(str.isidentifier, name.split("."))) else None
    except ModuleNotFoundError:
        spec = None
    if spec is None:
        raise TargetError(f"Cannot check {name!r}: there is no module, file or folder of that name.")
    if target.name or not spec.submodule_search_locations:
        yield Source(target, Path(spec.origin or name))
        return
    for folder in map(Path, spec.submodule_search_locations):
        for file in _files(folder):
            below = file.relative_to(folder).with_suffix("").parts
            parts = below[:-1] if below[-1] == "__init__" else below
            yield Source(Target(".".join((name, *parts))), file)


def _files(folder: Path) -> list[Path]:
    public = (file for file in folder.rglob("*.py") if _is_public(file.relative_to(folder)))
    return sorted(public, key=lambda file: (file.parent, file.stem != "__init__", file))


def _is_public(file: Path) -> bool:
    names = [*file.parent.parts, *([] if file.stem == "__init__" else [file.stem])]
    return all(name.isidentifier() and not name.startswith(("_", "test_")) and name not in _NO_TOOLS for name in names)
