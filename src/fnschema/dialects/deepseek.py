"""DeepSeek, chat API; strict tools need the base URL of its beta, where every tool must be strict.

Source: DeepSeek's page, documented; references in unions and empty objects by rig-core 0.46, reported.
"""

from .dialect import Dialect, Form
from .facts import DEEPSEEK_STRICT, ToolFacts
from .openai import LOOSE
from .payloads import chat_with_strict_only
from .rules import STRICT
from .rules.references import union_references_inlined

DIALECT = Dialect(
    name="deepseek",
    strictness="by nature",
    strict=Form(DEEPSEEK_STRICT, (*STRICT, union_references_inlined)),
    loose=LOOSE,
    tools=ToolFacts(),
    payload=chat_with_strict_only,
)
