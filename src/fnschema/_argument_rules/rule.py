"""What a rule is told, and what rules share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pydantic_core import PydanticCustomError, core_schema

from .._core_schema import Node, admits_none, after
from .._json_text import JsonTextError, plain

__all__ = [
    "ENTRIES",
    "ENTRY",
    "KEY",
    "MAP",
    "OWN",
    "TAG",
    "VALUE",
    "Rule",
    "Rules",
    "behind",
    "finite",
    "refuse_non_finite",
]

# More labels of unions, as they stand in an error's location. A tag of a tagged union cannot be renamed, so TAG comes
# behind it; KEY comes behind pydantic's ``[key]``, which a map inside might have as a key.
VALUE, ENTRIES, MAP, TAG, KEY = "\0value", "\0entries", "\0map", "\0tag", "\0key"

OWN = "fnschema_"  # begins the type of an error that is raised here
ENTRY = "entry"  # in the context of such an error: the index of the entry whose key is wrong


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


def behind(label: str, node: Any) -> Any:
    """The schema, with a label before everything that an error's location says of it."""
    return core_schema.union_schema([(node, label)], mode="left_to_right", auto_collapse=False)


def finite(node: Any) -> Node:
    """The schema with a look at every number that it has read."""
    return after(refuse_non_finite, node)


def refuse_non_finite(value: Any) -> Any:
    """NaN and the infinities are no JSON; a number too large for a float has become one."""
    try:
        return plain(value)
    except JsonTextError:
        raise PydanticCustomError("finite_number", "Input should be a finite number") from None
