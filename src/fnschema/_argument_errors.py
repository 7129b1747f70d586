"""pydantic's validation errors → `Problem`s that a language model can act on, and that hold no value it sent.

pydantic's own text names types of Python, links to a web page and quotes the input. What is taken from it is the
reason, and of an author's own validator the text, unless that repeats what was sent.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic_core import ErrorDetails, to_json
from pydantic_core.core_schema import ErrorType

from ._argument_rules import ENTRIES, ENTRY, KEY, MAP, OWN, TAG
from ._core_schema import NULL
from .errors import (
    LONGEST_ARGUMENTS_TEXT,
    MOST_PROBLEMS,
    Problem,
    closest,
    on_one_line,
    pointer,
    problem_line,
    quoted,
)

__all__ = ["problems_of", "reason"]

_LONGEST_REASON = 200
_LONGEST_KEY = 64
_MOST_ERRORS = 1000  # that are looked at; a problem may have several, and at most 100 problems are kept
_LONG_ENOUGH = 4  # letters of a value that is told also where it is a part of a word
_LONGEST_NUMBER = 40  # letters of a text that may be a number
_MOST_VALUES = 1000  # of an input, looked for in an author's text; more than these and the text is left out
_MISSING = {"missing", "missing_argument", "missing_keyword_only_argument", "missing_positional_only_argument"}
_UNKNOWN = {"extra_forbidden", "unexpected_keyword_argument", "unexpected_positional_argument"}
_TAGS = {"union_tag_invalid", "union_tag_not_found"}
_AUTHORS = {"value_error", "assertion_error"}
_PYDANTICS = frozenset(get_args(ErrorType))
_SUBJECT = re.compile(r"^\w+( input)? should")  # the path says what pydantic calls input, string, list …
_URL = re.compile(r",? ?(following the rules at )?https?://\S+")
_DATE = "should be a date like 2026-11-30 (ISO 8601)"
_TIME = "should be a time like 14:30:00 (ISO 8601)"
_DATETIME = "should be a date and time like 2026-11-30T14:30:00Z (ISO 8601)"
_DURATION = "should be a duration like P1DT2H30M (ISO 8601)"
_URL_SHAPE = "should be a URL like scheme://host/path"
# What a value should be, for the kinds of errors whose text is pydantic's parser speaking, or Python's.
_REASONS: Mapping[str, str] = {
    **dict.fromkeys(_MISSING, "is missing"),
    **dict.fromkeys(("model_type", "model_attributes_type", "dict_type", "dataclass_type", "mapping_type"),
                    "should be an object"),
    **dict.fromkeys(("list_type", "tuple_type", "set_type", "frozen_set_type", "iterable_type"), "should be an array"),
    **dict.fromkeys(("date_type", "date_parsing", "date_from_datetime_parsing"), _DATE),
    "date_from_datetime_inexact": f"{_DATE}, without a time",
    **dict.fromkeys(("time_type", "time_parsing"), _TIME),
    **dict.fromkeys(("datetime_type", "datetime_parsing", "datetime_from_date_parsing", "datetime_object_invalid"),
                    _DATETIME),
    "timezone_aware": "should have an offset from UTC, as 2026-11-30T14:30:00Z has",
    "timezone_naive": "should have no offset from UTC, as 2026-11-30T14:30:00 has none",
    **dict.fromkeys(("time_delta_type", "time_delta_parsing"), _DURATION),
    **dict.fromkeys(("uuid_type", "uuid_parsing"), "should be a UUID like 123e4567-e89b-42d3-a456-426614174000"),
    **dict.fromkeys(("url_type", "url_parsing", "url_syntax_violation"), _URL_SHAPE),
    "ip_v4_address": "should be an IPv4 address like 192.0.2.1",
    "ip_v6_address": "should be an IPv6 address like 2001:db8::1",
    "ip_any_address": "should be an IP address like 192.0.2.1 or 2001:db8::1",
    "ip_v4_network": "should be an IPv4 network like 192.0.2.0/24",
    "ip_v6_network": "should be an IPv6 network like 2001:db8::/32",
    "ip_any_network": "should be an IP network like 192.0.2.0/24 or 2001:db8::/32",
    "ip_v4_interface": "should be an IPv4 interface like 192.0.2.1/24",
    "ip_v6_interface": "should be an IPv6 interface like 2001:db8::1/32",
    "ip_any_interface": "should be an IP interface like 192.0.2.1/24 or 2001:db8::1/32",
    "bytes_type": "should be a string",
    **dict.fromkeys(("base64_decode", "bytes_invalid_encoding"), "should be Base64 like aGVsbG8="),
    **dict.fromkeys(("decimal_type", "decimal_parsing"), "should be a number like 12.50"),
    **dict.fromkeys(("fraction_type", "fraction_parsing"), "should be a fraction like 3/4"),
    **dict.fromkeys(("complex_type", "complex_str_parsing"), "should be a complex number like 1+2j"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "should be true or false"),
    **dict.fromkeys(("byte_size", "byte_size_unit"), "should be a size like 10MB"),
    **dict.fromkeys(("pattern_type", "pattern_regex"), "should be a regular expression"),
    "path_type": "should be a path, a string",
    "path_not_file": "should be the path of a file that is there",
    "path_not_directory": "should be the path of a folder that is there",
    "path_exists": "should be a path at which nothing is yet",
    "zoneinfo_str": "should be a time zone like Europe/Berlin",
    "import_error": "should name something that can be imported, like math.cos",
    "none_required": "should be null",
    **dict.fromkeys(("json_type", "json_invalid"), "should be JSON in a string"),
}  # fmt: skip
_IN_JSON = re.compile(r" at line \d+ column \d+$")
_OUT_OF_RANGE = re.compile(r"^(year|month|day|hour|minute|second) value is outside expected range")


def problems_of(
    errors: Sequence[ErrorDetails], arguments: Any, known: Callable[[Sequence[str | int]], Iterable[str]]
) -> list[Problem]:
    """One problem for each place in the arguments where something is wrong; a key of a map is a place of its own.

    Args:
        errors: `ValidationError.errors(include_url=False)`.
        arguments: what was validated, parsed; it tells keys and indices from the labels in an error's location.
        known: the property names of the object at a path.
    """
    found: dict[tuple[str, bool], list[Problem]] = {}
    room = LONGEST_ARGUMENTS_TEXT  # a remedy that is not shown is not looked for, which takes long
    for error in _relevant(errors[:_MOST_ERRORS]):
        is_key = KEY in error["loc"]
        path = _path(error, arguments)
        place = (pointer(path), is_key)
        if place not in found and len(found) == MOST_PROBLEMS:
            continue
        is_unknown = not is_key and error["type"] in _UNKNOWN and bool(error["loc"])
        names = known(path[:-1]) if is_unknown and room > 0 else ()
        problem = _unknown_key(str(error["loc"][-1]), path, names) if is_unknown else Problem(place[0], reason(error))
        same_place = found.setdefault(place, [])
        if problem not in same_place:
            same_place.append(problem)
            room -= len(problem_line(problem))
    return [_joined(problems, of_a_key=is_key) for (_, is_key), problems in found.items()]


def _relevant(errors: Sequence[ErrorDetails]) -> Iterator[ErrorDetails]:
    """Without what the alternatives that this library added say: `null` for a default, a map's other form."""
    came_as_entries = {p for e in errors if not _is_no_list_of_entries(e) for p in _places(e, ENTRIES)}
    for error in errors:
        is_other_form = NULL in error["loc"] or _is_no_list_of_entries(error)
        if not is_other_form and came_as_entries.isdisjoint(_places(error, MAP)):
            yield error


