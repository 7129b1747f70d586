"""Mistral, chat API.

Source: SDK 3.7.0 has `function.strict` (documented); which keywords strict takes is not published, so what every strict
mode takes is used (unverified). Names: reported.
"""

from .dialect import Dialect, Form
from .facts import STRICT_EVERYWHERE, ToolFacts
from .openai import LOOSE
from .payloads import chat
from .rules import STRICT

DIALECT = Dialect(
    name="mistral",
    strictness="by nature",
    strict=Form(STRICT_EVERYWHERE, STRICT),
    loose=LOOSE,
    tools=ToolFacts(),
    payload=chat,
)
