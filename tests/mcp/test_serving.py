"""Functions as tools of an MCP server, called by the official client."""

import asyncio
import logging
import threading
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from fnschema import Agent, FunctionTool, Result, RunContextWrapper, ToolContext, UserError, function_tool
from fnschema.mcp import Caller, mcp_server
from servers import call, served, text, with_client


class Shelf(BaseModel):
    """Where a thing lies."""

    row: int
    label: str | None = None


@function_tool(annotations={"title": "Find a shelf", "readOnly": True, "openWorld": False})
def find_shelf(article: str, floor: int = 0) -> Shelf:
    """Find the shelf of an article.

    Args:
        article: its name.
        floor: 0 is the ground floor.
    """
    return Shelf(row=floor, label=article)


@function_tool
def count(article: str) -> int:
    return len(article)


def _listed(*tools: FunctionTool[..., Any]) -> list[dict[str, Any]]:
    listing = with_client(served(*tools), lambda client: client.list_tools())
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listing.tools]


def test_a_listing_says_all_there_is_to_say() -> None:
    assert _listed(find_shelf) == [
        {
            "name": "find_shelf",
            "title": "Find a shelf",
            "description": "Find the shelf of an article.",
            "inputSchema": find_shelf.definition("mcp")["inputSchema"],
            "outputSchema": find_shelf.output_json_schema,
            "annotations": {"title": "Find a shelf", "readOnlyHint": True, "openWorldHint": False},
        }
    ]


@pytest.mark.parametrize(
    ("hint", "published"),
    [
        ("readOnly", "readOnlyHint"),
        ("destructive", "destructiveHint"),
        ("idempotent", "idempotentHint"),
        ("openWorld", "openWorldHint"),
    ],
)
def test_each_hint_is_published(hint: Any, published: str) -> None:
    tool = function_tool(lambda: 1, name_override="one", annotations={hint: False})

    assert _listed(tool)[0]["annotations"] == {published: False}


def test_a_tool_without_annotations_publishes_none() -> None:
    assert "annotations" not in _listed(count)[0]


def test_the_server_has_its_name_and_version() -> None:
    found = with_client(mcp_server([count], "shop", "1.2"), lambda client: _info(client))

    assert found == ("shop", "1.2")


async def _info(client: Client) -> tuple[str, str]:
    assert client.server_info is not None
    return client.server_info.name, client.server_info.version


def test_a_result_that_is_an_object_is_structured_as_it_is() -> None:
    result = call(served(find_shelf), "find_shelf", article="nails", floor=2)

    assert (text(result), result.structured_content) == ('{"row":2,"label":"nails"}', {"row": 2, "label": "nails"})


def test_any_other_result_is_wrapped() -> None:
    result = call(served(count), "count", article="nails")

    assert (text(result), result.structured_content) == ("5", {"result": 5})


def test_a_result_without_an_annotation_is_text_alone() -> None:
    result = call(served(function_tool(lambda: [1], name_override="one")), "one")

    assert (text(result), result.structured_content) == ("[1]", None)


def test_letters_of_every_script_arrive() -> None:
    @function_tool
    def echo(words: str) -> str:
        return words

    words = 'naïve 你好 \U0001f600 \u2028\n\t"\\'

    assert text(call(served(echo), "echo", words=words)) == words


def test_a_megabyte_arrives() -> None:
    @function_tool
    def many(letters: int) -> str:
        return "é" * letters

    assert len(text(call(served(many), "many", letters=1_000_000))) == 1_000_000


def test_bad_arguments_are_an_error_that_the_model_can_act_on() -> None:
    result = call(served(count), "count", articel="nails")

    assert result.is_error
    assert text(result) == (
        "Invalid JSON input for tool count: /article: is missing; "
        "/articel: 'articel' is unknown (did you mean 'article'?)"
    )


def test_nothing_is_said_of_what_a_function_raises() -> None:
    @function_tool
    def fail() -> str:
        raise RuntimeError("the password is 1234")

    result = call(served(fail), "fail")

    assert (result.is_error, text(result)) == (True, "The tool fail failed.")


