"""What is wrong with a tool in a dialect: the path, the reason and the remedy of each problem."""

import pytest
from pydantic import BaseModel, ConfigDict, create_model

from fnschema import dialects
from fnschema.dialects import ToolSchema
from fnschema.dialects.facts import AZURE_STRICT, OPENAI_STRICT
from fnschema.errors import Problem, SchemaError

STRING, INTEGER = {"type": "string"}, {"type": "integer"}


def tool(properties=None, *, name="f", description="Does.", root=None, **options):
    schema = {"type": "object", "properties": properties or {}, "required": list(properties or {}), **(root or {})}
    return ToolSchema(name, description, schema, subject="shop.f", **options)


def problems(dialect, given, **options):
    return dialects.get(dialect).problems(given, **options)


def reasons(dialect, given, **options):
    return [(problem.path, problem.reason) for problem in problems(dialect, given, **options)]


@pytest.mark.parametrize("schema", [{}, {"description": "d"}, {"minLength": 1}], ids=str)
def test_a_schema_without_a_type_is_a_problem_of_strict_dialects(schema):
    assert reasons("openai", tool({"v": schema})) == [
        ("/properties/v", "it has no type: Any, object, or no annotation")
    ]
    assert reasons("openai", tool({"v": schema}), strict=False) == []


def test_a_problem_has_a_path_a_reason_and_a_remedy():
    assert problems("openai", tool({"v": {"type": "array", "items": {}}})) == (
        Problem(
            "/properties/v/items",
            "the items of its array have no type: Any, object, or no annotation",
            "Annotate it with a type that says what it holds, or use strict_mode=False.",
        ),
    )


@pytest.mark.parametrize("keyword", ["not", "if", "contains", "dependentSchemas", "unevaluatedProperties"])
def test_a_keyword_that_no_rule_can_say_is_a_problem(keyword):
    assert reasons("openai", tool({"v": {"type": "string", keyword: {}}})) == [
        ("/properties/v", f"its keyword {keyword!r} is not taken")
    ]


def test_an_intersection_that_cannot_be_merged_is_a_problem():
    given = tool({"v": {"type": "string", "allOf": [{"pattern": "a"}, {"pattern": "b"}]}})
    assert reasons("openai", given) == [("/properties/v", "its `allOf` cannot be merged into one schema")]


def test_a_reference_to_all_definitions_together_names_no_definition():
    given = tool(
        {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs"}}, root={"$defs": {"A": {"type": "string", "not": {}}}}
    )

    assert ("/$defs/A", "its keyword 'not' is not taken, in the type of parameter 'a'") in reasons("openai", given)


def test_problems_in_a_definition_name_the_parameters():
    given = tool(
        {"a": {"$ref": "#/$defs/A"}, "b": {"type": "array", "items": {"$ref": "#/$defs/B"}}, "c": STRING},
        root={"$defs": {"A": {"properties": {"x": {}}}, "B": {"properties": {"a": {"$ref": "#/$defs/A"}}}}},
    )
    assert reasons("openai", given) == [
        ("/$defs/A/properties/x", "it has no type: Any, object, or no annotation, in the type of parameters 'a', 'b'")
    ]


def test_all_problems_are_listed_in_one_error():
    given = tool({"a": {}, "b": {"type": "object", "additionalProperties": INTEGER}, "c": {"not": {}, "type": "null"}})
    with pytest.raises(SchemaError) as caught:
        dialects.get("openai").definition(given)
    assert str(caught.value) == (
        "Cannot define for openai 'b' of shop.f: it is an object with any properties (additionalProperties), and "
        'strict objects are closed. Use open_objects="entries", a TypedDict, a dataclass or a model with named fields, '
        "or strict_mode=False.\n"
        "Cannot define for openai 'c' of shop.f: its keyword 'not' is not taken. Leave the keyword out, or use "
        "strict_mode=False.\n"
        "Cannot define for openai 'a' of shop.f: it has no type: Any, object, or no annotation. Annotate it with a "
        "type that says what it holds, or use strict_mode=False."
    )


def test_a_root_that_is_no_object_is_a_problem():
    given = ToolSchema("f", None, {"type": "string"})
    assert [path for path, _ in reasons("mcp", given)] == [""]


@pytest.mark.parametrize("keyword", ["anyOf", "enum", "not"])
@pytest.mark.parametrize("strict", [True, False])
def test_openai_refuses_some_keywords_at_the_root_in_every_mode(keyword, strict):
    given = tool({"v": STRING}, root={keyword: [STRING] if keyword != "not" else STRING})
    assert ("", f"the root of its schema has {keyword!r}") in reasons("openai", given, strict=strict)


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"properties": []}, "its keyword 'properties' has a value of the wrong type"),
        ({"type": "object", "properties": {"v": {"enum": 3}}}, "its keyword 'enum' has a value of the wrong type"),
        ({"$ref": "#/$defs/A"}, "JSON schema contains a `$ref` to nothing: '#/$defs/A'"),
        (
            {"$ref": "other.json"},
            "JSON schema contains a `$ref` that is not local: 'other.json'. It must start with '#/'",
        ),
        (
            {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}},
            "JSON schema contains a circular `$ref` chain: '#/$defs/A'",
        ),
    ],
    ids=str,
)
@pytest.mark.parametrize("dialect", dialects.names())
def test_what_is_no_json_schema_is_a_problem_in_every_dialect(dialect, schema, reason):
    assert reason in [reason for _, reason in reasons(dialect, ToolSchema("f", None, schema))]


