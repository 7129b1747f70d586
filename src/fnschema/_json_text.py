"""JSON text as RFC 8259 means it: no NaN, no repeated key, no lone surrogate, and every digit of a number.

pydantic-core's parser is fast and bounded in depth, but takes NaN and Infinity, keeps the last of two equal keys and
turns fractions into floats. The standard library's parser has hooks for all three. So the fast one always reads first,
and the exact one only what the fast one could have read wrongly.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

from pydantic_core import CoreConfig, SchemaSerializer, core_schema, from_json, to_json

from .errors import quoted

__all__ = [
    "BLANK",
    "TOO_DEEP",
    "JsonSyntaxError",
    "JsonTextError",
    "check",
    "has_fraction",
    "is_too_deep",
    "parse",
    "parse_exactly",
    "plain",
    "write",
]

BLANK = " \t\r\n"  # RFC 8259, section 2
TOO_DEEP = "the JSON is too deeply nested: more than 200 levels"  # as pydantic-core's parser counts them

_LIMITS = ("recursion limit exceeded", "serialization depth exceeded")
_FRACTION = re.compile(r"\d[.eE]")
_ANY = SchemaSerializer(core_schema.any_schema(), CoreConfig(ser_json_inf_nan="constants"))


class JsonTextError(Exception):
    """The text is no JSON; `str(error)` says why and holds nothing of the text but a key's name."""


class JsonSyntaxError(JsonTextError):
    """The parser cannot read it; `str(error)` is in the parser's words, which a model may not know."""


def parse(text: str) -> Any:
    """The value, as pydantic-core reads it.

    Raises:
        JsonSyntaxError: bad syntax, a lone surrogate, an integer of more than 4,300 digits.
        JsonTextError: more nesting than the parser takes (200 levels).
    """
    try:
        return from_json(text)
    except ValueError as error:
        raise (JsonTextError(TOO_DEEP) if is_too_deep(error) else JsonSyntaxError(str(error))) from None


def write(value: Any, *, by_alias: bool | None = None) -> bytes:
    """The text of a value of any kind, ``NaN`` too.

    Without pydantic's warnings of a model's field that holds another type than it should: they quote the value.

    Args:
        value: anything.
        by_alias: whether the fields of models are called by their aliases, as they are in arguments; `None` where each
            model decides.

    Raises:
        ValueError: an object of no known kind, a lone surrogate, a cycle, too many levels.
        TypeError: a key of no known kind.
    """
    return _ANY.to_json(value, by_alias=by_alias, warnings="none")


def is_too_deep(error: Exception) -> bool:
    """Whether pydantic-core has refused to read or to write a value for its nesting; it says so in words only."""
    return isinstance(error, RecursionError) or str(error).partition(" at line ")[0].endswith(_LIMITS)


def parse_exactly(text: str) -> Any:
    """The value with numbers that have a fraction or an exponent as `Decimal`.

    Raises:
        JsonTextError: as `parse`, and for a repeated key, a constant, an integer of more than 4,300 digits.
    """
    parse(text)  # json.loads lets lone surrogates through and dies of deep nesting
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_float=Decimal)
    except ValueError:  # Python's own limit, against numbers that take quadratic time
        raise JsonTextError("an integer has too many digits") from None
    except InvalidOperation:  # an exponent that no Decimal can hold
        raise JsonTextError("a number is out of range") from None


def check(text: str, keys: int) -> None:
    """Refuse what `parse` reads but RFC 8259 or its readers do not.

    Args:
        text: of a JSON object that `parse` can read.
        keys: how many different keys the object itself has; -1 where that is not known.

    Raises:
        JsonTextError: as `parse_exactly`.
    """
    colons = text.count(":")
    # A single letter is found ten times as fast as a word, and most long texts lack it.
    has_constants = ("N" in text and "NaN" in text) or ("I" in text and "Infinity" in text)
    if has_constants or (colons != keys and not _keeps_its_colons(text, colons)):
        parse_exactly(text)


def plain(value: Any) -> Any:
    """A parsed value with its `Decimal`s as floats.

    Raises:
        JsonTextError: a number that is none, or too large for a float.
    """
    if isinstance(value, (float, Decimal)):
        if not math.isfinite(number := float(value)):
            raise JsonTextError("a number is not finite")
        return number
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def has_fraction(text: str) -> bool:
    """Whether a number may lose digits as a float; strings that look so are taken for one."""
    return _FRACTION.search(text) is not None


def _keeps_its_colons(text: str, colons: int) -> bool:
    r"""Whether writing the value anew gives as many colons, so that no key came twice.

    Each key has one colon and strings keep theirs, unless they are written as ``\u003a``.
    """
    if "\\" in text and "\\u003" in text:
        return False
    return to_json(from_json(text, cache_strings="keys")).count(b":") == colons


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counted = Counter(name for name, _ in pairs)
        repeated = next(name for name, count in counted.items() if count > 1)
        raise JsonTextError(f"the key {quoted(repeated)} comes twice")
    return found


def _constant(name: str) -> NoReturn:
    raise JsonTextError(f"{name} is not JSON")
