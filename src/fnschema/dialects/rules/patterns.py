"""Which regular expressions a provider compiles, told from their text."""

from __future__ import annotations

import re

from ..facts import PatternSyntax

__all__ = ["has_look_around", "is_taken", "plain"]

_ESCAPE_OR_CLASS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_LOOK_AROUND = re.compile(r"\(\?<?[=!]")
_GREAT_COUNT = re.compile(r"\{(?:\d*,)?\d{3,}\}|\{\d{3,},")  # Anthropic: no "big {n,m}"; the guide gives no number

# Patterns of pydantic's own, by their beginnings, and what they mean: a Decimal up to 2.13, whose end only counts
# digits; a ByteSize, which takes any word for a unit and then refuses most.
_PYDANTIC_PATTERNS = {
    r"^(?!^[-+.]*$)[+-]?0*": r"^[+-]?([0-9]{1,28}(\.[0-9]{0,28})?|\.[0-9]{1,28})$",
    r"^\s*(\d*\.?\d+)\s*(\w+)?": "^[0-9]{1,9}(b|B|[KMGTPE]i?[Bb])?$",
}


def has_look_around(pattern: str) -> bool:
    """Whether the pattern looks ahead or behind; an escaped parenthesis or one in a class does not."""
    return bool(_LOOK_AROUND.search(_ESCAPE_OR_CLASS.sub("", pattern)))


def plain(pattern: str) -> str:
    """A pattern of pydantic's own as what it means, in plain syntax; those of authors as they are."""
    return next((ours for theirs, ours in _PYDANTIC_PATTERNS.items() if pattern.startswith(theirs)), pattern)


def is_taken(pattern: str, syntax: PatternSyntax) -> bool:
    return {"any": _is_any, "python": _is_python, "simple": _is_simple, "anchored": _is_anchored}[syntax](pattern)


def _is_any(pattern: str) -> bool:
    return True


def _is_python(pattern: str) -> bool:
    r"""OpenAI compiles with Python's `re`, without `\p{…}` (litellm 40485) and look-around (pydantic-ai 5519)."""
    if _LOOK_AROUND.search(pattern):  # also where it is escaped: whether the check parses is not known
        return False
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def _is_simple(pattern: str) -> bool:
    r"""Anthropic's guide: classes, groups and small counts; no back-reference, look-around or `\b`."""
    refused = re.search(r"\\[1-9bBAZzGkK]|\(\?(?!:)", pattern) or _GREAT_COUNT.search(pattern)
    return _is_python(pattern) and not refused


def _is_anchored(pattern: str) -> bool:
    r"""llama.cpp's grammars/README.md: `^…$`; its converter has no `(?`, and passes on `\d`, which a grammar lacks."""
    framed = pattern.startswith("^") and pattern.endswith("$") and not pattern.endswith("\\$")
    return framed and _is_python(pattern) and not re.search(r"\(\?|\\[A-Za-z0-9]", pattern)
