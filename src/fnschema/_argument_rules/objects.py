"""Rules about objects: keys that nobody knows, keys by another name, `null` for what may be left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, cast

from pydantic_core import PydanticOmit, PydanticUseDefault, core_schema

from .._core_schema import NULL, Node, after, children
from .rule import VALUE, Rules, finite, refuse_non_finite

__all__ = ["default", "fields", "model", "typed_dict_field"]

_RUNS_CODE = ("function-before", "function-wrap", "function-plain", "definition-ref")


def fields(rules: Rules, node: Node) -> Node:
    """Unknown keys are refused or dropped, unless the author allows them; a published key fills its field."""
    node = {**node, "fields": _with_published_keys(node["fields"])}
    if (node.get("extra_behavior") or _configured_extra(node)) == "allow":
        return _with_finite_extras(node)
    return {**node, "extra_behavior": "forbid" if rules.closed else "ignore"}


def _with_published_keys(known: Any) -> Any:
    """The fields, each filled by the key that is published for it too, where its aliases are paths into the object."""
    if isinstance(known, list):
        return [_with_published_key(field["name"], field) for field in known]
    return {name: _with_published_key(name, field) for name, field in known.items()}


def _with_published_key(name: str, field: Node) -> Node:
    alias = field.get("validation_alias")
    if not isinstance(alias, list):
        return field
    are_choices = isinstance(alias[0], list)
    if are_choices and any(len(path) == 1 for path in alias):
        return field  # under the first of these
    return {**field, "validation_alias": [*(alias if are_choices else [alias]), [name]]}


def _configured_extra(node: Node) -> str | None:
    return cast("str | None", (node.get("config") or {}).get("extra_fields_behavior"))


def model(rules: Rules, node: Node) -> Node:
    """`extra="allow"` stands in the config of the model, unknown keys are met in the fields below its validators."""
    return {**node, "schema": _opened(node["schema"])} if _configured_extra(node) == "allow" else node


def _opened(node: Node) -> Node:
    if node["type"] in ("model-fields", "dataclass-args"):
        return _with_finite_extras({**node, "extra_behavior": "allow"})
    return {**node, "schema": _opened(node["schema"])} if isinstance(node.get("schema"), dict) else node


def _with_finite_extras(node: Node) -> Node:
    if node["type"] != "dataclass-args":
        return {"extras_schema": finite(core_schema.any_schema()), **node}
    names = {field["name"] for field in node["fields"]}

    def with_finite_extras(validated: tuple[dict[str, Any], Any]) -> tuple[dict[str, Any], Any]:
        values, only_for_init = validated
        return {k: v if k in names else refuse_non_finite(v) for k, v in values.items()}, only_for_init

    return after(with_finite_extras, node)


def typed_dict_field(rules: Rules, node: Node) -> Node:
    """`null` for a key that may be absent leaves it out."""
    if node.get("required", True) or rules.admits_none(node["schema"]):
        return node
    return {**node, "schema": _null_or(node["schema"], _omit)}


def default(rules: Rules, node: Node) -> Node:
    """`null` stands for the default, unless it is a value of the type."""
    return node if rules.admits_none(node["schema"]) else {**node, "schema": _null_or(node["schema"], _use_default)}


def _null_or(schema: Node, on_null: Callable[[Any], NoReturn]) -> Node:
    null = core_schema.chain_schema([core_schema.none_schema(), core_schema.no_info_plain_validator_function(on_null)])
    choices = [(null, NULL), (schema, VALUE)]
    if not _may_take_null(schema):
        choices.reverse()  # what most values are comes first, since a branch that fails takes longer than one that fits
    return cast(Node, core_schema.union_schema(cast(Any, choices), mode="left_to_right"))


def _may_take_null(node: Node) -> bool:
    """Whether code of the author's might make a value of `null` that the published type does not have."""
    if node.get("type") in _RUNS_CODE or node.get("missing"):
        return True
    return any(map(_may_take_null, children(node)))


def _use_default(_: Any) -> NoReturn:
    raise PydanticUseDefault


def _omit(_: Any) -> NoReturn:
    raise PydanticOmit
