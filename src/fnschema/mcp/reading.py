"""The tools of an MCP server as `FunctionTool`s, on the official SDK. Nothing that the server says is trusted."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import mcp_types as types
from mcp.client.client import Client
from mcp.client.session import ClientSession
from pydantic_core import to_json

from .._function_schema import OpenObjects
from .._tool import FunctionTool
from ..errors import Problem, SchemaError, UserError, pointer, quoted
from .connection import SUBJECT, Connection
from .foreign import problems_of
from .meta import Said
from .server_tool import server_tool

__all__ = ["tools_from_mcp"]

_LONGEST_LISTING = 2_000_000  # characters of JSON text of all schemas; each may have a tenth of it
_LONGEST_NAME = 64  # characters, as every provider takes
_LONGEST_PATH = 200  # characters shown of a place in a foreign schema
_HASH = 8  # characters, of a name that had to be changed and would be another's
_REMEDY = "Leave it out with only=."


async def tools_from_mcp(
    session: ClientSession | Client,
    *,
    prefix: str = "",
    only: Collection[str] | None = None,
    open_objects: OpenObjects = "reject",
    timeout: float | None = None,
) -> list[FunctionTool[..., Any]]:
    """The tools of an MCP server, as an `Agent` takes them.

    A tool is strict where its schema can be. Its arguments are validated before they are sent, and what the server
    answers is the tool's value: the text, or the content blocks as JSON where there are others than text. A name that
    providers do not take is changed, and a description is cut after 10,000 characters.

    Args:
        session: connected; the tools are to be called on its event loop, by `arun` or `acall`.
        prefix: put before every name, so that the tools of several servers do not clash.
        only: the server's names of the tools that are wanted; `None` is all.
        open_objects: in strict tools, refuse maps (the tool is then not strict) or publish them as ``"entries"``.
        timeout: seconds that a call may take, or `None`.

    Raises:
        SchemaError: a tool has a schema that cannot be read, two have the same name, or one of `only` is not there.
        UserError: the server lists more than can be read; the prefix is no beginning of a name.
        RunError: the server does not answer.
    """
    connection = Connection.of(session)
    listed = await connection.tools(only)
    problems = [*_problems_of_names(listed, only), *(problem for tool in listed for problem in _problems(tool))]
    if problems:
        raise SchemaError("read", SUBJECT, problems)
    if sum(len(to_json(tool.input_schema)) for tool in listed) > _LONGEST_LISTING:
        text = f"their schemas have more than {_LONGEST_LISTING:,} characters. Name those that are wanted with only=."
        raise UserError(f"Cannot read {SUBJECT}: {text}")
    names = _names([tool.name for tool in listed], prefix)
    return [server_tool(connection, tool, names[tool.name], open_objects, timeout) for tool in listed]


def _problems_of_names(listed: Sequence[types.Tool], only: Collection[str] | None) -> Iterator[Problem]:
    counts = Counter(tool.name for tool in listed)
    for name, count in counts.items():
        if count > 1:
            yield Problem("", f"it lists {quoted(name)} {count} times", _REMEDY)
    for name in only or ():
        if name not in counts:
            yield Problem("", f"it has no tool {quoted(name)}", "Change only.")


def _problems(tool: types.Tool) -> Iterator[Problem]:
    for problem in problems_of(Said.read(tool.meta).schema or tool.input_schema):
        path = pointer((tool.name[:_LONGEST_NAME],)) + problem.path[:_LONGEST_PATH]
        yield Problem(path, f"in tool {quoted(tool.name)}, {problem.reason}", _REMEDY)


def _names(theirs: Sequence[str], prefix: str) -> dict[str, str]:
    """Their names → ours: others' letters replaced, cut to 64; where that makes two the same, marked by a hash."""
    if not re.fullmatch(r"[a-zA-Z0-9_-]{0,32}", prefix):
        raise UserError(f"Cannot use prefix {prefix!r}: it is up to 32 of the letters a-z, A-Z, 0-9, _ and -.")
    plain = {name: re.sub(r"[^a-zA-Z0-9_-]", "_", prefix + name)[:_LONGEST_NAME] for name in theirs}
    counts = Counter(plain.values())
    return {
        name: ours if ours and (ours == prefix + name or counts[ours] == 1) else _marked(ours, name)
        for name, ours in plain.items()
    }


def _marked(ours: str, name: str) -> str:
    mark = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:_HASH]
    return f"{ours[: _LONGEST_NAME - _HASH - 1] or 'tool'}_{mark}"
