"""What a language model may send, written as one rewrite of pydantic's core schema.

pydantic validates for Python programs; a model's arguments need a few other rules, at every depth: nested models,
dataclasses and typed dicts, unions and recursion included. They are put into a copy of the core schema, and a
`SchemaValidator` of our own runs it, so that no class of the user's changes and pydantic alone decides what fits.

| rule                                  | pydantic alone        | here                                              |
|---------------------------------------|-----------------------|---------------------------------------------------|
| a field whose alias is a path         | filled by the path    | filled by its published key too                   |
| unknown key of a closed object        | dropped               | refused (or dropped, with ``closed=False``)       |
| `null` where there is a default       | refused               | the default, unless the published type has `null` |
| `null` for a key that may be absent   | refused               | the key is left out                               |
| `true` for a number                   | 1                     | refused                                           |
| NaN, Infinity, 1e999                  | accepted              | refused, under `Any` too                          |
| a choice of `Literal` or `Enum` that  | takes no JSON         | takes the JSON that is published for it           |
| JSON has no form for (member, tuple)  |                       |                                                   |
| keys of a map that its type makes one | the last wins         | refused                                           |
| a repeated key, NaN in `Json[T]` text | accepted              | refused                                           |
| `Iterable[T]`                         | validated lazily      | a list, validated                                 |
| map in ``entries`` form               | refused               | the dict; a repeated key is refused               |

Everything runs inside pydantic-core: no rule turns the JSON into Python objects before it is validated, since that
would lose JSON's own leniency (a strict model takes a date from a string only as JSON) and its speed.
A model with its own `__init__` validates itself and keeps pydantic's rules inside. A key that a before-validator takes
out of the object is known; one that it only reads is unknown, as with pydantic's ``extra="forbid"``.
"""

from __future__ import annotations

import collections
import enum
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NoReturn, cast

from pydantic_core import (
    CoreSchema,
    PydanticCustomError,
    PydanticOmit,
    PydanticUseDefault,
    core_schema,
    to_jsonable_python,
)

from ._core_schema import NULL, Node, admits_none, after, children, definitions_in, labelled, outside, rewritten
from ._json_text import JsonTextError, parse_exactly, plain

__all__ = ["ENTRIES", "MAP", "OWN", "TAG", "with_argument_rules"]

# More labels of unions, as they stand in an error's location. A tag of a tagged union cannot be renamed, so TAG comes
# behind it.
VALUE, ENTRIES, MAP, TAG = "\0value", "\0entries", "\0map", "\0tag"

OWN = "fnschema_"  # begins the type of an error that is raised here

_TOO_LARGE_A_FLOAT = 2**53  # from here on two integers may be the same float, and JSON with a point is read as one
_MOST_DIGITS = 4300  # Python's own limit for the text of an integer, whose work grows with the square
_PLAIN = {str, int, float, bool, type(None)}  # exactly these types are values of JSON as they are

_OPAQUE = ("function-before", "function-wrap", "function-plain", "definition-ref")


def with_argument_rules(
    schema: CoreSchema, *, closed: bool = True, entries: bool = False, exact: bool = False
) -> CoreSchema:
    """A copy of a core schema that follows the rules above.

    Args:
        schema: of a pydantic model; it is not changed.
        closed: whether unknown keys are refused.
        entries: whether a map may come as an array of ``{"key": …, "value": …}``.
        exact: whether the input is made of Python objects in which a number may be a `Decimal`.
    """
    node = cast(Node, schema)
    rules = _Rules(closed, entries, exact, definitions_in(node))
    return cast(CoreSchema, rewritten(node, rules.apply))


@dataclass(frozen=True, slots=True)
class _Rules:
    closed: bool
    entries: bool
    exact: bool
    definitions: Mapping[str, Node] = field(repr=False)

    def apply(self, node: Node) -> Node:
        rule = _RULES.get(node.get("type", ""))
        return rule(self, node) if rule else node

    def admits_none(self, node: Node) -> bool:
        return admits_none(node, self.definitions)


