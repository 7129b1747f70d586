"""Schemas made strict: those of any origin, as the Agents SDK does, and those of functions."""

import copy
import json
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from pydantic import BaseModel, ConfigDict, Field, create_model

from fnschema import ensure_strict_json_schema, function_schema
from fnschema._strict_schema import strict_parameters
from fnschema.errors import SchemaError, UserError

STRING = {"type": "string"}


def closed(**properties):
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


# ensure_strict_json_schema: what it gives


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        ({}, closed()),
        ({"type": "object"}, {"type": "object", "additionalProperties": False}),
        ({"properties": {"a": STRING}}, closed(a=STRING)),
        ({"type": "object", "properties": {"a": STRING}, "required": []}, closed(a=STRING)),
        (closed(a={"type": "object", "properties": {"b": STRING}}), closed(a=closed(b=STRING))),
        ({"type": "array", "items": {"properties": {}}}, {"type": "array", "items": closed()}),
        (closed(a={"anyOf": [{"properties": {}}, STRING]}), closed(a={"anyOf": [closed(), STRING]})),
        (closed(a={"oneOf": [{"properties": {}}, STRING]}), closed(a={"anyOf": [closed(), STRING]})),
        (closed(a={"anyOf": [STRING], "oneOf": [{}]}), closed(a={"anyOf": [STRING, {}]})),
        (closed(a={"type": "string", "default": None}), closed(a=STRING)),
        (closed(a={"type": "string", "default": 0}), closed(a={"type": "string", "default": 0})),
        (closed(a={"allOf": [STRING], "description": "d"}), closed(a={"type": "string", "description": "d"})),
        (closed(a={"allOf": [STRING, {"minLength": 1}]}), closed(a={"allOf": [STRING, {"minLength": 1}]})),
        (
            closed(a={"allOf": [{"properties": {"x": STRING}}], "properties": {}, "required": []}),
            closed(a=closed(x=STRING)),
        ),
        ({"type": ["object"], "properties": {}}, closed()),
    ],
    ids=lambda value: json.dumps(value)[:60],
)
def test_it_is_made_strict(schema, strict):
    assert ensure_strict_json_schema(schema) == strict


def test_a_reference_alone_stays():
    schema = {**closed(a={"$ref": "#/$defs/A"}), "$defs": {"A": {"properties": {}}}}
    assert ensure_strict_json_schema(schema) == {**closed(a={"$ref": "#/$defs/A"}), "$defs": {"A": closed()}}


@pytest.mark.parametrize("keyword", ["description", "title", "default", "examples", "deprecated"])
def test_a_reference_with_words_beside_it_is_inlined(keyword):
    schema = {**closed(a={"$ref": "#/$defs/A", keyword: "w"}), "$defs": {"A": {"properties": {}, keyword: "target's"}}}
    assert ensure_strict_json_schema(schema)["properties"]["a"] == {**closed(), keyword: "w"}


def test_an_only_all_of_of_a_reference_is_merged():
    schema = {
        **closed(a={"allOf": [{"$ref": "#/$defs/A"}], "title": "T"}),
        "$defs": {"A": {"properties": {"x": STRING}}},
    }
    assert ensure_strict_json_schema(schema)["properties"]["a"] == {**closed(x=STRING), "title": "T"}


def test_a_chain_keeps_the_words_along_it():
    schema = {
        **closed(a={"$ref": "#/$defs/A", "title": "T"}),
        "$defs": {"A": {"$ref": "#/$defs/B", "description": "d"}, "B": {"properties": {"x": STRING}}},
    }
    assert ensure_strict_json_schema(schema)["properties"]["a"] == {
        **closed(x=STRING),
        "title": "T",
        "description": "d",
    }


def test_properties_named_like_keywords_stay():
    schema = {"properties": dict.fromkeys(("$ref", "default", "anyOf", "properties", "additionalProperties"), STRING)}
    assert ensure_strict_json_schema(schema) == closed(**schema["properties"])


def test_the_given_schema_stays_as_it_was():
    schema = {"properties": {"a": {"properties": {"b": {"default": None}}}}, "$defs": {"A": {"properties": {}}}}
    before = copy.deepcopy(schema)
    ensure_strict_json_schema(schema)
    assert schema == before


def test_the_given_schema_stays_as_it_was_when_it_is_refused():
    schema = {"properties": {"a": {"properties": {}}, "b": {"additionalProperties": True, "type": "object"}}}
    before = copy.deepcopy(schema)
    with pytest.raises(UserError):
        ensure_strict_json_schema(schema)
    assert schema == before


