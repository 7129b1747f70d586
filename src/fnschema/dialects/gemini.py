"""Google Gemini, `parametersJsonSchema`.

Source: REST reference as repeated in google-genai 3.6.1, documented.

What the tool side ignores is not documented apart from what responses ignore.
"""

from typing import Any

from .._json_schema import Schema
from .dialect import Dialect, Form
from .facts import GEMINI_JSON, GEMINI_TOOLS
from .payloads import described
from .rules import LISTED_KEYWORDS


def payload(name: str, description: str | None, parameters: Schema, strict: bool) -> dict[str, Any]:
    """`FunctionDeclaration`."""
    return {"name": name, **described(description), "parametersJsonSchema": parameters}


DIALECT = Dialect(
    name="gemini",
    strictness="never",
    strict=None,
    loose=Form(GEMINI_JSON, LISTED_KEYWORDS),
    tools=GEMINI_TOOLS,
    payload=payload,
)
