"""Azure OpenAI: OpenAI's rules without bounds, patterns and formats, and with smaller limits.

Source: Azure's page on structured outputs, documented; the service may take more than its page says. With strict tools
a request must say `parallel_tool_calls: false`.
"""

from .dialect import Dialect, Form
from .facts import AZURE_STRICT, OPENAI_TOOLS
from .openai import LOOSE
from .payloads import chat
from .rules import STRICT

DIALECT = Dialect(
    name="azure",
    strictness="by nature",
    strict=Form(AZURE_STRICT, STRICT),
    loose=LOOSE,
    tools=OPENAI_TOOLS,
    payload=chat,
)
