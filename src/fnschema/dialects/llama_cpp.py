"""llama.cpp's server, chat API: the schema becomes a grammar, and what the grammar lacks is skipped or fails.

Source: grammars/README.md and json-schema-to-grammar, documented.
"""

from .dialect import Dialect, Form
from .facts import LLAMA_CPP, ToolFacts
from .payloads import chat_with_strict_only
from .rules import LISTED_KEYWORDS

DIALECT = Dialect(
    name="llama.cpp",
    strictness="never",
    strict=None,
    loose=Form(LLAMA_CPP, LISTED_KEYWORDS),
    tools=ToolFacts(),
    payload=chat_with_strict_only,
)
