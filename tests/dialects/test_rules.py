"""What each rule makes of a schema, for a provider that lacks what the rule is about."""

import json
import re

import jsonschema_rs
import pytest

from fnschema.dialects.facts import GEMINI_JSON, GEMINI_OPENAPI, OLLAMA, OPENAI_STRICT
from fnschema.dialects.rules.arrays import arrays_have_items, tuple_order_told, tuples_as_lists
from fnschema.dialects.rules.formats import FORMAT_PATTERNS, formats_narrowed
from fnschema.dialects.rules.keywords import (
    additional_properties_told,
    annotations_left_out,
    booleans_as_schemas,
    keywords_told,
    patterns_plain,
    property_patterns_told,
)
from fnschema.dialects.rules.objects import maps_as_entries, objects_closed, objects_opened, optional_as_nullable
from fnschema.dialects.rules.references import (
    definitions_renamed,
    references_inlined,
    references_wrapped,
    root_reference_replaced,
    union_references_inlined,
    unused_definitions_left_out,
)
from fnschema.dialects.rules.unions import (
    all_of_merged,
    discriminators_required,
    null_branches_as_nullable,
    one_of_as_any_of,
    type_lists_as_unions,
    unions_as_type_lists,
)
from fnschema.dialects.rules.values import (
    constants_as_enums,
    enums_told,
    enums_typed,
    exclusive_bounds_as_inclusive,
    number_enums_as_ranges,
)

STRING, INTEGER, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}
NOTHING = OPENAI_STRICT._replace(keywords=frozenset({"description", "type"}))


def cases(*rows):
    """(rule, facts, schema, expected) by name; a rule applied twice gives the same."""
    return pytest.mark.parametrize(
        ("rule", "facts", "schema", "expected"),
        [pytest.param(*row, id=f"{row[0].__name__}-{json.dumps(row[2])[:50]}") for row in rows],
    )


@cases(
    (booleans_as_schemas, OPENAI_STRICT, {"properties": {"a": True}}, {"properties": {"a": {}}}),
    (booleans_as_schemas, OPENAI_STRICT, {"items": True}, {"items": {}}),
    (booleans_as_schemas, OPENAI_STRICT, {"anyOf": [False, {}]}, {"anyOf": [{"not": {}}, {}]}),
    (one_of_as_any_of, OPENAI_STRICT, {"oneOf": [STRING, INTEGER]}, {"anyOf": [STRING, INTEGER]}),
    (
        one_of_as_any_of,
        OPENAI_STRICT,
        {"oneOf": [STRING], "discriminator": {"propertyName": "k"}, "title": "T"},
        {"anyOf": [STRING], "title": "T"},
    ),
    (
        one_of_as_any_of,
        OPENAI_STRICT,
        {"oneOf": [STRING], "anyOf": [INTEGER]},
        {"allOf": [{"anyOf": [INTEGER]}, {"anyOf": [STRING]}]},
    ),
    (
        discriminators_required,
        OPENAI_STRICT,
        {
            "oneOf": [{"$ref": "#/$defs/A"}],
            "discriminator": {"propertyName": "k"},
            "$defs": {"A": {"properties": {"k": {"const": "a", "default": "a"}, "n": INTEGER}}},
        },
        {
            "oneOf": [{"$ref": "#/$defs/A"}],
            "discriminator": {"propertyName": "k"},
            "$defs": {"A": {"properties": {"k": {"const": "a"}, "n": INTEGER}, "required": ["k"]}},
        },
    ),
    (type_lists_as_unions, GEMINI_OPENAPI, {"type": ["integer", "null"]}, {"anyOf": [INTEGER, NULL]}),
    (type_lists_as_unions, GEMINI_OPENAPI, {"type": ["integer"], "minimum": 1}, {"type": "integer", "minimum": 1}),
    (
        type_lists_as_unions,
        GEMINI_OPENAPI,
        {"type": ["string", "integer"], "minLength": 1, "minimum": 2, "enum": ["a", 3], "description": "d"},
        {
            "anyOf": [
                {"type": "string", "minLength": 1, "enum": ["a"]},
                {"type": "integer", "minimum": 2, "enum": [3]},
            ],
            "description": "d",
        },
    ),
    (null_branches_as_nullable, GEMINI_OPENAPI, {"anyOf": [STRING, NULL]}, {"type": "string", "nullable": True}),
    (
        null_branches_as_nullable,
        GEMINI_OPENAPI,
        {"anyOf": [STRING, INTEGER, NULL], "description": "d"},
        {"anyOf": [STRING, INTEGER], "nullable": True, "description": "d"},
    ),
    (
        null_branches_as_nullable,
        GEMINI_OPENAPI,
        {"anyOf": [{"type": "string", "description": "Inner."}, NULL], "description": "Outer."},
        {"type": "string", "nullable": True, "description": "Outer. Inner."},
    ),
    (unions_as_type_lists, OLLAMA, {"anyOf": [STRING, NULL]}, {"type": ["string", "null"]}),
    (unions_as_type_lists, OLLAMA, {"anyOf": [STRING, INTEGER]}, {"type": ["string", "integer"]}),
    (
        unions_as_type_lists,
        OLLAMA,
        {"anyOf": [{"type": "string", "enum": ["a"]}, NULL]},
        {"type": ["string", "null"], "enum": ["a", None]},
    ),
    (
        unions_as_type_lists,
        OLLAMA,
        {
            "anyOf": [
                {"type": "object", "properties": {"a": STRING, "k": INTEGER}, "required": ["a", "k"]},
                {"type": "object", "properties": {"b": STRING, "k": STRING}, "required": ["k"]},
            ]
        },
        {
            "description": 'Any of the JSON Schemas {"type": "object", "properties": {"a": {"type": "string"}, "k": '
            '{"type": "integer"}}, "required": ["a", "k"]}, {"type": "object", "properties": {"b": {"type": "string"}, '
            '"k": {"type": "string"}}, "required": ["k"]}.',
            "type": "object",
            "properties": {"a": STRING, "k": {"type": ["integer", "string"]}, "b": STRING},
            "required": ["k"],
        },
    ),
)
def test_unions(rule, facts, schema, expected):
    assert rule(schema, facts) == expected
    assert rule(expected, facts) == expected


