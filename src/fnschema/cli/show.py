"""``fnschema show``: the tools of a target as a language model sees them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import click

from .. import dialects
from .._tool import FunctionTool
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
        shown, refusals = gather(lambda tool: _definition(tool, dialect) if dialect else _table(tool), found.tools)
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
    for title, rows in (
        ("Changed", [(name, " ".join(texts)) for name, texts in reasons.items() if texts]),
        ("Warnings", warnings),
    ):
        if rows:
            with page.section(title):
                page.write_dl(rows, col_max=_WIDEST_PARAMETER)
    return page.getvalue()


def _table(tool: FunctionTool[..., Any]) -> str:
    """The tool's name and description, then a line for each parameter, then one for each field of the named types."""
    page = click.HelpFormatter(max_width=100)
    schema = tool.params_json_schema
    page.write(f"{click.style(tool.name, bold=True)}{'' if tool.strict_json_schema else ' (not strict)'}\n")
    with page.indentation():
        if tool.description:
            page.write_text(tool.description)
        _write_properties(page, schema, schema)
        for name, definition in schema.get("$defs", {}).items():
            if "properties" in definition:
                page.write_paragraph()
                page.write_text(f"{name}: {definition.get('description', 'object')}")
                with page.indentation():
                    _write_properties(page, definition, schema)
    return page.getvalue()


def _write_properties(page: click.HelpFormatter, schema: Mapping[str, Any], root: Mapping[str, Any]) -> None:
    rows = [
        (f"{name}: {_type(property_, root)}{_default(property_)}", property_.get("description", ""))
        for name, property_ in schema.get("properties", {}).items()
    ]
    if rows:
        page.write_paragraph()
        page.write_dl(rows, col_max=_WIDEST_PARAMETER)


def _default(schema: Mapping[str, Any]) -> str:
    return f" = {json.dumps(schema['default'], ensure_ascii=False)}" if "default" in schema else ""


def _type(schema: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    """A JSON Schema in a few words: ``integer``, ``array of string``, ``"a" | "b"``, the name of an object."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        target = root.get("$defs", {}).get(name, {})
        return _type(target, root) if "enum" in target or "const" in target else name
    if "const" in schema:
        return json.dumps(schema["const"], ensure_ascii=False)
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    for union in ("anyOf", "oneOf", "allOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(_type(branch, root) for branch in schema[union]))
    kind = schema.get("type", "any")
    if kind == "array" and schema.get("items"):
        return f"array of {_type(schema['items'], root)}"
    return kind if isinstance(kind, str) else " | ".join(kind)