@pytest.mark.parametrize("examples", [[{"x": 1}], ({"x": 1},)], ids=["list", "tuple"])
def test_the_result_shares_nothing_with_the_given_schema(examples):
    schema = {"properties": {"a": {"enum": ["x"], "examples": examples}}}
    strict = ensure_strict_json_schema(schema)["properties"]["a"]
    strict["enum"].append("y")
    strict["examples"][0]["x"] = 2
    assert schema == {"properties": {"a": {"enum": ["x"], "examples": examples}}}
    assert examples[0] == {"x": 1}


def test_it_is_idempotent():
    schema = {**closed(a={"$ref": "#/$defs/A", "title": "T"}), "$defs": {"A": {"oneOf": [{"properties": {}}, STRING]}}}
    once = ensure_strict_json_schema(schema)
    assert ensure_strict_json_schema(once) == once


# ensure_strict_json_schema: what it refuses


@pytest.mark.parametrize(
    ("schema", "phrase"),
    [
        ({"anyOf": [STRING]}, "root of a strict JSON schema"),
        ({"oneOf": [STRING]}, "root of a strict JSON schema"),
        ({"type": ["object", "null"]}, "root of a strict JSON schema"),
        (closed(a={"type": "object", "additionalProperties": True}), "additionalProperties"),
        (closed(a={"type": "object", "additionalProperties": {}}), "additionalProperties"),
        (closed(a={"type": "object", "additionalProperties": STRING}), "additionalProperties"),
        (closed(a={"additionalProperties": True}), "additionalProperties"),
        (closed(a={"type": ["object", "null"], "additionalProperties": True}), "additionalProperties"),
        ({**closed(a={"$ref": "#/$defs/A", "minLength": 1}), "$defs": {"A": STRING}}, "incompatible sibling"),
        ({**closed(a={"$ref": "#/$defs/A", "x-y": 1}), "$defs": {"A": STRING}}, "incompatible sibling"),
        (closed(a={"allOf": [STRING], "type": "integer"}), "singleton `allOf`"),
        (closed(a={"allOf": [{"enum": [1]}], "enum": [True]}), "singleton `allOf`"),
        (
            closed(a={"allOf": [{"properties": {"x": STRING}}], "type": "object", "additionalProperties": False}),
            "singleton `allOf`",
        ),
        ({"$defs": {"A": {"$ref": "#/$defs/A", "title": "T"}}}, "circular"),
        ({"$defs": {"A": {"$ref": "#/$defs/B", "title": "T"}, "B": {"$ref": "#/$defs/A"}}}, "circular"),
        ({"$defs": {"A": {"properties": {"a": {"$ref": "#/$defs/A", "title": "T"}}}}}, "too deeply nested"),
        (closed(a={"$ref": "https://example.com/a.json", "title": "T"}), "not local"),
        (closed(a={"$ref": "#/$defs/A", "title": "T"}), "to nothing"),
        ({"$defs": {"A": {"$id": "urn:a", "properties": {"a": {"$ref": "#/$defs/B"}}}, "B": {}}}, "nested `$id`"),
        ({**closed(a={"$ref": "#/$defs/A", "title": "T"}), "$defs": {"A": {"$id": "urn:a"}}}, "nested `$id`"),
    ],
    ids=lambda value: json.dumps(value)[:60],
)
def test_it_is_refused(schema, phrase):
    with pytest.raises(UserError, match=phrase.replace("$", "\\$")):
        ensure_strict_json_schema(schema)


@pytest.mark.parametrize("schema", [[], None, "object", True, {"properties": {"a": True}}], ids=str)
def test_what_is_no_schema_is_a_type_error_too(schema):
    with pytest.raises(TypeError, match="must be an object at") as caught:
        ensure_strict_json_schema(schema)
    assert isinstance(caught.value, UserError)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"properties": {"a": 5}}, "at /properties/a, not int"),
        ({"type": "array", "items": {"properties": {"a": "x"}}}, "at /items/properties/a, not str"),
    ],
    ids=["property", "items"],
)
def test_what_is_no_schema_is_named_with_its_place(schema, message):
    with pytest.raises(UserError, match=rf"^JSON schema must be an object {message}\.$"):
        ensure_strict_json_schema(schema)


@pytest.mark.parametrize("reference", ["elsewhere", "#/$defs/A"])
def test_a_reference_that_leads_nowhere_is_a_value_error_too(reference):
    with pytest.raises(ValueError, match=r"JSON schema contains a `[$]ref`") as caught:
        ensure_strict_json_schema(closed(a={"$ref": reference, "title": "T"}))
    assert isinstance(caught.value, UserError)


