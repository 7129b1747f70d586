"""Visiting, rewriting and following references; names are never taken for keywords."""

import copy

import pytest

from fnschema._json_schema import (
    check_depth,
    check_json,
    definition_of,
    definitions_reached,
    inline,
    malformed,
    resolve,
    rewrite,
    same_json,
    target_of,
    walk,
)
from fnschema.errors import UserError

KEYWORDS_AS_NAMES = ("title", "default", "properties", "$ref", "type", "enum", "items", "anyOf", "$defs", "required")


def paths(schema):
    return ["/".join(map(str, path)) for path, _ in walk(schema)]


def nested(levels):
    """A schema of so many dicts within one another."""
    schema = {"type": "integer"}
    for _ in range(levels - 1):
        schema = {"items": schema}
    return schema


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"properties": {"a": {}, "b": {}}}, ["", "properties/a", "properties/b"]),
        ({"anyOf": [{}, {"items": {}}]}, ["", "anyOf/0", "anyOf/1", "anyOf/1/items"]),
        ({"prefixItems": [{}], "items": {}}, ["", "prefixItems/0", "items"]),
        ({"items": [{}, {}]}, ["", "items/0", "items/1"]),
        ({"additionalProperties": {"not": {}}}, ["", "additionalProperties", "additionalProperties/not"]),
        ({"$defs": {"x": {}}, "definitions": {"y": {}}}, ["", "$defs/x", "definitions/y"]),
        ({"if": {}, "then": {}, "else": {}}, ["", "if", "then", "else"]),
        ({"dependencies": {"a": ["b"], "c": {}}}, ["", "dependencies/c"]),
    ],
    ids=lambda value: str(value)[:30],
)
def test_every_position_of_a_schema_is_visited(schema, expected):
    assert paths(schema) == expected


@pytest.mark.parametrize("keyword", ["default", "enum", "const", "examples", "required", "x-anything"])
def test_values_are_no_schemas(keyword):
    assert paths({keyword: {"properties": {"a": {}}, "items": {}}}) == [""]


def test_booleans_are_not_visited():
    assert paths({"additionalProperties": False, "properties": {"a": True}}) == [""]


def test_a_rule_sees_children_that_are_already_rewritten():
    seen = []

    def rule(schema):
        seen.append(schema)
        return {**schema, "seen": True}

    rewrite({"items": {"items": {"type": "null"}}}, rule)
    assert seen[1] == {"items": {"type": "null", "seen": True}}
    assert len(seen) == 3


def test_properties_named_like_keywords_are_rewritten_as_schemas():
    schema = {"properties": {name: {"type": "string"} for name in KEYWORDS_AS_NAMES}}
    rewritten = rewrite(schema, lambda below: {**below, "x": 1} if "type" in below else below)
    assert rewritten["properties"] == {name: {"type": "string", "x": 1} for name in KEYWORDS_AS_NAMES}


def test_nothing_is_changed_in_place():
    schema = {"properties": {"a": {"items": {"title": "A"}}}, "anyOf": [{"title": "B"}]}
    before = copy.deepcopy(schema)
    rewrite(schema, lambda below: {"type": "null"})
    assert schema == before


def test_unchanged_parts_are_shared():
    schema = {"properties": {"a": {"type": "string"}, "b": {"title": "B"}}}
    rewritten = rewrite(schema, lambda below: {} if "title" in below else below)
    assert rewritten["properties"]["a"] is schema["properties"]["a"]


def test_a_rule_that_changes_nothing_gives_the_same_object():
    schema = {"properties": {"a": {"items": {"anyOf": [{}]}}}}
    assert rewrite(schema, lambda below: below) is schema


def test_a_thousand_levels_are_rewritten():
    assert rewrite(nested(1000), lambda below: {**below, "x": 1})["x"] == 1


@pytest.mark.parametrize(
    ("reference", "root"),
    [
        ("#", {"found": 1}),
        ("#/$defs/A", {"$defs": {"A": {"found": 1}}}),
        ("#/$defs/a~1b~0c", {"$defs": {"a/b~c": {"found": 1}}}),
        ("#/$defs/a%20b", {"$defs": {"a b": {"found": 1}}}),
        ("#/properties/x/anyOf/1", {"properties": {"x": {"anyOf": [{}, {"found": 1}]}}}),
        ("#/$defs/", {"$defs": {"": {"found": 1}}}),
    ],
)
def test_a_reference_is_a_json_pointer(reference, root):
    assert target_of(reference, root)["found"] == 1


@pytest.mark.parametrize(
    "reference",
    [
        None,
        3,
        "",
        "A",
        "https://example.com/schema.json",
        "other.json#/a",
        "#a",
        "#/$defs/B",
        "#/$defs/A/7",
        "#/list/9",
    ],
)
def test_a_reference_to_nothing_is_an_authors_error(reference):
    with pytest.raises(UserError, match="`\\$ref`"):
        target_of(reference, {"$defs": {"A": {}}, "list": [1]})