def test_the_type_of_an_unknown_name_is_a_problem():
    assert reasons("mcp", tool({"v": {"type": "float"}})) == [
        ("/properties/v", "its type 'float' is none of JSON Schema's")
    ]


def test_an_empty_enum_is_a_problem():
    assert reasons("mcp", tool({"v": {"enum": []}})) == [("/properties/v", "its enum is empty, so that no value fits")]


# look-around


@pytest.mark.parametrize("dialect", dialects.names())
@pytest.mark.parametrize(("schema", "count"), [({}, 1), ({"maxLength": 257}, 1), ({"maxLength": 256}, 0)])
def test_look_around_on_a_long_text_is_a_problem_in_every_dialect(dialect, schema, count):
    given = tool({"v": {"type": "string", "pattern": "^(?!a)", **schema}})
    assert len(problems(dialect, given)) == count


@pytest.mark.parametrize("pattern", [r"\(?=a", "[(?=a]", r"\\\(?!"])
def test_what_only_looks_like_look_around_is_none(pattern):
    assert problems("mcp", tool({"v": {"type": "string", "pattern": pattern}})) == ()


def linked(*required):
    """A parameter of a type that refers to itself in ``next``, which is required or not."""
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}, "required": list(required)}
    return tool({"node": {"$ref": "#/$defs/Node"}}, root={"$defs": {"Node": node}})


@pytest.mark.parametrize("dialect", ["anthropic", "bedrock", "xai", "mistral"])
def test_recursion_is_a_problem_where_it_is_refused(dialect):
    assert reasons(dialect, linked(), strict=True) == [
        ("/$defs/Node", "its type refers to itself, in the type of parameter 'node'")
    ]


@pytest.mark.parametrize("dialect", ["gemini-openapi", "ollama"])
def test_recursion_is_a_problem_where_there_are_no_references(dialect):
    assert reasons(dialect, linked()) == [
        ("/properties/node/properties/next", "it refers to itself, and references are not taken")
    ]


def test_gemini_takes_recursion_through_a_field_that_may_be_left_out():
    assert reasons("gemini", linked()) == []
    assert reasons("gemini", linked("next")) == [
        ("/$defs/Node", "its type refers to itself in the required field 'next', in the type of parameter 'node'")
    ]


@pytest.mark.parametrize(("value", "found"), [(STRING, []), (INTEGER, ["/properties/v"])], ids=["text", "number"])
def test_maps_whose_keys_have_a_pattern_are_told_apart_by_their_values(value, found):
    patterned = {"type": "object", "patternProperties": {"^[a-z]+$": INTEGER}, "additionalProperties": False}
    union = {"anyOf": [patterned, {"type": "object", "additionalProperties": value}]}
    assert [path for path, _ in reasons("openai", tool({"v": union}, open_objects="entries"))] == found


FLAT = "use a flat list whose items name their parent."


@pytest.mark.parametrize(
    ("definitions", "found"),
    [
        pytest.param(
            {"A": {"left": "A", "size": "B", "more": "A", "right": "A"}, "B": {}},
            [("/$defs/A", "in the required fields 'left', 'right'", f"Give each of them a default, or {FLAT}")],
            id="two fields of three, and one that leads elsewhere",
        ),
        pytest.param(
            {"A": {"b": "B"}, "B": {"more": "B", "a": "A"}},
            [
                ("/$defs/A", "in the required field 'b'", f"Give that field a default, or {FLAT}"),
                ("/$defs/B", "in the required field 'a'", f"Give that field a default, or {FLAT}"),
            ],
            id="two classes that refer to each other",
        ),
    ],
)
def test_the_required_fields_of_a_recursion_are_named(definitions, found):
    def schema_of(fields):
        properties = {name: {"type": "array", "items": {"$ref": f"#/$defs/{to}"}} for name, to in fields.items()}
        return {"type": "object", "properties": properties, "required": [name for name in fields if name != "more"]}

    given = tool(
        {"x": {"$ref": "#/$defs/A"}}, root={"$defs": {name: schema_of(fields) for name, fields in definitions.items()}}
    )
    assert [(problem.path, problem.reason, problem.remedy) for problem in problems("gemini", given)] == [
        (path, f"its type refers to itself {where}, in the type of parameter 'x'", remedy)
        for path, where, remedy in found
    ]


