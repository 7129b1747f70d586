"""Rules that rewrite a schema so that a provider takes it, one module a part of JSON Schema.

Nothing is imported until it is asked for: of two threads, one that begins with this package and one with a module of
it, each would wait for the other, and Python would then give one of them half a module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._lazy import lazy_names

if TYPE_CHECKING:
    from .order import JSON_SCHEMA, LISTED_KEYWORDS, STRICT, STRUCTURE, WORDS

__all__ = ["JSON_SCHEMA", "LISTED_KEYWORDS", "STRICT", "STRUCTURE", "WORDS"]

__getattr__ = lazy_names(__name__, globals(), dict.fromkeys(__all__, "order"))
