"""JSON Schemas as plain dicts: visiting, rewriting and following references.

One table says where a schema holds schemas, so that a property *named* ``title`` or ``$ref`` is never taken for the
keyword, and so that what stands in ``default`` or ``enum`` is never taken for a schema. Nothing here changes the dict
it is given, and nothing knows a provider.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard
from urllib.parse import unquote

from .errors import UserError, quoted

Schema = dict[str, Any]
Path = tuple[str | int, ...]
Rule = Callable[[Schema], Schema]


class NotASchemaError(UserError, TypeError):
    """What stands where a schema should is none; a `TypeError` for callers who know it from the Agents SDK."""


class LostReferenceError(UserError, ValueError):
    """A `$ref` leads nowhere; a `ValueError` for callers who know it from the Agents SDK."""


# JSON Schema 2020-12, core section 10 and validation section 8; the older spellings that pydantic's users still write
# (`definitions`, `dependencies`, `additionalItems`, a list of `items`) stand beside them.
MAPS_OF_SCHEMAS = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
)
LISTS_OF_BRANCHES = ("anyOf", "oneOf", "allOf")
LISTS_OF_SCHEMAS = frozenset({*LISTS_OF_BRANCHES, "prefixItems", "items"})
SINGLE_SCHEMAS = frozenset(
    {
        "items",
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)

DEFINITIONS = ("$defs", "definitions")  # where schemas stand that only references lead to

_OF_THE_SAME_VALUE = frozenset({*LISTS_OF_BRANCHES, "dependentSchemas", "else", "if", "not", "then"})
_CONTAINERS: tuple[type, ...] = (dict, list, tuple)
_HOLDERS = MAPS_OF_SCHEMAS | LISTS_OF_SCHEMAS | SINGLE_SCHEMAS

MOST_LEVELS = 100  # nested dicts and lists; the Agents SDK's limit, and far from Python's recursion limit
MOST_NODES = 100_000  # schemas that expanding references may make; real ones have a few hundred
_MOST_BITS = 14_284  # of 4,300 digits, more than which Python does not write

TOO_LARGE = f"JSON schema is too large: expanding its `$ref`s makes more than {MOST_NODES:,} schemas."
_MOST_VALUES = 500_000  # in all objects and arrays; each rule of a dialect looks at every one
_TOO_WIDE = (
    f"JSON schema is too large: more than {MOST_NODES:,} objects and arrays, or {_MOST_VALUES:,} values in them."
)
_TOO_DEEP = f"JSON schema is too deeply nested: more than {MOST_LEVELS} levels. Flatten the type."


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def without(schema: Schema, keywords: Container[str]) -> Schema:
    """The schema less some keywords."""
    return {keyword: value for keyword, value in schema.items() if keyword not in keywords}


def only(schema: Schema, keywords: Container[str]) -> Schema:
    """What the schema says by some keywords."""
    return {keyword: value for keyword, value in schema.items() if keyword in keywords}


def kinds_of(schema: Schema) -> tuple[str, ...]:
    """The types that the schema names; none when it names none."""
    kinds = schema.get("type", ())
    return (kinds,) if isinstance(kinds, str) else tuple(kinds)


def values_of(schema: Schema) -> list[Any] | None:
    """The values that the schema lists, by `enum` or `const`; `None` when it lists none."""
    return schema.get("enum", [schema["const"]] if "const" in schema else None)


def branches_of(schema: Schema) -> list[Any]:
    """The schemas of which a value has to fit one or all; some may be bools."""
    return [branch for keyword in LISTS_OF_BRANCHES if is_array(below := schema.get(keyword)) for branch in below]


def check_depth(value: object) -> None:
    """Refuse what is nested deeper than 100 dicts, lists and tuples, an endless (self-containing) one included.

    Raises:
        UserError: it is too deeply nested.
    """
    level: Iterable[Any] = (value,) if isinstance(value, _CONTAINERS) else ()
    for _ in range(MOST_LEVELS):
        below: dict[int, Any] = {}  # by identity: what is shared is looked at once, not for every way that leads to it
        for above in level:
            children: Any = above.values() if is_object(above) else above
            for child in children:
                if isinstance(child, _CONTAINERS):
                    below[id(child)] = child
        if not below:
            return
        level = below.values()
    raise UserError(_TOO_DEEP)


def check_json(schema: object) -> None:
    """Refuse a schema of foreign origin that no JSON text could have said, or that is too large to work on.

    Raises:
        NotASchemaError: it is no object.
        UserError: it is too deep or too large, or holds what JSON cannot.
    """
    if not is_object(schema):
        raise NotASchemaError(f"JSON schema must be an object at the root, not {type(schema).__name__}.")
    _check_values(schema)
    check_depth(schema)  # last, since it looks at the whole, however much that is


def _check_values(schema: dict[str, Any]) -> None:
    pending, seen, values = list[Any]([schema]), set[int](), 0
    while pending:
        current = pending.pop()
        if not isinstance(current, _CONTAINERS):
            _check_scalar(current)
        elif id(current) not in seen:
            seen.add(id(current))
            children: Any = current.values() if is_object(current) else current
            values += len(children)
            if len(seen) > MOST_NODES or values > _MOST_VALUES:
                raise UserError(_TOO_WIDE)
            if is_object(current):
                _check_keys(current)
            pending += children


def _check_keys(value: dict[Any, Any]) -> None:
    for key in value:
        if not isinstance(key, str):
            raise UserError(f"JSON schema has a key that is no string but {type(key).__name__}.")
        _check_scalar(key)


def _check_scalar(value: object) -> None:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise UserError("JSON schema has a text that holds a lone surrogate, which cannot be sent.") from None
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise UserError("JSON schema has a number that is not finite.")
    elif isinstance(value, int):
        if value.bit_length() > _MOST_BITS:
            raise UserError("JSON schema has a number with more than 4,300 digits.")
    elif value is not None:
        raise UserError(f"JSON schema holds {type(value).__name__}, which JSON cannot.")


def schemas_below(schema: Schema) -> Iterator[tuple[Path, Any]]:
    """The schemas directly below, each with the steps that lead to it; a schema may also be a bool."""
    for keyword, value in schema.items():
        if keyword in MAPS_OF_SCHEMAS and is_object(value):
            yield from (((keyword, name), child) for name, child in value.items())
        elif keyword in LISTS_OF_SCHEMAS and is_array(value):
            yield from (((keyword, index), child) for index, child in enumerate(value))
        elif keyword in SINGLE_SCHEMAS:
            yield (keyword,), value


def schemas_in(schema: Schema) -> list[Any]:
    """The schema and all below it, parents first: `walk` without paths, much faster. Some may be bools."""
    found: list[Any] = [schema]
    for current in found:  # which grows meanwhile
        if is_object(current):
            for keyword, value in current.items():
                if keyword in _HOLDERS:
                    found.extend(_children(keyword, value))
    return found


def _children(keyword: str, value: Any) -> Iterable[Any]:
    if is_object(value) and keyword in MAPS_OF_SCHEMAS:
        return value.values()
    if is_array(value):
        return value if keyword in LISTS_OF_SCHEMAS else ()
    return (value,)


def walk(schema: Schema) -> Iterator[tuple[Path, Schema]]:
    """The schema and every dict schema below it with its path, parents first, in the order of the text."""
    stack: list[tuple[Path, Any]] = [((), schema)]
    while stack:
        path, current = stack.pop()
        if is_object(current):
            yield path, current
            if not _HOLDERS.isdisjoint(current):
                stack.extend(reversed([((*path, *steps), child) for steps, child in schemas_below(current)]))


# The types that JSON Schema gives to the values of these keywords; nothing here can work on others.
_VALUE_TYPES: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(MAPS_OF_SCHEMAS, dict),
    **dict.fromkeys(LISTS_OF_SCHEMAS | {"enum", "required"}, list),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), (int, float)),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), int),
    **dict.fromkeys(("description", "format", "pattern"), str),
    "items": (dict, list, bool),
    "$ref": str,
    "type": (str, list),
}
_LISTS_OF_TEXTS = ("type", "required")


def malformed(schema: Schema) -> str | None:
    """The keyword of the schema itself whose value has a type that JSON Schema does not give it, if there is one."""
    for keyword, kinds in _VALUE_TYPES.items():
        if keyword in schema and not isinstance(schema[keyword], kinds):
            return keyword
    for keyword in _LISTS_OF_TEXTS:
        if is_array(values := schema.get(keyword)) and not all(isinstance(value, str) for value in values):
            return keyword
    return None


def rewrite(schema: Schema, rule: Rule) -> Schema:
    """Apply a rule to the schema and all below it, leaves first.

    The rule gets a schema whose children are already rewritten; it must not change it but return it or another.
    What no rule changes is shared with the given schema.
    """
    return rewrite_by_place(schema, lambda below, _: rule(below))


def rewrite_by_place(schema: Schema, rule: Callable[[Schema, Schema], Schema]) -> Schema:
    """`rewrite` with a rule that is also told which object, of those in the given schema, it is about."""
    rewritten: dict[int, Schema] = {}  # only what differs, since a rule leaves most schemas alone
    for current in reversed(schemas_in(schema)):
        if is_object(current):
            new = rule(_with_children(current, rewritten) if rewritten else current, current)
            if new is not current:
                rewritten[id(current)] = new
    return rewritten.get(id(schema), schema)


def rewrite_down(schema: Schema, rule: Rule) -> Schema:
    """`rewrite`, parents first: the rule gets each schema as it was, and what it makes of one is looked into next."""
    new = rule(schema)
    children = {id(child): rewrite_down(child, rule) for _, child in schemas_below(new) if is_object(child)}
    return _with_children(new, children)


def _with_children(schema: Schema, rewritten: Mapping[int, Schema]) -> Schema:
    changed: Schema = {}
    for keyword, value in schema.items():
        if keyword not in _HOLDERS or rewritten.keys().isdisjoint(map(id, _children(keyword, value))):
            continue
        if is_array(value):
            changed[keyword] = [rewritten.get(id(child), child) for child in value]
        elif keyword in MAPS_OF_SCHEMAS:
            changed[keyword] = {name: rewritten.get(id(child), child) for name, child in value.items()}
        else:
            changed[keyword] = rewritten[id(value)]
    return {**schema, **changed} if changed else schema


def target_of(reference: object, root: Schema) -> Schema:
    """The schema a local reference points at: ``#``, or ``#/`` and a JSON Pointer (RFC 6901, section 6).

    Raises:
        UserError: it is not local (nothing is ever fetched), or nothing is there; a `ValueError`, too.
    """
    if not isinstance(reference, str) or (reference != "#" and not reference.startswith("#/")):
        reason = f"JSON schema contains a `$ref` that is not local: {_shown(reference)}. It must start with '#/'."
        raise LostReferenceError(reason)
    current: object = root
    for part in pointer_parts(reference):
        current = _step(current, part)
    if not is_object(current):
        raise LostReferenceError(f"JSON schema contains a `$ref` to nothing: {_shown(reference)}.")
    return current


def _shown(reference: object) -> str:
    return quoted(reference) if isinstance(reference, str) else type(reference).__name__


def pointer_parts(reference: str) -> tuple[str, ...]:
    """The steps of a local reference: ``#/$defs/a~1b`` has ``$defs`` and ``a/b``."""
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in unquote(reference).split("/")[1:])


