"""The rules of each kind of dialect, in the order that loses least.

What can be said in another way is, and what is left goes into words.
"""

from .arrays import arrays_have_items, tuple_order_told, tuples_as_lists
from .formats import formats_narrowed
from .keywords import (
    annotations_left_out,
    keywords_told,
    patterns_plain,
    property_patterns_told,
    titles_left_out,
)
from .objects import optional_as_nullable
from .references import definitions_renamed, references_wrapped, root_reference_replaced
from .rule import DialectRule
from .unions import all_of_merged, discriminators_required, one_of_as_any_of, type_lists_as_unions
from .values import constants_as_enums, enums_told, enums_typed, exclusive_bounds_as_inclusive

__all__ = ["JSON_SCHEMA", "LISTED_KEYWORDS", "STRICT", "STRUCTURE", "WORDS"]

# For providers that take JSON Schema as it is.
JSON_SCHEMA: tuple[DialectRule, ...] = (
    root_reference_replaced,
    discriminators_required,
    patterns_plain,
    tuple_order_told,
    titles_left_out,
)

# What can be said in another way.
STRUCTURE: tuple[DialectRule, ...] = (
    definitions_renamed,
    root_reference_replaced,
    patterns_plain,
    discriminators_required,
    one_of_as_any_of,
    all_of_merged,
    tuple_order_told,
    tuples_as_lists,
    type_lists_as_unions,
    enums_typed,
    constants_as_enums,
    arrays_have_items,
)

# What is left goes into the description, or is left out.
WORDS: tuple[DialectRule, ...] = (
    enums_told,
    exclusive_bounds_as_inclusive,
    property_patterns_told,
    titles_left_out,
    keywords_told,
    references_wrapped,
    annotations_left_out,
)

# For providers that list the keywords they take.
LISTED_KEYWORDS: tuple[DialectRule, ...] = (*STRUCTURE, *WORDS)

# For strict modes.
STRICT: tuple[DialectRule, ...] = (*STRUCTURE, formats_narrowed, optional_as_nullable, *WORDS)
