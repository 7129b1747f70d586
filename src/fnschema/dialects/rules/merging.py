"""Several schemas that must all hold, as one schema; or nothing where no single schema says exactly that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..._json_schema import DEFINITIONS, Schema, is_object, kinds_of, same_json
from .rule import ANNOTATIONS

__all__ = ["merged"]

_Merge = Callable[[Any, Any], Any]
_IMPOSSIBLE = object()


def merged(schemas: Sequence[Schema]) -> Schema | None:
    """One schema that takes what all of them take, the later ones' words in front; `None` if it cannot be said."""
    whole: Schema = {}
    for schema in schemas:
        joined = _both(whole, schema)
        if joined is None:
            return None
        whole = joined
    return whole


def _both(left: Schema, right: Schema) -> Schema | None:
    if not _closing_is_exact(left, right) or not _closing_is_exact(right, left):
        return None
    whole = {**left, **right}
    for keyword in left.keys() & right.keys():
        value = _one(keyword, left[keyword], right[keyword])
        if value is _IMPOSSIBLE:
            return None
        whole[keyword] = value
    return whole


def _closing_is_exact(closed: Schema, other: Schema) -> bool:
    """`additionalProperties` speaks of the properties beside it only, so a merged object must have no others."""
    if "additionalProperties" not in closed:
        return True
    return set(other.get("properties", {})) <= set(closed.get("properties", {})) and "patternProperties" not in other


def _one(keyword: str, left: Any, right: Any) -> Any:
    if keyword in ANNOTATIONS or same_json(left, right):
        return right
    merge = _MERGES.get(keyword)
    return merge(left, right) if merge else _IMPOSSIBLE


def _types(left: Any, right: Any) -> Any:
    ours, theirs = kinds_of({"type": left}), kinds_of({"type": right})
    kinds = [kind for kind in ours if kind in theirs or (kind == "integer" and "number" in theirs)]
    kinds += [kind for kind in theirs if kind == "integer" and "number" in ours and kind not in kinds]
    return _IMPOSSIBLE if not kinds else kinds[0] if len(kinds) == 1 else kinds


def _schemas(left: Any, right: Any) -> Any:
    if not is_object(left) or not is_object(right) or "$ref" in left or "$ref" in right:
        return _IMPOSSIBLE
    whole = _both(left, right)
    return _IMPOSSIBLE if whole is None else whole


def _maps(left: dict[str, Any], right: dict[str, Any]) -> Any:
    whole = {**left, **right}
    for name in left.keys() & right.keys():
        whole[name] = right[name] if same_json(left[name], right[name]) else _schemas(left[name], right[name])
        if whole[name] is _IMPOSSIBLE:
            return _IMPOSSIBLE
    return whole


def _values(left: list[Any], right: list[Any]) -> Any:
    both = [value for value in left if any(same_json(value, other) for other in right)]
    return both or _IMPOSSIBLE


def _names(left: list[str], right: list[str]) -> list[str]:
    return list(dict.fromkeys([*left, *right]))


_MERGES: dict[str, _Merge] = {
    "type": _types,
    "properties": _maps,
    **dict.fromkeys(DEFINITIONS, _maps),
    "items": _schemas,
    "required": _names,
    "enum": _values,
    "minimum": max,
    "exclusiveMinimum": max,
    "minLength": max,
    "minItems": max,
    "minProperties": max,
    "maximum": min,
    "exclusiveMaximum": min,
    "maxLength": min,
    "maxItems": min,
    "maxProperties": min,
    "uniqueItems": lambda left, right: left or right,
}