def test_a_recursion_without_a_field_has_no_default():
    given = tool({"x": {"$ref": "#/$defs/A"}}, root={"$defs": {"A": {"type": "array", "items": {"$ref": "#/$defs/A"}}}})
    reason = "its type refers to itself, and not in a field that may be left out, in the type of parameter 'x'"
    assert problems("gemini", given) == (Problem("/$defs/A", reason, "Use a flat list whose items name their parent."),)


def test_deepseek_takes_no_recursion_through_a_union():
    assert [path for path, _ in reasons("deepseek", linked())] == [
        "/$defs/Node/properties/next/anyOf/0/properties/next/anyOf/0"
    ]


@pytest.mark.parametrize(
    ("dialect", "name", "taken"),
    [
        ("openai", "a-b_C9", True),
        ("openai", "a.b", False),
        ("openai", "a" * 65, False),
        ("openai-responses", "a" * 128, True),
        ("gemini", "a.b:c-d", True),
        ("gemini", "9a", False),
        ("mcp", "a.b", True),
        ("mcp", "a/b", False),
        ("anthropic", "ü", False),
    ],
)
def test_names_of_tools(dialect, name, taken):
    assert (problems(dialect, tool(name=name)) == ()) is taken


@pytest.mark.parametrize(
    ("dialect", "name", "taken"),
    [
        ("openai", "größe", True),
        ("anthropic", "größe", False),
        ("anthropic", "a.b-c", True),
        ("anthropic", "a" * 65, False),
        ("gemini", "a-b", False),
        ("gemini", "_a", True),
        ("gemini-openapi", "9", False),
    ],
)
def test_names_of_properties(dialect, name, taken):
    found = problems(dialect, tool({name: STRING}))
    assert [problem.path for problem in found] == ([] if taken else [f"/properties/{name}"])


def test_a_long_description_is_a_warning_and_refuses_nothing():
    given = tool(description="x" * 1025)
    (problem,) = problems("openai", given)
    assert (problem.severity, problem.reason) == (
        "warning",
        "the description has 1,025 characters, and some providers take 1,024 at most",
    )
    assert dialects.get("openai").definition(given)["function"]["description"] == "x" * 1025


def test_the_number_of_properties_is_limited():
    properties = {f"p{i}": STRING for i in range(OPENAI_STRICT.most_properties + 1)}
    assert reasons("openai", tool(properties)) == [("", "its schema has 5,001 properties, and 5,000 are the limit")]
    assert problems("openai", tool(properties), strict=False) == ()


def test_the_number_of_enum_values_is_limited():
    values = [str(i) for i in range(OPENAI_STRICT.most_enum_values + 1)]
    given = tool({"a": {"enum": values[:501]}, "b": {"enum": values[501:]}})
    assert reasons("openai", given) == [("", "its enums have 1,001 values, and 1,000 are the limit")]


def test_a_long_enum_has_few_characters():
    assert reasons("openai", tool({"a": {"enum": [f"{i:0>60}" for i in range(251)]}})) == [
        ("/properties/a", "its enum of 251 values has 15,060 characters, over 15,000")
    ]
    assert problems("openai", tool({"a": {"enum": [f"{i:0>61}" for i in range(250)]}})) == ()


def test_the_characters_of_names_are_limited():
    properties = {f"{i:x>100}": STRING for i in range(1201)}
    assert reasons("openai", tool(properties)) == [
        ("", "its schema has 120,100 characters of names and values, and 120,000 are the limit")
    ]


def levels(count):
    schema = STRING
    for _ in range(count - 1):
        schema = {"type": "object", "properties": {"a": schema}}
    return tool({"a": schema})


@pytest.mark.parametrize(
    ("dialect", "most"), [("openai", OPENAI_STRICT.most_levels), ("azure", AZURE_STRICT.most_levels)]
)
def test_levels_of_objects_are_limited(dialect, most):
    assert problems(dialect, levels(most)) == ()
    assert reasons(dialect, levels(most + 1)) == [
        ("/properties/a", f"its schema has {most + 1} levels of objects, and {most} are the limit")
    ]


