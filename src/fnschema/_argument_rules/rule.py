"""What a rule is told, and what rules share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pydantic_core import PydanticCustomError

from .._core_schema import Node, admits_none, after
from .._json_text import JsonTextError, plain

__all__ = ["ENTRIES", "MAP", "OWN", "TAG", "VALUE", "Rule", "Rules", "finite", "refuse_non_finite"]

# More labels of unions, as they stand in an error's location. A tag of a tagged union cannot be renamed, so TAG comes
# behind it.
VALUE, ENTRIES, MAP, TAG = "\0value", "\0entries", "\0map", "\0tag"

OWN = "fnschema_"  # begins the type of an error that is raised here


class Rules(NamedTuple):
    """What the rules have to go by.

    Attributes:
        closed, entries, exact: as in `with_argument_rules`.
        definitions: the schemas that others refer to, by name.
    """

    closed: bool
    entries: bool
    exact: bool
    definitions: Mapping[str, Node]

    def admits_none(self, node: Node) -> bool:
        """Whether `null` is a value of the published type."""
        return admits_none(node, self.definitions)


Rule = Callable[[Rules, Node], Node]


def finite(node: Any) -> Node:
    """The schema with a look at every number that it has read."""
    return after(refuse_non_finite, node)


def refuse_non_finite(value: Any) -> Any:
    """NaN and the infinities are no JSON; a number too large for a float has become one."""
    try:
        return plain(value)
    except JsonTextError:
        raise PydanticCustomError("finite_number", "Input should be a finite number") from None
