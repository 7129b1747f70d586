"""A connection to an MCP server: its listing and its answers, and what is done when there is none."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, cast

import anyio
import mcp_types as types
from mcp.client.client import Client
from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError
from pydantic import TypeAdapter, ValidationError

from ..errors import ModelBehaviorError, Problem, RunError, SchemaError, UserError

__all__ = ["SUBJECT", "Connection", "ServerToolError"]

SUBJECT = "the MCP server's tools"  # of errors

_MOST_TOOLS = 1_000
_MOST_PAGES = 1_000
_NO_ANSWER = (MCPError, anyio.ClosedResourceError, anyio.BrokenResourceError)
_RESULT: TypeAdapter[Any] = TypeAdapter(types.CallToolResult | types.InputRequiredResult)


class ServerToolError(ModelBehaviorError):
    """A server says that a call has failed; the text is the server's own, made for the model.

    Args:
        tool: the tool's name, as the model knows it.
        text: what the server says.
    """

    def __init__(self, tool: str, text: str) -> None:
        self.tool = tool
        self.text = text
        super().__init__(tool, text)

    def __str__(self) -> str:
        return self.text or f"The tool {self.tool} failed."


@dataclass(frozen=True, slots=True)
class Connection:
    """A session and the event loop that it lives on."""

    session: ClientSession
    loop: asyncio.AbstractEventLoop

    @classmethod
    def of(cls, session: ClientSession | Client) -> Connection:
        return cls(session.session if isinstance(session, Client) else session, asyncio.get_running_loop())

    async def tools(self, only: Collection[str] | None) -> list[types.Tool]:
        """What the server lists, of all pages.

        Raises:
            UserError: there are too many tools or pages.
            SchemaError: the listing does not follow the protocol.
            RunError: there is none.
        """
        found: list[types.Tool] = []
        params: types.PaginatedRequestParams | None = None
        for _ in range(_MOST_PAGES):
            page = await self._page(params)
            found += [tool for tool in page.tools if only is None or tool.name in only]
            if len(found) > _MOST_TOOLS:
                text = f"the server lists more than {_MOST_TOOLS:,}. Name those that are wanted with only=."
                raise UserError(f"Cannot read {SUBJECT}: {text}")
            if page.next_cursor is None:
                return found
            params = types.PaginatedRequestParams(cursor=page.next_cursor)
        raise UserError(f"Cannot read {SUBJECT}: they have more than {_MOST_PAGES:,} pages.")

    async def _page(self, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        try:
            return await self.session.list_tools(params=params)
        except ValidationError as error:
            problem = Problem("", "what it lists does not follow the protocol", "Ask the server's author to mend it.")
            raise SchemaError("read", SUBJECT, [problem]) from error
        except _NO_ANSWER as error:
            raise RunError("The MCP server did not list its tools.") from error

    async def call(self, tool: str, name: str, arguments: dict[str, Any]) -> Any:
        """Call a tool.

        Args:
            tool: the server's name of it.
            name: ours, for errors.
            arguments: what is sent.

        Raises:
            ServerToolError: the server says that the call has failed.
            RunError: there is no answer, or none that means anything.
            UserError: this is another event loop.
        """
        if asyncio.get_running_loop() is not self.loop:
            raise UserError(f"Cannot call tool {name!r} here: its MCP session is on another event loop. Await acall.")
        # Not `call_tool`, which runs the server's own output schema, patterns and all, on the server's own result.
        params = types.CallToolRequestParams(name=tool, arguments=arguments)
        try:
            result = await self.session.send_request(types.CallToolRequest(params=params), _RESULT)
        except (*_NO_ANSWER, ValidationError) as error:
            raise RunError(f"The MCP server did not answer the call of tool {name}.") from error
        if isinstance(result, types.InputRequiredResult):
            raise RunError(f"The MCP server asks for more input to the call of tool {name}, which nobody can give.")
        if result.is_error:
            raise ServerToolError(name, "\n".join(block.text for block in result.content if _is_text(block)))
        return _value(result)


def _value(result: types.CallToolResult) -> Any:
    """The text; the content as JSON where there is more than text; what is structured where there is nothing else."""
    if not result.content and result.structured_content is not None:
        return result.structured_content
    if all(map(_is_text, result.content)):
        return "\n".join(cast("types.TextContent", block).text for block in result.content)
    return [block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in result.content]


def _is_text(block: types.ContentBlock) -> bool:
    return isinstance(block, types.TextContent)
