"""xAI, chat API: always strict, whatever the flag says, and closed unless a schema says otherwise.

Source: xAI's page by two public digests, documented.
"""

from .dialect import Dialect, Form
from .facts import XAI_LOOSE, XAI_STRICT, ToolFacts
from .payloads import chat_with_strict_only
from .rules import LISTED_KEYWORDS, STRICT

DIALECT = Dialect(
    name="xai",
    strictness="by nature",
    strict=Form(XAI_STRICT, STRICT),
    loose=Form(XAI_LOOSE, LISTED_KEYWORDS),
    tools=ToolFacts(),
    payload=chat_with_strict_only,
)
