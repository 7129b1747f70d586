"""A server's tool as a `FunctionTool`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import mcp_types as types
from pydantic import BaseModel

from .. import dialects
from .._function_schema import FuncSchema, OpenObjects
from .._json_schema import Schema
from .._strict_schema import strict_parameters
from .._tool import FunctionTool, ToolAnnotations
from ..dialects import ToolSchema
from .connection import Connection
from .foreign import arguments_model, readable
from .meta import Said

__all__ = ["server_tool"]

_LONGEST_DESCRIPTION = 10_000  # characters


def server_tool(
    connection: Connection, tool: types.Tool, name: str, open_objects: OpenObjects, timeout: float | None
) -> FunctionTool[..., Any]:
    """A tool of a server.

    Args:
        connection: to the server.
        tool: as it is listed; its schema is sound.
        name: ours of it.
        open_objects, timeout: as `function_tool` has them.
    """
    schema = _schema(tool, name, open_objects)
    return _ServerTool(
        name=name,
        description=schema.description or "",
        params_json_schema=schema.params_json_schema,
        on_invoke_tool=cast("Any", FunctionTool._answer),  # pyright: ignore[reportPrivateUsage]
        strict_json_schema=schema.strict_json_schema,
        timeout=timeout,
        schema=schema,
        function=functools.partial(connection.call, tool.name, name),
        annotations=_annotations(tool),
        output=tool.output_schema,
    )


class _ServerSchema(FuncSchema):
    """The schema of a server's tool: the arguments are one dict, which is sent."""

    def bind(
        self, arguments: Any, context: object = None, injected: Mapping[str, Any] | None = None
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        return self.to_call_args(self.validate(arguments))

    def to_call_args(self, data: BaseModel) -> tuple[list[Any], dict[str, Any]]:
        return [cast("Any", data).root], {}


@dataclass(repr=False, eq=False)
class _ServerTool(FunctionTool[..., Any]):
    """A server's tool.

    Attributes:
        output: the schema of the structured content, as the server says.
    """

    output: Schema | None = field(default=None, kw_only=True)

    @property
    def output_json_schema(self) -> Schema | None:
        return self.output


def _schema(tool: types.Tool, name: str, open_objects: OpenObjects) -> FuncSchema:
    said = Said.read(tool.meta)
    open_objects = said.open_objects if said.open_objects == "entries" else open_objects
    published = readable(said.schema or tool.input_schema)
    subject = f"tool {name!r} of the MCP server"
    is_strict = said.strict and _can_be_strict(name, published, open_objects)
    schema = _ServerSchema(
        name=name,
        description=_cut(tool.description or "") or None,
        params_pydantic_model=arguments_model(name, published),
        params_json_schema=(
            strict_parameters(published, subject=subject, open_objects=open_objects) if is_strict else published
        ),
        signature=inspect.Signature([inspect.Parameter("arguments", inspect.Parameter.POSITIONAL_ONLY)]),
        strict_json_schema=is_strict,
    )
    schema.policy = schema.policy._replace(
        subject=subject,
        open_objects=open_objects,
        unknown_arguments=said.unknown_arguments,
    )
    return schema


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_DESCRIPTION else text[: _LONGEST_DESCRIPTION - 1] + "…"


def _can_be_strict(name: str, schema: Schema, open_objects: OpenObjects) -> bool:
    if _is_open_root(schema):
        return False
    asked = ToolSchema(name, None, schema, open_objects=open_objects)
    return not any(problem.severity == "error" for problem in dialects.get("openai").problems(asked))


def _is_open_root(schema: Schema) -> bool:
    return schema.get("additionalProperties", False) is not False or "patternProperties" in schema


def _annotations(tool: types.Tool) -> ToolAnnotations | None:
    hints = tool.annotations or types.ToolAnnotations()
    said = {
        "title": tool.title or hints.title,
        "readOnly": hints.read_only_hint,
        "destructive": hints.destructive_hint,
        "idempotent": hints.idempotent_hint,
        "openWorld": hints.open_world_hint,
    }
    return cast("ToolAnnotations", {key: value for key, value in said.items() if value is not None}) or None