def _close(rules: _Rules, node: Node) -> Node:
    node = {**node, "fields": _with_published_keys(node["fields"])}
    if (node.get("extra_behavior") or _configured_extra(node)) == "allow":
        return _with_finite_extras(node)
    return {**node, "extra_behavior": "forbid" if rules.closed else "ignore"}


def _with_published_keys(fields: Any) -> Any:
    """The fields, each filled by the key that is published for it too, where its aliases are paths into the object."""
    if isinstance(fields, list):
        return [_with_published_key(field["name"], field) for field in fields]
    return {name: _with_published_key(name, field) for name, field in fields.items()}


def _with_published_key(name: str, field: Node) -> Node:
    alias = field.get("validation_alias")
    if not isinstance(alias, list):
        return field
    paths = alias if isinstance(alias[0], list) else [alias]
    return field if any(len(path) == 1 for path in paths) else {**field, "validation_alias": [*paths, [name]]}


def _configured_extra(node: Node) -> str | None:
    return cast("str | None", (node.get("config") or {}).get("extra_fields_behavior"))


def _model(rules: _Rules, node: Node) -> Node:
    """`extra="allow"` stands in the config of the model, unknown keys are met in the fields below its validators."""
    return {**node, "schema": _opened(node["schema"])} if _configured_extra(node) == "allow" else node


def _opened(node: Node) -> Node:
    if node["type"] in ("model-fields", "dataclass-args"):
        return _with_finite_extras({**node, "extra_behavior": "allow"})
    return {**node, "schema": _opened(node["schema"])} if isinstance(node.get("schema"), dict) else node


def _with_finite_extras(node: Node) -> Node:
    if node["type"] != "dataclass-args":
        return {"extras_schema": _finite(core_schema.any_schema()), **node}
    names = {field["name"] for field in node["fields"]}

    def finite(validated: tuple[dict[str, Any], Any]) -> tuple[dict[str, Any], Any]:
        values, only_for_init = validated
        return {k: v if k in names else _refuse_non_finite(v) for k, v in values.items()}, only_for_init

    return after(finite, node)


def _omit_null(rules: _Rules, node: Node) -> Node:
    if node.get("required", True) or rules.admits_none(node["schema"]):
        return node
    return {**node, "schema": _null_or(node["schema"], _omit)}


def _default_for_null(rules: _Rules, node: Node) -> Node:
    return node if rules.admits_none(node["schema"]) else {**node, "schema": _null_or(node["schema"], _use_default)}


def _null_or(schema: Node, on_null: Callable[[Any], NoReturn]) -> Node:
    null = core_schema.chain_schema([core_schema.none_schema(), core_schema.no_info_plain_validator_function(on_null)])
    choices = [(null, NULL), (schema, VALUE)]
    if not _may_take_null(schema):
        choices.reverse()  # what most values are comes first, since a branch that fails takes longer than one that fits
    return cast(Node, core_schema.union_schema(cast(Any, choices), mode="left_to_right"))


def _may_take_null(node: Node) -> bool:
    """Whether code of the author's might make a value of `null` that the published type does not have."""
    if node["type"] in _OPAQUE or node.get("missing"):
        return True
    return any(map(_may_take_null, children(node)))


def _use_default(_: Any) -> NoReturn:
    raise PydanticUseDefault


def _omit(_: Any) -> NoReturn:
    raise PydanticOmit


def _int(rules: _Rules, node: Node) -> Node:
    whole = core_schema.float_schema(strict=True, gt=-_TOO_LARGE_A_FLOAT, lt=_TOO_LARGE_A_FLOAT)
    spelled = [core_schema.str_schema(strict=True), whole]
    return _number(rules, node, {"type": "int"}, spelled)


def _float(rules: _Rules, node: Node) -> Node:
    finite = {"type": "float", "allow_inf_nan": False}
    return _number(rules, {**node, **finite}, finite, [core_schema.str_schema(strict=True)])