def test_the_author_may_say_something() -> None:
    def told(context: RunContextWrapper[Any], error: Exception) -> str:
        return f"Try again: {error}"

    @function_tool(failure_error_function=told)
    def fail() -> str:
        raise RuntimeError("busy")

    assert text(call(served(fail), "fail")) == "Try again: busy"


def test_an_author_who_wants_errors_raised_gets_the_usual_text() -> None:
    @function_tool(failure_error_function=None)
    def fail() -> str:
        raise RuntimeError("busy")

    assert text(call(served(fail), "fail")) == "The tool fail failed."


def test_an_author_whose_text_fails_gets_the_usual_one() -> None:
    def told(context: RunContextWrapper[Any], error: Exception) -> str:
        raise RuntimeError

    @function_tool(failure_error_function=told)
    def fail() -> str:
        raise RuntimeError("busy")

    assert text(call(served(fail), "fail")) == "The tool fail failed."


def test_a_result_that_does_not_fit_is_not_sent_and_the_author_is_told(caplog: pytest.LogCaptureFixture) -> None:
    @function_tool(name_override="shelf")
    def wrong() -> Shelf:
        return {"row": "secret"}  # type: ignore[return-value]

    with caplog.at_level(logging.ERROR, "fnschema"):
        result = call(served(wrong), "shelf")

    assert (result.is_error, text(result)) == (True, "The tool shelf failed.")
    (told,) = caplog.messages
    assert told == (
        f"Cannot send the result of {__name__}.{wrong.__qualname__}: /row: should be a valid integer, unable to "
        "parse string as an integer. Return what the annotation says, or change the annotation."
    )


def test_an_unknown_tool_is_refused_with_the_close_matches() -> None:
    with pytest.raises(MCPError, match=r"There is no tool 'cuont'\. Did you mean count\?"):
        call(served(count), "cuont")


def test_a_disabled_tool_is_neither_listed_nor_called() -> None:
    server = served(count, function_tool(lambda: 1, name_override="one", is_enabled=False))

    assert [tool.name for tool in with_client(server, lambda client: client.list_tools()).tools] == ["count"]
    with pytest.raises(MCPError, match="There is no tool 'one'"):
        call(server, "one")


def test_whether_a_tool_is_enabled_is_asked_anew() -> None:
    answers = [True, False]

    async def is_enabled(context: RunContextWrapper[Any], agent: Any) -> bool:
        return answers.pop(0)

    async def twice(client: Client) -> list[int]:
        return [len((await client.list_tools(cache_mode="bypass")).tools) for _ in range(2)]

    tool = function_tool(lambda: 1, name_override="one", is_enabled=is_enabled)

    assert with_client(served(tool), twice) == [1, 0]


def test_two_tools_of_a_name_are_refused() -> None:
    with pytest.raises(UserError, match=r"^Cannot serve 'shop': two tools are named 'count'\. Rename one\.$"):
        served(count, count)


def test_a_tool_is_given_the_caller_and_the_arguments() -> None:
    @function_tool
    def look(context: ToolContext[Caller], x: int) -> str:
        return f"{type(context.context).__name__} {context.tool_name} {context.tool_arguments}"

    assert text(call(served(look), "look", x=1)) == 'Caller look {"x":1}'


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_progress_is_reported_before_the_answer(is_async: bool) -> None:
    def climb(context: RunContextWrapper[Caller], steps: int) -> int:
        for step in range(steps):
            context.context.report_progress(step + 1, steps, f"step {step + 1}")
        return steps

    async def climb_async(context: RunContextWrapper[Caller], steps: int) -> int:
        return climb(context, steps)

    heard: list[Any] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async def scenario(client: Client) -> Any:
        result = await client.call_tool("climb", {"steps": 2}, progress_callback=hear)
        return result, list(heard)

    tool = function_tool(climb_async if is_async else climb, name_override="climb")
    result, before = with_client(served(tool), scenario)

    assert before == [(1.0, 2.0, "step 1"), (2.0, 2.0, "step 2")]
    assert text(result) == "2"


