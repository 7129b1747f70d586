"""Ollama, chat API: its Python client drops what its own `Tool` model lacks, so nothing else is sent.

Source: client 0.6.3, measured; lists of types, reported.
"""

from .dialect import Dialect, Form
from .facts import OLLAMA, ToolFacts
from .payloads import chat_with_strict_only
from .rules import LISTED_KEYWORDS
from .rules.arrays import arrays_have_items
from .rules.keywords import additional_properties_told
from .rules.objects import nested_objects_told
from .rules.references import references_inlined
from .rules.unions import unions_as_type_lists

DIALECT = Dialect(
    name="ollama",
    strictness="never",
    strict=None,
    loose=Form(
        OLLAMA,
        (
            references_inlined,
            *LISTED_KEYWORDS,
            unions_as_type_lists,
            arrays_have_items,
            additional_properties_told,
            nested_objects_told,
        ),
    ),
    tools=ToolFacts(),
    payload=chat_with_strict_only,
)
