"""OpenAI, Responses API: flat, and `strict` must be said, since leaving it out means "try".

Source: `FunctionToolParam` of OpenAI's API specification, documented.
"""

from typing import Any

from .._json_schema import Schema
from .dialect import Dialect, Form
from .facts import OPENAI_RESPONSES_TOOLS, OPENAI_STRICT
from .openai import LOOSE
from .payloads import described
from .rules import STRICT


def payload(name: str, description: str | None, parameters: Schema, strict: bool) -> dict[str, Any]:
    """`FunctionToolParam`."""
    return {"type": "function", "name": name, **described(description), "parameters": parameters, "strict": strict}


DIALECT = Dialect(
    name="openai-responses",
    strictness="by nature",
    strict=Form(OPENAI_STRICT, STRICT),
    loose=LOOSE,
    tools=OPENAI_RESPONSES_TOOLS,
    payload=payload,
)