def test_levels_are_counted_over_references():
    inner = int
    for i in range(12):
        inner = create_model(f"Level{i}", v=(inner, ...))
    schema = create_model("f", deep=(inner, ...)).model_json_schema()
    assert reasons("openai", ToolSchema("f", None, schema)) == [
        ("/properties/deep", "its schema has 13 levels of objects, and 10 are the limit")
    ]


def test_a_recursive_type_counts_once():
    assert problems("openai", linked()) == ()


def tools(count, **properties):
    return [tool(properties or {"v": STRING}, name=f"f{i}") for i in range(count)]


def test_tools_of_the_same_name_are_a_problem():
    assert dialects.check([tool(), tool(), tool(name="g")], "mcp") == (
        Problem("/f", "2 tools have the name 'f'", "Set name_override."),
    )


def test_the_path_of_a_problem_starts_with_the_tool():
    (problem,) = dialects.check([tool(name="g"), tool({"v": {}})], "openai")
    assert problem.path == "/f/properties/v"


def test_the_number_of_tools_is_limited():
    assert dialects.check(tools(128), "openai") == ()
    (problem,) = dialects.check(tools(129), "openai")
    assert (problem.path, problem.reason) == ("", "129 tools are in the request, and openai takes 128")


def test_anthropic_takes_few_strict_tools():
    assert dialects.check(tools(20), "anthropic", strict=True) == ()
    (problem,) = dialects.check(tools(21), "anthropic", strict=True)
    assert problem.reason == "21 strict tools are in the request, and anthropic takes 20"
    assert problem.severity == "error"


def test_anthropic_takes_few_unions_in_all_strict_tools():
    nullable = {"anyOf": [STRING, {"type": "null"}]}
    assert dialects.check(tools(4, a=nullable, b=nullable, c=nullable, d=nullable), "anthropic", strict=True) == ()
    (problem,) = dialects.check(tools(17, a=nullable), "anthropic", strict=True)
    assert problem.reason.startswith("17 parameters with a union")


NULLABLE = {"anyOf": [STRING, {"type": "null"}]}


def nullables(name, count, **options):
    return tool({f"p{i}": NULLABLE for i in range(count)}, name=name, **options)


def test_the_tools_that_cost_most_are_named():
    given = [nullables("b", 2), nullables("d", 9), nullables("a", 1), nullables("c", 5), nullables("e", 0)]
    (problem,) = dialects.check(given, "anthropic", strict=True)
    assert problem.reason == (
        "17 parameters with a union are in all strict tools together, and anthropic takes 16; "
        "most are in d (9), c (5) and b (2)"
    )


def test_the_only_tool_that_costs_is_named():
    (problem,) = dialects.check([nullables("a", 17), nullables("b", 0)], "anthropic", strict=True)
    assert problem.reason.endswith("; most are in a (17)")


def test_the_remedy_of_a_cap_mends_it():
    (problem,) = dialects.check([nullables("a", 9), nullables("b", 9)], "anthropic", strict=True)
    assert problem.remedy == 'Use strict="if possible", and strict_mode=False for some tools.'
    mended = [nullables("a", 9), nullables("b", 9, strict=False)]
    assert dialects.check(mended, "anthropic", strict="if possible") == ()
    (problem,) = dialects.check([nullables("a", 9), nullables("b", 9)], "anthropic", strict="if possible")
    assert problem.remedy == "Use strict_mode=False for some tools."


def test_tools_that_cannot_be_strict_do_not_count_where_strict_is_if_possible():
    maps = tools(21, m={"type": "object", "additionalProperties": STRING})
    assert dialects.check([*maps, *(nullables(f"s{i}", 1) for i in range(16))], "anthropic", strict="if possible") == ()


def test_nothing_is_said_of_caps_where_nothing_is_strict():
    assert dialects.check(tools(21), "anthropic") == ()
    assert dialects.check(tools(21), "anthropic", strict=False) == ()
    assert dialects.check(tools(21), "gemini", strict="if possible") == ()


def test_things_with_a_tool_schema_are_tools():
    class Tool:
        tool_schema = tool({"v": {}})

    assert [problem.path for problem in dialects.check([Tool()], "openai")] == ["/f/properties/v"]


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")


def test_maps_are_a_problem_where_there_are_none():
    given = tool({"m": {"type": "object", "additionalProperties": STRING}})
    assert [path for path, _ in reasons("gemini-openapi", given)] == ["/properties/m"]
    assert problems("gemini-openapi", tool(given.schema["properties"], open_objects="entries")) == ()


def test_strict_on_request_is_a_problem_where_there_is_no_strict_mode():
    assert reasons("mcp", tool(), strict=True) == [("", "mcp has no strict mode")]