def _places(error: ErrorDetails, label: str) -> set[tuple[int | str, ...]]:
    return {error["loc"][:i] for i, part in enumerate(error["loc"]) if part == label}


def _is_no_list_of_entries(error: ErrorDetails) -> bool:
    return error["type"] == "list_type" and error["loc"][-1:] == (ENTRIES,)


def _path(error: ErrorDetails, arguments: Any) -> list[str | int]:
    """The location without pydantic's labels (union members, tags, `[key]`), which are in no document."""
    path: list[str | int] = []
    here = arguments
    location = _location(error)
    last = len(location) - 1
    for i, part in enumerate(location):
        if TAG in location[i : i + 2]:
            continue
        if _is_in(part, here):
            here = here[part]
        elif i < last or error["type"] not in _MISSING:
            continue
        path.append(part[:_LONGEST_KEY] if isinstance(part, str) else part)
    return path


def _location(error: ErrorDetails) -> tuple[int | str, ...]:
    """pydantic's location of what is wrong: of a key its map's member, not what is inside of the key."""
    location, context = error["loc"], error.get("ctx", {})
    if KEY in location:
        return location[: location.index(KEY) - 1]
    is_of_entry = error["type"].startswith(OWN) and ENTRY in context
    return (*location, context[ENTRY], "key") if is_of_entry else location


def _is_in(part: str | int, here: Any) -> bool:
    if isinstance(here, list):
        return isinstance(part, int) and part < len(here)
    return isinstance(here, dict) and part in here