@cases(
    (all_of_merged, OPENAI_STRICT, {"allOf": [STRING]}, STRING),
    (all_of_merged, OPENAI_STRICT, {"allOf": [STRING], "description": "d"}, {"type": "string", "description": "d"}),
    (all_of_merged, OPENAI_STRICT, {"allOf": [{"type": "number"}, INTEGER]}, INTEGER),
    (
        all_of_merged,
        OPENAI_STRICT,
        {"allOf": [{"minimum": 1}, {"minimum": 3}], "type": "integer"},
        {"type": "integer", "minimum": 3},
    ),
    (all_of_merged, OPENAI_STRICT, {"allOf": [{"enum": [1, 2]}, {"enum": [2, 3]}]}, {"enum": [2]}),
    (
        all_of_merged,
        OPENAI_STRICT,
        {
            "allOf": [
                {"properties": {"a": STRING}, "required": ["a"]},
                {"properties": {"b": INTEGER}, "required": ["b"]},
            ]
        },
        {"properties": {"a": STRING, "b": INTEGER}, "required": ["a", "b"]},
    ),
    (
        all_of_merged,
        OPENAI_STRICT,
        {"allOf": [{"properties": {"a": STRING}}, {"properties": {"a": {"minLength": 1}}}]},
        {"properties": {"a": {"type": "string", "minLength": 1}}},
    ),
    (
        all_of_merged,
        OPENAI_STRICT,
        {
            "allOf": [
                {"properties": {"a": STRING}, "additionalProperties": False},
                {"properties": {"a": {"minLength": 1}}},
            ]
        },
        {"properties": {"a": {"type": "string", "minLength": 1}}, "additionalProperties": False},
    ),
    (
        all_of_merged,
        OPENAI_STRICT,
        {"items": {"allOf": [{"$ref": "#/$defs/A"}], "description": "d"}, "$defs": {"A": STRING}},
        {"items": {"$ref": "#/$defs/A", "description": "d"}, "$defs": {"A": STRING}},
    ),
    (
        all_of_merged,
        OPENAI_STRICT,
        {"items": {"$ref": "#/$defs/A", "minLength": 2}, "$defs": {"A": STRING}},
        {"items": {"type": "string", "minLength": 2}, "$defs": {"A": STRING}},
    ),
    (
        all_of_merged,
        OPENAI_STRICT,
        {
            "items": {"allOf": [{"$ref": "#/$defs/A"}, {"minimum": 1}]},
            "$defs": {"A": {"allOf": [INTEGER, {"maximum": 3}]}},
        },
        {"items": {"type": "integer", "maximum": 3, "minimum": 1}, "$defs": {"A": {"type": "integer", "maximum": 3}}},
    ),
)
def test_intersections(rule, facts, schema, expected):
    assert rule(schema, facts) == expected
    assert rule(expected, facts) == expected