def _number(rules: _Rules, node: Node, plain: Node, spelled: list[Any]) -> Node:
    """A number that `true` is not: what JSON calls such a number, or another way to spell one; then its bounds."""
    if node.get("strict"):
        return node
    if rules.exact:
        spelled = [*spelled, after(_refuse_huge, core_schema.is_instance_schema(Decimal))]
    choices = [{**plain, "strict": True}, *({"type": "chain", "steps": [step, plain]} for step in spelled)]
    number = core_schema.union_schema(
        cast(Any, choices), mode="left_to_right", custom_error_type=f"{node['type']}_type"
    )
    bounds = {key: value for key, value in node.items() if key not in ("metadata", "serialization", "ref")}
    return outside(node, lambda _: number if bounds == plain else {"type": "chain", "steps": [number, bounds]})


def _refuse_huge(number: Decimal) -> Decimal:
    """As an integer, ``1e999999999`` would fill the memory."""
    if number.adjusted() >= _MOST_DIGITS:
        raise PydanticCustomError(f"{OWN}number_size", "Input should be a smaller number")
    return number


def _decimal(rules: _Rules, node: Node) -> Node:
    return {**node, "allow_inf_nan": False}


def _any(rules: _Rules, node: Node) -> Node:
    return _finite(node)


def _finite(node: Any) -> Node:
    return after(_refuse_non_finite, node)


def _refuse_non_finite(value: Any) -> Any:
    """NaN and the infinities are no JSON; a number too large for a float has become one."""
    try:
        return plain(value)
    except JsonTextError:
        raise PydanticCustomError("finite_number", "Input should be a finite number") from None


def _complex(rules: _Rules, node: Node) -> Node:
    def finite(value: complex) -> complex:
        return complex(_refuse_non_finite(value.real), _refuse_non_finite(value.imag))

    return after(finite, node)


def _in_json(choice: Any) -> Any:
    return choice.value if isinstance(choice, enum.Enum) else choice


def _literal(rules: _Rules, node: Node) -> Node:
    values = [_in_json(value) for value in node["expected"]]
    plain = _no_bool({**node, "expected": values}, values)
    kinds = {type(value) for value in node["expected"]}
    return plain if kinds <= _PLAIN and not kinds >= {bool, int} else _by_json(plain, values, node["expected"])


def _enum(rules: _Rules, node: Node) -> Node:
    values = [member.value for member in node["members"]]
    plain = _no_bool(node, values)
    return plain if all(type(value) in _PLAIN for value in values) else _by_json(plain, values, node["members"])


def _by_json(node: Node, published: list[Any], choices: list[Any]) -> Node:
    """Finds a choice by the JSON text of what is published for it, since pydantic looks for the Python value."""
    found = {_text_of(value): (choice,) for value, choice in zip(published, choices, strict=True)}

    def chosen(sent: Any, otherwise: Callable[[Any], Any]) -> Any:
        choice = found.get(_text_of(sent))
        return choice[0] if choice else otherwise(sent)

    return outside(node, lambda inner: core_schema.no_info_wrap_validator_function(chosen, inner))


def _text_of(value: Any) -> str:
    plain = to_jsonable_python(_refuse_non_finite(value))
    whole = int(plain) if isinstance(plain, float) and plain.is_integer() else plain
    return json.dumps(whole, sort_keys=True)


def _expected(values: list[Any]) -> str:
    *rest, last = map(repr, values)
    return f"{', '.join(rest)} or {last}" if rest else last


def _no_bool(node: Node, values: list[Any]) -> Node:
    """`True == 1` in Python, so pydantic finds the choice 1 for `true`; JSON keeps the two apart.

    A tagged union can look at the input without changing it: behind a function or in a chain it would be no JSON any
    more, and a strict model would refuse it.
    """
    bools = [value for value in values if isinstance(value, bool)]
    if not any(value in (0, 1) and value not in bools for value in values):
        return node
    return outside(
        node,
        lambda inner: core_schema.tagged_union_schema(
            {VALUE: inner},
            discriminator=lambda sent: None if isinstance(sent, bool) and sent not in bools else VALUE,
            custom_error_type="literal_error",
            custom_error_context={"expected": _expected(values)},
        ),
    )


