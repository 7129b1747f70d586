"""Rules about pydantic's own validators in Python: what they raise is the argument's fault, whatever its kind."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

from pydantic_core import PydanticCustomError, PydanticOmit, PydanticUseDefault

from .._core_schema import Node
from .rule import OWN, Rules

__all__ = ["function"]

_MEANT = (ValueError, AssertionError, PydanticOmit, PydanticUseDefault)  # what pydantic-core takes from a validator


def function(rules: Rules, node: Node) -> Node:
    """A path that is too long for the file system, a pattern too large for `re`, a name that cannot be imported.

    Such an `OSError`, `OverflowError` or `TypeError` would pass through pydantic. A user's own function is left alone:
    what it raises may be a fault of the program.
    """
    validator = node["function"]["function"]
    if not (getattr(validator, "__module__", None) or "").startswith("pydantic."):
        return node
    return {**node, "function": {**node["function"], "function": _guarded(validator)}}


def _guarded(validator: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(validator)
    def validate(value: Any, *info: Any) -> Any:
        try:
            return validator(value, *info)
        except _MEANT:
            raise
        except Exception as error:  # noqa: BLE001 - of a module that is imported, any
            raise PydanticCustomError(f"{OWN}invalid", "is not valid{why}", {"why": _why(error)}) from None

    return validate


def _why(error: Exception) -> str:
    """What the system says of the error; its own text holds the path."""
    return f": {os.strerror(error.errno)}" if isinstance(error, OSError) and error.errno else ""
