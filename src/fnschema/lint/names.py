"""Names and texts that say nothing, or say that a person is to be asked instead of a model."""

from __future__ import annotations

import re

__all__ = ["asks_for_secret", "is_vague", "placeholder_in"]

# Each may stand in a good name beside a word that is not here: get_weather, process_refund.
_VAGUE = """
    a an the my it this that
    do does go run execute perform process handle call invoke make use apply start main
    get set fetch update create
    action method operation function func fn tool helper util utils
    misc temp tmp foo bar baz test thing things stuff something
    data info information result results value values input output
"""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

# What editors leave behind when they write a docstring (autoDocstring: `_summary_`, `[description]`), and authors.
_PLACEHOLDER = re.compile(
    r"_(?:summary|description|type)_|\[(?:summary|description)\]|(?:TODO|FIXME|TBD|XXX)\b.*|\.\.\.|…", re.IGNORECASE
)

_SECRET = re.compile(
    r"(?:.*_)?(?:api_?keys?|password|passwd|secret|secret_?key|private_?key|(?:access|auth|bearer|api)_?token"
    r"|credentials?|client_?secret)"
)


def is_vague(name: str) -> bool:
    """Whether no word of a tool's name says what the tool does: ``run``, ``process_data``, ``f2``."""
    vague = _VAGUE.split()
    words = [word.lower() for word in _WORDS.findall(name)]
    return all(word in vague or len(word) == 1 for word in words)


def placeholder_in(text: str) -> str | None:
    """The text that stands where a description was meant to be, or `None`."""
    found = _PLACEHOLDER.fullmatch(text.strip())
    return found[0] if found else None


def asks_for_secret(parameter: str) -> bool:
    """Whether the parameter's name says that it is to hold a secret, which no model knows or should see."""
    return bool(_SECRET.fullmatch(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", parameter).lower()))
