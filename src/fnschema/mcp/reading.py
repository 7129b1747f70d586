"""The tools of an MCP server as `FunctionTool`s, on the official SDK. Nothing that the server says is trusted."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import inspect
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import anyio
import mcp_types as types
from mcp.client.client import Client
from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import to_json

from .. import dialects
from .._function_schema import FuncSchema, OpenObjects
from .._json_schema import Schema
from .._strict_schema import strict_parameters
from .._tool import FunctionTool, ToolAnnotations
from ..dialects import ToolSchema
from ..errors import ModelBehaviorError, Problem, RunError, SchemaError, UserError, pointer, quoted
from .foreign import arguments_model, problems_of, readable
from .meta import Said

__all__ = ["ServerToolError", "tools_from_mcp"]

_MOST_TOOLS = 1_000
_MOST_PAGES = 1_000
_LONGEST_LISTING = 2_000_000  # characters of JSON text of all schemas; each may have a tenth of it
_LONGEST_DESCRIPTION = 10_000  # characters
_LONGEST_NAME = 64  # characters, as every provider takes
_HASH = 8  # characters, of a name that had to be changed and would be another's

_SUBJECT = "the MCP server's tools"
_MEND = "Ask the server's author to mend it."
_NO_ANSWER = (MCPError, anyio.ClosedResourceError, anyio.BrokenResourceError)

_Call = Callable[[dict[str, Any]], Awaitable[Any]]
_Result: TypeAdapter[Any] = TypeAdapter(types.CallToolResult | types.InputRequiredResult)


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
        UserError: the server lists more than 1,000 tools, or pages without end; the prefix is no beginning of a name.
    """
    connected = session.session if isinstance(session, Client) else session
    listed = await _listed(connected, only)
    problems = [*_problems_of_names(listed, only), *(problem for tool in listed for problem in _problems(tool))]
    if problems:
        raise SchemaError("read", _SUBJECT, problems)
    if sum(len(to_json(tool.input_schema)) for tool in listed) > _LONGEST_LISTING:
        text = f"their schemas have more than {_LONGEST_LISTING:,} characters. Name those that are wanted with only=."
        raise UserError(f"Cannot read {_SUBJECT}: {text}")
    names = _names([tool.name for tool in listed], prefix)
    loop = asyncio.get_running_loop()
    options = {"timeout": timeout}
    return [
        _tool(tool, names[tool.name], _call(connected, loop, tool, names), open_objects, options) for tool in listed
    ]


async def _listed(session: ClientSession, only: Collection[str] | None) -> list[types.Tool]:
    found: list[types.Tool] = []
    params: types.PaginatedRequestParams | None = None
    for _ in range(_MOST_PAGES):
        page = await _page(session, params)
        found += [tool for tool in page.tools if only is None or tool.name in only]
        if len(found) > _MOST_TOOLS:
            text = f"the server lists more than {_MOST_TOOLS:,}. Name those that are wanted with only=."
            raise UserError(f"Cannot read {_SUBJECT}: {text}")
        if page.next_cursor is None:
            return found
        params = types.PaginatedRequestParams(cursor=page.next_cursor)
    raise UserError(f"Cannot read {_SUBJECT}: they have more than {_MOST_PAGES:,} pages.")


