"""AWS Bedrock, Converse API.

Source: AWS page and botocore's service model, documented; bounds by a live probe of 2026, reported.
"""

from typing import Any

from .._json_schema import Schema
from .dialect import Dialect, Form
from .facts import BEDROCK_LOOSE, BEDROCK_STRICT, BEDROCK_TOOLS
from .payloads import described
from .rules import JSON_SCHEMA, STRICT


def payload(name: str, description: str | None, parameters: Schema, strict: bool) -> dict[str, Any]:
    """One element of `toolConfig.tools`."""
    flag = {"strict": True} if strict else {}
    return {"toolSpec": {"name": name, **described(description), "inputSchema": {"json": parameters}, **flag}}


DIALECT = Dialect(
    name="bedrock",
    strictness="on request",
    strict=Form(BEDROCK_STRICT, STRICT),
    loose=Form(BEDROCK_LOOSE, JSON_SCHEMA),
    tools=BEDROCK_TOOLS,
    payload=payload,
)
