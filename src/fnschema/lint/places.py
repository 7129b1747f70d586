"""Where a function is written."""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from typing import Any

__all__ = ["Place", "place_of"]

_BEGINNINGS = ("def ", "async def ", "class ")


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file.

    Attributes:
        file: its path.
        line: from 1.
    """

    file: str
    line: int = 1


def place_of(function: Any, module: Place) -> Place:
    """The line on which a function begins, below its decorators.

    Args:
        function: any callable; of an object with `__call__` the line is its class's.
        module: what stands for a function that has no source, such as one of an extension.
    """
    written = _written(function)
    try:
        lines, first = inspect.getsourcelines(written)
        file = inspect.getsourcefile(written)
    except (OSError, TypeError):
        return module
    decorators = next((n for n, line in enumerate(lines) if line.lstrip().startswith(_BEGINNINGS)), 0)
    return Place(file, max(first, 1) + decorators) if file else module


def _written(function: Any) -> Any:
    while isinstance(function, functools.partial):
        function = function.func
    unwrapped = inspect.unwrap(function)
    has_source = inspect.isroutine(unwrapped) or isinstance(unwrapped, type)
    return unwrapped if has_source else type(unwrapped)
