"""Rules about numbers: `true` is none, and neither are NaN and the infinities."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, cast

from pydantic_core import PydanticCustomError, core_schema

from .._core_schema import Node, after, outside
from .rule import OWN, Rules, finite, refuse_non_finite

__all__ = ["anything", "complex_number", "decimal", "floating", "integer"]

_TOO_LARGE_A_FLOAT = 2**53  # from here on two integers may be the same float, and JSON with a point is read as one
_MOST_DIGITS = 4300  # Python's own limit for the text of an integer, whose work grows with the square


def integer(rules: Rules, node: Node) -> Node:
    """An integer, also as ``1.0`` or as text."""
    whole = core_schema.float_schema(strict=True, gt=-_TOO_LARGE_A_FLOAT, lt=_TOO_LARGE_A_FLOAT)
    spelled = [core_schema.str_schema(strict=True), whole]
    return _number(rules, node, {"type": "int"}, spelled)


def floating(rules: Rules, node: Node) -> Node:
    """A finite number, also as text."""
    plain = {"type": "float", "allow_inf_nan": False}
    return _number(rules, {**node, **plain}, plain, [core_schema.str_schema(strict=True)])


def decimal(rules: Rules, node: Node) -> Node:
    """A finite number."""
    return {**node, "allow_inf_nan": False}


def complex_number(rules: Rules, node: Node) -> Node:
    """Both parts are finite."""
    return after(_refuse_non_finite_parts, node)


def _refuse_non_finite_parts(number: complex) -> complex:
    return complex(refuse_non_finite(number.real), refuse_non_finite(number.imag))


def anything(rules: Rules, node: Node) -> Node:
    """Any JSON, in which numbers are finite at any depth."""
    return finite(node)


def _number(rules: Rules, node: Node, plain: Node, spelled: list[Any]) -> Node:
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