@pytest.mark.parametrize(
    "keyword",
    ["$comment", "default", "deprecated", "description", "examples", "readOnly", "title", "writeOnly"],
)
def test_what_only_speaks_of_a_map_is_kept(keyword):
    schema = {"type": "object", "additionalProperties": True, keyword: "x"}
    assert maps_as_entries(schema, OPENAI_STRICT)[keyword] == "x"


@pytest.mark.parametrize("keyword", ["contains", "else", "if", "items", "not", "propertyNames", "then"])
def test_true_and_false_are_schemas(keyword):
    assert booleans_as_schemas({keyword: True}, OPENAI_STRICT) == {keyword: {}}
    assert booleans_as_schemas({keyword: False}, OPENAI_STRICT) == {keyword: {"not": {}}}


def test_a_discriminator_of_a_union_of_another_kind_is_not_read():
    schema = {"anyOf": [{"properties": {"k": STRING}}], "discriminator": {"propertyName": "k"}}
    assert discriminators_required(schema, OPENAI_STRICT) == schema


@pytest.mark.parametrize("most", ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"])
def test_of_two_bounds_the_narrower_holds(most):
    least = most.replace("ax", "in")
    bounds = [{least: 3, most: 8}, {least: 2, most: 9}]
    assert all_of_merged({"allOf": bounds}, OPENAI_STRICT) == {least: 3, most: 8}
    assert all_of_merged({"allOf": bounds[::-1]}, OPENAI_STRICT) == {least: 3, most: 8}


@pytest.mark.parametrize(
    "entries",
    [
        [STRING, INTEGER],
        [{"pattern": "a"}, {"pattern": "b"}],
        [{"anyOf": [STRING]}, {"anyOf": [INTEGER]}],
        [{"properties": {"a": STRING}, "additionalProperties": False}, {"properties": {"b": STRING}}],
        [{"enum": [1]}, {"enum": [True]}],
        [{"not": STRING}, {"not": INTEGER}],
    ],
    ids=json.dumps,
)
def test_an_intersection_that_no_single_schema_says_stays(entries):
    assert all_of_merged({"allOf": entries}, OPENAI_STRICT) == {"allOf": entries}


@cases(
    (enums_typed, OPENAI_STRICT, {"enum": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}),
    (enums_typed, OPENAI_STRICT, {"enum": [1, 2.5]}, {"type": "number", "enum": [2.5, 1]}),
    (enums_typed, OPENAI_STRICT, {"enum": [None]}, NULL),
    (enums_typed, OPENAI_STRICT, {"const": 1}, {"type": "integer", "const": 1}),
    (enums_typed, OPENAI_STRICT, {"const": None}, {"type": "null", "const": None}),
    (
        enums_typed,
        OPENAI_STRICT,
        {"enum": [1, True, "a"], "description": "d"},
        {
            "anyOf": [
                {"type": "integer", "enum": [1]},
                {"type": "boolean", "enum": [True]},
                {"type": "string", "enum": ["a"]},
            ],
            "description": "d",
        },
    ),
    (
        enums_typed,
        OPENAI_STRICT,
        {"type": ["string", "null"], "enum": ["a", None]},
        {"anyOf": [{"type": "string", "enum": ["a"]}, NULL]},
    ),
    (constants_as_enums, GEMINI_JSON, {"type": "string", "const": "a"}, {"type": "string", "enum": ["a"]}),
    (constants_as_enums, GEMINI_JSON, {"type": "null", "const": None}, NULL),
    (enums_told, GEMINI_JSON, {"type": "boolean", "enum": [True]}, {"type": "boolean", "description": "Only true."}),
    (
        enums_told,
        OPENAI_STRICT._replace(enum_types=frozenset()),
        {"type": "string", "enum": ["a", "b"], "description": "Which"},
        {"type": "string", "description": 'Which. One of: "a", "b".'},
    ),
    (
        number_enums_as_ranges,
        GEMINI_OPENAPI,
        {"type": "integer", "enum": [2, 1, 3, 7]},
        {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": 3},
                {"type": "integer", "minimum": 7, "maximum": 7},
            ]
        },
    ),
    (
        number_enums_as_ranges,
        GEMINI_OPENAPI,
        {"type": "number", "enum": [0.5]},
        {"type": "number", "minimum": 0.5, "maximum": 0.5},
    ),
    (
        exclusive_bounds_as_inclusive,
        GEMINI_JSON,
        {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10},
        {"type": "integer", "minimum": 1, "maximum": 9},
    ),
    (
        exclusive_bounds_as_inclusive,
        GEMINI_JSON,
        {"type": "integer", "exclusiveMinimum": 0.5, "minimum": 3},
        {"type": "integer", "minimum": 3},
    ),
)
def test_values(rule, facts, schema, expected):
    assert rule(schema, facts) == expected
    assert rule(expected, facts) == expected