def test_chains_are_followed():
    root = {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/C"}, "C": {"type": "null"}}}
    assert resolve({"$ref": "#/$defs/A", "description": "d"}, root) == {"type": "null"}


def test_a_circular_chain_is_an_authors_error():
    root = {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}
    with pytest.raises(UserError, match="circular"):
        resolve({"$ref": "#/$defs/A"}, root)


@pytest.mark.parametrize(
    ("reference", "place"),
    [
        ("#/$defs/A", ("$defs", "A")),
        ("#/definitions/a~1b", ("definitions", "a/b")),
        ("#/$defs/A/properties/x", ("$defs", "A")),
        ("#/$defs", None),
        ("#/properties/x", None),
        ("#", None),
    ],
)
def test_a_reference_leads_to_a_definition_or_elsewhere(reference, place):
    assert definition_of(reference) == place


def test_definitions_are_reached_over_others():
    root = {"$defs": {"A": {"items": {"$ref": "#/$defs/B"}}, "B": {"$ref": "#/$defs/A"}, "C": {}}}

    assert list(definitions_reached({"$ref": "#/$defs/A"}, root)) == [("$defs", "A"), ("$defs", "B")]


def test_keywords_beside_a_reference_win_when_it_is_inlined():
    root = {"$defs": {"A": {"type": "string", "description": "a"}}}
    assert inline({"$ref": "#/$defs/A", "description": "here"}, root) == {"type": "string", "description": "here"}


def test_a_recursive_reference_stays():
    root = {"$defs": {"Node": {"properties": {"next": {"$ref": "#/$defs/Node"}}}}}
    inlined = inline({"$ref": "#/$defs/Node"}, root)
    assert inlined == {"properties": {"next": {"$ref": "#/$defs/Node"}}}


def test_only_chosen_references_are_inlined():
    root = {"$defs": {"A": {"type": "null"}}}
    schema = {"anyOf": [{"$ref": "#/$defs/A"}], "items": {"$ref": "#/$defs/A"}}
    inlined = inline(schema, root, lambda _, path: path[-2:-1] == ("anyOf",))
    assert inlined == {"anyOf": [{"type": "null"}], "items": {"$ref": "#/$defs/A"}}


def doubling(levels):
    """Definitions that each refer twice to the next."""
    definitions = {"L0": {"type": "integer"}}
    for i in range(1, levels):
        definitions[f"L{i}"] = {"properties": {name: {"$ref": f"#/$defs/L{i - 1}"} for name in "ab"}}
    return {"$defs": definitions}


def test_expansion_has_a_budget():
    with pytest.raises(UserError, match="too large"):
        inline({"$ref": "#/$defs/L39"}, doubling(40))


def test_a_bomb_is_refused_before_it_is_expanded():
    asked = []
    with pytest.raises(UserError, match="too large"):
        inline({"$ref": "#/$defs/L39"}, doubling(40), lambda schema, path: asked.append(path) or True)
    assert len(asked) < 100


def test_a_bomb_that_other_keywords_replace_is_none():
    schema = {"$ref": "#/$defs/L39", "properties": {}}
    assert inline(schema, doubling(40)) == {"properties": {}}


def test_expansion_has_a_depth():
    root = {"$defs": {f"L{i}": {"items": {"$ref": f"#/$defs/L{i + 1}"}} for i in range(300)} | {"L300": {}}}
    with pytest.raises(UserError, match="too deeply nested"):
        inline({"$ref": "#/$defs/L0"}, root)


# what is no JSON Schema


@pytest.mark.parametrize("levels", [1, 99, 100])
def test_a_hundred_levels_are_taken(levels):
    check_depth(nested(levels))


@pytest.mark.parametrize("levels", [101, 5000])
def test_more_levels_are_an_authors_error(levels):
    with pytest.raises(UserError, match="too deeply nested"):
        check_depth(nested(levels))


def test_a_schema_that_contains_itself_is_an_authors_error():
    schema = {}
    schema["items"] = schema
    with pytest.raises(UserError, match="too deeply nested"):
        check_depth(schema)


def test_shared_parts_are_measured_once():
    schema = {}
    for _ in range(90):
        schema = {"anyOf": {"left": schema, "right": schema}}
    with pytest.raises(UserError, match="too deeply nested"):  # 180 dicts, and 2**90 ways through them
        check_depth(schema)


@pytest.mark.parametrize(
    ("schema", "keyword"),
    [
        ({"properties": []}, "properties"),
        ({"anyOf": {}}, "anyOf"),
        ({"items": 3}, "items"),
        ({"type": None}, "type"),
        ({"$ref": 1}, "$ref"),
        ({"enum": "ab"}, "enum"),
        ({"required": "a"}, "required"),
        ({"items": False, "type": ["null"], "enum": []}, None),
    ],
)
def test_a_keyword_of_the_wrong_type_is_found(schema, keyword):
    assert malformed(schema) == keyword


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ([1, {"a": None}], [1.0, {"a": None}], True),
        ([1], [True], False),
        ({"a": 1}, {"a": 1, "b": 1}, False),
        ("1", 1, False),
    ],
)
def test_json_values_are_compared_as_json(left, right, same):
    assert same_json(left, right) is same


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ([], "must be an object at the root, not list"),
        ({1: 2}, "a key that is no string but int"),
        ({"a": {"b": [float("inf")]}}, "a number that is not finite"),
        ({"a": 10**4400}, "a number with more than 4,300 digits"),
        ({"a": "\ud83d"}, "a lone surrogate"),
        ({"a\ud83d": 1}, "a lone surrogate"),
        ({"a": {1}}, "holds set, which JSON cannot"),
        ({"a": [[]] * 2 + [[] for _ in range(100_000)]}, "more than 100,000 objects and arrays"),
        ({"a": [0] * 400_000, "b": [0] * 100_000}, "or 500,000 values in them"),
    ],
    ids=["root", "key", "infinity", "digits", "text", "name", "set", "objects", "values"],
)
def test_what_no_json_text_says_is_an_authors_error(schema, reason):
    with pytest.raises(UserError, match=reason):
        check_json(schema)


def test_what_is_too_large_is_told_as_such_before_its_levels_are_counted():
    deep = []
    for _ in range(200):
        deep = [deep]
    with pytest.raises(UserError, match="too large"):
        check_json({"deep": deep, "wide": [[] for _ in range(100_000)]})


def test_what_json_says_is_taken():
    check_json({"a": [None, True, 1, 2.5, "é", {"b": ()}], "c": 10**4299, "d": [0] * 499_000})
