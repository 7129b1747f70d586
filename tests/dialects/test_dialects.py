"""Dialects as values: their names, their payloads, what they change."""

import copy
import json

import openai.types.chat
import openai.types.responses
import pydantic
import pytest

from fnschema import Dialect, dialects, function_tool
from fnschema.dialects import Change, ToolSchema
from fnschema.errors import SchemaError, UserError

SCHEMA = {
    "type": "object",
    "title": "f_args",
    "properties": {"a": {"type": "integer", "title": "A"}, "b": {"type": "string", "default": "x", "title": "B"}},
    "required": ["a"],
}
TOOL = ToolSchema("f", "Does.", SCHEMA, subject="shop.f")
STRICT = {
    "type": "object",
    "properties": {
        "a": {"type": "integer"},
        "b": {"anyOf": [{"type": "string"}, {"type": "null"}], "description": 'Default: "x".'},
    },
    "required": ["a", "b"],
    "additionalProperties": False,
}
LOOSE = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "string", "default": "x"}},
    "required": ["a"],
    "additionalProperties": False,
}
TOLD = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "string", "description": 'Default: "x".'}},
    "required": ["a"],
}


def chat(parameters, **flags):
    return {"type": "function", "function": {"name": "f", "description": "Does.", "parameters": parameters, **flags}}


PAYLOADS = {
    ("openai", None): chat(STRICT, strict=True),
    ("openai", False): chat(LOOSE, strict=False),
    ("openai-responses", None): {
        "type": "function",
        "name": "f",
        "description": "Does.",
        "parameters": STRICT,
        "strict": True,
    },
    ("openai-responses", False): {
        "type": "function",
        "name": "f",
        "description": "Does.",
        "parameters": LOOSE,
        "strict": False,
    },
    ("azure", None): chat(STRICT, strict=True),
    ("anthropic", None): {"name": "f", "description": "Does.", "input_schema": LOOSE},
    ("anthropic", True): {"name": "f", "description": "Does.", "input_schema": STRICT, "strict": True},
    ("gemini", None): {
        "name": "f",
        "description": "Does.",
        "parametersJsonSchema": {**TOLD, "additionalProperties": False},
    },
    ("gemini-openapi", None): {"name": "f", "description": "Does.", "parameters": TOLD},
    ("mcp", None): {"name": "f", "description": "Does.", "inputSchema": LOOSE},
    ("bedrock", None): {"toolSpec": {"name": "f", "description": "Does.", "inputSchema": {"json": LOOSE}}},
    ("bedrock", True): {
        "toolSpec": {"name": "f", "description": "Does.", "inputSchema": {"json": STRICT}, "strict": True}
    },
    ("mistral", None): chat(STRICT, strict=True),
    ("deepseek", None): chat(STRICT, strict=True),
    ("deepseek", False): chat(LOOSE),
    ("xai", None): chat(STRICT, strict=True),
    ("groq", None): chat(STRICT, strict=True),
    ("ollama", None): chat(TOLD),
    ("llama.cpp", None): chat({**TOLD, "additionalProperties": False}),
}


@pytest.mark.parametrize(("name", "strict"), PAYLOADS, ids=str)
def test_the_payload(name, strict):
    before = copy.deepcopy(TOOL)
    assert dialects.get(name).definition(TOOL, strict=strict) == PAYLOADS[name, strict]
    assert before == TOOL


def test_every_dialect_has_a_payload_here():
    assert {name for name, _ in PAYLOADS} == set(dialects.names())


@pytest.mark.parametrize("name", dialects.names())
def test_a_dialect_has_the_name_it_is_got_by(name):
    dialect = dialects.get(name)
    assert isinstance(dialect, Dialect)
    assert dialect.name == name


@pytest.mark.parametrize("name", dialects.names())
def test_a_tool_without_a_description_has_none_in_its_definition(name):
    assert "description" not in json.dumps(
        dialects.get(name).definition(ToolSchema("f", None, {"type": "object", "properties": {}}))
    )


def test_a_gemini_tool_without_parameters_leaves_them_out_of_openapi():
    given = ToolSchema("f", None, {"type": "object", "properties": {}})
    assert dialects.get("gemini-openapi").definition(given) == {"name": "f"}


@pytest.mark.parametrize(
    ("name", "match"), [("opnai", "'openai'"), ("OpenAI", "'openai'"), ("gemini_openapi", "'gemini-openapi'")]
)
def test_an_unknown_name_is_an_authors_error_with_a_near_match(name, match):
    with pytest.raises(UserError, match=f"There is no dialect {name!r}. Did you mean {match}"):
        dialects.get(name)