def _step(value: object, key: str) -> object:
    if is_object(value):
        return value.get(key)
    if is_array(value) and key.isascii() and key.isdigit() and len(key) < 10 and int(key) < len(value):
        return value[int(key)]
    return None


def resolve(schema: Schema, root: Schema) -> Schema:
    """The schema itself, or what its `$ref` leads to, through chains; keywords beside a `$ref` are not looked at.

    Raises:
        UserError: a reference is circular, not local or leads nowhere.
    """
    seen: set[object] = set()
    while "$ref" in schema:
        if schema["$ref"] in seen:
            raise UserError(f"JSON schema contains a circular `$ref` chain: {_shown(schema['$ref'])}.")
        seen.add(schema["$ref"])
        schema = target_of(schema["$ref"], root)
    return schema


def references(schema: Schema) -> set[str]:
    """Every `$ref` in the schema, its own `$defs` included."""
    return {current["$ref"] for _, current in walk(schema) if isinstance(current.get("$ref"), str)}


def circles(schemas: Iterable[tuple[Path, Schema]], root: Schema) -> Iterator[Path]:
    """Where schemas stand that hold themselves with no object or array in between: to read a value by one never ends.

    Args:
        schemas: each with its path.
        root: what the references lead into.
    """
    places = {id(schema): (path, schema) for path, schema in schemas}
    entered, opened = set[int](), set[int]()
    pending = [(schema, False) for _, schema in reversed(places.values())]
    while pending:
        schema, is_left = pending.pop()
        if is_left:
            opened.discard(id(schema))
        elif id(schema) in opened:
            yield places[id(schema)][0] if id(schema) in places else ()
        elif id(schema) not in entered:
            entered.add(id(schema))
            opened.add(id(schema))
            pending.append((schema, True))
            pending += ((other, False) for other in _of_the_same_value(schema, root))