@cases(
    (
        tuples_as_lists,
        OPENAI_STRICT,
        {"type": "array", "prefixItems": [STRING, STRING], "minItems": 2, "maxItems": 2},
        {"type": "array", "items": STRING, "minItems": 2, "maxItems": 2},
    ),
    (
        tuples_as_lists,
        OPENAI_STRICT,
        {"type": "array", "prefixItems": [STRING], "items": INTEGER, "minItems": 1},
        {"type": "array", "items": {"anyOf": [STRING, INTEGER]}, "minItems": 1},
    ),
    (
        tuples_as_lists,
        OPENAI_STRICT,
        {"type": "array", "prefixItems": [STRING], "items": False},
        {"type": "array", "items": STRING},
    ),
    (
        tuples_as_lists,
        OPENAI_STRICT,
        {"type": "array", "prefixItems": [STRING]},
        {"type": "array", "items": {"anyOf": [STRING, {}]}},
    ),
    (
        arrays_have_items,
        OPENAI_STRICT,
        {"type": "array", "maxItems": 0},
        {"type": "array", "maxItems": 0, "items": NULL},
    ),
    (
        tuple_order_told,
        OPENAI_STRICT,
        {"prefixItems": [{"type": "integer", "title": "x"}, {"enum": ["a"], "default": "a"}]},
        {
            "prefixItems": [{"type": "integer", "title": "x"}, {"enum": ["a"], "default": "a"}],
            "description": 'In order: x (integer), "a".',
        },
    ),
    (
        tuple_order_told,
        OPENAI_STRICT,
        {"prefixItems": [{"anyOf": [STRING, INTEGER, {"properties": {}}]}, {}]},
        {
            "prefixItems": [{"anyOf": [STRING, INTEGER, {"properties": {}}]}, {}],
            "description": "In order: string or integer or object, any value.",
        },
    ),
    (tuple_order_told, OPENAI_STRICT, {"prefixItems": [STRING, STRING]}, {"prefixItems": [STRING, STRING]}),
    (tuple_order_told, GEMINI_JSON, {"prefixItems": [STRING, INTEGER]}, {"prefixItems": [STRING, INTEGER]}),
)
def test_arrays(rule, facts, schema, expected):
    assert rule(schema, facts) == expected
    assert rule(expected, facts) == expected


