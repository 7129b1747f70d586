"""``fnschema show``: the tools of a target as a language model sees them."""

from __future__ import annotations

import json
from typing import Any

import click

from .. import dialects
from .._tool import FunctionTool
from .._views import rows
from .target import Target, TargetError, find_tools, gather

__all__ = ["show"]

_WIDEST_PARAMETER = 32  # characters; the description of a longer one begins on the next line


@click.command(short_help="Print tools as a model sees them.")
@click.argument("target", type=Target.parse)
@click.option(
    "--dialect",
    metavar="NAME",
    type=click.Choice(dialects.names()),
    help=f"Print the definition for a provider, and what was changed for it and why: {', '.join(dialects.names())}.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the definition: an object, or an array of them.")
def show(target: Target, dialect: str | None, as_json: bool) -> None:
    """Print the tools of TARGET: every one of the module, or the one named.

    A module's tools are those made with function_tool and the functions of its agents; where there are none, its own
    public functions.
    """
    found = find_tools(target)
    shown: tuple[str, ...] = ()
    if as_json:
        definitions, refusals = gather(lambda tool: tool.definition(dialect or "openai"), found.tools)
        if definitions:
            shown = (_json(definitions[0] if found.is_one else definitions),)
    else:
        shown, refusals = gather(lambda tool: _definition(tool, dialect) if dialect else _tree(tool), found.tools)
    click.echo("\n".join(shown), nl=False)
    if found.refusals or refusals:
        raise TargetError("\n".join(map(str, (*found.refusals, *refusals))))


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _definition(tool: FunctionTool[..., Any], dialect: str) -> str:
    """The definition, then a line for each parameter that the dialect changed, then what it warns of."""
    reasons: dict[str, list[str]] = {name: [] for name in tool.params_json_schema.get("properties", ())}
    for change in dialects.get(dialect).changes(tool.tool_schema):
        reasons.setdefault(change.parameter, []).append(change.reason)
    warnings = [(problem.path, problem.reason) for problem in tool.problems(dialect)]
    page = click.HelpFormatter(max_width=100)
    page.write(f"{click.style(tool.name, bold=True)} for {dialect}\n{_json(tool.definition(dialect))}")
    for title, lines in (
        ("Changed", [(name, " ".join(texts)) for name, texts in reasons.items() if texts]),
        ("Warnings", warnings),
    ):
        if lines:
            with page.section(title):
                page.write_dl(lines, col_max=_WIDEST_PARAMETER)
    return page.getvalue()


def _tree(tool: FunctionTool[..., Any]) -> str:
    """The tool's name and description, then a line for each parameter, below it one for each field of what it holds."""
    page = click.HelpFormatter(max_width=100)
    page.write(f"{click.style(tool.name, bold=True)}{'' if tool.strict_json_schema else ' (not strict)'}\n")
    with page.indentation():
        if tool.description:
            page.write_text(tool.description)
        lines = [(f"{'  ' * row.depth}{row.signature}", row.description) for row in rows(tool.params_json_schema)]
        if lines:
            page.write_paragraph()
            page.write_dl(lines, col_max=_WIDEST_PARAMETER)
    return page.getvalue()
