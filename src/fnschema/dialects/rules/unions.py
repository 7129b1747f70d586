"""Rules about unions, intersections and lists of types."""

from __future__ import annotations

from ..._json_schema import Schema, resolve
from ..facts import SchemaFacts
from .merging import merged
from .rule import ANNOTATIONS, NULL, each_schema, kind_of, kinds_of, without
from .wording import as_json, told

__all__ = [
    "all_of_merged",
    "null_branches_as_nullable",
    "one_of_as_any_of",
    "type_lists_as_unions",
    "unions_as_type_lists",
]

_MOST_ROUNDS = 10  # an `allOf` of a reference to an `allOf` of a reference …

# Keywords that constrain values of one type only (JSON Schema 2020-12, validation section 6).
_KEYWORDS_OF = {
    "string": {"minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType", "contentSchema"},
    "number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
    "array": {"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"},
    "object": {
        *("properties", "required", "additionalProperties", "patternProperties", "propertyNames"),
        *("minProperties", "maxProperties"),
    },
}
_KEYWORDS_OF["integer"] = _KEYWORDS_OF["number"]


@each_schema
def one_of_as_any_of(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """`oneOf` is refused: `anyOf` says the same of branches that exclude each other, as pydantic's do."""
    if "oneOf" not in schema:
        return schema if facts.takes("discriminator") else without(schema, {"discriminator"})
    rest = without(schema, {"oneOf", "discriminator"})
    if "anyOf" in rest:
        both = [{"anyOf": rest["anyOf"]}, {"anyOf": schema["oneOf"]}, *rest.get("allOf", ())]
        return {**without(rest, {"anyOf"}), "allOf": both}
    return {**rest, "anyOf": schema["oneOf"]}


def all_of_merged(root: Schema, facts: SchemaFacts) -> Schema:
    """`allOf` is refused: its schemas are merged into one where that is exact."""
    for _ in range(_MOST_ROUNDS):
        before, root = root, _merge_all_of(root, facts)
        if root is before:
            break
    return root


@each_schema
def _merge_all_of(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    constrained = "$ref" in schema and without(schema, ANNOTATIONS | {"$ref", "$defs", "definitions"})
    entries = [*([{"$ref": schema["$ref"]}] if constrained else []), *schema.get("allOf", ())]
    if not entries:
        return schema
    rest = without(schema, {"allOf", "$ref"} if constrained else {"allOf"})
    if not without(rest, ANNOTATIONS) and len(entries) == 1:
        return {**entries[0], **rest}  # words only: a reference stays one
    targets = [{**resolve(entry, root), **without(entry, {"$ref"})} for entry in entries]
    whole = merged([*targets, rest])
    return schema if whole is None else whole


@each_schema
def type_lists_as_unions(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """A list of types is refused: a union has a branch for each."""
    kinds = kinds_of(schema)
    if isinstance(schema.get("type", ""), str) or set(kinds) <= facts.type_lists:
        return schema
    words = {keyword: text for keyword, text in schema.items() if keyword in ANNOTATIONS or keyword == "$defs"}
    core = without(schema, {*words, "type"})
    branches = [_only_about(kind, core) for kind in kinds]
    return {**branches[0], **words} if len(branches) == 1 else {"anyOf": branches, **words}


def _only_about(kind: str, core: Schema) -> Schema:
    foreign = {keyword for keywords in _KEYWORDS_OF.values() for keyword in keywords} - _KEYWORDS_OF.get(kind, set())
    branch = {"type": kind, **without(core, foreign)}
    if "enum" in branch:
        branch["enum"] = [value for value in branch["enum"] if kind_of(value) == kind]
    return dict(NULL) if kind == "null" else branch


@each_schema
def null_branches_as_nullable(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """A union with null is refused: `nullable` says the same."""
    branches = schema.get("anyOf", [])
    if not facts.takes("nullable") or NULL not in branches:
        return schema
    others = [branch for branch in branches if branch != NULL]
    rest = without(schema, {"anyOf"})
    if not others:
        return {**rest, **NULL}
    if len(others) > 1:
        return {**rest, "anyOf": others, "nullable": True}
    return {**_with_words(others[0], rest), "nullable": True}


def _with_words(branch: Schema, words: Schema) -> Schema:
    """A branch in the place of its union, the words of both kept."""
    whole = {**branch, **words}
    return told(whole, branch["description"]) if "description" in branch else whole


@each_schema
def unions_as_type_lists(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """`anyOf` is dropped by the client: a list of types stands for it, the branches in the description."""
    branches = schema.get("anyOf")
    if branches is None or facts.takes("anyOf"):
        return schema
    rest = without(schema, {"anyOf"})
    others = [branch for branch in branches if branch != NULL]
    if len(others) == 1:
        return _or_null(_with_words(others[0], rest)) if others != branches else _with_words(others[0], rest)
    if not all(without(branch, {"description"}).keys() == {"type"} for branch in branches):
        rest = told(rest, f"Any of the JSON Schemas {', '.join(map(as_json, branches))}.")
    kinds = list(dict.fromkeys(kind for branch in branches for kind in kinds_of(branch)))
    return {**rest, "type": kinds[0] if len(kinds) == 1 else kinds} if kinds else rest


def _or_null(schema: Schema) -> Schema:
    kinds = list(dict.fromkeys([*kinds_of(schema), "null"]))
    values = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, **values, "type": kinds}