@cases(
    (
        optional_as_nullable,
        OPENAI_STRICT,
        {"properties": {"a": STRING, "b": {"type": "integer", "default": 1}}, "required": ["a"]},
        {
            "properties": {"a": STRING, "b": {"anyOf": [INTEGER, NULL], "default": 1}},
            "required": ["a", "b"],
        },
    ),
    (
        optional_as_nullable,
        OPENAI_STRICT,
        {"properties": {"a": {"anyOf": [STRING, INTEGER], "description": "d"}}},
        {"properties": {"a": {"anyOf": [STRING, INTEGER, NULL], "description": "d"}}, "required": ["a"]},
    ),
    (
        optional_as_nullable,
        OPENAI_STRICT,
        {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"anyOf": [STRING, NULL]}}},
        {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"anyOf": [STRING, NULL]}}, "required": ["a"]},
    ),
    (optional_as_nullable, OPENAI_STRICT, {"properties": {"a": {}}}, {"properties": {"a": {}}, "required": ["a"]}),
    (
        optional_as_nullable,
        OPENAI_STRICT,
        {"properties": {"a": {"oneOf": [STRING, NULL]}}},
        {"properties": {"a": {"oneOf": [STRING, NULL]}}, "required": ["a"]},
    ),
    (
        optional_as_nullable,
        OPENAI_STRICT,
        {"properties": {"a": {"type": ["string", "null"], "allOf": [STRING]}}},
        {"properties": {"a": {"anyOf": [{"type": ["string", "null"], "allOf": [STRING]}, NULL]}}, "required": ["a"]},
    ),
    (
        objects_closed,
        OPENAI_STRICT,
        {"properties": {"a": STRING}},
        {"type": "object", "properties": {"a": STRING}, "required": ["a"], "additionalProperties": False},
    ),
    (objects_closed, GEMINI_JSON, {"type": "object"}, {"type": "object"}),
    (
        objects_closed,
        GEMINI_JSON,
        {"type": "object", "properties": {}, "additionalProperties": True},
        {"type": "object", "properties": {}, "additionalProperties": True},
    ),
    (objects_closed, GEMINI_JSON, {"allOf": [{"properties": {}}]}, {"allOf": [{"properties": {}}]}),
    (objects_opened, GEMINI_JSON, {"properties": {}}, {"properties": {}, "additionalProperties": True}),
    (
        maps_as_entries,
        OPENAI_STRICT,
        {"type": "object", "additionalProperties": INTEGER, "propertyNames": {"maxLength": 2}},
        {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"key": {"type": "string", "maxLength": 2}, "value": INTEGER},
                "required": ["key", "value"],
                "additionalProperties": False,
            },
        },
    ),
    (
        maps_as_entries,
        OPENAI_STRICT,
        {"type": "object", "additionalProperties": True, "description": "d"},
        {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"key": STRING, "value": {}},
                "required": ["key", "value"],
                "additionalProperties": False,
            },
            "description": "d",
        },
    ),
    (
        maps_as_entries,
        OPENAI_STRICT,
        {"type": "object", "patternProperties": {"^a": INTEGER}, "maxProperties": 2},
        {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"key": {"type": "string", "pattern": "^a"}, "value": INTEGER},
                "required": ["key", "value"],
                "additionalProperties": False,
            },
            "maxItems": 2,
        },
    ),
    (
        maps_as_entries,
        OPENAI_STRICT,
        {"type": "object", "additionalProperties": False},
        {"type": "object", "additionalProperties": False},
    ),
    (
        maps_as_entries,
        OPENAI_STRICT,
        {
            "type": "object",
            "patternProperties": {"^a": INTEGER},
            "propertyNames": {"maxLength": 3},
            "additionalProperties": False,
        },
        {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"key": {"type": "string", "maxLength": 3, "pattern": "^a"}, "value": INTEGER},
                "required": ["key", "value"],
                "additionalProperties": False,
            },
        },
    ),
    (
        maps_as_entries,
        OPENAI_STRICT,
        {"type": "object", "patternProperties": {"^a": INTEGER}, "additionalProperties": STRING},
        {"type": "object", "patternProperties": {"^a": INTEGER}, "additionalProperties": STRING},
    ),
    (
        additional_properties_told,
        OLLAMA,
        {"type": "object", "additionalProperties": INTEGER},
        {"type": "object", "description": 'Its other properties fit {"type": "integer"}.'},
    ),
    (additional_properties_told, OLLAMA, {"properties": {}, "additionalProperties": False}, {"properties": {}}),
    (
        property_patterns_told,
        GEMINI_JSON,
        {"type": "object", "patternProperties": {"^a": INTEGER}, "additionalProperties": False},
        {
            "type": "object",
            "additionalProperties": INTEGER,
            "description": "Its keys match the regular expression `^a`.",
        },
    ),
    (
        property_patterns_told,
        GEMINI_JSON,
        {"type": "object", "propertyNames": {"enum": ["a"]}, "additionalProperties": INTEGER},
        {"type": "object", "additionalProperties": INTEGER, "description": 'Its keys fit {"enum": ["a"]}.'},
    ),
)
def test_objects(rule, facts, schema, expected):
    assert rule(schema, facts) == expected
    assert rule(expected, facts) == expected


