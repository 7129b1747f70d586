"""Rules about choices: what stands for a member or a literal in JSON, and which branch of a union it is."""

from __future__ import annotations

import enum
import json
from collections.abc import Callable
from typing import Any

from pydantic_core import core_schema, to_jsonable_python

from .._core_schema import Node, labelled, outside
from .rule import TAG, VALUE, Rules, behind, refuse_non_finite

__all__ = ["enumeration", "literal", "tagged_union", "union"]

_PLAIN = {str, int, float, bool, type(None)}  # exactly these types are values of JSON as they are


def literal(rules: Rules, node: Node) -> Node:
    """A literal is chosen by the JSON that is published for it."""
    values = [_in_json(value) for value in node["expected"]]
    plain = _no_bool({**node, "expected": values}, values)
    kinds = {type(value) for value in node["expected"]}
    return plain if kinds <= _PLAIN and not kinds >= {bool, int} else _by_json(plain, values, node["expected"])


def enumeration(rules: Rules, node: Node) -> Node:
    """A member is chosen by the JSON that is published for its value."""
    values = [member.value for member in node["members"]]
    plain = _no_bool(node, values)
    return plain if all(type(value) in _PLAIN for value in values) else _by_json(plain, values, node["members"])


def _in_json(choice: Any) -> Any:
    return choice.value if isinstance(choice, enum.Enum) else choice


def _by_json(node: Node, published: list[Any], choices: list[Any]) -> Node:
    """Finds a choice by the JSON text of what is published for it, since pydantic looks for the Python value."""
    found = {_text_of(to_jsonable_python(value)): (choice,) for value, choice in zip(published, choices, strict=True)}

    def chosen(sent: Any, otherwise: Callable[[Any], Any]) -> Any:
        choice = found.get(_text_of(sent))
        return choice[0] if choice else otherwise(sent)

    return outside(node, lambda inner: core_schema.no_info_wrap_validator_function(chosen, inner))


def _text_of(value: Any) -> str:
    plain = to_jsonable_python(refuse_non_finite(value))
    whole = int(plain) if isinstance(plain, float) and plain.is_integer() else plain
    return json.dumps(whole, sort_keys=True)


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


def _expected(values: list[Any]) -> str:
    *rest, last = map(repr, values)
    return f"{', '.join(rest)} or {last}" if rest else last


def union(rules: Rules, node: Node) -> Node:
    """With labels of our own, since pydantic's are names of types, which could be keys too."""
    return {**node, "choices": [(schema, f"\0{i}") for i, (schema, _) in enumerate(map(labelled, node["choices"]))]}


def tagged_union(rules: Rules, node: Node) -> Node:
    """Tags are what is published for them; the label behind each tells it from a key in an error's location."""
    choices = {_in_json(tag): _behind_tag(choice) for tag, choice in node["choices"].items()}
    node = {**node, "choices": choices}
    tag_of = node["discriminator"]
    if rules.exact and callable(tag_of):  # it may ask for the type of a number, and knows no `Decimal` from JSON
        return {**node, "discriminator": lambda sent: tag_of(refuse_non_finite(sent))}
    return node


def _behind_tag(choice: Any) -> Any:
    if not isinstance(choice, dict):  # another tag
        return _in_json(choice)
    return behind(TAG, choice)