async def _page(session: ClientSession, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    try:
        return await session.list_tools(params=params)
    except ValidationError as error:
        problem = Problem("", "what it lists does not follow the protocol", _MEND)
        raise SchemaError("read", _SUBJECT, [problem]) from error
    except _NO_ANSWER as error:
        raise RunError("The MCP server did not list its tools.") from error


def _problems_of_names(listed: Sequence[types.Tool], only: Collection[str] | None) -> list[Problem]:
    counts = Counter(tool.name for tool in listed)
    repeated = [name for name, count in counts.items() if count > 1]
    missing = [name for name in only or () if name not in counts]
    return [
        *(
            Problem("", f"it lists {quoted(name)} {counts[name]} times", "Leave it out with only=.")
            for name in repeated
        ),
        *(Problem("", f"it has no tool {quoted(name)}", "Change only.") for name in missing),
    ]


def _problems(tool: types.Tool) -> list[Problem]:
    found = problems_of(Said.read(tool.meta).schema or tool.input_schema)
    remedy = "Leave it out with only=."
    return [
        Problem(
            pointer((tool.name[:_LONGEST_NAME],)) + p.path[:200], f"in tool {quoted(tool.name)}, {p.reason}", remedy
        )
        for p in found
    ]


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


class _ServerSchema(FuncSchema):
    """The schema of a server's tool: the arguments are one dict, which is sent."""

    def bind(
        self, arguments: Any, context: object = None, injected: Mapping[str, Any] | None = None
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        return self.to_call_args(self.validate(arguments))

    def to_call_args(self, data: BaseModel) -> tuple[list[Any], dict[str, Any]]:
        return [cast("Any", data).root], {}


@dataclass(repr=False, eq=False)
class _ServerTool(FunctionTool[..., Any]):
    """A server's tool.

    Attributes:
        output: the schema of the structured content, as the server says.
    """

    output: Schema | None = field(default=None, kw_only=True)

    @property
    def output_json_schema(self) -> Schema | None:
        return self.output


def _tool(
    tool: types.Tool, name: str, call: _Call, open_objects: OpenObjects, options: Mapping[str, Any]
) -> FunctionTool[..., Any]:
    said = Said.read(tool.meta)
    if said.open_objects == "entries":
        open_objects = "entries"
    description = _cut(tool.description or "")
    published = readable(said.schema or tool.input_schema)
    is_strict = said.strict and _can_be_strict(name, published, open_objects)
    subject = f"tool {name!r} of the MCP server"
    parameters = strict_parameters(published, subject=subject, open_objects=open_objects) if is_strict else published
    schema = _ServerSchema(
        name=name,
        description=description or None,
        params_pydantic_model=arguments_model(name, published),
        params_json_schema=parameters,
        signature=inspect.signature(call),
        strict_json_schema=is_strict,
    )
    schema.policy = dataclasses.replace(
        schema.policy,
        subject=subject,
        open_objects=open_objects,
        unknown_arguments=said.unknown_arguments,
        is_async=True,
    )
    return _ServerTool(
        name=name,
        description=description,
        params_json_schema=parameters,
        on_invoke_tool=cast("Any", FunctionTool._answer),  # pyright: ignore[reportPrivateUsage]
        strict_json_schema=is_strict,
        schema=schema,
        function=call,
        annotations=_annotations(tool),
        output=tool.output_schema,
        **options,
    )


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_DESCRIPTION else text[: _LONGEST_DESCRIPTION - 1] + "…"


def _can_be_strict(name: str, schema: Schema, open_objects: Literal["reject", "entries"]) -> bool:
    if _is_open_root(schema):
        return False
    asked = ToolSchema(name, None, schema, open_objects=open_objects)
    return not any(problem.severity == "error" for problem in dialects.get("openai").problems(asked))


def _is_open_root(schema: Schema) -> bool:
    return schema.get("additionalProperties", False) is not False or "patternProperties" in schema


def _annotations(tool: types.Tool) -> ToolAnnotations | None:
    hints = tool.annotations or types.ToolAnnotations()
    said = {
        "title": tool.title or hints.title,
        "readOnly": hints.read_only_hint,
        "destructive": hints.destructive_hint,
        "idempotent": hints.idempotent_hint,
        "openWorld": hints.open_world_hint,
    }
    return cast("ToolAnnotations", {key: value for key, value in said.items() if value is not None}) or None


def _call(session: ClientSession, loop: asyncio.AbstractEventLoop, tool: types.Tool, names: Mapping[str, str]) -> _Call:
    theirs, ours = tool.name, names[tool.name]

    async def call(arguments: dict[str, Any]) -> Any:
        if asyncio.get_running_loop() is not loop:
            raise UserError(f"Cannot call tool {ours!r} here: its MCP session is on another event loop. Await acall.")
        # Not `call_tool`, which runs the server's own output schema, patterns and all, on the server's own result.
        params = types.CallToolRequestParams(name=theirs, arguments=arguments)
        try:
            result = await session.send_request(types.CallToolRequest(params=params), _Result)
        except (*_NO_ANSWER, ValidationError) as error:
            raise RunError(f"The MCP server did not answer the call of tool {ours}.") from error
        if isinstance(result, types.InputRequiredResult):
            raise RunError(f"The MCP server asks for more input to the call of tool {ours}, which nobody can give.")
        if result.is_error:
            raise ServerToolError(ours, "\n".join(block.text for block in result.content if _is_text(block)))
        return _value(result)

    call.__name__ = call.__qualname__ = theirs[:_LONGEST_NAME]
    return call


def _value(result: types.CallToolResult) -> Any:
    """The text; the content as JSON where there is more than text; what is structured where there is nothing else."""
    if not result.content and result.structured_content is not None:
        return result.structured_content
    if all(map(_is_text, result.content)):
        return "\n".join(cast("types.TextContent", block).text for block in result.content)
    return [block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in result.content]


def _is_text(block: types.ContentBlock) -> bool:
    return isinstance(block, types.TextContent)
