"""Strict schemas: every object closed, every property required (OpenAI's Structured Outputs guide).

`ensure_strict_json_schema` is the Agents SDK's function of that name for schemas of any origin; `strict_parameters`
makes the schema of a function's arguments strict, from what pydantic generates.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, cast

from ._json_schema import (
    DEFINITIONS,
    LISTS_OF_BRANCHES,
    MOST_LEVELS,
    MOST_NODES,
    TOO_LARGE,
    NotASchemaError,
    Schema,
    check_json,
    is_array,
    is_object,
    kinds_of,
    malformed,
    same_json,
    schemas_in,
    target_of,
    without,
)
from .dialects.facts import OPENAI_STRICT, SchemaFacts
from .dialects.problems import or_else, problems_at
from .dialects.refusals import ambiguous_entries, open_objects_in
from .dialects.rules.arrays import arrays_have_items, tuple_order_told, tuples_as_lists
from .dialects.rules.keywords import KEYWORDS_TOLD, booleans_as_schemas, keywords_told, patterns_plain
from .dialects.rules.objects import maps_as_entries, objects_closed
from .dialects.rules.references import references_wrapped
from .dialects.rules.rule import ANNOTATIONS, DialectRule, each_schema
from .dialects.rules.unions import all_of_merged, one_of_as_any_of
from .dialects.rules.values import enums_typed
from .errors import Problem, SchemaError, UserError, pointer, quoted

__all__ = ["ensure_strict_json_schema", "parameters_with_entries", "strict_parameters"]

_EMPTY: Schema = {"additionalProperties": False, "type": "object", "properties": {}, "required": []}

# What may stand beside a `$ref` without constraining a value, so that it outlives the inlining.
_BESIDE_REFERENCE = ANNOTATIONS | {
    *("$anchor", "$schema", "contentEncoding", "contentMediaType", "contentSchema", *DEFINITIONS)
}
_MAPS = (*DEFINITIONS, "properties")


def ensure_strict_json_schema(schema: Schema) -> Schema:
    """Make a JSON Schema fit OpenAI's strict mode, as the Agents SDK's function of the same name does.

    Objects are closed and all their properties required, ``oneOf`` becomes ``anyOf``, an ``allOf`` of one schema is
    merged, a reference with keywords beside it is inlined, a null default is dropped. The given dict stays as it is.

    Args:
        schema: any JSON Schema; references may only lead into it, nothing is fetched.

    Returns:
        a new dict that shares nothing with the given one.

    Raises:
        UserError: the schema cannot be strict (an open object, a union or a nullable object at the root, keywords
            that cannot be merged), is no JSON Schema (a `TypeError`, too), has a reference that leads nowhere (a
            `ValueError`, too), or is too deep, too large or endless.
    """
    check_json(schema)
    if schema == {}:
        return cast(Schema, _unshared(_EMPTY))
    return _strict_root(_unshared(_Conversion(schema).convert(schema, _Place())))


def _unshared(value: Any) -> Any:
    """A copy in which no two places are the same object, so that editing one leaves the other alone."""
    if is_object(value):
        return {key: _unshared(child) for key, child in value.items()}
    return [_unshared(child) for child in value] if isinstance(value, (list, tuple)) else value


def strict_parameters(
    schema: Schema,
    *,
    subject: str,
    open_objects: Literal["reject", "entries"] = "reject",
    option: str = "strict_json_schema",
) -> Schema:
    """Make the JSON Schema of a function's arguments strict: what the Agents SDK gives, less what OpenAI refuses.

    Titles, defaults and schemas without a type stay as in the SDK. Sets, tuples, untyped enums, foreign formats,
    look-around and text beside a `$ref` are rewritten with the same meaning or told in the description.

    Args:
        schema: what pydantic generates for the arguments model, no deeper than `check_depth` allows; it is not changed.
        subject: the function, for messages.
        open_objects: ``"entries"`` publishes maps as arrays of key and value objects.
        option: what its author sets to `False` for a schema that is not strict, for messages.

    Raises:
        SchemaError: open objects, all of them at once, or a union in which entries are ambiguous.
    """
    entries = open_objects == "entries"
    not_strict = f"{option}=False"
    problems = [or_else(p, not_strict) for p in problems_at(schema, open_objects_in(schema, entries=entries))]
    if entries:
        problems += _ambiguous(schema, f"{not_strict} without open_objects")
    if problems:
        raise SchemaError("make strict", subject, problems)
    if entries:
        schema = maps_as_entries(schema, _PARAMETER_FACTS)
    words = _words_of(schema)
    for rule, occasions in _PARAMETER_RULES:
        if not occasions.isdisjoint(words):
            schema = rule(schema, _PARAMETER_FACTS)
    return schema


def parameters_with_entries(schema: Schema, *, subject: str) -> Schema:
    """The schema of a function's arguments, not strict, with its maps as arrays of key and value objects.

    Raises:
        SchemaError: a union in which entries are ambiguous.
    """
    problems = _ambiguous(schema, 'open_objects="reject"')
    if problems:
        raise SchemaError("publish as entries", subject, problems)
    return maps_as_entries(schema, _PARAMETER_FACTS)


def _ambiguous(schema: Schema, way_out: str) -> list[Problem]:
    return [or_else(problem, way_out) for problem in problems_at(schema, ambiguous_entries(schema))]


def _words_of(schema: Schema) -> set[Any]:
    """Every keyword and type in the schema, the bools that are schemas, and `None` for a default of null.

    A reference with nothing beside it counts as nothing, since no rule changes one.
    """
    words = set[Any]()
    for below in schemas_in(schema):
        if isinstance(below, bool):
            words.add(below)
        elif is_object(below) and below.keys() != {"$ref"}:
            words.update(below)
            words.update(kinds_of(below))
            if below.get("default", ...) is None:
                words.add(None)
    return words


@each_schema
def _null_defaults_left_out(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """A default of null is dropped, as in the Agents SDK."""
    return without(schema, {"default"}) if schema.get("default", ...) is None else schema


_PARAMETER_KEYWORDS = (OPENAI_STRICT.keywords or frozenset()) | {"default", "deprecated", "examples"}
_PARAMETER_FACTS = OPENAI_STRICT._replace(keywords=_PARAMETER_KEYWORDS)
# Each with those of `_words_of` of which a schema has at least one where the rule changes anything. Most tools
# have scalar parameters only, and need two of the rules.
_PARAMETER_RULES: tuple[tuple[DialectRule, frozenset[object]], ...] = (
    (booleans_as_schemas, frozenset({True, False})),
    (patterns_plain, frozenset({"pattern"})),
    (one_of_as_any_of, frozenset({"oneOf", "discriminator"})),
    (all_of_merged, frozenset({"allOf", "oneOf", "$ref"})),
    (tuple_order_told, frozenset({"prefixItems"})),
    (tuples_as_lists, frozenset({"prefixItems"})),
    (arrays_have_items, frozenset({"array"})),
    (enums_typed, frozenset({"enum", "const"})),
    (_null_defaults_left_out, frozenset({None})),
    (references_wrapped, frozenset({"$ref"})),
    (objects_closed, frozenset({"object"})),
    (keywords_told, KEYWORDS_TOLD - _PARAMETER_KEYWORDS | {"format", "pattern"}),
)


def _strict_root(schema: Schema) -> Schema:
    if "anyOf" in schema:
        raise UserError("The root of a strict JSON schema must not use `anyOf`. Put the union into a property.")
    kinds = schema.get("type")
    if kinds == ["object"]:
        return {**schema, "type": "object"}
    if is_array(kinds) and "object" in kinds:
        raise UserError(
            f"The root of a strict JSON schema must be an object that is not nullable, but its type is {kinds}. "
            'Use `"type": "object"`, or a schema that is not strict.'
        )
    return schema


class _Place(NamedTuple):
    """Where a conversion is.

    Attributes:
        path: the steps from the root, for messages.
        level: schemas from the root, those that references put in between included.
        opened: the references being inlined; meeting one of them again would never end.
        foreign: a nested ``$id`` makes references lead elsewhere (JSON Schema 2020-12, core section 8.2.1).
    """

    path: tuple[str, ...] = ()
    level: int = 1
    opened: frozenset[str] = frozenset()
    foreign: bool = False

    def below(self, *steps: str) -> _Place:
        return self._replace(path=(*self.path, *steps), level=self.level + 1)


class _Converted(NamedTuple):
    """What became of a schema.

    Attributes:
        given: the schema itself, which is kept so that no other gets its `id`.
        schema: its strict form.
        nodes: how many schemas it was made of, references followed.
        levels: how deep they are nested.
    """

    given: object
    schema: Schema
    nodes: int
    levels: int


class _Conversion:
    """One conversion: what its references lead into, and what is left of its budget of schemas."""

    __slots__ = ("converted", "deepest", "nodes_left", "root")

    def __init__(self, root: Schema) -> None:
        self.root = root
        self.nodes_left = MOST_NODES
        self.deepest = 0
        self.converted: dict[tuple[int, bool], _Converted] = {}

    def convert(self, given: object, place: _Place) -> Schema:
        """Convert a schema once; met again behind another reference, it is counted again but not made again."""
        key = id(given), place.foreign
        done = self.converted.get(key)
        if done is None:
            done = self.converted[key] = self._counted(given, place)
        else:
            self._spend(place.level + done.levels, done.nodes)
        return done.schema

    def _counted(self, given: object, place: _Place) -> _Converted:
        nodes_left, deepest = self.nodes_left, self.deepest
        self.deepest = place.level
        schema = self._convert(given, place)
        done = _Converted(given, schema, nodes_left - self.nodes_left, self.deepest - place.level)
        self.deepest = max(deepest, self.deepest)
        return done

    def _convert(self, given: object, place: _Place) -> Schema:
        self._spend(place.level, 1)
        schema = _checked(given, place.path)
        if schema is not self.root and isinstance(schema.get("$id"), str):
            place = place._replace(foreign=True)
        if "$ref" in schema:
            _check_reference(schema, place, is_root=schema is self.root)
        closed_by_author = schema.get("additionalProperties") is False
        strict = _one_of_as_any_of(self._with_strict_children(_closed(schema), place))
        if len(strict.get("allOf", ())) == 1:
            merged = self._merged_single(strict, place, closed_by_author)
            return self.convert(merged, place._replace(level=place.level + 1))
        if "default" in strict and strict["default"] is None:
            strict = without(strict, {"default"})
        if "$ref" in strict and len(strict) > 1:
            return self.convert(*self._followed(strict, place))
        return strict

    def _spend(self, level: int, nodes: int) -> None:
        self.nodes_left -= nodes
        self.deepest = max(self.deepest, level)
        if self.nodes_left < 0:
            raise UserError(TOO_LARGE)
        if level > MOST_LEVELS:
            raise UserError(
                f"JSON schema is too deeply nested: more than {MOST_LEVELS} levels with its `$ref`s inlined."
            )

    def _with_strict_children(self, schema: Schema, place: _Place) -> Schema:
        children: Schema = {}
        for keyword in _MAPS:
            if keyword in schema:
                children[keyword] = {
                    name: self.convert(child, place.below(keyword, name)) for name, child in schema[keyword].items()
                }
        for keyword in LISTS_OF_BRANCHES:
            if keyword in schema:
                children[keyword] = [
                    self.convert(child, place.below(keyword, str(index))) for index, child in enumerate(schema[keyword])
                ]
        if "items" in schema:
            children["items"] = self.convert(schema["items"], place.below("items"))
        return {**schema, **children}

    def _merged_single(self, schema: Schema, place: _Place, closed_by_author: bool) -> Schema:
        """The schema with its only `allOf` entry merged into it."""
        (entry,) = schema["allOf"]
        if "$ref" in entry:
            entry = self.convert(*self._followed(entry, place))
        parent = without(schema, {"allOf"})
        if not closed_by_author:
            parent = without(parent, {"additionalProperties"})  # closed again when all its properties are together
        return _merge(entry, parent)

    def _followed(self, schema: Schema, place: _Place) -> tuple[Schema, _Place]:
        """What a chain of references leads to, keywords beside them in front, and the place of that schema."""
        if place.foreign:
            raise UserError(_foreign_reference(place.path))
        opened = place.opened
        while "$ref" in schema:
            reference = schema["$ref"]
            _check_reference(schema, place, is_root=False)
            if reference in opened:
                raise UserError(
                    f"JSON schema contains a circular `$ref`, too deeply nested once inlined: {quoted(reference)} "
                    f"at {_where(place.path)}. Leave out the keywords beside it."
                )
            opened |= {reference}
            target = _checked(target_of(reference, self.root), place.path)
            if isinstance(target.get("$id"), str) and target is not self.root:
                raise UserError(_foreign_reference(place.path))
            schema = {**without(schema, {"$ref"}), **target, **without(schema, {"$ref"})}
        return schema, place._replace(level=place.level + 1, opened=opened)


def _checked(schema: object, path: tuple[str, ...]) -> Schema:
    """The schema, once its keywords have the types that JSON Schema gives them."""
    if not is_object(schema):
        raise NotASchemaError(f"JSON schema must be an object at {_where(path)}, not {type(schema).__name__}.")
    keyword = malformed(schema)
    if keyword:
        raise UserError(f"JSON schema has a `{keyword}` of the wrong type at {_where(path)}.")
    return schema


def _where(path: tuple[str, ...]) -> str:
    return pointer(path) or "the root"


def _check_reference(schema: Schema, place: _Place, *, is_root: bool) -> None:
    if place.foreign:
        raise UserError(_foreign_reference(place.path))
    beside = set(schema) - {"$ref"} - _BESIDE_REFERENCE - ({"$id"} if is_root else set())
    if beside:
        raise UserError(
            f"JSON schema contains a `$ref` with incompatible sibling keywords at {_where(place.path)}: "
            f"{', '.join(sorted(beside))}. Merging them would change which values are accepted."
        )


def _foreign_reference(path: tuple[str, ...]) -> str:
    return (
        f"JSON schema contains a `$ref` into or out of a nested `$id` at {_where(path)}, "
        "which cannot be looked up in the schema itself."
    )


def _closed(schema: Schema) -> Schema:
    """The schema with its object, if it is one, closed and all properties required."""
    properties = schema.get("properties")
    if "type" not in schema and properties is not None:
        schema = {**schema, "type": "object"}
    may_be_object = "object" in kinds_of(schema)
    if (may_be_object or "type" not in schema) and schema.get("additionalProperties", False) is not False:
        raise UserError(
            "A strict JSON schema must not set additionalProperties: its objects are closed. Name the properties "
            '(in a function: a TypedDict, a dataclass or a model without extra="allow"), or be not strict.'
        )
    if may_be_object:
        schema = {**schema, "additionalProperties": False}
    if properties is not None:
        schema = {**schema, "required": list(properties)}
    return schema


def _one_of_as_any_of(schema: Schema) -> Schema:
    if "oneOf" not in schema:
        return schema
    return {**without(schema, {"oneOf"}), "anyOf": [*schema.get("anyOf", ()), *schema["oneOf"]]}


def _merge(entry: Schema, parent: Schema) -> Schema:
    """The only entry of an `allOf` and the schema around it as one; annotations of the parent win."""
    conflicts = {key for key, value in parent.items() if key in entry and _conflict(key, value, entry[key])}
    # `additionalProperties` sees only the properties beside it, never those of the `allOf`.
    if parent.get("additionalProperties") is False and not parent.get("properties") and entry.get("properties"):
        conflicts.add("properties")
    if conflicts:
        raise UserError(
            f"JSON schema contains a singleton `allOf` entry that contradicts the keywords beside it: "
            f"{', '.join(sorted(conflicts))}. Merging them would change which values are accepted."
        )
    kept = {key: value for key, value in parent.items() if key not in entry or key in _BESIDE_REFERENCE}
    return {**entry, **kept}


def _conflict(key: str, in_parent: Any, in_entry: Any) -> bool:
    is_empty = (key == "properties" and in_parent == {}) or (key == "required" and in_parent == [])
    return key not in _BESIDE_REFERENCE and not is_empty and not same_json(in_parent, in_entry)
