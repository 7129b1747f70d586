"""The same functions and arguments in the hands of several libraries, one a virtual environment.

    python tests/other_libraries/compare.py pydantic-ai

writes what the library does into its column of `docs/explanation/compared.md`. `nox -s compare` does so for all of
them; that fnschema's own column is right is one of the tests.
"""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "compared.md"

Function = Callable[..., Any]
Ask = Callable[[Function, str], Any]


def count(number: int) -> str:
    """Count.

    Args:
        number: How far.
    """
    return repr(number)


def count_to_five(number: int = 5) -> str:
    """Count."""
    return repr(number)


def add(numbers: list[int]) -> str:
    """Add."""
    return repr(sum(numbers))


def underscored(_number: int) -> str:
    """Count."""
    return repr(_number)


def configured(model_config: int) -> str:
    """Count."""
    return repr(model_config)


def both(first: int, second: int) -> str:
    """Add."""
    return repr(first + second)


def logged(number: int, log: logging.Logger = logging.getLogger("shop")) -> str:
    """Count."""
    return repr(number)


def broken(number: int) -> str:
    """Count."""
    raise ValueError("the password is 1234")


def one_by_one(number: int) -> Any:
    """Count."""
    yield number


def _told(answer: Any, error: Exception | None) -> str:
    """What there is to read of arguments that do not fit: for the model, or in an exception for the program."""
    text = str(error or answer)
    parts = [
        part
        for part, sign in {"the argument": "number", "its value": "many", "a link": "https://"}.items()
        if sign in text
    ]
    return (", ".join(parts) or "that an error occurred") + (", as an exception" if error else "")


def _works(result: str) -> Callable[[Any, Exception | None], str]:
    return lambda answer, error: "works" if not error and str(answer) == result else "an error"


def _kept(answer: Any, error: Exception | None) -> str:
    if error:
        return "an exception for the program"
    return "told to the model" if "1234" in str(answer) else "kept from the model"


def _or_refused(result: str, words: str) -> Callable[[Any, Exception | None], str]:
    return lambda answer, error: words if not error and str(answer) == result else "refused"


@dataclass(frozen=True)
class Question:
    """What is tried.

    Attributes:
        function: of which a tool is made.
        arguments: what the model sends.
        words: an answer, or the exception instead of it → a few words.
    """

    function: Function
    arguments: str
    words: Callable[[Any, Exception | None], str]


def _generated(answer: Any, error: Exception | None) -> str:
    if error:
        return "refused"
    return "its repr is the answer" if "generator" in str(answer) else "a list"


QUESTIONS: Mapping[str, Question] = {
    '`"many"` for an `int`: what is told': Question(count, '{"number": "many"}', _told),
    "an argument that no parameter takes": Question(
        count, '{"number": 1, "limit": 2}', _or_refused("1", "dropped in silence")
    ),
    "`true` for an `int`": Question(count, '{"number": true}', _or_refused("1", "taken as 1")),
    "`null` for a parameter with a default": Question(
        count_to_five, '{"number": null}', _or_refused("5", "the default")
    ),
    '`"[1, 2]"` for a `list[int]`': Question(add, '{"numbers": "[1, 2]"}', _or_refused("3", "the list")),
    "a parameter named `_number`": Question(underscored, '{"_number": 1}', _works("1")),
    "a parameter named `model_config`": Question(configured, '{"model_config": 1}', _works("1")),
    "a `functools.partial`": Question(functools.partial(both, first=1), '{"second": 2}', _works("3")),
    "a parameter of a type without a schema, with a default": Question(logged, '{"number": 1}', _works("1")),
    "a generator function": Question(one_by_one, '{"number": 1}', _generated),
    "the text of a tool's exception": Question(broken, '{"number": 1}', _kept),
}


def fnschema(function: Function, arguments: str) -> Any:
    from fnschema import ToolContext, function_tool

    tool = function_tool(function)
    return asyncio.run(tool.on_invoke_tool(ToolContext(None, tool.name, "call", arguments), arguments))


def openai_agents(function: Function, arguments: str) -> Any:
    from agents import function_tool
    from agents.tool_context import ToolContext

    tool = function_tool(function)
    context = ToolContext(context=None, tool_name=tool.name, tool_call_id="call", tool_arguments=arguments)
    return asyncio.run(tool.on_invoke_tool(context, arguments))


def pydantic_ai(function: Function, arguments: str) -> Any:
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, RetryPromptPart, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    answers: list[Any] = []

    def model(messages: Any, info: Any) -> ModelResponse:
        last = messages[-1].parts[-1]
        if last.part_kind == "user-prompt":
            return ModelResponse(parts=[ToolCallPart(info.function_tools[0].name, arguments)])
        answers.append(last.model_response() if isinstance(last, RetryPromptPart) else last.content)
        return ModelResponse(parts=[TextPart("done")])

    Agent(FunctionModel(model), tools=[function]).run_sync("Go.")
    answer = answers[-1]
    if "Fix the errors and try again" in str(answer) or not isinstance(answer, str):
        return f"refused {answer}"
    return answer


def langchain_core(function: Function, arguments: str) -> Any:
    from langchain_core.tools import StructuredTool

    return StructuredTool.from_function(function).invoke(json.loads(arguments))


def fastmcp(function: Function, arguments: str) -> Any:
    from fastmcp import Client, FastMCP

    async def call() -> Any:
        server: Any = FastMCP("shop")
        server.tool(function)
        async with Client(server) as client:
            (tool,) = await client.list_tools()
            result = await client.call_tool(tool.name, json.loads(arguments), raise_on_error=False)
            return result.content[0].text

    return asyncio.run(call())


LIBRARIES: Mapping[str, Ask] = {
    "fnschema": fnschema,
    "openai-agents": openai_agents,
    "pydantic-ai": pydantic_ai,
    "fastmcp": fastmcp,
    "langchain-core": langchain_core,
}


def column(library: str) -> dict[str, str]:
    """What the library does, question by question."""
    return {title: _answer(LIBRARIES[library], question) for title, question in QUESTIONS.items()}


def _answer(ask: Ask, question: Question) -> str:
    try:
        answer, error = ask(question.function, question.arguments), None
    except Exception as raised:  # noqa: BLE001 - whatever a library raises is its answer
        answer, error = None, raised
    return question.words(answer, error)


def table() -> list[list[str]]:
    """The cells of the page's table, the heading first."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[: len(QUESTIONS) + 1]]


def shown(library: str) -> dict[str, str]:
    """The library's column of the page."""
    heading, *rows = table()
    place = heading.index(library)
    return {row[0]: row[place] for row in rows}


def write(library: str) -> None:
    """Write the library's column of the page."""
    heading, *rows = table()
    place, cells = heading.index(library), column(library)
    text = PAGE.read_text(encoding="utf-8")
    for row in rows:
        new = [*row[:place], cells[row[0]], *row[place + 1 :]]
        text = text.replace(f"| {' | '.join(row)} |", f"| {' | '.join(new)} |")
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    logging.disable()
    for name in sys.argv[1:]:
        write(name)
