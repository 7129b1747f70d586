"""The Responses API. The transcript keeps the output items of each answer, so that reasoning goes back where it was.

https://platform.openai.com/docs/api-reference/responses
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .transcript import read_call
from .wire import ProviderError, Reply, Turn, plain, raise_error, sound

__all__ = ["Responses"]

_FREE_CHOICES = frozenset(("auto", "none", "required"))
_TEXT_DELTAS = {
    "response.output_text.delta": "content",
    "response.refusal.delta": "refusal",
    "response.reasoning_text.delta": "reasoning",
    "response.reasoning_summary_text.delta": "reasoning",
}
_ENDS = frozenset(("response.completed", "response.incomplete", "response.failed"))


class Responses:
    """The adapter of the Responses API."""

    dialect = "openai-responses"

    def create(self, client: Any) -> Any:
        """The client's ``responses.create``."""
        return client.responses.create

    def items(self, message: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The message as input items; what is an item already stays as it is."""
        role, content = message.get("role"), message.get("content")
        if role == "tool":
            return [{"type": "function_call_output", "call_id": message["tool_call_id"], "output": content}]
        if role == "assistant":
            return _answer_items(message)
        if role is None:
            return [dict(message)]
        return [{"role": role, "content": [_part(p) for p in content] if isinstance(content, list) else content}]

    def request(self, turn: Turn, client: Any) -> dict[str, Any]:
        """``tools`` and what goes with them are left out when there are none."""
        request: dict[str, Any] = {"model": turn.model, "input": turn.items}
        if turn.instructions:
            request["instructions"] = turn.instructions
        if turn.tools:
            request["tools"] = turn.tools
            if turn.tool_choice is not None:
                request["tool_choice"] = _choice(turn.tool_choice)
            if turn.parallel_tool_calls is not None:
                request["parallel_tool_calls"] = turn.parallel_tool_calls
        if turn.stream:
            request["stream"] = True
        return request

    def read(self, payload: object) -> Reply:
        """A response."""
        return _reply(plain(payload))

    def merger(self) -> Events:
        """For the events of a streamed response."""
        return Events()


class Events:
    """The events of one response; the last of them holds the whole."""

    def __init__(self) -> None:
        self._body: dict[str, Any] | None = None
        self._done: dict[int, dict[str, Any]] = {}
        self._calls: dict[int, int] = {}

    def add(self, piece: object) -> list[dict[str, Any]]:
        """Take an event."""
        event = plain(piece)
        kind = event.get("type") if isinstance(event, dict) else None
        if kind == "error":
            raise_error({"error": event.get("error") or event})
        raise_error(event)
        position = event.get("output_index", 0)
        if kind in _ENDS:
            self._body = event["response"]
        elif kind in _TEXT_DELTAS:
            return [{_TEXT_DELTAS[kind]: event["delta"]}]
        elif kind == "response.output_item.done":
            self._done[position] = event["item"]
        elif kind == "response.output_item.added" and event["item"].get("type") == "function_call":
            item = event["item"]
            self._calls[position] = len(self._calls)
            start = {"id": item.get("call_id"), "type": "function", "function": {"name": item["name"], "arguments": ""}}
            return [{"tool_calls": [{"index": self._calls[position], **start}]}]
        elif kind == "response.function_call_arguments.delta" and position in self._calls:
            more = {"arguments": event["delta"]}
            return [{"tool_calls": [{"index": self._calls[position], "function": more}]}]
        return []

    def reply(self) -> Reply:
        """The whole answer."""
        if self._body is None:
            raise ProviderError("The stream ended before the response was complete.")
        if not self._body.get("output"):  # servers that leave it to the events
            self._body = {**self._body, "output": [self._done[position] for position in sorted(self._done)]}
        return _reply(self._body)


def _reply(body: Any) -> Reply:
    raise_error(body)
    if body.get("status") in ("failed", "cancelled") or "output" not in body:
        raise ProviderError(f"The provider sent a response of status {body.get('status')!r} without an error.")
    items = [_kept(item) for item in body["output"] if not item["type"].startswith("tool_search_")]
    parts = [part for item in items if item["type"] == "message" for part in item.get("content") or ()]
    refusal = "".join(part["refusal"] for part in parts if part.get("type") == "refusal")
    text = "".join(part["text"] for part in parts if part.get("type") == "output_text")
    message: dict[str, Any] = {"role": "assistant", "content": sound(text) if text else None}
    if refusal:
        message["refusal"] = refusal
    calls = [
        read_call({"id": item.get("call_id"), "function": item}) for item in items if item["type"] == "function_call"
    ]
    if calls:
        message["tool_calls"] = calls
    message["output"] = items
    return Reply(message, cut=body.get("status") == "incomplete", usage=body.get("usage") or {})


def _kept(item: Mapping[str, Any]) -> dict[str, Any]:
    """An item that may go back: no nulls, which the API refuses, and no trace of deferred tools, which we never offer."""
    return {key: value for key, value in item.items() if value is not None and key != "namespace"}


def _answer_items(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    calls = [
        {"type": "function_call", "call_id": call["id"], **call["function"]} for call in message.get("tool_calls") or ()
    ]
    if "output" not in message:
        content = message.get("content") or message.get("refusal")
        return [*([{"role": "assistant", "content": content}] if content else []), *calls]
    made = iter(calls)
    items = [{**item, **next(made, {})} if item["type"] == "function_call" else item for item in message["output"]]
    while items and items[-1]["type"] == "reasoning":
        items.pop()  # refused without the item that it led to
    return items


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    """A part of a message as this API writes it, from how Chat Completions does."""
    if part.get("type") == "text":
        return {"type": "input_text", "text": part["text"]}
    if part.get("type") == "image_url":
        image = part["image_url"]
        return {"type": "input_image", "image_url": image["url"], "detail": image.get("detail", "auto")}
    return dict(part)


def _choice(choice: Any) -> Any:
    if isinstance(choice, str) and choice not in _FREE_CHOICES:
        return {"type": "function", "name": choice}
    if isinstance(choice, Mapping) and "function" in choice:
        return {"type": "function", "name": choice["function"]["name"]}
    return choice