def test_an_unknown_name_without_a_near_match_lists_all():
    with pytest.raises(UserError, match="There are openai, openai-responses, azure, "):
        dialects.get("x")


@pytest.mark.parametrize("name", dialects.names())
def test_a_tool_that_is_not_strict_is_not_published_as_strict(name):
    dialect = dialects.get(name)
    given = ToolSchema("f", None, SCHEMA, strict=False)
    assert not dialect.is_strict(given)
    assert '"strict": true' not in json.dumps(dialect.definition(given))


@pytest.mark.parametrize(
    ("name", "by_nature"),
    [("openai", True), ("xai", True), ("anthropic", False), ("bedrock", False), ("mcp", False), ("gemini", False)],
)
def test_a_strict_tool_is_strict_where_the_dialect_is(name, by_nature):
    assert dialects.get(name).is_strict(TOOL) is by_nature


MAP = {"type": "object", "properties": {"v": {"type": "object", "additionalProperties": {"type": "string"}}}}


@pytest.mark.parametrize("name", dialects.names())
def test_strict_if_possible_is_strict_where_there_is_such_a_mode(name):
    dialect = dialects.get(name)
    is_strict = dialect.strict is not None
    assert dialect.is_strict(TOOL, "if possible") is is_strict
    assert dialect.definition(TOOL, strict="if possible") == dialect.definition(TOOL, strict=is_strict)
    assert dialect.parameters(TOOL, strict="if possible") == dialect.parameters(TOOL, strict=is_strict)
    assert dialect.changes(TOOL, strict="if possible") == dialect.changes(TOOL, strict=is_strict)
    assert dialect.problems(TOOL, strict="if possible") == ()


@pytest.mark.parametrize("name", ["openai", "anthropic", "bedrock", "mistral"])
def test_strict_if_possible_is_not_strict_where_the_tool_has_an_error_in_it(name):
    dialect, given = dialects.get(name), ToolSchema("f", None, MAP)
    assert not dialect.is_strict(given, "if possible")
    assert dialect.definition(given, strict="if possible") == dialect.definition(given, strict=False)
    assert dialect.problems(given, strict="if possible") == ()


def test_strict_if_possible_is_strict_where_the_tool_has_only_a_warning():
    given = ToolSchema("f", "word " * 300, SCHEMA)
    (warning,) = dialects.get("openai").problems(given, strict="if possible")
    assert warning.severity == "warning"
    assert dialects.get("openai").is_strict(given, "if possible")


def test_strict_if_possible_is_not_strict_where_the_author_is_not():
    assert not dialects.get("openai").is_strict(ToolSchema("f", None, SCHEMA, strict=False), "if possible")


def test_what_no_form_can_say_is_told_of_the_one_that_is_not_strict():
    problem_of_any_form = ToolSchema("not a name", None, SCHEMA)
    dialect = dialects.get("openai")
    assert dialect.problems(problem_of_any_form, strict="if possible")
    assert dialect.problems(problem_of_any_form, strict="if possible") == dialect.problems(
        problem_of_any_form, strict=False
    )


def test_an_unknown_word_for_strict_is_refused():
    with pytest.raises(UserError) as caught:
        dialects.get("openai").definition(TOOL, strict="maybe")
    assert str(caught.value) == "strict='maybe' is none of True, False, 'if possible' and None."


def test_an_open_tool_says_so():
    given = ToolSchema("f", None, SCHEMA, strict=False, closed=False)
    assert dialects.get("xai").definition(given)["function"]["parameters"]["additionalProperties"] is True


def test_an_open_tool_is_closed_all_the_same_where_it_is_strict():
    given = ToolSchema("f", "Does.", SCHEMA, closed=False)
    assert dialects.get("openai").definition(given) == PAYLOADS["openai", None]


def test_changes_say_what_was_changed_and_why():
    assert dialects.get("openai").changes(TOOL) == (
        Change(
            "b", "optional_as_nullable", "Strict mode requires every property: null stands for one that is left out."
        ),
        Change("a", "titles_left_out", "Generated titles say what the names say already."),
        Change("b", "titles_left_out", "Generated titles say what the names say already."),
        Change("b", "keywords_told", "What the provider cannot check is said in the description."),
    )


