"""OpenAI, Chat Completions.

Source: guides "Structured Outputs" and "Function calling", documented; the refusals beyond them are reported.
"""

from .dialect import Dialect, Form
from .facts import OPENAI_LOOSE, OPENAI_STRICT, OPENAI_TOOLS
from .payloads import chat
from .rules import STRICT
from .rules.arrays import arrays_have_items, tuple_order_told, tuples_as_lists
from .rules.keywords import patterns_plain, titles_left_out
from .rules.references import references_wrapped, root_reference_replaced
from .rules.unions import discriminators_required, one_of_as_any_of

LOOSE = Form(
    OPENAI_LOOSE,
    (
        root_reference_replaced,
        discriminators_required,
        patterns_plain,
        one_of_as_any_of,
        tuple_order_told,
        tuples_as_lists,
        arrays_have_items,
        titles_left_out,
        references_wrapped,
    ),
)

DIALECT = Dialect(
    name="openai",
    strictness="by nature",
    strict=Form(OPENAI_STRICT, STRICT),
    loose=LOOSE,
    tools=OPENAI_TOOLS,
    payload=chat,
)