@cases(
    (references_wrapped, OPENAI_STRICT, {"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}),
    (
        references_wrapped,
        OPENAI_STRICT,
        {"items": {"$ref": "#", "description": "d"}},
        {"items": {"anyOf": [{"$ref": "#"}], "description": "d"}},
    ),
    (
        references_inlined,
        GEMINI_OPENAPI,
        {"items": {"$ref": "#/$defs/A", "description": "d"}, "$defs": {"A": {"type": "string", "description": "a"}}},
        {"items": {"type": "string", "description": "d"}},
    ),
    (
        union_references_inlined,
        OPENAI_STRICT._replace(references_in_unions=False),
        {"anyOf": [{"$ref": "#/$defs/A"}], "items": {"$ref": "#/$defs/A"}, "$defs": {"A": STRING}},
        {"anyOf": [STRING], "items": {"$ref": "#/$defs/A"}, "$defs": {"A": STRING}},
    ),
    (
        unused_definitions_left_out,
        OPENAI_STRICT,
        {"items": {"$ref": "#/$defs/A"}, "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {}, "C": {"$ref": "#/$defs/A"}}},
        {"items": {"$ref": "#/$defs/A"}, "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {}}},
    ),
    (unused_definitions_left_out, OPENAI_STRICT, {"type": "object", "$defs": {"A": {}}}, {"type": "object"}),
    (
        definitions_renamed,
        OPENAI_STRICT,
        {"items": {"$ref": "#/definitions/A"}, "definitions": {"A": {"$ref": "#/$defs/A"}}, "$defs": {"A": STRING}},
        {"items": {"$ref": "#/$defs/A_"}, "$defs": {"A": STRING, "A_": {"$ref": "#/$defs/A"}}},
    ),
    (
        root_reference_replaced,
        OPENAI_STRICT,
        {"$ref": "#/$defs/A", "$defs": {"A": {"type": "object", "properties": {}}}},
        {"type": "object", "properties": {}, "$defs": {"A": {"type": "object", "properties": {}}}},
    ),
)
def test_references(rule, facts, schema, expected):
    assert rule(schema, facts) == expected


@pytest.mark.parametrize(
    ("keyword", "value", "sentence"),
    [
        ("format", "uri", "Format: uri."),
        ("pattern", "^a$", "Matches the regular expression `^a$`."),
        ("minLength", 1, "At least 1 character."),
        ("maxLength", 5, "At most 5 characters."),
        ("minimum", 1, "At least 1."),
        ("exclusiveMinimum", 0, "More than 0."),
        ("maximum", 2.5, "At most 2.5."),
        ("exclusiveMaximum", 3, "Less than 3."),
        ("multipleOf", 5, "A multiple of 5."),
        ("minItems", 2, "At least 2 items."),
        ("maxItems", 1, "At most 1 item."),
        ("uniqueItems", True, "No item twice."),
        ("minProperties", 1, "At least 1 entry."),
        ("maxProperties", 2, "At most 2 entries."),
        ("contentMediaType", "application/json", "Holds application/json."),
        ("contentEncoding", "base64", "Encoded as base64."),
        ("examples", ["ä", 1], 'Examples: "ä", 1.'),
        ("default", {"a": [1, "ß"]}, 'Default: {"a": [1, "ß"]}.'),
        ("default", None, "Default: null."),
        ("deprecated", True, "Deprecated."),
        ("contentSchema", INTEGER, 'Its content fits the JSON Schema {"type": "integer"}.'),
    ],
)
def test_a_keyword_that_a_provider_lacks_is_told(keyword, value, sentence):
    assert keywords_told({"type": "string", keyword: value}, NOTHING) == {"type": "string", "description": sentence}


@pytest.mark.parametrize(
    ("keyword", "value"), [("minItems", 0), ("minLength", 0), ("deprecated", False), ("uniqueItems", False)]
)
def test_a_keyword_that_says_nothing_is_not_told(keyword, value):
    assert keywords_told({"type": "string", keyword: value}, NOTHING) == {"type": "string"}


@pytest.mark.parametrize(
    ("description", "told"),
    [
        ("Most results", "Most results. Default: 3."),
        ("Most results.", "Most results. Default: 3."),
        ("How many? ", "How many? Default: 3."),
        ("One line.\nAnother.", "One line.\nAnother.\nDefault: 3."),
        ("Default: 3.", "Default: 3."),
        ("", "Default: 3."),
    ],
)
def test_a_sentence_goes_to_the_end_of_the_description(description, told):
    schema = {"type": "integer", "default": 3, "description": description}
    assert keywords_told(schema, OPENAI_STRICT)["description"] == told


def test_the_greatest_min_items_that_is_taken_still_holds():
    facts = OPENAI_STRICT._replace(most_min_items=1)
    assert keywords_told({"minItems": 3}, facts) == {"minItems": 1, "description": "At least 3 items."}
    assert keywords_told({"minItems": 1}, facts) == {"minItems": 1}


@pytest.mark.parametrize(
    "beside",
    [
        {"allOf": [{"properties": {"b": INTEGER}}]},
        {"if": {"required": ["b"]}},
        {"not": {"required": ["b"]}},
        {"dependentSchemas": {"b": {"required": ["c"]}}},
        {"unevaluatedProperties": INTEGER},
    ],
    ids=json.dumps,
)
def test_an_object_beside_whose_properties_others_are_named_is_not_closed(beside):
    schema = {"type": "object", "properties": {"a": STRING}, **beside}
    assert objects_closed(schema, GEMINI_JSON) == schema


CONSTRAINING = {
    "additionalProperties": (False, {"a": 1}),
    "allOf": ([STRING], 1),
    "anyOf": ([STRING], 1),
    "const": (1, 2),
    "contains": (STRING, [1]),
    "dependentRequired": ({"a": ["b"]}, {"a": 1}),
    "dependentSchemas": ({"a": {"required": ["b"]}}, {"a": 1}),
    "enum": ([1], 2),
    "exclusiveMaximum": (1, 1),
    "exclusiveMinimum": (1, 1),
    "items": (STRING, [1]),
    "maxItems": (1, [1, 2]),
    "maxLength": (1, "ab"),
    "maxProperties": (1, {"a": 1, "b": 2}),
    "maximum": (1, 2),
    "minItems": (1, []),
    "minLength": (1, ""),
    "minProperties": (1, {}),
    "minimum": (1, 0),
    "multipleOf": (2, 3),
    "not": ({}, 1),
    "oneOf": ([STRING], 1),
    "pattern": ("a", "b"),
    "patternProperties": ({"a": STRING}, {"a": 1}),
    "prefixItems": ([STRING], [1]),
    "properties": ({"a": STRING}, {"a": 1}),
    "propertyNames": ({"maxLength": 1}, {"ab": 1}),
    "required": (["a"], {}),
    "type": ("string", 1),
    "unevaluatedItems": (False, [1]),
    "unevaluatedProperties": (False, {"a": 1}),
    "uniqueItems": (True, [1, 1]),
}


@pytest.mark.parametrize("keyword", CONSTRAINING)
def test_a_keyword_that_constrains_values_is_never_left_out_as_an_annotation(keyword):
    value, refused = CONSTRAINING[keyword]
    assert not jsonschema_rs.is_valid({keyword: value}, refused)
    assert annotations_left_out({keyword: value}, NOTHING) == {keyword: value}


def test_keywords_that_constrain_nothing_are_left_out():
    schema = {"type": "string", "x-order": 1, "$comment": "c", "readOnly": True, "not": {}}
    assert annotations_left_out(schema, OPENAI_STRICT) == {"type": "string", "not": {}}


@pytest.mark.parametrize(
    ("pattern", "syntax", "kept"),
    [
        ("^a$", "python", True),
        ("(?=a)", "python", False),
        (r"\(?=a", "python", False),
        (r"\p{L}", "python", False),
        ("(", "python", False),
        ("(?=a)", "any", True),
        (r"^\d+$", "simple", True),
        (r"^(a)\1$", "simple", False),
        (r"\bword\b", "simple", False),
        ("^a{1,2000}$", "simple", False),
        ("^[a-z]+$", "anchored", True),
        (r"^[a-z]+\$", "anchored", False),
        ("[a-z]+", "anchored", False),
        (r"^\d+$", "anchored", False),
        ("^(?:a)$", "anchored", False),
    ],
)
def test_a_pattern_is_kept_where_its_syntax_is_taken(pattern, syntax, kept):
    facts = OPENAI_STRICT._replace(patterns=syntax)
    assert ("pattern" in keywords_told({"pattern": pattern}, facts)) is kept


def test_pydantics_own_look_around_is_written_without():
    schema = {"type": "string", "pattern": r"^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$"}
    assert patterns_plain(schema, OPENAI_STRICT)["pattern"] == r"^[+-]?([0-9]{1,28}(\.[0-9]{0,28})?|\.[0-9]{1,28})$"


@pytest.mark.parametrize("name", FORMAT_PATTERNS)
def test_a_format_gets_its_pattern_where_patterns_are_taken(name):
    schema = {"type": "string", "format": name}
    assert formats_narrowed(schema, OPENAI_STRICT) == {**schema, "pattern": FORMAT_PATTERNS[name]}
    assert formats_narrowed(schema, NOTHING) == schema


TEXTS = {
    "date": ("2024-02-29 2000-02-29 2023-12-31", "2023-02-29 1900-02-29 2023-04-31 0999-01-01 2023-13-01"),
    "date-time": (
        "2024-02-29T23:59:59Z 2024-01-01T00:00:00.123456-23:59",
        "2024-01-01T00:00:00 2024-01-01T24:00:00Z 2024-01-01T00:00:00+24:00 2024-01-01T00:00:00Zz",
    ),
    "local-date-time": ("2024-01-01T00:00:00", "2024-01-01T00:00:00Z 2024-01-01"),
    "time": ("23:59:59.5+05:30 00:00:00Z", "12:00:00 12:60:00Z"),
    "complex": ("1 -1.5 1+2j 1.5-2.5j", "j 1+j 1e5 .5"),
    "decimal": ("1 -1.50", "1. .5 1e5"),
    "duration": ("P1D PT1H P1DT2H3M4.5S PT5S", "P PT P1Y P1W PT1S2M"),
    "uri": ("https://example.org:8080/a?b#c http://10.0.0.1 mailto:a@b", "example.org https:// http://a..b x:y"),
    "uuid": ("123e4567-e89b-12d3-a456-42661417400F", "123e4567e89b12d3a456426614174000 123e4567"),
    "uuid4": ("123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"),
    "ipv4": ("192.168.0.1 255.249.199.0", "256.0.0.1 1.2.3 01.2.3.4"),
    "ipv4interface": ("10.0.0.1 10.0.0.1/0 10.0.0.1/32", "10.0.0.1/33 10.0.0.1/"),
    "ipv4network": ("10.0.0.1 10.0.0.1/32", "10.0.0.1/24"),
    "ipv6interface": ("1:2:3:4:5:6:7:abCD/128", "1:2:3 1:2:3:4:5:6:7:8/129"),
    "ipv6network": ("1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:8/128", "1:2:3:4:5:6:7:8/64"),
    "fraction": ("1 -1/3", "1/0 1/ 0.5"),
    "base64": ("YWI= YQ== YWJj +/+/", "YWI YQ= _-8="),
    "base64url": ("YWI= YQ== _-_-", "YWI YQ= +/8="),
}


@pytest.mark.parametrize("name", TEXTS)
def test_the_pattern_of_a_format_tells_texts_of_it_from_others(name):
    fitting, others = (text.split() for text in TEXTS[name])
    assert [text for text in fitting + others if re.search(FORMAT_PATTERNS[name], text)] == fitting


def test_the_schemes_of_a_url_become_a_pattern_of_whole_urls():
    schema = {"type": "string", "format": "uri", "pattern": "^(http|https)://"}
    assert formats_narrowed(schema, OPENAI_STRICT)["pattern"].startswith("^(http|https)://((")


def test_an_authors_pattern_stays():
    schema = {"type": "string", "format": "date", "pattern": "^2024"}
    assert formats_narrowed(schema, OPENAI_STRICT) == schema
