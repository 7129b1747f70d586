"""The type that a schema describes, in a few words: ``array of 2–5 integer``, ``string /^[A-Z]{3}$/ | null``.

The words judge no schema: what a keyword says in a way that JSON Schema does not know is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ._json_schema import LISTS_OF_BRANCHES, Schema, is_array, is_object, only, resolve, values_of
from .errors import UserError, on_one_line

__all__ = ["DEEPEST", "TypeWords", "fields_of", "name_of", "target_of", "tuple_of", "value"]

DEEPEST = 10  # levels; no schema that a person would read has more
_MOST = 20  # alternatives, values or elements
_LONGEST_PATTERN = 40  # characters
_LONGEST_VALUE = 60
_LONGEST = 500  # what a schema of references to references would say has no bounds

_BOUNDS = frozenset(
    {
        *("type", "format", "pattern", "minLength", "maxLength", "multipleOf", "uniqueItems", "minItems", "maxItems"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minProperties", "maxProperties"),
    }
)


class TypeWords:
    """Words for the schemas below one root.

    A reference to an object with fields is its name, any other what the target says.
    """

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._references: dict[str, str] = {}  # each is looked at once, not for every way that leads to it
        self._kinds: dict[str, Callable[[Schema, int], str]] = {
            "string": lambda schema, _: _string(schema),
            "integer": lambda schema, _: _number(schema, "integer"),
            "number": lambda schema, _: _number(schema, "number"),
            "array": self._array,
            "object": self._object,
        }

    def of(self, schema: object, level: int = 0) -> str:
        if level > DEEPEST:
            return "…"
        if not is_object(schema):
            return "never" if schema is False else "any"
        if "$ref" in schema:
            return self._reference(schema, level)
        if is_array(values := values_of(schema)):
            words = _some((value(one) for one in values[:_MOST]), len(values), " | ")
        elif any(map(schema.get, LISTS_OF_BRANCHES)):
            words = self._branches(schema, level)
        else:
            words = self._by_type(schema, level)
        if schema.get("nullable") is True and "null" not in words.split(" | "):  # OpenAPI 3.0
            words += " | null"
        return _cut(words, _LONGEST)

    def _reference(self, schema: Schema, level: int) -> str:
        reference, target = str(schema["$ref"]), target_of(schema, self._root)
        name = name_of(reference)
        if reference not in self._references:
            self._references[reference] = name  # also within the target itself
            if target is not schema and not fields_of(target):
                words = self.of(target, level + 1)
                self._references[reference] = name if words in ("object", "any") else words
        return self._references[reference]

    def _branches(self, schema: Schema, level: int) -> str:
        beside = only(schema, _BOUNDS)
        unions: list[str] = []
        for keyword in LISTS_OF_BRANCHES:
            if is_array(branches := schema.get(keyword)) and branches:
                joint = " & " if keyword == "allOf" else " | "
                of_each = (
                    self.of({**beside, **branch} if is_object(branch) else branch, level + 1)
                    for branch in branches[:_MOST]
                )
                unions.append(_some(of_each, len(branches), joint))
        return " & ".join(map(_grouped, unions)) if len(unions) > 1 else "".join(unions) or "any"

    def _by_type(self, schema: Schema, level: int) -> str:
        named = schema.get("type") or "any"
        kinds = named if is_array(named) else [named]
        return " | ".join(
            self._kinds[kind](schema, level) if kind in self._kinds else on_one_line(kind) for kind in map(str, kinds)
        )

    def _array(self, schema: Schema, level: int) -> str:
        if prefix := tuple_of(schema):
            return self._tuple(schema, prefix, level)
        unique = "unique" if schema.get("uniqueItems") is True else ""
        return self._many("array", f"{_counts(schema, 'Items')} {unique}".strip(), schema.get("items"), level)

    def _tuple(self, schema: Schema, prefix: Sequence[Any], level: int) -> str:
        fixed = len(prefix)
        least, most = _count(schema.get("minItems")) or 0, _count(schema.get("maxItems"))
        rest = schema.get("items" if "prefixItems" in schema else "additionalItems", True)
        elements = [
            _grouped(self.of(element, level + 1)) + ("?" if index >= least else "")
            for index, element in enumerate(prefix[:_MOST])
        ]
        words = _some(elements, fixed, ", ", distinct=False)
        if rest is False or (most is not None and most <= fixed):
            return f"[{words}]"
        counts = _range(least if least > fixed else None, most)
        return f"[{words}, *{_grouped(self.of(rest, level + 1))}]" + (f" of {counts}" if counts else "")

    def _object(self, schema: Schema, level: int) -> str:
        others, patterns = schema.get("additionalProperties"), schema.get("patternProperties")
        names, keys = schema.get("propertyNames"), ""
        if is_object(patterns) and patterns:
            others = {"anyOf": [*patterns.values(), *([others] if is_object(others) else [])]}
            keys = _some((_pattern(key) for key in list(patterns)[:_MOST]), len(patterns), " | ")
        elif is_object(names):
            keys = self.of({"type": "string", **names}, level + 1)
        words = self._many("object", _counts(schema, "Properties"), others, level)
        return f"{words} (keys {keys})" if keys not in ("", "string") else words

    def _many(self, kind: str, counts: str, each: object, level: int) -> str:
        if not counts and not (is_object(each) and each):
            return kind
        return " ".join(filter(None, (kind, "of", counts, _grouped(self.of(each, level + 1)))))


def fields_of(schema: Schema) -> Schema:
    """The properties that the schema names; none where it is not an object's."""
    properties = schema.get("properties")
    return properties if is_object(properties) else {}


