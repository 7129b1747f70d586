"""Functions as tools of an MCP server, on the official SDK."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.session import ServerSession
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from pydantic_core import to_json

from .._context import RunContextWrapper, ToolContext
from .._invoke import Call, arun
from .._results import Rendered, ResultError, render
from .._tool import FunctionTool, default_tool_error_function, log_failure
from ..errors import UnknownToolError, UserError
from ..runner import Agent, Result
from .meta import Said

__all__ = ["Caller", "mcp_server", "serve_http", "serve_stdio"]

_SECONDS_TO_FINISH = 3

_logger = logging.getLogger("fnschema")
_Context = ServerRequestContext[Any, Any]
_Tool = FunctionTool[..., Any]


class Caller:
    """Who calls a tool over MCP: the ``context`` of the `RunContextWrapper` that the tool is given."""

    def __init__(self, session: ServerSession) -> None:
        self._session = session
        self._loop = asyncio.get_running_loop()
        self._reports: list[asyncio.Task[None]] = []
        self._is_answered = False

    def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Tell the client how far the call is, if it has asked; from any thread, without waiting.

        Args:
            progress: grows with every report.
            total: what it grows to, where that is known.
            message: for people.
        """
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens to a function that was left behind
            self._loop.call_soon_threadsafe(self._report, progress, total, message)

    def _report(self, progress: float, total: float | None, message: str | None) -> None:
        if not self._is_answered:
            reported = self._session.report_progress(progress, total, message)
            self._reports.append(self._loop.create_task(reported))

    async def reported(self) -> None:
        """Wait for the reports so far; no other is sent, since the answer comes last."""
        await asyncio.sleep(0)  # those of an async function are still to be begun
        self._is_answered = True
        await asyncio.gather(*self._reports, return_exceptions=True)


def mcp_server(tools: Sequence[_Tool], name: str = "fnschema", version: str = "") -> Server[Any]:
    """An MCP server of the tools, for any transport of the SDK.

    Args:
        tools: what it offers; one whose `is_enabled` says no is left out. A function that does so is asked anew for
            each request, with the `Caller` as its context and no agent.
        name: what clients show.
        version: the same.

    Raises:
        UserError: two tools have the same name.
        SchemaError: a tool has no schema that MCP can hold.
    """
    repeated = [name for name, count in Counter(tool.name for tool in tools).items() if count > 1]
    if repeated:
        raise UserError(f"Cannot serve {name!r}: two tools are named {repeated[0]!r}. Rename one.")
    published = {tool.name: _published(tool) for tool in tools}

    async def list_tools(context: _Context, _: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        offered = await _enabled(tools, Caller(context.session))
        return types.ListToolsResult(tools=[published[name] for name in offered])

    async def call_tool(context: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        caller = Caller(context.session)
        offered = await _enabled(tools, caller)
        tool = offered.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, str(UnknownToolError(params.name, offered)))
        text = to_json(params.arguments or {}, inf_nan_mode="constants").decode()
        called = ToolContext(caller, tool.name, str(context.request_id or ""), text)
        result = await _called(tool, called)
        await caller.reported()
        return result

    return Server(name, version=version, on_list_tools=list_tools, on_call_tool=call_tool)


async def serve_stdio(server: Server[Any]) -> None:
    """Serve one client over this process's stdin and stdout, until it closes them.

    What the tools print goes to stderr.
    """
    async with stdio_server() as (read, write):
        # The SDK has moved the file descriptor; what `sys.stdout` still buffers at the end must not go there either.
        with contextlib.redirect_stdout(sys.stderr):
            await server.run(read, write, server.create_initialization_options())


def serve_http(server: Server[Any], host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve clients over streamable HTTP, until the process is told to stop.

    Args:
        server: what is served.
        host: the address to listen at.
        port: the same; 0 is any free one.
        ready: called with the URL once clients may come.

    Raises:
        OSError: nobody can listen there.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as listening:
        shown = f"[{host}]" if ":" in host else host
        ready(f"http://{shown}:{listening.getsockname()[1]}/mcp")
        app = server.streamable_http_app(host=host)
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=_SECONDS_TO_FINISH)
        with contextlib.redirect_stdout(sys.stderr):
            uvicorn.Server(config).run(sockets=[listening])


def _published(tool: _Tool) -> types.Tool:
    definition = tool.definition("mcp")
    hints: dict[str, Any] = {**(tool.annotations or {})}
    return types.Tool(
        name=tool.name,
        title=hints.get("title"),
        description=definition.get("description"),
        input_schema=definition["inputSchema"],
        output_schema=tool.results.schema,
        annotations=_hints(hints) if hints else None,
        _meta=Said.of(tool.tool_schema, definition["inputSchema"]).written(),
    )


def _hints(annotations: dict[str, Any]) -> types.ToolAnnotations:
    return types.ToolAnnotations(
        title=annotations.get("title"),
        read_only_hint=annotations.get("readOnly"),
        destructive_hint=annotations.get("destructive"),
        idempotent_hint=annotations.get("idempotent"),
        open_world_hint=annotations.get("openWorld"),
    )


async def _enabled(tools: Sequence[_Tool], caller: Caller) -> dict[str, _Tool]:
    return {tool.name: tool for tool in tools if await _is_enabled(tool, caller)}


async def _is_enabled(tool: _Tool, caller: Caller) -> bool:
    if isinstance(tool.is_enabled, bool):
        return tool.is_enabled
    asked: Callable[..., bool | Awaitable[bool]] = tool.is_enabled
    return bool(await arun(Call(tool.name, asked, (RunContextWrapper(caller), None), is_async=True)))


async def _called(tool: _Tool, context: ToolContext[Caller]) -> types.CallToolResult:
    try:
        value = await arun(tool.prepare(context.tool_arguments, context))
        rendered = tool.results.render(_value(value))
    except Exception as error:  # noqa: BLE001 - whatever a function raises is an answer that says so
        _log(tool, error)
        return _answer(Rendered(await _failure(tool, context, error)), is_error=True)
    return _answer(rendered)


def _value(returned: Any) -> Any:
    """What there is to tell of a function that an agent uses: over MCP nobody is there to hand over to."""
    if isinstance(returned, Result):
        says_nothing = returned.value is None or (isinstance(returned.value, str) and not returned.value)
        returned = returned.agent if returned.agent and says_nothing else returned.value
    return {"assistant": returned.name} if isinstance(returned, Agent) else returned


def _answer(rendered: Rendered, *, is_error: bool = False) -> types.CallToolResult:
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=rendered.text)]
    if rendered.structured is None:
        return types.CallToolResult(content=content, is_error=is_error)
    return types.CallToolResult(content=content, structured_content=rendered.structured, is_error=is_error)


def _log(tool: _Tool, error: Exception) -> None:
    if isinstance(error, ResultError):
        _logger.error("%s", error)
    else:
        log_failure("call of tool", tool.name, error)


async def _failure(tool: _Tool, context: ToolContext[Caller], error: Exception) -> str:
    function = tool.failure_error_function or default_tool_error_function
    try:
        return render(await arun(Call(tool.name, function, (context, error), is_async=True)))
    except Exception as second:  # noqa: BLE001 - every call has its answer, also when the author's text of it fails
        log_failure("failure_error_function of", tool.name, second)
        return default_tool_error_function(context, error)
