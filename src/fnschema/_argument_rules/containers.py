"""Rules about what holds other values: arrays, maps, JSON in a string."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Mapping
from typing import Any, cast

from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from .._core_schema import Node, after, outside
from .._json_text import JsonTextError, parse_exactly
from .rule import ENTRIES, ENTRY, KEY, MAP, OWN, Rules, behind, finite

__all__ = ["MAPS", "array", "generator", "json_text", "mapping"]

MAPS: Mapping[str, type] = {
    "dict": dict,
    "ordered-dict": collections.OrderedDict,
    "counter": collections.Counter,
}
_SAME_KEYS = ({"type": "str"}, {"type": "any"})


def array(rules: Rules, node: Node) -> Node:
    """Items of no type are any JSON."""
    return node if "items_schema" in node else {**node, "items_schema": finite(core_schema.any_schema())}


def generator(rules: Rules, node: Node) -> Node:
    """An `Iterable` is a list, whose items are validated before the call."""
    kept: Node = {
        key: node[key] for key in ("items_schema", "min_length", "max_length", "ref", "metadata") if key in node
    }
    return array(rules, {"type": "list", **kept})


def json_text(rules: Rules, node: Node) -> Node:
    """The JSON in a string keeps to what the arguments themselves must keep to."""
    inside = node.get("schema") or finite(core_schema.any_schema())
    if rules.exact:
        steps = [core_schema.str_schema(), core_schema.no_info_plain_validator_function(_parsed), inside]
        return outside(node, lambda _: {"type": "chain", "steps": steps})
    checked = {**node, "schema": inside}
    return outside(checked, lambda inner: core_schema.no_info_before_validator_function(_checked, inner))


def _checked(sent: Any) -> Any:
    if isinstance(sent, str):
        _parsed(sent)
    return sent


def _parsed(text: str) -> Any:
    try:
        return parse_exactly(text)
    except JsonTextError as error:
        raise PydanticCustomError(f"{OWN}json_text", "{reason}", {"reason": str(error)}) from None


def mapping(rules: Rules, node: Node) -> Node:
    """No two keys become one; where maps are published as entries, those are read too."""
    keys: Node = node.get("keys_schema") or {"type": "any"}
    values: Node = node.get("values_schema") or finite(core_schema.any_schema())
    may_join = _may_join(keys)
    keys = after(_Key, keys) if may_join else keys
    plain = {**node, "keys_schema": behind(KEY, keys) if may_join else keys, "values_schema": values}
    plain = after(_without_keys, plain) if may_join else plain
    return _or_entries(plain, node, keys, values) if rules.entries else plain


def _may_join(keys: Node) -> bool:
    """Whether two keys of a JSON object may become one: ``"1"`` and ``"01"`` are the same `int`."""
    return {key: value for key, value in keys.items() if key not in ("metadata", "serialization")} not in _SAME_KEYS


class _Key:
    """A key that equals no other one, so that the keys of a map can be counted."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def _without_keys(found: dict[_Key, Any]) -> Any:
    return type(found)(_map((key.value, value) for key, value in found.items()))


def _or_entries(plain: Node, node: Node, keys: Node, values: Node) -> Node:
    """A map, or an array of its entries that becomes a map of the same class."""
    kind = MAPS[node["type"]]
    entry = core_schema.typed_dict_schema(
        {
            "key": core_schema.typed_dict_field(cast(CoreSchema, keys)),
            "value": core_schema.typed_dict_field(cast(CoreSchema, values)),
        },
        extra_behavior="forbid",
    )
    bounds = {key: node[key] for key in ("min_length", "max_length") if key in node}
    entries = after(lambda sent: kind(_from_entries(sent)), core_schema.list_schema(entry, **bounds))
    return outside(
        plain,
        lambda inner: core_schema.union_schema(cast(Any, [(entries, ENTRIES), (inner, MAP)]), mode="left_to_right"),
    )


def _from_entries(entries: list[dict[str, Any]]) -> dict[Any, Any]:
    keys = (entry["key"] for entry in entries)
    bare = (key.value if isinstance(key, _Key) else key for key in keys)
    return _map(zip(bare, (entry["value"] for entry in entries), strict=True), are_entries=True)


def _map(pairs: Iterable[tuple[Any, Any]], *, are_entries: bool = False) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for i, (key, value) in enumerate(pairs):
        where = {ENTRY: i} if are_entries else None
        try:
            is_repeated = key in found
        except TypeError:  # not hashable, it or something inside of it
            raise PydanticCustomError(f"{OWN}key_type", "a key should be no array and no object", where) from None
        if is_repeated:
            raise PydanticCustomError(f"{OWN}repeated_key", "a key comes twice", where)
        found[key] = value
    return found
