"""Schemas of any origin, as tools made by hand have them: a definition without a fault, or problems; never a crash."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialects.checker import faults
from fnschema import dialects, ensure_strict_json_schema
from fnschema.dialects import ToolSchema
from fnschema.errors import SchemaError, UserError

NAMES = st.sampled_from(["a", "title", "$ref", "default", "x-y"])
VALUES = st.sampled_from([None, 1, 2.5, "x", True, [1], {"a": 1}])
REFERENCES = st.sampled_from(["#/$defs/A", "#/$defs/B~1c", "#/definitions/O", "#"]).map(
    lambda reference: {"$ref": reference}
)
WORDS = {"title": st.just("T"), "description": st.sampled_from(["d", "e"]), "default": VALUES, "examples": VALUES}
LEAVES = st.one_of(
    st.sampled_from(
        [{}, True, {"type": "string"}, {"type": ["integer", "null"]}, {"type": "number", "exclusiveMinimum": 1}]
    ),
    st.sampled_from([{"type": "string", "format": "uri"}, {"type": "string", "pattern": "^a", "minLength": 1}]),
    st.lists(VALUES, min_size=1, max_size=3).map(lambda values: {"enum": values}),
    VALUES.map(lambda value: {"const": value}),
    REFERENCES,
)


def larger(inner):
    some = st.lists(inner, min_size=1, max_size=3)
    properties = st.dictionaries(NAMES, inner, max_size=3)
    return st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("object"), "properties": properties},
            optional={
                "additionalProperties": st.one_of(st.booleans(), inner),
                "required": st.just(["a"]),
                "allOf": some,
            }
            | WORDS,
        ),
        st.fixed_dictionaries(
            {"type": st.just("object"), "additionalProperties": inner}, optional={"propertyNames": inner}
        ),
        st.fixed_dictionaries({"type": st.just("object"), "patternProperties": st.dictionaries(st.just("^a"), inner)}),
        st.fixed_dictionaries(
            {"type": st.just("array"), "items": inner}, optional={"uniqueItems": st.just(True)} | WORDS
        ),
        st.fixed_dictionaries(
            {"type": st.just("array"), "prefixItems": some}, optional={"maxItems": st.just(3)} | WORDS
        ),
        st.fixed_dictionaries({"anyOf": some}, optional=WORDS),
        st.fixed_dictionaries({"oneOf": some}, optional={"discriminator": st.just({"propertyName": "a"})} | WORDS),
        st.fixed_dictionaries({"allOf": some}, optional=WORDS),
        st.tuples(REFERENCES, st.fixed_dictionaries({}, optional={"minLength": st.just(1)} | WORDS)).map(
            lambda two: two[0] | two[1]
        ),
        st.fixed_dictionaries(
            {"type": st.just("string")}, optional=dict.fromkeys(("not", "if", "contentSchema"), inner)
        ),
    )


SCHEMAS = st.recursive(LEAVES, larger, max_leaves=6)
ROOTS = st.fixed_dictionaries(
    {
        "type": st.just("object"),
        "properties": st.dictionaries(NAMES, SCHEMAS, max_size=3),
        "$defs": st.fixed_dictionaries({"A": SCHEMAS, "B/c": SCHEMAS}),
        "definitions": st.fixed_dictionaries({"O": SCHEMAS}),
    },
    optional={"required": st.just(["a"])},
)
FORMS = [
    (name, strict) for name in dialects.names() for strict in (None, True) if not strict or dialects.get(name).strict
]


@settings(max_examples=30)
@given(ROOTS, st.booleans(), st.sampled_from(["reject", "entries"]))
def test_a_definition_has_no_fault_or_there_are_problems(schema, is_strict, open_objects):
    before = copy.deepcopy(schema)
    tool = ToolSchema("f", None, schema, strict=is_strict, open_objects=open_objects)
    for name, strict in FORMS:
        dialect = dialects.get(name)
        try:
            dialect.definition(tool, strict=strict)
        except SchemaError:
            continue
        form = dialect.strict if dialect.is_strict(tool, strict) else dialect.loose
        parameters = dialect.parameters(tool, strict=strict)
        if form.facts.keywords is not None:
            assert faults(parameters, form.facts) == [], name
        for rule in form.rules:
            assert rule(parameters, form.facts) == parameters, (name, rule.__name__)
    assert schema == before


@settings(max_examples=60)
@given(ROOTS)
def test_a_strict_schema_is_made_again_the_same_or_refused(schema):
    before = copy.deepcopy(schema)
    try:
        strict = ensure_strict_json_schema(schema)
    except UserError:
        strict = None
    assert schema == before
    assert strict is None or ensure_strict_json_schema(strict) == strict


@pytest.mark.parametrize("name", dialects.names())
def test_a_type_that_is_merged_with_itself_for_ever_ends_in_problems(name):
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#", "minProperties": 1}, "b": {"$ref": "#", "title": "T"}},
    }
    dialects.get(name).problems(ToolSchema("f", None, schema))