def leads_to_others(schema: object) -> bool:
    """Whether a value is read by other schemas, too, as it is on every step of a circle."""
    return is_object(schema) and ("$ref" in schema or not _OF_THE_SAME_VALUE.isdisjoint(schema))


def _of_the_same_value(schema: Schema, root: Schema) -> Iterator[Schema]:
    if "$ref" in schema:
        with contextlib.suppress(LostReferenceError):  # what an author's hook says may lead nowhere
            yield target_of(schema["$ref"], root)
    for steps, below in schemas_below(schema):
        if steps[0] in _OF_THE_SAME_VALUE and is_object(below):
            yield below


def definition_of(reference: str) -> tuple[str, str] | None:
    """The place of the definition that a local reference leads to or into; `None` where it leads elsewhere."""
    parts = pointer_parts(reference)
    return (parts[0], parts[1]) if len(parts) > 1 and parts[0] in DEFINITIONS else None


def definitions_reached(schema: Schema, root: Schema) -> Iterator[tuple[str, str]]:
    """The places of the definitions that a schema refers to, over others too."""
    pending, seen = [schema], set[tuple[str, str]]()
    while pending:
        for reference in sorted(references(pending.pop())):
            place = definition_of(reference)
            if place and place not in seen:
                seen.add(place)
                yield place
                pending.append(root.get(place[0], {}).get(place[1], {}))


