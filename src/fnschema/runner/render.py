"""A value as the text of an answer."""

from __future__ import annotations

import enum
from typing import Any

from pydantic_core import SchemaSerializer, core_schema, from_json

__all__ = ["render"]

_ANY = SchemaSerializer(core_schema.any_schema(), core_schema.CoreConfig(ser_json_inf_nan="constants"))


def render(value: Any) -> str:
    """A string as it is; anything else as JSON with its letters, models by pydantic.

    Raises:
        ValueError: JSON cannot hold the value: an object of no known kind, ``NaN``, a lone surrogate, a cycle.
    """
    if isinstance(value, str) and not isinstance(value, enum.Enum):
        value.encode()  # a lone surrogate cannot be sent
        return value
    text = _ANY.to_json(value)
    if b"NaN" in text or b"Infinity" in text:  # often only the words, within a string
        from_json(text, allow_inf_nan=False)
    return text.decode()
