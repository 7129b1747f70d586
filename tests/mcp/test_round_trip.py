"""A module's tools, served and read again: the same definitions for every provider, and the same answers."""

import asyncio
import functools
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client

from fnschema import Agent, FunctionTool, Runner, SchemaError, dialects
from fnschema.cli.target import Target, find_tools
from fnschema.mcp import mcp_server, tools_from_mcp
from fnschema.testing import ScriptedModel, ToolCall
from servers import with_client

HERE = Path(__file__).parent
FILES = [HERE / "shop.py", *sorted((HERE.parents[1] / "examples").glob("*.py"))]

_Tools = tuple[FunctionTool[..., Any], ...]

CALLS: dict[str, str] = {
    "order": '{"article": "nails", "pieces": "3", "note": null, "express": null}',
    "take_apart": '{"part": {"name": "a", "parts": [{"name": "b"}]}}',
    "send": '{"first": {"kind": "parcel", "weight": 1}, "others": [{"pages": 2}]}',
    "describe": (
        '{"colour": "blue", "at": "2020-01-02T03:04:05Z", "number": "00000000-0000-0000-0000-000000000001", '
        '"price": "1.10", "pair": [1, "a"], "sizes": [1], "grade": "best", "code": null}'
    ),
    "price_list": '{"prices": {"a": 1}, "by_number": {"1": "b"}, "more": {"c": 2}}',
    "set_prices": '{"prices": [{"key": "a", "value": 1}], "customer": null}',
    "count": '{"pieces": 2, "colour": "red"}',
    "measure": '{"length": 5, "label": "ab", "step": 1.5, "code": null, "marks": [1]}',
    "find": '{"place": [3, 2], "others": [[1, 1.0]]}',
    "take_stock": '{"stock": {"article": "a", "colours": ["red"]}, "customer": {"name": "b", "street": null}}',
    "close-shop_1": "",
    "anything": '{"value": {"a": [1, null]}}',
    "fail": "{}",
}
REFUSED: dict[str, tuple[str, str]] = {
    "missing": ("order", "{}"),
    "unknown": ("order", '{"articel": "nails"}'),
    "true for a number": ("order", '{"article": "nails", "pieces": true}'),
    "no number": ("order", '{"article": "nails", "pieces": "many"}'),
    "out of bounds": ("measure", '{"length": 100, "label": "ab"}'),
    "deep down": ("take_apart", '{"part": {"name": "a", "parts": [{"parts": []}]}}'),
    "no JSON": ("order", "{"),
    "a repeated key": ("order", '{"article": "a", "article": "b"}'),
}


def _tools(file: Path) -> _Tools:
    return find_tools(Target(str(file))).tools


@functools.cache
def _pairs(file: Path) -> list[tuple[FunctionTool[..., Any], FunctionTool[..., Any]]]:
    """The tools of a module, each with what is read of it from a server."""
    tools = _tools(file)
    return list(zip(tools, with_client(mcp_server(tools), tools_from_mcp), strict=True))


def _name(file: Path) -> str:
    return file.stem


def _definition(tool: FunctionTool[..., Any], dialect: str, strict: bool | None) -> Any:
    """The definition, or where it cannot be."""
    try:
        return tool.definition(dialect, strict=strict)
    except SchemaError as error:
        return [problem.path for problem in error.problems]


@pytest.mark.parametrize("strict", [None, True, False], ids=["by nature", "strict", "loose"])
@pytest.mark.parametrize("dialect", dialects.names())
def test_definitions_are_the_same(dialect: str, strict: bool | None) -> None:
    pairs = [pair for file in FILES for pair in _pairs(file)]

    ours, theirs = ([_definition(tool, dialect, strict) for tool in tools] for tools in zip(*pairs, strict=True))

    assert theirs == ours


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_what_else_is_known_is_the_same(file: Path) -> None:
    for ours, theirs in _pairs(file):
        assert (theirs.name, theirs.output_json_schema) == (ours.name, ours.output_json_schema)
        assert (theirs.description, theirs.annotations) == (ours.description, ours.annotations)


def _answers(tools: Any, call: ToolCall) -> Any:
    agent = Agent(model="scripted", functions=tools)
    return Runner(ScriptedModel(call, "Done.")).arun(agent, [{"role": "user", "content": "Go."}])


def _answers_of_both(name: str, arguments: str) -> tuple[str, str]:
    tools = _tools(HERE / "shop.py")
    call = ToolCall(name, arguments)

    async def remotely(client: Client) -> str:
        return _answer(await _answers(await tools_from_mcp(client), call))

    return _answer(asyncio.run(_answers(tools, call))), with_client(mcp_server(tools), remotely)


def _answer(response: Any) -> str:
    (text,) = [message["content"] for message in response.messages if message["role"] == "tool"]
    assert isinstance(text, str)
    return text


def test_every_tool_is_called() -> None:
    assert set(CALLS) == {tool.name for tool in _tools(HERE / "shop.py")}


@pytest.mark.parametrize("name", CALLS)
def test_answers_are_the_same(name: str) -> None:
    ours, theirs = _answers_of_both(name, CALLS[name])

    assert theirs == ours
    assert not ours.startswith("Invalid")


@pytest.mark.parametrize(("name", "arguments"), REFUSED.values(), ids=REFUSED)
def test_refusals_are_the_same(name: str, arguments: str) -> None:
    ours, theirs = _answers_of_both(name, arguments)

    assert theirs == ours
    assert ours.startswith("Invalid JSON input for tool")
