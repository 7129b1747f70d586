"""pydantic's core schemas as plain trees of dicts: which keys hold schemas, and what may be put round one.

`pydantic_core.core_schema` has the words, and says nowhere how to walk them. Nothing here changes what it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from pydantic_core import CoreSchema, core_schema

__all__ = [
    "HOLDERS",
    "NULL",
    "Node",
    "admits_none",
    "after",
    "children",
    "contains",
    "definitions_in",
    "is_one_key_a_field",
    "labelled",
    "outside",
    "rewritten",
    "values_schema",
]

Node: TypeAlias = "dict[str, Any]"

NULL = "\0null"  # the label of the branch that takes `null` for a default; NUL keeps it apart from every key

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

HOLDERS = ("model", "dataclass", "typed-dict")  # the types of schemas that have fields, or stand for one that has


def rewritten(node: Node, rule: Callable[[Node], Node]) -> Node:
    """The schema with a rule applied to every schema in it, those inside first."""
    return rule({key: _rewritten_child(key, value, rule) for key, value in node.items()})


def _rewritten_child(key: str, value: Any, rule: Callable[[Node], Node]) -> Any:
    if key in _SINGLE and isinstance(value, dict):
        return rewritten(cast(Node, value), rule)
    if key not in _MANY:
        return value
    if isinstance(value, list):
        return [_rewritten_item(item, rule) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if _is_node(value):
        return rewritten(value, rule)
    return {name: _rewritten_item(item, rule) for name, item in value.items()}


def _rewritten_item(item: Any, rule: Callable[[Node], Node]) -> Any:
    if isinstance(item, tuple):
        schema, label = labelled(cast(Any, item))
        return (rewritten(schema, rule), label)
    return rewritten(cast(Node, item), rule) if isinstance(item, dict) else item


def children(node: Node) -> list[Node]:
    """The schemas directly inside."""
    found: list[Any] = [node.get(key) for key in _SINGLE]
    for key in _MANY:
        value = node.get(key) or ()
        if isinstance(value, dict):
            value = [value] if _is_node(value) else list(cast(Node, value).values())
        found += [labelled(item)[0] for item in cast("list[Any]", value)]
    return [child for child in found if isinstance(child, dict)]


def labelled(choice: Any) -> tuple[Any, str | None]:
    """A choice of a union and its label, which it may have."""
    return choice if isinstance(choice, tuple) else (choice, None)


def contains(node: Node, kind: str) -> bool:
    """Whether a schema of this type is anywhere inside, or is the schema itself."""
    return node.get("type") == kind or any(contains(child, kind) for child in children(node))


def definitions_in(node: Node) -> Mapping[str, Node]:
    """The schemas that others refer to, by name."""
    found = {child["ref"]: child for child in node.get("definitions", ()) if "ref" in child}
    for child in children(node):
        found.update(definitions_in(child))
    if "ref" in node:
        found[node["ref"]] = node
    return found


def admits_none(node: Node, definitions: Mapping[str, Node], seen: frozenset[str] = frozenset()) -> bool:
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
        return name not in seen and admits_none(definitions[name], definitions, seen | {name})
    return any(admits_none(child, definitions, seen) for child in _alternatives(node))


def _alternatives(node: Node) -> list[Node]:
    """The schemas that decide which JSON types a schema that is no container admits."""
    kind = node["type"]
    if kind == "union":
        return [schema for schema, label in map(labelled, node["choices"]) if label != NULL]
    if kind == "tagged-union":
        return [choice for choice in node["choices"].values() if isinstance(choice, dict)]
    if kind == "chain":
        return list(node["steps"][:1])
    for key in ("json_schema", "lax_schema", "schema"):
        if key in node and (kind not in ("model", "dataclass", "json") or node.get("root_model")):
            return [node[key]]
    return []


def values_schema(schema: CoreSchema) -> CoreSchema | None:
    """The core schema of an arguments model as one that gives a dict of what was sent, without a model around it.

    A call needs no more: what was not sent is the function's own default. `None` where a model does more than that
    (validators of its own or such as look at other fields, `__init__`, `model_post_init`, defaults of pydantic's), so
    that only the model itself can read the arguments.
    """
    node = cast(Node, schema)
    if node["type"] == "definitions":
        inner = None if any(map(_asks_for_other_fields, node["definitions"])) else values_schema(node["schema"])
        return cast(CoreSchema, {**node, "schema": inner}) if inner else None
    fields = _plain_fields(node)
    if not fields or not all(map(_is_plain_field, fields["fields"].values())):
        return None
    keys = {name: _key(field["schema"], field.get("validation_alias")) for name, field in fields["fields"].items()}
    return core_schema.typed_dict_schema(keys, config=cast(Any, node.get("config")))


def is_one_key_a_field(schema: CoreSchema) -> bool:
    """Whether a model has as many fields set as different known keys were sent.

    A path or a choice of aliases may read a key that another field reads too, and code of a model may set any field.
    """
    node = cast(Node, schema)
    if node["type"] == "definitions":
        return is_one_key_a_field(node["schema"])
    fields = _plain_fields(node)
    if not fields or (node.get("config") or {}).get("validate_by_name"):
        return False
    keys = [field.get("validation_alias", name) for name, field in fields["fields"].items()]
    return all(isinstance(key, str) for key in keys) and len(set(keys)) == len(keys)


def _plain_fields(node: Node) -> Node | None:
    """The fields of a model that is no more than they are, in the class that pydantic makes of it."""
    is_plain = node["type"] == "model" and not node.get("custom_init") and not node.get("post_init")
    return node["schema"] if is_plain and node["schema"]["type"] == "model-fields" else None


def _is_plain_field(field: Node) -> bool:
    has_default = field["schema"]["type"] == "default"
    return not (has_default and field["schema"].get("validate_default")) and not _asks_for_other_fields(field)


def _asks_for_other_fields(node: Node) -> bool:
    """Whether a validator is given `ValidationInfo`, whose ``data`` holds the fields before it, defaults too."""
    if node["type"] in HOLDERS and not node.get("root_model"):
        return False  # validators inside are given what it holds
    function = node.get("function")
    return (isinstance(function, dict) and function.get("type") == "with-info") or any(
        map(_asks_for_other_fields, children(node))
    )


def _key(schema: Node, alias: Any) -> core_schema.TypedDictField:
    is_optional = schema["type"] == "default"
    inner = cast(CoreSchema, schema["schema"] if is_optional else schema)
    return core_schema.typed_dict_field(inner, required=not is_optional, validation_alias=alias)


def after(function: Callable[[Any], Any], node: Any) -> Node:
    """The schema with a function behind it."""
    return outside(node, lambda inner: core_schema.no_info_after_validator_function(function, inner))


def outside(node: Any, wrap: Callable[[Any], Any]) -> Node:
    """What is put round a schema takes over the name by which others refer to it."""
    reference = {"ref": node["ref"]} if "ref" in node else {}
    return {**wrap({key: value for key, value in node.items() if key != "ref"}), **reference}


def _is_node(value: Any) -> bool:
    """A schema, and not a mapping that happens to have a field named ``type``."""
    return isinstance(value.get("type"), str)
