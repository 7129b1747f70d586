"""Anthropic, Messages API.

Source: guides "Structured outputs", "Strict tool use" and "Define tools", documented; property names reported. Strict
tools are few in a request, so they are strict on request only. The case of enum strings is not promised.
"""

from typing import Any

from .._json_schema import Schema
from .dialect import Dialect, Form
from .facts import ANTHROPIC_LOOSE, ANTHROPIC_STRICT, ANTHROPIC_TOOLS
from .payloads import described
from .rules import JSON_SCHEMA, STRICT


def payload(name: str, description: str | None, parameters: Schema, strict: bool) -> dict[str, Any]:
    """`ToolParam`."""
    flag = {"strict": True} if strict else {}
    return {"name": name, **described(description), "input_schema": parameters, **flag}


DIALECT = Dialect(
    name="anthropic",
    strictness="on request",
    strict=Form(ANTHROPIC_STRICT, STRICT),
    loose=Form(ANTHROPIC_LOOSE, JSON_SCHEMA),
    tools=ANTHROPIC_TOOLS,
    payload=payload,
)
