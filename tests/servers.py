"""MCP servers and clients in one process, and servers as processes of their own."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import mcp_types as types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.server.lowlevel.server import Server

from fnschema import FunctionTool
from fnschema.mcp import mcp_server

T = TypeVar("T")


def with_client(server: Any, scenario: Callable[[Client], Awaitable[T]], **options: Any) -> T:
    """What the scenario comes to, with the official client connected to the server."""

    async def run() -> T | Exception:
        async with Client(server, **options) as client:
            try:
                return await scenario(client)
            except Exception as error:  # noqa: BLE001 - the client would put it into a group of one
                return error

    outcome = asyncio.run(run())
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def served(*tools: FunctionTool[..., Any]) -> Server[Any]:
    return mcp_server(tools, "shop")


def call(server: Any, name: str, **arguments: Any) -> types.CallToolResult:
    return with_client(server, lambda client: client.call_tool(name, arguments))


def text(result: types.CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return block.text


def stdio(file: Path) -> Any:
    """The transport of a client that starts `fnschema mcp` on a file; what it says on stderr is not looked at."""
    arguments = ["-m", "fnschema", "mcp", str(file)]
    return stdio_client(StdioServerParameters(command=sys.executable, args=arguments, cwd=str(file.parent)))


def foreign(
    *tools: types.Tool,
    answer: types.CallToolResult | Callable[[dict[str, Any]], types.CallToolResult] = types.CallToolResult(content=[]),
    page: int = 10_000,
) -> Server[Any]:
    """A server that fnschema did not make: it lists the tools page by page and answers every call alike."""

    async def list_tools(_: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        start = int((params and params.cursor) or 0)
        rest = str(start + page) if start + page < len(tools) else None
        return types.ListToolsResult(tools=list(tools[start : start + page]), next_cursor=rest)

    async def call_tool(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        return answer if isinstance(answer, types.CallToolResult) else answer(params.arguments or {})

    return Server("foreign", on_list_tools=list_tools, on_call_tool=call_tool)


def tool(name: str = "look", **properties: Any) -> types.Tool:
    """A foreign tool whose properties are all required."""
    return types.Tool(
        name=name, input_schema={"type": "object", "properties": properties, "required": list(properties)}
    )


def said(*texts: str, is_error: bool = False) -> types.CallToolResult:
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=each) for each in texts]
    return types.CallToolResult(content=content, is_error=is_error)
