"""Rules about unions, intersections and lists of types."""

from __future__ import annotations

from ..._json_schema import (
    DEFINITIONS,
    Schema,
    is_object,
    kinds_of,
    only,
    resolve,
    rewrite,
    rewrite_by_place,
    same_json,
    walk,
    without,
)
from ..facts import SchemaFacts
from .merging import merged
from .rule import ANNOTATIONS, NULL, each_schema, each_schema_downwards, kind_of
from .wording import as_json, told

__all__ = [
    "all_of_merged",
    "discriminators_required",
    "null_branches_as_nullable",
    "one_of_as_any_of",
    "type_lists_as_unions",
    "unions_as_type_lists",
]

_MOST_ROUNDS = 3  # an `allOf` of a reference to an `allOf` of a reference …

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


def discriminators_required(root: Schema, facts: SchemaFacts) -> Schema:
    """The field that tells the branches of a union apart must be there, its default or not."""
    tags: dict[int, set[str]] = {}
    for _, schema in walk(root):
        discriminator = schema.get("discriminator")
        if is_object(discriminator):
            for branch in schema.get("oneOf", ()):
                tags.setdefault(id(resolve(branch, root)), set()).add(str(discriminator.get("propertyName")))
    return rewrite_by_place(root, lambda schema, original: _with_tags(schema, tags.get(id(original), set())))


def _with_tags(schema: Schema, tags: set[str]) -> Schema:
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    missing = [name for name in properties if name in tags and name not in required]
    if not missing:
        return schema
    told_apart = {name: without(properties[name], {"default"}) for name in missing}
    return {**schema, "properties": {**properties, **told_apart}, "required": [*required, *missing]}


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
    merging = root
    for _ in range(_MOST_ROUNDS):
        # Targets come from the schema as it was: from the merged one, a type that refers to itself doubles every round.
        before, merging = merging, rewrite(merging, lambda schema: _with_all_of_merged(schema, root))
        if merging is before:
            break
    return merging


def _with_all_of_merged(schema: Schema, root: Schema) -> Schema:
    constrained = "$ref" in schema and without(schema, ANNOTATIONS | {"$ref", *DEFINITIONS})
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
    words = only(schema, ANNOTATIONS | {"$defs"})
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


@each_schema_downwards
def unions_as_type_lists(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """`anyOf` is dropped by the client: a list of types stands for it, the branches in the description."""
    return schema if facts.takes("anyOf") else _as_type_list(schema)


def _as_type_list(schema: Schema) -> Schema:
    branches = schema.get("anyOf")
    if branches is None:
        return schema
    rest = without(schema, {"anyOf"})
    others = [branch for branch in branches if branch != NULL]
    if len(others) == 1:
        only = _with_words(others[0], rest)
        return only if others == branches else _or_null(only)
    if not all(without(branch, {"description"}).keys() == {"type"} for branch in branches):
        rest = told(rest, f"Any of the JSON Schemas {', '.join(map(as_json, branches))}.")
    kinds = list(dict.fromkeys(kind for branch in branches for kind in kinds_of(branch)))
    objects = [branch for branch in others if "properties" in branch]
    joined = _joined(objects) if objects else {}
    return {**rest, **joined, "type": kinds[0] if len(kinds) == 1 else kinds} if kinds else rest


def _joined(objects: list[Schema]) -> Schema:
    """The properties of all objects; those that all of them require are required."""
    found: dict[str, list[Schema]] = {}
    for branch in objects:
        for name, schema in branch["properties"].items():
            same = any(same_json(schema, other) for other in found.setdefault(name, []))
            found[name] += [] if same else [schema]
    properties = {
        name: schemas[0] if len(schemas) == 1 else _as_type_list({"anyOf": schemas}) for name, schemas in found.items()
    }
    required = [name for name in properties if all(name in branch.get("required", ()) for branch in objects)]
    return {"properties": properties, **({"required": required} if required else {})}


def _or_null(schema: Schema) -> Schema:
    kinds = list(dict.fromkeys([*kinds_of(schema), "null"]))
    values = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, **values, "type": kinds}
