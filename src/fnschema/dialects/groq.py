"""Groq, chat API.

Source: SDK type and page on structured outputs, documented: closed objects, all required. Which keywords its tools take
is not published, so what every strict mode takes is used (unverified).
"""

from .dialect import Dialect, Form
from .facts import STRICT_EVERYWHERE, ToolFacts
from .openai import LOOSE
from .payloads import chat
from .rules import STRICT

DIALECT = Dialect(
    name="groq",
    strictness="by nature",
    strict=Form(STRICT_EVERYWHERE, STRICT),
    loose=LOOSE,
    tools=ToolFacts(),
    payload=chat,
)