def test_a_schema_that_cannot_be_read_has_no_changes_but_problems():
    broken = ToolSchema("f", None, {"type": "object", "properties": ["a"]})

    with pytest.raises(SchemaError, match="its keyword 'properties' has a value of the wrong type"):
        dialects.get("openai").changes(broken)


def test_changes_of_a_definition_count_for_every_parameter_that_refers_to_it():
    properties = {
        "a": {"$ref": "#/$defs/A"},
        "b": {"type": "array", "items": {"$ref": "#/$defs/A"}},
        "c": {"type": "null"},
    }
    schema = {
        "type": "object",
        "properties": properties,
        "$defs": {"A": {"type": "array", "uniqueItems": True, "items": {"type": "null"}}},
    }
    changes = dialects.get("openai").changes(ToolSchema("f", None, schema | {"required": ["a", "b", "c"]}))
    assert [(change.parameter, change.rule) for change in changes] == [("a", "keywords_told"), ("b", "keywords_told")]


@pytest.mark.parametrize("name", dialects.names())
def test_every_rule_has_a_reason(name):
    dialect = dialects.get(name)
    rules = [*dialect.loose.rules, *(dialect.strict.rules if dialect.strict else ())]
    assert [rule.__name__ for rule in rules if not (rule.__doc__ or "-").splitlines()[0].endswith(".")] == []


# the client's own types


def tool_of_every_kind():
    def search(query: str, limit: int = 10, tags: set[str] | None = None, where: tuple[float, float] = (0.0, 0.0)):
        """Search."""

    return function_tool(search)


@pytest.mark.parametrize(
    ("name", "parameter_type"),
    [
        ("openai", openai.types.chat.ChatCompletionFunctionToolParam),
        ("azure", openai.types.chat.ChatCompletionFunctionToolParam),
        ("openai-responses", openai.types.responses.FunctionToolParam),
    ],
)
@pytest.mark.parametrize("strict", [True, False])
def test_openais_client_takes_the_payload(name, parameter_type, strict):
    payload = tool_of_every_kind().definition(name, strict=strict)
    config = pydantic.ConfigDict(extra="forbid")
    assert (
        pydantic.TypeAdapter(pydantic.with_config(config)(parameter_type)).validate_python(payload, strict=False)
        == payload
    )


def test_a_schema_that_is_too_deep_is_an_authors_error():
    schema = {"type": "null"}
    for _ in range(200):
        schema = {"type": "array", "items": schema}
    with pytest.raises(UserError, match="too deeply nested"):
        dialects.get("openai").definition(ToolSchema("f", None, schema))


def test_a_chain_of_a_thousand_types_is_followed():
    definitions = {f"T{i}": {"type": "array", "items": {"$ref": f"#/$defs/T{i + 1}"}} for i in range(1000)}
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/T0"}},
        "$defs": definitions | {"T1000": {"type": "null"}},
    }
    for name in dialects.names():
        dialect = dialects.get(name)
        if dialect.loose.facts.takes("$ref"):
            dialect.definition(ToolSchema("f", None, schema))


def test_an_expansion_that_is_too_large_is_an_authors_error():
    definitions = {
        f"T{i}": {"type": "object", "properties": {n: {"$ref": f"#/$defs/T{i + 1}"} for n in "ab"}} for i in range(30)
    }
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/T0"}},
        "$defs": definitions | {"T30": {"type": "null"}},
    }
    with pytest.raises(UserError, match="too large"):
        dialects.get("gemini-openapi").definition(ToolSchema("f", None, schema))


def test_size_grows_with_the_types_and_not_with_the_ways_to_them():
    def size(depth):
        definitions = {
            f"T{i}": {
                "type": "object",
                "properties": {n: {"$ref": f"#/$defs/T{i + 1}", "description": n} for n in "ab"},
            }
            for i in range(depth)
        }
        definitions[f"T{depth}"] = {"type": "null"}
        schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/T0"}}, "$defs": definitions}
        return len(json.dumps(dialects.get("openai").parameters(ToolSchema("f", None, schema))))

    assert size(120) - size(80) == pytest.approx(size(80) - size(40), rel=0.05)


def test_a_refusal_is_an_error_of_the_author_and_a_value_error():
    with pytest.raises(SchemaError) as caught:
        dialects.get("openai").definition(ToolSchema("f", None, {"type": "object", "properties": {"v": {}}}))
    assert isinstance(caught.value, ValueError)