@pytest.mark.parametrize(
    "schema",
    [
        [],
        None,
        "object",
        {"properties": []},
        {"properties": {"a": True}},
        {"properties": {"a": None}},
        {"items": [{}]},
        {"anyOf": {}},
        {"anyOf": [3]},
        {"allOf": [None]},
        {"oneOf": "x"},
        {"$defs": []},
        {"$defs": {"A": 1}},
        {"definitions": 1},
        {"type": 5},
        {"type": {}},
        {"$ref": 5},
        {"$ref": ["#"], "title": "T"},
        {"required": 5},
        {5: {}},
        {"properties": {"a": {5: 1}}},
    ],
    ids=repr,
)
def test_what_is_no_json_schema_is_an_authors_error(schema):
    with pytest.raises(UserError):
        ensure_strict_json_schema(schema)


def chain(length):
    """Definitions that lead into each other, each with words beside the reference, so that all are inlined."""
    links = {f"A{at}": {"type": "object", "properties": {"x": beside(at + 1)}} for at in range(length)}
    return {"type": "object", "properties": {"x": beside(0)}, "$defs": {**links, f"A{length}": {"type": "string"}}}


def beside(at):
    return {"$ref": f"#/$defs/A{at}", "title": "T"}


def test_levels_are_counted_with_references_inlined():
    assert ensure_strict_json_schema(chain(48))["additionalProperties"] is False
    reason = "JSON schema is too deeply nested: more than 100 levels with its `[$]ref`s inlined."
    with pytest.raises(UserError, match=f"^{reason}$"):
        ensure_strict_json_schema(chain(49))


@pytest.mark.parametrize("levels", [101, 3000])
def test_what_is_too_deep_is_an_authors_error(levels):
    schema = {"type": "integer"}
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    with pytest.raises(UserError, match="too deeply nested"):
        ensure_strict_json_schema(schema)


def test_described_references_that_double_have_a_budget():
    definitions = {"L0": {"properties": {"v": {"type": "integer"}}}}
    for i in range(1, 40):
        described = {name: {"$ref": f"#/$defs/L{i - 1}", "description": name} for name in "ab"}
        definitions[f"L{i}"] = {"properties": described}
    with pytest.raises(UserError, match="too large"):
        ensure_strict_json_schema({**closed(a={"$ref": "#/$defs/L39"}), "$defs": definitions})


def test_the_message_names_the_place_and_the_keywords():
    schema = {**closed(a={"$ref": "#/$defs/A", "minLength": 1, "maxLength": 2}), "$defs": {"A": STRING}}
    with pytest.raises(UserError) as caught:
        ensure_strict_json_schema(schema)
    assert str(caught.value) == (
        "JSON schema contains a `$ref` with incompatible sibling keywords at /properties/a: maxLength, minLength. "
        "Merging them would change which values are accepted."
    )


# strict_parameters


class Size(NamedTuple):
    width: int
    unit: str = "cm"


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    x: int = 1


class Holder(BaseModel):
    options: dict[str, int]


def strict(open_objects="reject", **fields):
    model = create_model(
        "f_args", **{name: field if isinstance(field, tuple) else (field, ...) for name, field in fields.items()}
    )
    schema = model.model_json_schema()
    before = copy.deepcopy(schema)
    parameters = strict_parameters(schema, subject="shop.f", open_objects=open_objects)
    assert schema == before
    return parameters


def refusal(open_objects="reject", **fields):
    with pytest.raises(SchemaError) as caught:
        strict(open_objects, **fields)
    return caught.value


