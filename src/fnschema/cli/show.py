"""``fnschema show``: the tools of a target as a language model sees them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import click

from .._tool import FunctionTool
from .target import Target, TargetError, find_tools

__all__ = ["show"]

_WIDEST_PARAMETER = 32  # characters; the description of a longer one begins on the next line


@click.command(short_help="Print tools as a model sees them.")
@click.argument("target", type=Target.parse)
@click.option("--json", "as_json", is_flag=True, help="Print the definition: an object, or an array of them.")
def show(target: Target, as_json: bool) -> None:
    """Print the tools of TARGET: every one of the module, or the one named.

    A module's tools are those made with function_tool; where there are none, its own public functions.
    """
    found = find_tools(target)
    if as_json:
        definitions = [tool.definition() for tool in found.tools]
        click.echo(_json(definitions[0] if target.name else definitions))
    else:
        click.echo("\n".join(_table(tool) for tool in found.tools), nl=False)
    if found.refusals:
        raise TargetError("\n".join(map(str, found.refusals)))


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


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