def inline(schema: Schema, root: Schema, chosen: Callable[[Schema, Path], bool] = lambda _, path: True) -> Schema:
    """Put the targets in the place of the references; keywords beside a reference win over the target's.

    Args:
        schema: where to do it, often the root without its definitions.
        root: what the references lead into.
        chosen: tells of a schema with a `$ref`, by the last two steps of its path, whether to inline it; all of them
            when left out.

    Returns:
        the schema, where a circular reference stays what it is.

    Raises:
        UserError: the result is too large or too deeply nested.
    """
    inlining = _Inlining(root, chosen)
    inlining.check_size(schema)
    return inlining.expand(schema, (), frozenset(), 1)


class _Inlining:
    """One expansion of references, and what is left of its budget."""

    __slots__ = ("chosen", "nodes_left", "root", "sizes")

    def __init__(self, root: Schema, chosen: Callable[[Schema, Path], bool]) -> None:
        self.root = root
        self.chosen = chosen
        self.nodes_left = MOST_NODES
        self.sizes: dict[str, int] = {}

    def check_size(self, schema: Schema) -> None:
        """Refuse a reference bomb at once, where `expand` would work until its budget is spent."""
        if self.least_size(schema, 1) > MOST_NODES:
            raise UserError(TOO_LARGE)

    def least_size(self, schema: Schema, level: int) -> int:
        """How many schemas `expand` makes at least; each target is looked at once, not for every way to it."""
        size = 0
        for path, current in walk(schema):
            # What stands beside a reference may take the place of the target's own schemas.
            leads_on = "$ref" in current and self.chosen(current, path) and _HOLDERS.isdisjoint(current)
            size += self.least_size_behind(current["$ref"], level) if leads_on else 1
        return size

    def least_size_behind(self, reference: str, level: int) -> int:
        if reference not in self.sizes and level < MOST_LEVELS:
            self.sizes[reference] = 1  # also within its own target, where it stays a reference
            self.sizes[reference] = self.least_size(target_of(reference, self.root), level + 1)
        return self.sizes.get(reference, 1)

    def expand(self, schema: Schema, path: Path, opened: frozenset[str], level: int) -> Schema:
        self.spend(level)
        while "$ref" in schema and schema["$ref"] not in opened and self.chosen(schema, path):
            reference = schema["$ref"]
            opened |= {reference}
            schema = {**target_of(reference, self.root), **without(schema, {"$ref"})}
        children = {
            id(child): self.expand(child, (*path, *steps), opened, level + 1)
            for steps, child in schemas_below(schema)
            if is_object(child)
        }
        return _with_children(schema, children)

    def spend(self, level: int) -> None:
        self.nodes_left -= 1
        if self.nodes_left < 0:
            raise UserError(TOO_LARGE)
        if level > MOST_LEVELS:
            raise UserError(_TOO_DEEP)


def same_json(left: object, right: object) -> bool:
    """Whether two values are the same JSON value: ``true`` is not 1, but 1.0 is."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if is_object(left) and is_object(right):
        return left.keys() == right.keys() and all(same_json(left[key], right[key]) for key in left)
    if is_array(left) and is_array(right):
        return len(left) == len(right) and all(map(same_json, left, right))
    return left == right


def admits_string(schema: Any, root: Schema) -> bool:
    """Whether a string is among the values, as far as the types say."""
    if not is_object(schema):
        return True
    schema = resolve(schema, root)
    branches = branches_of(schema)
    if branches:
        return any(admits_string(branch, root) for branch in branches)
    if schema.get("type") is None:
        values = schema.get("enum", [schema["const"]] if "const" in schema else [""])
        return any(isinstance(value, str) for value in values)
    return "string" in kinds_of(schema)


def property_names(schema: Any, path: Sequence[str | int], root: Schema) -> list[str]:
    """The names of the properties that an object at a path may have, over all alternatives."""
    if not is_object(schema):
        return []
    schema = resolve(schema, root)
    found = [name for branch in branches_of(schema) for name in property_names(branch, path, root)]
    if not path:
        return found + list(schema.get("properties", {}))
    return found + property_names(_below(schema, path[0]), path[1:], root)


def _below(schema: Schema, part: str | int) -> Any:
    if isinstance(part, int):
        return dict(enumerate(schema.get("prefixItems", ()))).get(part) or schema.get("items")
    return schema.get("properties", {}).get(part) or schema.get("additionalProperties")
