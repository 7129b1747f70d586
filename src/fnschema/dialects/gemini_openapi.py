"""Google Gemini, `parameters`: a subset of OpenAPI's schemas without references, for the Live API and older models.

Source: REST reference as repeated in google-genai 3.6.1, documented; refusals measured with that SDK and reported.
"""

from typing import Any

from .._json_schema import Schema
from .dialect import Dialect, Form
from .facts import GEMINI_OPENAPI, GEMINI_TOOLS
from .payloads import described
from .rules import STRUCTURE, WORDS
from .rules.keywords import additional_properties_told
from .rules.references import references_inlined
from .rules.unions import null_branches_as_nullable
from .rules.values import number_enums_as_ranges


def payload(name: str, description: str | None, parameters: Schema, strict: bool) -> dict[str, Any]:
    """`FunctionDeclaration`; an object must have properties (reported), so without any the key is left out."""
    schema = {"parameters": parameters} if parameters.get("properties") else {}
    return {"name": name, **described(description), **schema}


DIALECT = Dialect(
    name="gemini-openapi",
    strictness="never",
    strict=None,
    loose=Form(
        GEMINI_OPENAPI,
        (
            references_inlined,
            *STRUCTURE,
            number_enums_as_ranges,
            *WORDS,
            null_branches_as_nullable,
            additional_properties_told,
        ),
    ),
    tools=GEMINI_TOOLS,
    payload=payload,
)