def tuple_of(schema: Schema) -> list[Any]:
    """The schemas of the first elements, also in the older spelling; none where the schema tells no elements apart."""
    prefix = schema.get("prefixItems", schema.get("items"))
    return prefix if is_array(prefix) else []


def target_of(schema: Schema, root: Schema) -> Schema:
    """What the schema refers to; the schema itself where that is nothing."""
    try:
        return resolve(schema, root)
    except UserError:
        return schema


def name_of(reference: str) -> str:
    return on_one_line(reference.rpartition("/")[2])


def value(thing: object) -> str:
    """A value as JSON, cut where it is long."""
    return _cut(on_one_line(json.dumps(thing, ensure_ascii=False, default=repr)), _LONGEST_VALUE)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _some(words: Iterable[str], count: int, joint: str, *, distinct: bool = True) -> str:
    """The words, each once, and how many more there are than those."""
    shown = dict.fromkeys(words) if distinct else words
    return joint.join([*shown, *([f"… {count - _MOST} more"] if count > _MOST else [])])


def _grouped(words: str) -> str:
    return f"({words})" if " | " in words or " & " in words else words


def _string(schema: Schema) -> str:
    named = (schema.get(keyword) for keyword in ("format", "contentEncoding", "contentMediaType"))
    word = next((on_one_line(name) for name in named if isinstance(name, str) and name), "string")
    counts, pattern = _counts(schema, "Length"), schema.get("pattern")
    return f"{word}{f' of {counts}' if counts else ''}{f' {_pattern(pattern)}' if isinstance(pattern, str) else ''}"


def _pattern(pattern: str) -> str:
    return f"/{_cut(on_one_line(pattern), _LONGEST_PATTERN)}/"


def _number(schema: Schema, kind: str) -> str:
    form, step = schema.get("format"), _bound(schema.get("multipleOf"))
    return " ".join(
        filter(
            None,
            (
                kind,
                f"({on_one_line(form)})" if isinstance(form, str) else "",
                _interval(schema),
                "" if step is None else f"multiple of {_digits(step)}",
            ),
        )
    )


def _interval(schema: Schema) -> str:
    """The bounds of a number: ``0–100``, ``>= 1``, ``> 0 and < 1``."""
    low, high = _bound(schema.get("minimum")), _bound(schema.get("maximum"))
    above, below = _bound(schema.get("exclusiveMinimum")), _bound(schema.get("exclusiveMaximum"))
    if above is None and below is None:
        return _range(low, high)
    bounds = ((">=", low), (">", above), ("<=", high), ("<", below))
    return " and ".join(f"{sign} {_digits(bound)}" for sign, bound in bounds if bound is not None)


def _counts(schema: Schema, what: str) -> str:
    """How many characters, items or properties, by ``minLength`` and the like."""
    return _range(_count(schema.get(f"min{what}")) or None, _count(schema.get(f"max{what}")))


def _range(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        if low == high:
            return _digits(low)
        return f"{_digits(low)}{'–' if low >= 0 else ' to '}{_digits(high)}"
    if low is None:
        return "" if high is None else f"<= {_digits(high)}"
    return f">= {_digits(low)}"


def _count(number: object) -> int | None:
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _bound(number: object) -> float | None:
    return number if isinstance(number, (int, float)) and not isinstance(number, bool) else None


def _digits(number: float) -> str:
    whole = isinstance(number, float) and number.is_integer() and abs(number) < 1e15
    return _cut(str(int(number) if whole else number), _LONGEST_VALUE)