def _union(rules: _Rules, node: Node) -> Node:
    """With labels of our own, since pydantic's are names of types, which could be keys too."""
    return {**node, "choices": [(schema, f"\0{i}") for i, (schema, _) in enumerate(map(labelled, node["choices"]))]}


def _tagged_union(rules: _Rules, node: Node) -> Node:
    choices = {_in_json(tag): _behind_tag(choice) for tag, choice in node["choices"].items()}
    node = {**node, "choices": choices}
    tag_of = node["discriminator"]
    if rules.exact and callable(tag_of):  # it may ask for the type of a number, and knows no `Decimal` from JSON
        return {**node, "discriminator": lambda sent: tag_of(_refuse_non_finite(sent))}
    return node


def _behind_tag(choice: Any) -> Any:
    if not isinstance(choice, dict):  # another tag
        return _in_json(choice)
    return core_schema.union_schema([(cast(CoreSchema, choice), TAG)], mode="left_to_right", auto_collapse=False)


def _json(rules: _Rules, node: Node) -> Node:
    inside = node.get("schema") or _finite(core_schema.any_schema())
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


def _list_of_any(rules: _Rules, node: Node) -> Node:
    return node if "items_schema" in node else {**node, "items_schema": _finite(core_schema.any_schema())}


def _generator(rules: _Rules, node: Node) -> Node:
    kept: Node = {
        key: node[key] for key in ("items_schema", "min_length", "max_length", "ref", "metadata") if key in node
    }
    return _list_of_any(rules, {"type": "list", **kept})


def _dict(rules: _Rules, node: Node) -> Node:
    keys: Node = node.get("keys_schema") or {"type": "any"}
    values: Node = node.get("values_schema") or _finite(core_schema.any_schema())
    may_join = _may_join(keys)
    keys = after(_Key, keys) if may_join else keys
    plain = {**node, "keys_schema": keys, "values_schema": values}
    plain = after(_without_keys, plain) if may_join else plain
    return _or_entries(plain, node, keys, values) if rules.entries else plain


def _may_join(keys: Node) -> bool:
    """Whether two keys of a JSON object may become one: ``"1"`` and ``"01"`` are the same `int`."""
    return {key: value for key, value in keys.items() if key not in ("metadata", "serialization")} not in _SAME_KEYS


_MAPS: Mapping[str, type] = {
    "dict": dict,
    "ordered-dict": collections.OrderedDict,
    "counter": collections.Counter,
}
_SAME_KEYS = ({"type": "str"}, {"type": "any"})


@dataclass(frozen=True, slots=True, eq=False)
class _Key:
    """A key that equals no other one, so that the keys of a map can be counted."""

    value: Any


def _without_keys(found: dict[_Key, Any]) -> Any:
    return type(found)(_map((key.value, value) for key, value in found.items()))


def _or_entries(plain: Node, node: Node, keys: Node, values: Node) -> Node:
    """A map, or an array of its entries that becomes a map of the same class."""
    kind = _MAPS[node["type"]]
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
    return _map(zip(bare, (entry["value"] for entry in entries), strict=True))


def _map(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for key, value in pairs:
        try:
            is_repeated = key in found
        except TypeError:  # not hashable, it or something inside of it
            raise PydanticCustomError(f"{OWN}key_type", "A key should be no array and no object") from None
        if is_repeated:
            raise PydanticCustomError(f"{OWN}repeated_key", "A key comes twice")
        found[key] = value
    return found


_RULES: Mapping[str, Callable[[_Rules, Node], Node]] = {
    "model": _model,
    "model-fields": _close,
    "dataclass": _model,
    "dataclass-args": _close,
    "typed-dict": _close,
    "typed-dict-field": _omit_null,
    "default": _default_for_null,
    "int": _int,
    "float": _float,
    "decimal": _decimal,
    "complex": _complex,
    "json": _json,
    "union": _union,
    "tagged-union": _tagged_union,
    "any": _any,
    "literal": _literal,
    "enum": _enum,
    "list": _list_of_any,
    "set": _list_of_any,
    "frozenset": _list_of_any,
    "generator": _generator,
    "deque": _list_of_any,
    **dict.fromkeys(_MAPS, _dict),
}
