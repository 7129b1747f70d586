"""What a language model may send, written as one rewrite of pydantic's core schema.

pydantic validates for Python programs; a model's arguments need a few other rules, at every depth: nested models,
dataclasses and typed dicts, unions and recursion included. They are put into a copy of the core schema, and a
`SchemaValidator` of our own runs it, so that no class of the user's changes and pydantic alone decides what fits.

| rule                                  | pydantic alone        | here                                              |
|---------------------------------------|-----------------------|---------------------------------------------------|
| unknown key of a closed object        | dropped               | refused (or dropped, with ``closed=False``)       |
| `null` where there is a default       | refused               | the default, unless the published type has `null` |
| `null` for a key that may be absent   | refused               | the key is left out                               |
| `true` for a number                   | 1                     | refused                                           |
| NaN, Infinity, 1e999                  | accepted              | refused, under `Any` too                          |
| `Literal[Enum.MEMBER]`                | takes no JSON         | takes the member's value                          |
| `Iterable[T]`                         | validated lazily      | a list, validated                                 |
| map in ``entries`` form               | refused               | the dict; a repeated key is refused               |

Everything runs inside pydantic-core: no rule turns the JSON into Python objects before it is validated, since that
would lose JSON's own leniency (a strict model takes a date from a string only as JSON) and its speed.
A model with its own `__init__` validates itself and keeps pydantic's rules inside.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NoReturn, cast

from pydantic_core import CoreSchema, PydanticCustomError, PydanticOmit, PydanticUseDefault, core_schema

__all__ = ["ENTRIES", "MAP", "NULL", "contains", "values_schema", "with_argument_rules"]

Node = dict[str, Any]

# Labels of the unions made here, as they stand in an error's location. NUL keeps them apart from every key and from
# pydantic's own labels, which are type names.
NULL, VALUE, ENTRIES, MAP = "\0null", "\0value", "\0entries", "\0map"

_SINGLE = (
    "schema",
    "keys_schema",
    "values_schema",
    "extras_schema",
    "lax_schema",
    "strict_schema",
    "json_schema",
    "python_schema",
)
_MANY = ("items_schema", "choices", "steps", "definitions", "fields", "arguments_schema")


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
    return cast(
        CoreSchema, _Rules(closed, entries, exact, _definitions(cast(Node, schema))).rewrite(cast(Node, schema))
    )


def values_schema(schema: CoreSchema) -> CoreSchema | None:
    """The core schema of an arguments model as one that gives a dict of what was sent, without a model around it.

    A call needs no more: what was not sent is the function's own default. `None` where a model does more than that
    (validators of its own, defaults that pydantic makes), so that only the model itself can read the arguments.
    """
    node = cast(Node, schema)
    if node["type"] == "definitions":
        inner = values_schema(node["schema"])
        return cast(CoreSchema, {**node, "schema": inner}) if inner else None
    fields = node["schema"] if node["type"] == "model" else {}
    if fields.get("type") != "model-fields" or not all(map(_is_plain_field, fields["fields"].values())):
        return None
    keys = {name: _key(field["schema"], field.get("validation_alias")) for name, field in fields["fields"].items()}
    return core_schema.typed_dict_schema(keys, config=cast(Any, node.get("config")))


def _is_plain_field(field: Node) -> bool:
    return field["schema"]["type"] != "default" or not field["schema"].get("validate_default")


def _key(schema: Node, alias: Any) -> core_schema.TypedDictField:
    is_optional = schema["type"] == "default"
    inner = schema["schema"] if is_optional else schema
    return core_schema.typed_dict_field(inner, required=not is_optional, validation_alias=alias)


def contains(schema: CoreSchema, kind: str) -> bool:
    """Whether a node of this type is anywhere in the schema."""
    node = cast(Node, schema)
    return node.get("type") == kind or any(contains(cast(CoreSchema, child), kind) for child in _children(node))


@dataclass(frozen=True, slots=True)
class _Rules:
    closed: bool
    entries: bool
    exact: bool
    definitions: Mapping[str, Node] = field(repr=False)

    def rewrite(self, node: Node) -> Node:
        rewritten = {key: self._child(key, value) for key, value in node.items()}
        rule = _RULES.get(node.get("type", ""))
        return rule(self, rewritten) if rule else rewritten

    def _child(self, key: str, value: Any) -> Any:
        if key in _SINGLE and isinstance(value, dict):
            return self.rewrite(value)
        if key not in _MANY:
            return value
        if isinstance(value, list):
            return [self._item(item) for item in value]
        if _is_node(value):
            return self.rewrite(value)
        return {name: self._item(item) for name, item in value.items()}

    def _item(self, item: Any) -> Any:
        if isinstance(item, tuple):  # a choice of a union with its label
            return (self.rewrite(item[0]), item[1])
        return self.rewrite(item) if isinstance(item, dict) else item

    def admits_none(self, node: Node, seen: frozenset[str] = frozenset()) -> bool:
        """Whether `null` is among the values that the published type has; custom validators have no say in it."""
        kind = node["type"]
        if kind in ("nullable", "none", "any"):
            return True
        if kind == "literal":
            return any(getattr(value, "value", value) is None for value in node["expected"])
        if kind == "enum":
            return any(member.value is None for member in node["members"])
        if kind == "definition-ref":
            name = node["schema_ref"]
            return name not in seen and self.admits_none(self.definitions[name], seen | {name})
        return any(self.admits_none(child, seen) for child in _alternatives(node))


def _alternatives(node: Node) -> list[Node]:
    """The nodes that decide which JSON types a node that is no container admits."""
    kind = node["type"]
    if kind == "union":
        return [choice[0] if isinstance(choice, tuple) else choice for choice in node["choices"]]
    if kind == "tagged-union":
        return [choice for choice in node["choices"].values() if isinstance(choice, dict)]
    if kind == "chain":
        return list(node["steps"][:1])
    for key in ("json_schema", "lax_schema", "schema"):
        if key in node and (kind not in ("model", "dataclass", "json") or node.get("root_model")):
            return [node[key]]
    return []


def _definitions(node: Node) -> Mapping[str, Node]:
    found = {d["ref"]: d for d in node.get("definitions", ()) if "ref" in d}
    for child in _children(node):
        found.update(_definitions(child))
    if "ref" in node:
        found[node["ref"]] = node
    return found


def _children(node: Node) -> list[Node]:
    children = [node[key] for key in _SINGLE if isinstance(node.get(key), dict)]
    for key in _MANY:
        value = node.get(key)
        if isinstance(value, dict):
            value = [value] if _is_node(value) else list(value.values())
        children += [item[0] if isinstance(item, tuple) else item for item in value or ()]
    return [child for child in children if isinstance(child, dict)]


def _is_node(value: Any) -> bool:
    """A schema, and not a mapping that happens to have a field named ``type``."""
    return isinstance(value.get("type"), str)


def _close(rules: _Rules, node: Node) -> Node:
    if (node.get("extra_behavior") or _configured_extra(node)) == "allow":
        extras = node.get("extras_schema") or _finite(core_schema.any_schema())
        return {**node, "extras_schema": extras} if node["type"] != "dataclass-args" else node
    return {**node, "extra_behavior": "forbid" if rules.closed else "ignore"}


def _configured_extra(node: Node) -> str | None:
    return cast("str | None", (node.get("config") or {}).get("extra_fields_behavior"))


def _model(rules: _Rules, node: Node) -> Node:
    """`extra="allow"` stands in the config of the model, unknown keys are met in the fields below its validators."""
    return {**node, "schema": _opened(node["schema"])} if _configured_extra(node) == "allow" else node


def _opened(node: Node) -> Node:
    if node["type"] == "model-fields":
        return {"extras_schema": _finite(core_schema.any_schema()), **node, "extra_behavior": "allow"}
    if node["type"] == "dataclass-args":
        return {**node, "extra_behavior": "allow"}
    return {**node, "schema": _opened(node["schema"])} if isinstance(node.get("schema"), dict) else node


def _omit_null(rules: _Rules, node: Node) -> Node:
    if node.get("required", True) or rules.admits_none(node["schema"]):
        return node
    return {**node, "schema": _null_or(node["schema"], _omit)}


def _default_for_null(rules: _Rules, node: Node) -> Node:
    return node if rules.admits_none(node["schema"]) else {**node, "schema": _null_or(node["schema"], _use_default)}


def _null_or(schema: Node, on_null: Callable[[Any], NoReturn]) -> Node:
    null = core_schema.chain_schema([core_schema.none_schema(), core_schema.no_info_plain_validator_function(on_null)])
    choices = [(null, NULL), (schema, VALUE)]
    return cast(Node, core_schema.union_schema(cast(Any, choices), mode="left_to_right"))


def _use_default(_: Any) -> NoReturn:
    raise PydanticUseDefault


def _omit(_: Any) -> NoReturn:
    raise PydanticOmit


def _int(rules: _Rules, node: Node) -> Node:
    spelled = [core_schema.str_schema(strict=True), core_schema.float_schema(strict=True)]
    return _number(rules, node, {"type": "int"}, spelled)


def _float(rules: _Rules, node: Node) -> Node:
    finite = {"type": "float", "allow_inf_nan": False}
    return _number(rules, {**node, **finite}, finite, [core_schema.str_schema(strict=True)])


def _number(rules: _Rules, node: Node, plain: Node, spelled: list[Any]) -> Node:
    """A number that `true` is not: what JSON calls such a number, or another way to spell one; then its bounds."""
    if node.get("strict"):
        return node
    if rules.exact:
        spelled = [*spelled, core_schema.is_instance_schema(Decimal)]
    choices = [{**plain, "strict": True}, *({"type": "chain", "steps": [step, plain]} for step in spelled)]
    number = core_schema.union_schema(
        cast(Any, choices), mode="left_to_right", custom_error_type=f"{node['type']}_type"
    )
    bounds = {key: value for key, value in node.items() if key not in ("metadata", "serialization", "ref")}
    return _outside(node, lambda _: number if bounds == plain else {"type": "chain", "steps": [number, bounds]})


def _decimal(rules: _Rules, node: Node) -> Node:
    return {**node, "allow_inf_nan": False}


def _any(rules: _Rules, node: Node) -> Node:
    return _finite(node)


def _finite(node: Any) -> Node:
    return _outside(node, lambda any_: core_schema.no_info_after_validator_function(_refuse_non_finite, any_))


def _outside(node: Any, wrap: Callable[[Any], Any]) -> Node:
    """What is put round a schema takes over the name by which others refer to it."""
    reference = {"ref": node["ref"]} if "ref" in node else {}
    return {**wrap({key: value for key, value in node.items() if key != "ref"}), **reference}


def _refuse_non_finite(value: Any) -> Any:
    """NaN and the infinities are no JSON; a number too large for a float has become one. `Decimal`s become floats."""
    if isinstance(value, float) and not math.isfinite(value):
        raise PydanticCustomError("finite_number", "Input should be a finite number")
    if isinstance(value, Decimal):
        return _refuse_non_finite(float(value))
    if isinstance(value, list):
        return [_refuse_non_finite(item) for item in value]
    if isinstance(value, dict):
        return {key: _refuse_non_finite(item) for key, item in value.items()}
    return value


def _literal(rules: _Rules, node: Node) -> Node:
    members = {m.value: m for m in node["expected"] if isinstance(m, enum.Enum)}
    values = [m.value if isinstance(m, enum.Enum) else m for m in node["expected"]]
    plain = _no_bool({**node, "expected": values}, values)
    if not members:
        return plain
    return _outside(
        plain, lambda inner: core_schema.no_info_after_validator_function(lambda v: members.get(v, v), inner)
    )


def _enum(rules: _Rules, node: Node) -> Node:
    return _no_bool(node, [member.value for member in node["members"]])


def _no_bool(node: Node, values: list[Any]) -> Node:
    """`True == 1` in Python, so pydantic finds the choice 1 for `true`; JSON keeps the two apart."""
    numbers = [value for value in values if isinstance(value, (int, float)) and value in (0, 1)]
    if not numbers or any(isinstance(value, bool) for value in values):
        return node
    message = "Input should be " + " or ".join(map(repr, values))
    no_bool = core_schema.union_schema(
        [
            *(cast(CoreSchema, {"type": kind, "strict": True}) for kind in ("int", "float", "str")),
            core_schema.none_schema(),
            core_schema.list_schema(),
        ],
        custom_error_type="choice",
        custom_error_message=message,
    )
    return _outside(node, lambda inner: core_schema.chain_schema([no_bool, inner]))


def _list_of_any(rules: _Rules, node: Node) -> Node:
    return node if "items_schema" in node else {**node, "items_schema": _finite(core_schema.any_schema())}


def _generator(rules: _Rules, node: Node) -> Node:
    kept: Node = {
        key: node[key] for key in ("items_schema", "min_length", "max_length", "ref", "metadata") if key in node
    }
    return _list_of_any(rules, {"type": "list", **kept})


def _dict(rules: _Rules, node: Node) -> Node:
    node = {"keys_schema": core_schema.any_schema(), **node}
    node.setdefault("values_schema", _finite(core_schema.any_schema()))
    if not rules.entries:
        return node
    entry = core_schema.typed_dict_schema(
        {name: core_schema.typed_dict_field(node[f"{name}s_schema"]) for name in ("key", "value")},
        extra_behavior="forbid",
    )
    bounds = {key: node[key] for key in ("min_length", "max_length") if key in node}
    entries = core_schema.no_info_after_validator_function(_from_entries, core_schema.list_schema(entry, **bounds))
    return _outside(
        node,
        lambda plain: core_schema.union_schema(cast(Any, [(entries, ENTRIES), (plain, MAP)]), mode="left_to_right"),
    )


def _from_entries(entries: list[dict[str, Any]]) -> dict[Any, Any]:
    found = {entry["key"]: entry["value"] for entry in entries}
    if len(found) < len(entries):
        raise PydanticCustomError("repeated_key", "A key comes twice")
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
    "any": _any,
    "literal": _literal,
    "enum": _enum,
    "list": _list_of_any,
    "set": _list_of_any,
    "frozenset": _list_of_any,
    "generator": _generator,
    "dict": _dict,
}
