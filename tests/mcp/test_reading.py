"""The tools of somebody else's MCP server as `FunctionTool`s."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.server.lowlevel.server import Server

from fnschema import (
    Agent,
    ArgumentsError,
    FunctionTool,
    RunError,
    Runner,
    SchemaError,
    ToolTimeoutError,
    UserError,
    dialects,
)
from fnschema.mcp import ServerToolError, tools_from_mcp
from fnschema.testing import ScriptedModel, ToolCall
from servers import foreign, said, tool, with_client

T = TypeVar("T")
_Tools = list[FunctionTool[..., Any]]


def _read(server: Any, **options: Any) -> _Tools:
    return with_client(server, lambda client: tools_from_mcp(client, **options))


def _with_tools(server: Any, scenario: Callable[[_Tools], Awaitable[T]], **options: Any) -> T:
    async def run(client: Client) -> T:
        return await scenario(await tools_from_mcp(client, **options))

    return with_client(server, run)


def _answer(server: Any, arguments: Any = "{}", **options: Any) -> Any:
    return _with_tools(server, lambda tools: tools[0].acall(arguments), **options)


def test_a_tool_has_what_the_server_says() -> None:
    hints = types.ToolAnnotations(read_only_hint=True, destructive_hint=False)
    schema = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
    output = {"type": "object", "properties": {"y": {"type": "string"}}}
    listed = types.Tool(
        name="look",
        title="Look",
        description="Look it up.",
        input_schema=schema,
        output_schema=output,
        annotations=hints,
    )

    (read,) = _read(foreign(listed))

    assert (read.name, read.description, read.output_json_schema) == ("look", "Look it up.", output)
    assert read.annotations == {"title": "Look", "readOnly": True, "destructive": False}
    assert read.definition("mcp")["inputSchema"] == {**schema, "additionalProperties": False}


def test_every_page_is_read() -> None:
    server = foreign(*(tool(f"tool{number}") for number in range(7)), page=3)

    assert [read.name for read in _read(server)] == [f"tool{number}" for number in range(7)]


@pytest.mark.parametrize(
    ("schema", "is_strict"),
    [
        ({"x": {"type": "integer"}}, True),
        ({"x": {"type": "object", "additionalProperties": {"type": "integer"}}}, False),
        ({"x": {}}, False),
        ({"x": {"not": {"type": "string"}}}, False),
    ],
    ids=["closed", "map", "any value", "not"],
)
def test_a_tool_is_strict_where_it_can_be(schema: Any, is_strict: bool) -> None:
    (read,) = _read(foreign(tool(**schema)))

    assert read.definition("openai")["function"]["strict"] is is_strict


def test_an_open_root_is_not_strict_and_takes_what_comes() -> None:
    listed = types.Tool(name="look", input_schema={"type": "object", "additionalProperties": True})
    server = foreign(listed, answer=lambda arguments: said(str(arguments)))

    assert not _read(server)[0].strict_json_schema
    assert _answer(server, {"anything": 1}) == "{'anything': 1}"


def test_maps_may_be_published_as_entries_and_are_sent_as_maps() -> None:
    listed = tool(x={"type": "object", "additionalProperties": {"type": "integer"}})
    server = foreign(listed, answer=lambda arguments: said(str(arguments)))

    assert _read(server, open_objects="entries")[0].strict_json_schema
    sent = _answer(server, '{"x": [{"key": "a", "value": 1}]}', open_objects="entries")
    assert sent == "{'x': {'a': 1}}"


SENT: dict[str, tuple[dict[str, Any], str, dict[str, Any]]] = {
    "as it is": ({"x": {"type": "string"}}, '{"x": "a"}', {"x": "a"}),
    "a number as text": ({"x": {"type": "integer"}}, '{"x": "5"}', {"x": 5}),
    "a whole number": ({"x": {"type": "number"}}, '{"x": 1}', {"x": 1}),
    "a number with many digits": (
        {"x": {"type": "number"}},
        '{"x": 12345678901234567891}',
        {"x": 12345678901234567891},
    ),
    "such a number as text": ({"x": {"type": "number"}}, '{"x": "12345678901234567891"}', {"x": 12345678901234567891}),
    "a number among others": ({"x": {"type": ["number", "null"]}}, '{"x": 1.5}', {"x": 1.5}),
    "an object as text": ({"x": {"type": "object", "properties": {}}}, '{"x": "{}"}', {"x": {}}),
    "null for null": ({"x": {"type": ["integer", "null"]}}, '{"x": null}', {"x": None}),
    "null for what is not required": ({"y": {"type": "integer"}}, '{"y": null}', {}),
    "a date stays text": ({"x": {"type": "string", "format": "date"}}, '{"x": "2020-01-02"}', {"x": "2020-01-02"}),
    "a tuple": (
        {"x": {"type": "array", "prefixItems": [{"type": "integer"}, {}], "minItems": 2, "maxItems": 2}},
        '{"x": ["1", "b"]}',
        {"x": [1, "b"]},
    ),
    "what only the server can judge": ({"x": {"not": {"type": "null"}}}, '{"x": null}', {"x": None}),
    "nested null": (
        {"x": {"type": "object", "properties": {"y": {"type": "string"}}}},
        '{"x": {"y": null}}',
        {"x": {}},
    ),
}


@pytest.mark.parametrize(("properties", "text", "sent"), SENT.values(), ids=SENT)
def test_what_is_sent(properties: Any, text: str, sent: Any) -> None:
    required = [name for name in properties if name == "x"]
    schema = {"type": "object", "properties": properties, "required": required}
    received: list[Any] = []

    def answer(arguments: dict[str, Any]) -> types.CallToolResult:
        received.append(arguments)
        return said("ok")

    _answer(foreign(types.Tool(name="look", input_schema=schema), answer=answer), text)

    assert repr(received) == repr([sent])  # 1 is not 1.0


REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "missing": ({"x": {"type": "string"}}, "{}", "/x: is missing"),
    "unknown": ({"x": {"type": "string"}}, '{"x": "a", "z": 1}', "/z: 'z' is unknown"),
    "of another type": ({"x": {"type": "integer"}}, '{"x": "a"}', "/x: "),
    "true for a number": ({"x": {"type": "number"}}, '{"x": true}', "/x: "),
    "not in the enum": ({"x": {"enum": ["a", 1]}}, '{"x": "b"}', "/x: "),
    "out of bounds": ({"x": {"type": "integer", "minimum": 3}}, '{"x": 2}', "/x: "),
    "too short": ({"x": {"type": "array", "items": {}, "minItems": 1}}, '{"x": []}', "/x: "),
    "against the pattern": ({"x": {"type": "string", "pattern": "^a+$"}}, '{"x": "b"}', "/x: "),
    "in no branch": ({"x": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}, '{"x": []}', "/x: "),
    "deep down": (
        {"x": {"type": "array", "items": {"type": "object", "properties": {"y": {"type": "integer"}}}}},
        '{"x": [{"y": []}]}',
        "/x/0/y: ",
    ),
    "no JSON": ({"x": {}}, "{", ""),
    "a repeated key": ({"x": {}}, '{"x": 1, "x": 2}', "the key 'x' comes twice"),
}


@pytest.mark.parametrize(("properties", "text", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_before_it_is_sent(properties: Any, text: str, message: str) -> None:
    received: list[Any] = []

    def answer(arguments: dict[str, Any]) -> types.CallToolResult:
        received.append(arguments)
        return said("ok")

    with pytest.raises(ArgumentsError, match=f"^Invalid JSON input for tool look: {re.escape(message)}"):
        _answer(foreign(tool(**properties), answer=answer), text)

    assert received == []


def test_a_recursive_schema_is_checked_at_any_depth() -> None:
    node = {
        "type": "object",
        "properties": {"value": {"type": "integer"}, "next": {"$ref": "#/$defs/Node"}},
        "required": ["value"],
    }
    listed = types.Tool(
        name="look",
        input_schema={"type": "object", "properties": {"x": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": node}},
    )

    with pytest.raises(ArgumentsError, match="/x/next/next/value: "):
        _answer(foreign(listed), {"x": {"value": 1, "next": {"value": 2, "next": {"value": "three"}}}})


_NAMED: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "integer"}}}
COMPOSED: dict[str, dict[str, Any]] = {
    "a reference": {"type": "object", "$ref": "#/$defs/Named", "$defs": {"Named": _NAMED}},
    "alternatives": {"type": "object", "anyOf": [{"properties": {"b": {}}}, {"properties": {"a": {}}}]},
    "both": {**_NAMED, "allOf": [{"properties": {"a": {"minimum": 1}}}]},
    "a condition": {**_NAMED, "if": {"required": ["a"]}, "then": {"required": ["b"]}},
}


@pytest.mark.parametrize("schema", COMPOSED.values(), ids=COMPOSED)
def test_a_schema_that_is_put_together_takes_what_its_parts_name(schema: dict[str, Any]) -> None:
    server = foreign(types.Tool(name="look", input_schema=schema), answer=lambda arguments: said(str(arguments)))

    assert _answer(server, {"a": 1}) == "{'a': 1}"


@pytest.mark.parametrize("name", ["alternatives", "both", "a condition"])
def test_a_schema_that_is_put_together_leaves_others_to_the_server(name: str) -> None:
    schema = {"type": "object", "properties": {"x": {"type": "object", **COMPOSED[name]}}}
    server = foreign(types.Tool(name="look", input_schema=schema), answer=lambda arguments: said(str(arguments)))

    assert _answer(server, {"x": {"a": 1, "b": 2}}) == "{'x': {'a': 1, 'b': 2}}"


ANSWERS: dict[str, tuple[types.CallToolResult, Any]] = {
    "text": (said("one"), "one"),
    "texts": (said("one", "two"), "one\ntwo"),
    "nothing": (said(), ""),
    "structured alone": (types.CallToolResult(content=[], structured_content={"a": 1}), {"a": 1}),
    "an image": (
        types.CallToolResult(content=[types.ImageContent(type="image", data="AA==", mime_type="image/png")]),
        [{"type": "image", "data": "AA==", "mimeType": "image/png"}],
    ),
}


@pytest.mark.parametrize(("sent", "value"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer(sent: types.CallToolResult, value: Any) -> None:
    assert _answer(foreign(tool(), answer=sent)) == value


def test_an_error_of_the_server_is_raised_with_its_text() -> None:
    with pytest.raises(ServerToolError, match=r"^The shelf is empty\.$"):
        _answer(foreign(tool(), answer=said("The shelf is empty.", is_error=True)))


def test_an_error_without_a_text_has_the_usual_one() -> None:
    with pytest.raises(ServerToolError, match=r"^The tool look failed\.$"):
        _answer(foreign(tool(), answer=said(is_error=True)))


def test_what_contradicts_its_own_output_schema_is_an_answer_all_the_same() -> None:
    listed = tool().model_copy(update={"output_schema": {"type": "object", "required": ["never"]}})

    assert _answer(foreign(listed, answer=said("text"))) == "text"


def test_a_runner_answers_the_model() -> None:
    server = foreign(tool(x={"type": "integer"}), answer=said("The shelf is empty.", is_error=True))
    model = ScriptedModel([ToolCall("look", {"x": 1}), ToolCall("look", {"x": "a"})], "Sorry.")

    async def scenario(tools: _Tools) -> list[Any]:
        agent = Agent(model="scripted", functions=tools)
        response = await Runner(model).arun(agent, [{"role": "user", "content": "Where?"}])
        return [message["content"] for message in response.messages if message["role"] == "tool"]

    first, second = _with_tools(server, scenario)

    assert first == "The shelf is empty."
    assert second.startswith("Invalid JSON input for tool look: /x: ")


def test_a_call_on_another_loop_is_refused() -> None:
    (read,) = _read(foreign(tool()))

    with pytest.raises(UserError, match=r"^Cannot call tool 'look' here: its MCP session is on another event loop\."):
        read.call("{}")


def test_a_call_that_takes_too_long_is_cancelled_at_the_server() -> None:
    events: list[str] = []

    async def list_tools(_: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool()])

    async def call_tool(_: Any, params: Any) -> types.CallToolResult:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            events.append("cancelled")
            raise
        return said()

    server = Server("slow", on_list_tools=list_tools, on_call_tool=call_tool)

    with pytest.raises(ToolTimeoutError, match=r"^The tool look did not answer within 0\.01 seconds\.$"):
        _answer(server, timeout=0.01)
    assert events == ["cancelled"]


def test_a_megabyte_of_every_script_arrives() -> None:
    words = "é你\U0001f600 " * 100_000

    assert _answer(foreign(tool(), answer=said(words))) == words


def test_a_protocol_error_is_one_of_the_run() -> None:
    def answer(arguments: dict[str, Any]) -> types.CallToolResult:
        raise RuntimeError

    with pytest.raises(RunError, match=r"^The MCP server did not answer the call of tool look\.$"):
        _answer(foreign(tool(), answer=answer))


NAMES: dict[str, tuple[list[str], list[str]]] = {
    "as they are": (["look", "look-2_A"], ["look", "look-2_A"]),
    "other letters": (["files.read", "ask me", "größe"], ["files_read", "ask_me", "gr__e"]),
    "too long": (["x" * 100], ["x" * 64]),
}


@pytest.mark.parametrize(("theirs", "ours"), NAMES.values(), ids=NAMES)
def test_names_that_providers_do_not_take_are_changed(theirs: list[str], ours: list[str]) -> None:
    assert [read.name for read in _read(foreign(*map(tool, theirs)))] == ours


def test_names_that_would_become_the_same_are_told_apart() -> None:
    first, second = _read(foreign(tool("a.b"), tool("a_b")))

    assert second.name == "a_b"
    assert re.fullmatch("a_b_[0-9a-f]{8}", first.name)


def test_a_changed_name_calls_the_servers_tool() -> None:
    server = foreign(tool("files.read"), answer=said("read"))

    assert _answer(server) == "read"


def test_a_prefix_keeps_the_tools_of_two_servers_apart() -> None:
    assert [read.name for read in _read(foreign(tool()), prefix="shop_")] == ["shop_look"]


def test_a_prefix_that_no_name_has_is_refused() -> None:
    with pytest.raises(UserError, match=r"^Cannot use prefix 'a b': it is up to 32 of the letters"):
        _read(foreign(tool()), prefix="a b")


def test_only_some_tools_are_read() -> None:
    assert [read.name for read in _read(foreign(tool("a"), tool("b")), only={"b"})] == ["b"]


def test_a_tool_that_is_wanted_and_not_there() -> None:
    with pytest.raises(SchemaError, match=r"^Cannot read the MCP server's tools: it has no tool 'c'\. Change only\.$"):
        _read(foreign(tool("a")), only={"c"})


def _bomb(keyword: str, levels: int = 40) -> dict[str, Any]:
    """Each definition refers twice to the next: written out, it would be 2⁴⁰ schemas."""
    below = [{keyword: [{"$ref": f"#/$defs/d{level + 1}"}] * 2} for level in range(levels)]
    definitions = {f"d{level}": schema for level, schema in enumerate(below)} | {f"d{levels}": {"type": "string"}}
    return {"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": definitions}


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf", "allOf"])
def test_a_bomb_of_references_is_read_and_judged_by_the_server(keyword: str) -> None:
    server = foreign(types.Tool(name="look", input_schema=_bomb(keyword)), answer=said("judged"))

    assert _answer(server, {"x": 1}) == "judged"


@pytest.mark.parametrize("dialect", dialects.names())
def test_a_bomb_of_references_is_defined_or_refused(dialect: str) -> None:
    (read,) = _read(foreign(types.Tool(name="look", input_schema=_bomb("anyOf"))))

    try:
        defined = read.definition(dialect)
    except UserError as error:
        assert "JSON schema is too large" in str(error) or "Cannot define" in str(error)  # noqa: PT017 - either will do
    else:
        assert len(str(defined)) < 20_000


def test_a_pattern_that_takes_for_ever_does_not() -> None:
    listed = tool(x={"type": "string", "pattern": "^(a+)+$"})

    with pytest.raises(ArgumentsError):
        _answer(foreign(listed), {"x": "a" * 100 + "!"})


UNREADABLE: dict[str, tuple[dict[str, Any], str]] = {
    "fetched": ({"x": {"$ref": "https://example.com/x"}}, "its $ref does not lead to a place in the schema"),
    "to nothing": ({"x": {"$ref": "#/$defs/x"}}, "its $ref does not lead to a place in the schema"),
    "in a circle": ({"x": {"$ref": "#/properties/x"}}, "its $ref leads in a circle"),
    "too long": ({"x": {"description": "x" * 300_000}}, "its schema has 300,"),
    "malformed": ({"x": {"properties": [1]}}, "its keyword 'properties' has a value of the wrong type"),
}


@pytest.mark.parametrize(("properties", "reason"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_schema_that_cannot_be_read(properties: Any, reason: str) -> None:
    with pytest.raises(SchemaError, match=re.escape(f"in tool 'look', {reason}")):
        _read(foreign(tool(**properties)))


_ITSELF = {"$ref": "#/$defs/A"}
HOLDING_THEMSELVES: dict[str, dict[str, Any]] = {
    "a union": {"anyOf": [_ITSELF, {"type": "integer"}]},
    "a union of one": {"anyOf": [_ITSELF]},
    "all of one": {"allOf": [_ITSELF]},
    "a union in all of": {"allOf": [{"anyOf": [_ITSELF, {"type": "integer"}]}]},
    "one of": {"oneOf": [{"$ref": "#/$defs/B"}, {"type": "integer"}]},
}


@pytest.mark.parametrize("definition", HOLDING_THEMSELVES.values(), ids=HOLDING_THEMSELVES)
def test_a_schema_that_holds_itself_with_nothing_in_between_cannot_be_read(definition: dict[str, Any]) -> None:
    definitions = {"A": definition, "B": {"anyOf": [_ITSELF, {"type": "string"}]}}
    schema = {"type": "object", "properties": {"x": _ITSELF}, "$defs": definitions}

    with pytest.raises(SchemaError, match="it holds itself with no object or array in between, in the type of"):
        _read(foreign(types.Tool(name="look", input_schema=schema)))


def test_a_schema_that_only_a_reference_leads_to_is_looked_at_too() -> None:
    schema = {"type": "object", "properties": {"x": {"$ref": "#/here"}}, "here": {"items": {"$ref": "#/nowhere"}}}

    with pytest.raises(SchemaError, match=r"its \$ref does not lead"):
        _read(foreign(types.Tool(name="look", input_schema=schema)))


def test_a_union_that_holds_itself_in_an_array_is_read() -> None:
    definition = {"anyOf": [{"type": "array", "items": _ITSELF}, {"type": "integer"}]}
    schema = {"type": "object", "properties": {"x": _ITSELF}, "$defs": {"A": definition}}
    server = foreign(types.Tool(name="look", input_schema=schema), answer=lambda arguments: said(str(arguments)))

    assert _answer(server, {"x": [1, [2]]}) == "{'x': [1, [2]]}"


def test_a_schema_that_is_too_deep() -> None:
    deep: Any = {"type": "string"}
    for _ in range(60):
        deep = {"type": "array", "items": deep}
    deeper: Any = {"x": {"type": "array", "items": deep}}
    for _ in range(60):
        deeper = {"x": {"type": "object", "properties": deeper}}

    with pytest.raises(SchemaError, match="in tool 'look', more than 100 levels"):
        _read(foreign(tool(**deeper)))


def test_all_tools_that_cannot_be_read_are_told_at_once() -> None:
    broken = {"$ref": "#/nowhere"}

    with pytest.raises(SchemaError) as caught:
        _read(foreign(tool("a", x=broken), tool("b", x=broken), tool("c")))

    assert [problem.path for problem in caught.value.problems] == ["/a/properties/x", "/b/properties/x"]


def test_the_others_can_be_read_without_them() -> None:
    server = foreign(tool("a", x={"$ref": "#/nowhere"}), tool("c"))

    assert [read.name for read in _read(server, only=["c"])] == ["c"]


def test_two_tools_of_one_name() -> None:
    with pytest.raises(SchemaError, match=r"it lists 'a' 2 times"):
        _read(foreign(tool("a"), tool("a")))


def test_too_many_tools() -> None:
    with pytest.raises(UserError, match=r"^Cannot read the MCP server's tools: the server lists more than 1,000\."):
        _read(foreign(*(tool(f"tool{number}") for number in range(10_000))))


def test_pages_without_end() -> None:
    async def list_tools(_: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[], next_cursor="more")

    server = Server("endless", on_list_tools=list_tools)

    with pytest.raises(UserError, match=r"^Cannot read the MCP server's tools: they have more than 1,000 pages\.$"):
        _read(server)


def test_a_long_description_is_cut() -> None:
    listed = tool().model_copy(update={"description": "x" * 1_000_000})

    (read,) = _read(foreign(listed))

    assert (len(read.description), read.description[-1]) == (10_000, "…")


def test_nonsense_in_the_meta_is_not_looked_at() -> None:
    listed = types.Tool(name="look", input_schema={"type": "object"}, _meta={"fnschema": {"schema": [1], "strict": 3}})

    (read,) = _read(foreign(listed))

    assert read.strict_json_schema


def test_a_schema_in_the_meta_is_checked_too() -> None:
    schema = {"type": "object", "properties": {"x": {"$ref": "#/nowhere"}}}
    listed = types.Tool(name="look", input_schema={"type": "object"}, _meta={"fnschema": {"schema": schema}})

    with pytest.raises(SchemaError, match="its \\$ref does not lead"):
        _read(foreign(listed))
