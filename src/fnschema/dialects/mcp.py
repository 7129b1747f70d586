"""The Model Context Protocol, `Tool` of `tools/list`: JSON Schema 2020-12 nearly as it is.

Source: specification 2025-11-25 and 2026-07-28, documented.
"""

from typing import Any

from .._json_schema import Schema
from .dialect import Dialect, Form
from .facts import MCP, MCP_TOOLS
from .payloads import described
from .rules import JSON_SCHEMA


def payload(name: str, description: str | None, parameters: Schema, strict: bool) -> dict[str, Any]:
    """`Tool`."""
    return {"name": name, **described(description), "inputSchema": parameters}


DIALECT = Dialect(
    name="mcp",
    strictness="never",
    strict=None,
    loose=Form(MCP, JSON_SCHEMA),
    tools=MCP_TOOLS,
    payload=payload,
)
