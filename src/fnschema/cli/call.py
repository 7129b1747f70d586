"""``fnschema call``: what happens when a language model calls a tool with these arguments."""

from __future__ import annotations

import contextlib
import sys
import traceback
from typing import Any

import click

from .._results import render
from .._tool import FunctionTool
from ..errors import ArgumentsError
from .target import Target, only_tool

__all__ = ["call"]


@click.command(short_help="Validate arguments and call a tool.")
@click.argument("target", type=Target.parse)
@click.argument("arguments", metavar="JSON")
def call(target: Target, arguments: str) -> None:
    """Validate the arguments as if a model had sent them, call the tool, print its result.

    JSON is an object such as '{"city": "Paris"}'; a single dash reads it from stdin.

    Text is printed as it is, any other result as JSON. What the tool itself prints goes to stderr. The exit code is 1
    when the arguments are refused or the function raises.
    """
    tool = only_tool(target)
    click.echo(_answer(tool, sys.stdin.buffer.read() if arguments == "-" else arguments))


def _answer(tool: FunctionTool[..., Any], arguments: str | bytes) -> str:
    try:
        with contextlib.redirect_stdout(sys.stderr):
            return render(tool.call(arguments))
    except ArgumentsError as error:
        raise click.ClickException(str(error)) from error
    except Exception as error:  # whatever the user's function raises is told in one line
        raise click.ClickException(f"{tool.name} raised {_raised(error)}") from error


def _raised(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{traceback.format_exception_only(error)[-1].strip()} ({last.filename}, line {last.lineno})"