def _unknown_key(name: str, path: list[str | int], known: Iterable[str]) -> Problem:
    """An unknown key, with the name it may have been meant for, if that is not one that another alternative has."""
    near = closest(name, known, most=1)
    remedy = f"did you mean {quoted(near[0])}?" if near and near[0] != name else None
    return Problem(pointer(path), f"{quoted(name)} is unknown", remedy)


def reason(error: ErrorDetails) -> str:
    """What is wrong, of one of `ValidationError.errors(include_url=False)`, without a value that was sent."""
    return _shortened(on_one_line(_reason(error)))


def _reason(error: ErrorDetails) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind in _TAGS:
        # A key is quoted; the name of an author's function would mean nothing to a model.
        key = context["discriminator"] if context["discriminator"].startswith("'") else "its kind"
        return (
            f"{key} is missing"
            if kind == "union_tag_not_found"
            else f"{key} should be one of {context['expected_tags']}"
        )
    if kind in _REASONS:
        return _REASONS[kind] + _part_out_of_range(kind, context)
    if kind == "uuid_version":
        version = context["expected_version"]
        return f"should be a UUID of version {version}, like 123e4567-e89b-{version}2d3-a456-426614174000"
    if kind == "url_scheme":
        return f"should have the scheme {context['expected_schemes']}"
    if isinstance(context.get("error"), UnicodeError):
        return "should hold text in UTF-8"  # Python's own message shows bytes of the value
    text = error["msg"]
    if kind == f"{OWN}json_text" and _IN_JSON.search(text):
        return f"should be JSON in a string: {text}"
    if kind in _AUTHORS:
        text = text.partition(", ")[2] or "is not valid"
    if _is_authors(kind) and _repeats(text, error["input"]):
        return "is not valid"
    return _SUBJECT.sub("should", _URL.sub("", text))


def _part_out_of_range(kind: str, context: Mapping[str, Any]) -> str:
    """Of a date that looks as it should, which part of it no calendar or clock has."""
    found = _OUT_OF_RANGE.match(str(context.get("error", "")))
    if found is None or (_REASONS[kind] == _DATE and found[1] not in ("year", "month", "day")):
        return ""
    return f", but its {found[1]} is out of range"


def _is_authors(kind: str) -> bool:
    return kind in _AUTHORS or not (kind in _PYDANTICS or kind.startswith(OWN))


def _repeats(text: str, sent: Any) -> bool:
    """Whether a text holds one of the values that were sent; short ones count as whole words."""
    for i, value in enumerate(_scalars(sent)):
        if i == _MOST_VALUES or any(form in text and _is_told(form, text) for form in _forms(value)):
            return True
    return False


def _is_told(value: str, text: str) -> bool:
    if len(value) >= _LONG_ENOUGH:
        return True
    at = text.find(value)
    while at >= 0:
        around = text[at - 1 : at] + text[at + len(value) :][:1]
        if not any(letter.isalnum() or letter == "_" for letter in around):
            return True
        at = text.find(value, at + 1)
    return False


def _scalars(sent: Any) -> Iterator[Any]:
    stack = [sent]
    while stack:
        value = stack.pop()
        if isinstance(value, Mapping):
            stack.extend(value.values())
        elif isinstance(value, (list, tuple, set, frozenset)):
            stack.extend(value)
        elif value is not None:
            yield value


def _forms(value: Any) -> Iterator[str]:
    """How a validator may have written a value: as it came, stripped, in quotes, or as the number that it says."""
    text = str(value)
    stripped = text.strip()
    found = {text, stripped, *(repr(written)[1:-1] for written in (text, stripped)), to_json(stripped).decode()[1:-1]}
    if not isinstance(value, bool) and len(stripped) <= _LONGEST_NUMBER:
        with contextlib.suppress(ValueError):
            found.add(str(int(stripped)))
        with contextlib.suppress(ValueError, OverflowError):
            number = float(stripped)
            found |= {str(number), str(int(number))}
    yield from filter(None, found)


def _joined(problems: list[Problem], *, of_a_key: bool) -> Problem:
    """What the alternatives of a union say of one place."""
    first, *others = problems
    if not others and not of_a_key:
        return first
    reasons = ", or ".join(dict.fromkeys(problem.reason for problem in problems))
    if of_a_key:
        reasons = f"its key {reasons}" if reasons.startswith(("should ", "is ")) else f"its key: {reasons}"
    return Problem(first.path, _shortened(reasons), first.remedy)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_REASON else text[: _LONGEST_REASON - 1] + "…"
