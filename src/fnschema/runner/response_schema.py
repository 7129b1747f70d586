"""Tools for a server without tool calling that keeps to a response schema (``response_format``, ``json_schema``).

Every answer of the model is one JSON object, ``{"tool": name, "arguments": {…}}`` or ``{"answer": text}``. The tools
stand in the system prompt, and an example of each call in a short conversation before the real one: a small model
picks the right tool by example far more often than by description.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from pydantic_core import from_json

from ..errors import UserError
from .call_schema import example_arguments, turn_schema
from .chat import Chat, Chunks
from .transcript import read_call
from .wire import ProviderError, Reply, Turn

__all__ = ["ResponseSchema"]

# The schema has the tool before the arguments, and servers write properties in the schema's order. The arguments stay
# the very text that the model wrote: read and written again, a number may lose digits.
_CALL = re.compile(r'\s*\{\s*"tool"\s*:\s*"(?P<tool>[^"]*)(?:"\s*,\s*"arguments"\s*:\s*(?P<arguments>.*))?', re.DOTALL)
_INTRODUCTION = "Use a tool where one fits, then tell the user what it answered. Reply in JSON. The tools:"
_EXAMPLE_RESULT = "done"
_FEW = 5  # tools, whose examples are given twice: one example of one tool does not convince a small model to call it
_MODES = {"auto": (True, True), "none": (False, True), "required": (True, False), "any": (True, False)}


class ResponseSchema(Chat):
    """The adapter of Chat Completions that writes calls as the text of answers.

    There is one call in an answer. A server that does not keep to the schema gives plain answers: its text is taken as
    it is.
    """

    def items(self, message: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The message in roles that every chat template knows: an answer to a call is said by the user."""
        [item] = super().items(message)
        if item.get("role") == "tool":
            return [_result(message.get("tool_name") or "the tool", item.get("content"))]
        if item.get("role") != "assistant":
            return [item]
        calls: list[Any] = item.pop("tool_calls", [])
        said = [_dumped({"answer": item["content"]})] if item.get("content") else []
        return [{**item, "content": "\n".join([*said, *map(_written, calls)])}]

    def request(self, turn: Turn, client: Any) -> dict[str, Any]:
        """The tools are in the prompt, the examples before the transcript, and all of it in the response schema."""
        functions, answer = _allowed(turn)
        introduction = [_INTRODUCTION, *map(_described, functions)] if functions else []
        prompt = "\n\n".join(filter(None, (turn.instructions, "\n".join(introduction))))
        items = _alternating([*_examples(functions, answer=answer), *turn.items])
        request = super().request(replace(turn, instructions=prompt, items=items, tools=[]), client)
        schema = turn_schema(functions, answer=answer)
        strict = all(function.get("strict") for function in functions)
        form = {"name": "turn", "schema": schema, "strict": strict}
        return {**request, "response_format": {"type": "json_schema", "json_schema": form}}

    def read(self, payload: object) -> Reply:
        """A chat completion whose text is a call or an answer."""
        return _read(super().read(payload))

    def merger(self) -> Chunks:
        """For chat completion chunks whose text is a call or an answer."""
        return _Pieces()


