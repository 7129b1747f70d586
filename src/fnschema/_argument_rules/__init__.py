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
| an `OSError` of `FilePath`, any error | raised as it is       | refused                                           |
| of a validator of pydantic's own      |                       |                                                   |
| map in ``entries`` form               | refused               | the dict; a repeated key is refused               |

Everything runs inside pydantic-core: no rule turns the JSON into Python objects before it is validated, since that
would lose JSON's own leniency (a strict model takes a date from a string only as JSON) and its speed.
A key beside the one that an alias's path leads to is dropped: what a path reads is nowhere published as an object.
A model with its own `__init__` validates itself and keeps pydantic's rules inside. A key that a before-validator takes
out of the object is known; one that it only reads is unknown, as with pydantic's ``extra="forbid"``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pydantic_core import CoreSchema

from .._core_schema import Node, definitions_in, rewritten
from . import choices, containers, functions, numbers, objects
from .rule import ENTRIES, ENTRY, KEY, MAP, OWN, TAG, Rule, Rules

__all__ = ["ENTRIES", "ENTRY", "KEY", "MAP", "OWN", "TAG", "with_argument_rules"]


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
    rules = Rules(closed, entries, exact, definitions_in(node))

    def ruled(inside: Node) -> Node:
        rule = _RULES.get(inside.get("type", ""))
        return rule(rules, inside) if rule else inside

    return cast(CoreSchema, rewritten(node, ruled))


_RULES: Mapping[str, Rule] = {
    "model": objects.model,
    "model-fields": objects.fields,
    "dataclass": objects.model,
    "dataclass-args": objects.fields,
    "typed-dict": objects.fields,
    "typed-dict-field": objects.typed_dict_field,
    "default": objects.default,
    "int": numbers.integer,
    "float": numbers.floating,
    "decimal": numbers.decimal,
    "complex": numbers.complex_number,
    "json": containers.json_text,
    "union": choices.union,
    "tagged-union": choices.tagged_union,
    "any": numbers.anything,
    "literal": choices.literal,
    "enum": choices.enumeration,
    "list": containers.array,
    "set": containers.array,
    "frozenset": containers.array,
    "generator": containers.generator,
    "deque": containers.array,
    **dict.fromkeys(("function-before", "function-after", "function-plain"), functions.function),
    **dict.fromkeys(containers.MAPS, containers.mapping),
}
