"""``--strict``, ``--no-strict`` and ``--strict-if-possible``, as the commands have them that make definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from .. import dialects
from ..dialects import Strict

__all__ = ["asked", "strict_in", "strict_options"]

Command = TypeVar("Command", bound=Callable[..., Any])


def strict_options(command: Command) -> Command:
    """Give a command the arguments `strict` and `if_possible`."""
    possible = click.option("--strict-if-possible", "if_possible", is_flag=True, help="Strict where a tool can be.")
    either = click.option("--strict/--no-strict", default=None, help="Strict where the provider has it, or not.")
    return either(possible(command))


def asked(strict: bool | None, *, if_possible: bool) -> Strict:
    """What the options together ask for.

    Raises:
        click.UsageError: they contradict each other.
    """
    if if_possible and strict is not None:
        raise click.UsageError("--strict-if-possible says it alone. Leave out --strict and --no-strict.")
    return "if possible" if if_possible else strict


def strict_in(dialect: str, strict: Strict) -> Strict:
    """What is asked of one dialect: ``--strict``, said for several at once, asks nothing of one without such a mode."""
    return None if strict is True and dialects.get(dialect).strict is None else strict