class _Pieces(Chunks):
    """Shows the words of an answer as they come, and a call once it is whole."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._shown = ""
        self._has_called = False

    def add(self, piece: object) -> list[dict[str, Any]]:
        """Take a chunk; its text is not shown as it is written."""
        return [shown for delta in super().add(piece) if (shown := self._as_shown(delta))]

    def reply(self) -> Reply:
        """The call or the answer."""
        return _read(super().reply())

    def _as_shown(self, delta: dict[str, Any]) -> dict[str, Any]:
        if not isinstance(delta.get("content"), str):
            return delta
        self._text += delta["content"]
        rest = {key: value for key, value in delta.items() if key != "content"}
        call = _call_in(self._text)
        if call is None:
            return {**rest, **self._words()}
        if self._has_called or not call[1] or not call[2]:
            return rest
        self._has_called = True
        return {**rest, "tool_calls": [{"index": 0, **_chat_call(*call[:2])}]}

    def _words(self) -> dict[str, str]:
        begins = self._text.lstrip()
        text = _answer_in(self._text) if begins.startswith("{") else self._text
        new = (text or "").removeprefix(self._shown)
        self._shown += new
        return {"content": new} if new else {}


def _read(reply: Reply) -> Reply:
    text = reply.message.get("content")
    if not text:
        return reply
    if call := _call_in(text):
        return replace(reply, message={**reply.message, "content": None, "tool_calls": [_chat_call(*call[:2])]})
    answer = _answer_in(text)
    if answer is None and reply.cut:
        raise ProviderError("The answer was cut off at its length limit before it said anything.")
    return reply if answer is None else replace(reply, message={**reply.message, "content": answer})


def _call_in(text: str) -> tuple[str, str, bool] | None:
    """The tool, the text of its arguments, and whether that is whole; `None` if it is no call."""
    match = _CALL.match(text)
    if match is None:
        return None
    arguments = match["arguments"] or ""
    try:
        _, end = json.JSONDecoder().raw_decode(arguments)
    except ValueError:
        return match["tool"], arguments, False
    return match["tool"], arguments[:end], True


def _answer_in(text: str) -> str | None:
    """The words of an answer, as far as they have come; `None` if it is none."""
    try:
        value: Any = from_json(text, allow_partial="trailing-strings")
    except ValueError:
        return None
    answer = cast("dict[str, Any]", value).get("answer") if isinstance(value, dict) else None
    return answer if isinstance(answer, str) else None


def _chat_call(tool: str, arguments: str) -> dict[str, Any]:
    return read_call({"function": {"name": tool, "arguments": arguments}})


def _allowed(turn: Turn) -> tuple[list[dict[str, Any]], bool]:
    """The functions that the tool choice leaves, and whether an answer in words is left."""
    functions = [definition["function"] for definition in turn.tools]
    choice = turn.of_tools(lambda tool: {"name": tool}).get("tool_choice", "auto")
    if isinstance(choice, str):
        tools, answer = _MODES[choice]
        return functions if tools else [], answer
    chosen = [function for function in functions if function["name"] == choice.get("name")]
    if not chosen:
        raise UserError(f"Cannot use tool_choice {turn.tool_choice!r}: it names no tool that is enabled.")
    return chosen, False


def _described(function: Mapping[str, Any]) -> str:
    """The tool's name and descriptions, in one line: a small model is led astray by more."""
    properties: Mapping[str, Any] = function["parameters"].get("properties", {})
    told = [f"{name}: {below['description']}" for name, below in properties.items() if below.get("description")]
    parameters = f" ({' '.join(told)})" if told else ""
    return f"{function['name']}: {function.get('description', '')}{parameters}"


def _examples(functions: Sequence[Mapping[str, Any]], *, answer: bool) -> list[dict[str, Any]]:
    times = 2 if len(functions) <= _FEW else 1
    return [message for function in functions for message in _example(function, answer=answer) * times]


def _example(function: Mapping[str, Any], *, answer: bool) -> list[dict[str, Any]]:
    """A call, and what comes of it: without the second part a small model calls the tool over and over."""
    arguments = example_arguments(function["parameters"])
    if arguments is None:
        return []  # a wrong example would teach a wrong call
    name, asked = function["name"], function.get("description") or function["name"]
    call = _dumped({"tool": name, "arguments": arguments})
    said = [{"role": "user", "content": asked}, {"role": "assistant", "content": call}]
    told = [_result(name, _EXAMPLE_RESULT), {"role": "assistant", "content": _dumped({"answer": _EXAMPLE_RESULT})}]
    return said + told if answer else said


def _result(tool: str, content: Any) -> dict[str, Any]:
    return {"role": "user", "content": f"Answer of {tool}: {content}"}


def _written(call: Mapping[str, Any]) -> str:
    """A call as the model would have written it; its arguments are JSON, as `sendable` sees to."""
    return f'{{"tool": {_dumped(call["function"]["name"])}, "arguments": {call["function"]["arguments"]}}}'


def _alternating(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the user says in a row as one message: some chat templates refuse two of one role."""
    merged: list[dict[str, Any]] = []
    for item in items:
        texts = [message.get("content") for message in (*merged[-1:], item) if message.get("role") == "user"]
        if len(texts) == 2 and all(isinstance(text, str) for text in texts):
            merged[-1] = {**merged[-1], "content": "\n\n".join(map(str, texts))}
        else:
            merged.append(item)
    return merged


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