@pytest.mark.parametrize(
    ("field", "published"),
    [
        (int, {"title": "V", "type": "integer"}),
        ((int, 3), {"title": "V", "type": "integer", "default": 3}),
        ((int | None, None), {"title": "V", "anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (Any, {"title": "V"}),
        (list, {"title": "V", "type": "array", "items": {}}),
        (set[int], {"title": "V", "type": "array", "items": {"type": "integer"}, "description": "No item twice."}),
        (bytes, {"title": "V", "type": "string", "description": "Format: binary."}),
        (Annotated[str, Field(min_length=2)], {"title": "V", "type": "string", "minLength": 2}),
        (
            Literal[1, "a", None],
            {
                "title": "V",
                "anyOf": [{"type": "integer", "enum": [1]}, {"type": "string", "enum": ["a"]}, {"type": "null"}],
            },
        ),
        (
            tuple[int, str],
            {
                "title": "V",
                "type": "array",
                "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
                "minItems": 2,
                "maxItems": 2,
                "description": "In order: integer, string.",
            },
        ),
    ],
    ids=str,
)
def test_a_parameter_is_published(field, published):
    assert strict(v=field)["properties"]["v"] == published


def test_the_root_is_closed_and_requires_everything():
    parameters = strict(a=(int, 1), b=(str, "x"))
    assert (parameters["required"], parameters["additionalProperties"], parameters["title"]) == (
        ["a", "b"],
        False,
        "f_args",
    )


def test_words_beside_a_reference_stand_outside_a_union():
    parameters = strict(size=(Cat, Field(description="Which.")))
    assert parameters["properties"]["size"] == {"anyOf": [{"$ref": "#/$defs/Cat"}], "description": "Which."}


def test_a_discriminated_union_is_an_any_of():
    parameters = strict(pet=(Annotated[Cat | Dog, Field(discriminator="kind")], ...))
    assert parameters["properties"]["pet"] == {
        "anyOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}],
        "title": "Pet",
    }


def test_a_named_tuple_keeps_its_names_in_words():
    assert (
        strict(size=Size)["$defs"]["Size"]["description"] == 'In order: Width (integer), Unit (string, default "cm").'
    )


def test_open_objects_are_refused_all_at_once():
    error = refusal(a=dict[str, int], b=int, c=list[dict], d=Open, e=Holder)
    assert [problem.path for problem in error.problems] == [
        "/$defs/Holder/properties/options",
        "/$defs/Open",
        "/properties/a",
        "/properties/c/items",
    ]


def test_the_refusal_of_a_map_names_it_and_three_remedies():
    assert str(refusal(headers=dict[str, str])) == (
        "Cannot make strict 'headers' of shop.f: it is an object with any properties (additionalProperties), and "
        'strict objects are closed. Use open_objects="entries", a TypedDict, a dataclass or a model with named fields, '
        "or strict_json_schema=False."
    )


def test_the_refusal_within_a_type_names_the_parameters():
    error = refusal(a=Holder, b=list[Holder], c=int)
    assert error.problems[0].reason.endswith(", in the type of parameters 'a', 'b'")


def test_maps_are_published_as_entries():
    assert strict("entries", m=dict[str, int])["properties"]["m"] == {
        "type": "array",
        "items": closed(key=STRING, value={"type": "integer"}),
        "title": "M",
    }


def test_entries_keep_bounds_words_and_keys():
    field = (Annotated[dict[Literal["a", "b"], int], Field(min_length=1, max_length=2)], Field(description="d"))
    published = strict("entries", m=field)["properties"]["m"]
    assert (published["minItems"], published["maxItems"], published["description"]) == (1, 2, "d")
    assert published["items"]["properties"]["key"] == {"type": "string", "enum": ["a", "b"]}


def test_entries_of_keys_with_a_pattern():
    published = strict("entries", m=dict[Annotated[str, Field(pattern="^x")], int])["properties"]["m"]
    assert published["items"]["properties"] == {
        "key": {"type": "string", "pattern": "^x"},
        "value": {"type": "integer"},
    }


def test_entries_within_entries():
    inner = strict("entries", m=dict[str, dict[str, int]])["properties"]["m"]["items"]["properties"]["value"]
    assert inner == {"type": "array", "items": closed(key=STRING, value={"type": "integer"})}


def test_extra_allow_is_refused_with_entries_too():
    assert 'extra="allow"' in str(refusal("entries", x=Open))


@pytest.mark.parametrize(
    "union",
    [
        dict[str, int] | list[int],
        dict[str, int] | dict[str, float],
        dict[str, Any] | dict[str, str],
        set[str] | dict[str, int],
    ],
    ids=str,
)
def test_a_union_in_which_entries_are_ambiguous_is_refused(union):
    assert refusal("entries", u=union).problems[0].path == "/properties/u"


def test_a_union_in_which_entries_are_ambiguous_is_refused_where_nothing_is_strict():
    def f(u: dict[str, int] | list[int]) -> None: ...

    with pytest.raises(SchemaError) as caught:
        function_schema(f, strict_json_schema=False, open_objects="entries")
    assert str(caught.value).startswith("Cannot publish as entries 'u' of ")
    assert str(caught.value).endswith(', or open_objects="reject".')


@pytest.mark.parametrize(
    "union", [dict[str, int] | str, dict[str, int] | Cat, dict[str, int] | dict[str, str]], ids=str
)
def test_other_unions_with_a_map_are_published(union):
    assert strict("entries", u=union)["properties"]["u"]["anyOf"][0]["type"] == "array"
