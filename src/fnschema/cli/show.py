"""``fnschema show``: the tools of a target as a language model sees them."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import click

from .. import dialects
from .._json_schema import Schema
from .._tool import FunctionTool
from .._views import rows
from ..dialects import Strict
from ..errors import UserError
from .strictness import asked, strict_in, strict_options
from .target import Found, Target, TargetError, find_tools, gather

__all__ = ["show"]

_DEFAULT = "openai"
_NOTHING: Mapping[str, Sequence[str]] = MappingProxyType({})
_MISSING = "What is refused is missing from the output."
_NOTHING_PRINTED = "Nothing is printed, since an array without what is refused would pass for all tools."
_WIDEST_PARAMETER = 32  # characters; the description of a longer one begins on the next line


@click.command(short_help="Print tools as a model sees them.")
@click.argument("target", type=Target.parse)
@click.option(
    "--dialect",
    metavar="NAME",
    multiple=True,
    type=click.Choice(dialects.names()),
    help=f"What a provider gets, what was changed for it and why; once for each of {', '.join(dialects.names())}.",
)
@strict_options
@click.option("--json", "as_json", is_flag=True, help="Print the definition: an object, or an array of them.")
def show(target: Target, dialect: tuple[str, ...], strict: bool | None, if_possible: bool, as_json: bool) -> None:
    """Print the tools of TARGET: every one of the module, or the one named.

    A module's tools are those made with function_tool and the functions of its agents; where there are none, its own
    public functions. The exit code is 1 when one of them is refused; --json then prints nothing.
    """
    names = list(dict.fromkeys(dialect)) or [_DEFAULT]
    wanted = asked(strict, if_possible=if_possible)
    if as_json and len(names) > 1:
        raise click.UsageError("--json prints the definitions for one provider. Give one --dialect.")
    found = _found(target)
    shown: tuple[str, ...] = ()
    if as_json:
        only = names[0]
        definitions, refusals = gather(lambda tool: tool.definition(only, strict=strict_in(only, wanted)), found.tools)
        if not (found.refusals or refusals):
            shown = (_json(definitions[0] if found.is_one else definitions),)
    elif dialect or wanted is not None:
        both = [(tool, name) for tool in found.tools for name in names]
        shown, refusals = gather(lambda one: _definition(*one, strict_in(one[1], wanted)), both)
    else:
        shown, refusals = gather(_tree, found.tools)
    click.echo("\n".join(shown), nl=False)
    if missing := (*found.refusals, *refusals):
        consequence = _NOTHING_PRINTED if as_json else _MISSING
        raise click.ClickException("\n".join([*map(str, missing), *([] if found.is_one else [consequence])]))


def _found(target: Target) -> Found:
    """As `find_tools`; that what the target names cannot be a tool is no wrong use of the command line."""
    try:
        return find_tools(target)
    except TargetError:
        raise
    except UserError as error:
        raise click.ClickException(str(error)) from error


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _definition(tool: FunctionTool[..., Any], name: str, strict: Strict) -> str:
    """The tree of what the dialect publishes, below each parameter what was changed; then the definition itself."""
    definition = tool.definition(name, strict=strict)
    dialect, schema = dialects.get(name), tool.tool_schema
    reasons: dict[str, list[str]] = {}
    for change in dialect.changes(schema, strict=strict):
        if change.rule != "titles_left_out":  # of every parameter, and a tree has no titles
            reasons.setdefault(change.parameter, []).append(change.reason)
    mode = " (strict)" if dialect.is_strict(schema, strict) else ""
    page = _page(tool, f" for {name}{mode}", _lines(dialect.parameters(schema, strict=strict), reasons))
    warnings = [(problem.path, problem.reason) for problem in tool.problems(name, strict=strict)]
    if warnings:
        with page.section("Warnings"):
            page.write_dl(warnings, col_max=_WIDEST_PARAMETER)
    return f"{page.getvalue()}\n{_json(definition)}"


def _tree(tool: FunctionTool[..., Any]) -> str:
    """The tool's name and description, then a line for each parameter, below it one for each field of what it holds."""
    return _page(tool, "" if tool.strict_json_schema else " (not strict)", _lines(tool.params_json_schema)).getvalue()


def _page(tool: FunctionTool[..., Any], mode: str, lines: Sequence[tuple[str, str]]) -> click.HelpFormatter:
    page = click.HelpFormatter(max_width=100)
    page.write(f"{click.style(tool.name, bold=True)}{mode}\n")
    with page.indentation():
        if tool.description:
            page.write_text(tool.description)
        if lines:
            page.write_paragraph()
            page.write_dl([(_wrapped(first, page), second) for first, second in lines], col_max=_WIDEST_PARAMETER)
    return page


def _wrapped(signature: str, page: click.HelpFormatter) -> str:
    """A long signature on several lines, which `write_dl` does not make of its first column."""
    depth = len(signature) - len(signature.lstrip())
    lines = textwrap.wrap(
        signature,
        page.width - page.current_indent,
        subsequent_indent=" " * (depth + 4),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return f"\n{' ' * page.current_indent}".join(lines)


def _lines(schema: Schema, reasons: Mapping[str, Sequence[str]] = _NOTHING) -> list[tuple[str, str]]:
    """A line for each parameter and field; below a parameter, one for each reason why it was changed."""
    lines: list[tuple[str, str]] = []
    for row in rows(schema):
        lines.append((f"{'  ' * row.depth}{row.signature}", row.description))
        lines += [("", f"~ {reason}") for reason in (reasons.get(row.name, ()) if row.depth == 0 else ())]
    return lines
