"""What a tool's `_meta` says to fnschema on the other side: whatever its schema for MCP does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from .. import dialects
from .._json_schema import Schema, is_object
from ..dialects import ToolSchema
from ..errors import UserError
from .foreign import readable

__all__ = ["Said"]

_KEY = "fnschema"
# Dialects that write a schema in another way from the others: in words, without references.
_TELLING = ("openai", "gemini-openapi", "ollama")


@dataclass(frozen=True, slots=True)
class Said:
    """What is said beside the schema.

    Attributes:
        schema: of the arguments, as dialects start from it; `None` is the published one.
        strict, open_objects, unknown_arguments: as `function_tool` has them.
    """

    schema: Schema | None = None
    strict: bool = True
    open_objects: Literal["reject", "entries"] = "reject"
    unknown_arguments: Literal["refuse", "ignore"] = "refuse"

    @classmethod
    def of(cls, tool: ToolSchema, published: Schema) -> Said:
        """What has to be said of a tool so that `tools_from_mcp` makes the same definitions for every provider."""
        read = replace(tool, schema=readable(published))
        told = all(_parameters(read, name) == _parameters(tool, name) for name in _TELLING)
        schema = None if told else tool.schema
        return cls(schema, tool.strict, tool.open_objects, "refuse" if tool.closed else "ignore")

    @classmethod
    def read(cls, meta: Mapping[str, Any] | None) -> Said:
        """What somebody says; nothing where it makes no sense."""
        said = (meta or {}).get(_KEY)
        said = said if is_object(said) else {}
        schema = said.get("schema")
        return cls(
            schema if is_object(schema) else None,
            said.get("strict") is not False,
            "entries" if said.get("openObjects") == "entries" else "reject",
            "ignore" if said.get("unknownArguments") == "ignore" else "refuse",
        )

    def written(self) -> dict[str, Any] | None:
        """The `_meta` of a tool; `None` where there is nothing to say."""
        said = {
            "schema": self.schema,
            "strict": None if self.strict else False,
            "openObjects": None if self.open_objects == "reject" else self.open_objects,
            "unknownArguments": None if self.unknown_arguments == "refuse" else self.unknown_arguments,
        }
        kept = {key: value for key, value in said.items() if value is not None}
        return {_KEY: kept} if kept else None


def _parameters(tool: ToolSchema, dialect: str) -> Schema | None:
    try:
        return dialects.get(dialect).parameters(tool)
    except UserError:  # written out without references it is too large
        return None