def test_progress_that_nobody_asked_for_is_no_error() -> None:
    @function_tool
    def climb(context: RunContextWrapper[Caller]) -> int:
        context.context.report_progress(1)
        return 1

    assert text(call(served(climb), "climb")) == "1"


def test_a_cancelled_call_cancels_the_function() -> None:
    events: list[str] = []

    @function_tool
    async def wait() -> str:
        started.set()
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            events.append("cancelled")
            raise
        return "never"

    async def scenario(client: Client) -> None:
        nonlocal started
        started = asyncio.Event()
        calling = asyncio.create_task(client.call_tool("wait", {}))
        await started.wait()
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)

    started: asyncio.Event
    with_client(served(wait), scenario)

    assert events == ["cancelled"]


def test_a_slow_function_does_not_keep_others_waiting() -> None:
    released = threading.Event()

    @function_tool
    def slow() -> str:
        released.wait()
        return "slow"

    @function_tool
    def release() -> str:
        released.set()
        return "released"

    async def scenario(client: Client) -> list[str]:
        waiting = asyncio.create_task(client.call_tool("slow", {}))
        first = await client.call_tool("release", {})
        return [text(first), text(await waiting)]

    assert with_client(served(slow, release), scenario) == ["released", "slow"]


def test_a_timeout_is_told() -> None:
    never = threading.Event()

    @function_tool(timeout=0.01)
    def slow() -> str:
        never.wait()
        return "slow"

    result = call(served(slow), "slow")
    never.set()

    assert (result.is_error, text(result)) == (True, "The tool slow did not answer within 0.01 seconds.")


def test_what_an_agents_function_returns_is_told() -> None:
    def to_sales() -> Agent:
        return Agent(name="Sales")

    def note() -> Result:
        return Result(value="noted", context_variables={"x": 1})

    server = served(function_tool(to_sales), function_tool(note))

    assert [text(call(server, name)) for name in ("to_sales", "note")] == ['{"assistant":"Sales"}', "noted"]


@pytest.mark.parametrize(
    ("value", "told"), [(0, "0"), (False, "false"), ([], "[]"), ("", '{"assistant":"Sales"}'), ("Noted.", "Noted.")]
)
def test_what_a_result_says_beside_its_agent_is_told(value: Any, told: str) -> None:
    def hand_over() -> Result:
        return Result(value, Agent(name="Sales"))

    assert text(call(served(function_tool(hand_over)), "hand_over")) == told


def test_the_value_of_a_result_is_told_also_when_python_takes_it_for_nothing() -> None:
    def count() -> Result:
        return Result(0)

    assert text(call(served(function_tool(count)), "count")) == "0"


def test_context_variables_are_not_the_clients() -> None:
    @function_tool
    def look(context_variables: dict[str, Any], x: int) -> str:
        return f"{context_variables} {x}"

    assert text(call(served(look), "look", x=1)) == "{} 1"


def test_a_client_of_the_older_protocol_is_served_too() -> None:
    result = with_client(served(count), lambda client: client.call_tool("count", {"article": "nails"}), mode="legacy")

    assert result.structured_content == {"result": 5}


def test_a_tool_that_some_provider_cannot_be_told_of_is_served() -> None:
    definitions: dict[str, Any] = {
        f"d{level}": {"anyOf": [{"$ref": f"#/$defs/d{level + 1}"}] * 2} for level in range(40)
    }
    schema = {
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/d0"}},
        "$defs": definitions | {"d40": {"type": "string"}},
    }

    async def answer(context: Any, arguments: str) -> str:
        return arguments

    tool = FunctionTool("echo", "", schema, answer, strict_json_schema=False)

    assert text(call(served(tool), "echo", x="a")) == '{"x":"a"}'
