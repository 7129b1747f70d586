"""The Responses API. The transcript keeps the output items of each answer, so that reasoning goes back where it was.

https://platform.openai.com/docs/api-reference/responses
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .transcript import read_call, sendable
from .wire import ProviderError, Reply, Turn, body_of, part, parts, raise_error, sound

__all__ = ["Responses"]

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
        """The message as input items; what is an item already stays one."""
        role, content = message.get("role"), message.get("content")
        if role == "tool":
            return [{"type": "function_call_output", "call_id": message["tool_call_id"], "output": _content(content)}]
        if role == "assistant":
            return _answer_items(message)
        if role is None:
            return [_kept(message)]
        return [{"role": role, "content": _content(content)}]

    def request(self, turn: Turn, client: Any) -> dict[str, Any]:
        """The instructions are an argument of their own."""
        instructions = {"instructions": turn.instructions} if turn.instructions else {}
        stream = {"stream": True} if turn.stream else {}
        return {"model": turn.model, "input": turn.items, **instructions, **turn.of_tools(_named), **stream}

    def read(self, payload: object) -> Reply:
        """A response."""
        return _reply(body_of(payload))

    def merger(self) -> Events:
        """For the events of a streamed response."""
        return Events()


class Events:
    """The events of one response; the last of them holds the whole."""

    def __init__(self) -> None:
        self._body: dict[str, Any] = {}
        self._done: dict[int, dict[str, Any]] = {}
        self._calls: dict[int, int] = {}

    def add(self, piece: object) -> list[dict[str, Any]]:
        """Take an event."""
        event = body_of(piece)
        kind, position, item = event.get("type", ""), event.get("output_index", 0), part(event, "item")
        if kind == "error":
            raise_error({"error": event})
        elif kind in _ENDS:
            self._body = part(event, "response")
        elif kind in _TEXT_DELTAS:
            return [{_TEXT_DELTAS[kind]: event["delta"]}]
        elif kind == "response.output_item.done":
            self._done[position] = item
        elif kind == "response.output_item.added" and item.get("type") == "function_call":
            self._calls[position] = len(self._calls)
            return [self._delta(position, name=item["name"], arguments="", id=item.get("call_id"))]
        elif kind == "response.function_call_arguments.delta" and position in self._calls:
            return [self._delta(position, arguments=event["delta"])]
        return []

    def reply(self) -> Reply:
        """The whole answer."""
        if not self._body:
            raise ProviderError("The stream ended before the response was complete.")
        if not self._body.get("output"):  # servers that leave it to the events
            self._body = {**self._body, "output": [self._done[position] for position in sorted(self._done)]}
        return _reply(self._body)

    def _delta(self, position: int, id: str | None = None, **function: str) -> dict[str, Any]:  # noqa: A002
        start = {"id": id, "type": "function"} if id else {}
        return {"tool_calls": [{"index": self._calls[position], **start, "function": function}]}


def _reply(body: Mapping[str, Any]) -> Reply:
    raise_error(body)
    if body.get("status") in ("failed", "cancelled") or "output" not in body:
        raise ProviderError(f"The provider sent a response of status {body.get('status')!r} without an error.")
    items = [_kept(item) for item in parts(body, "output") if not item["type"].startswith("tool_search_")]
    said = [piece for item in items if item["type"] == "message" for piece in parts(item, "content")]
    text = "".join(piece["text"] for piece in said if piece.get("type") == "output_text")
    refusal = "".join(piece["refusal"] for piece in said if piece.get("type") == "refusal")
    calls = [{"id": item.get("call_id"), "function": item} for item in items if item["type"] == "function_call"]
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if refusal:
        message["refusal"] = refusal
    if calls:
        message["tool_calls"] = [read_call(call) for call in calls]
    return Reply(sound({**message, "output": items}), cut=body.get("status") == "incomplete", usage=part(body, "usage"))


def _kept(item: Mapping[str, Any]) -> dict[str, Any]:
    """An item that may go back: the API refuses nulls, and the name space of deferred tools, which we never offer."""
    return {key: value for key, value in item.items() if value is not None and key != "namespace"}


def _answer_items(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    made = (sendable(call) for call in parts(message, "tool_calls"))
    calls = [{"type": "function_call", "call_id": call["id"], **call["function"]} for call in made]
    if "output" not in message:
        content = message.get("content") or message.get("refusal")
        return [*([{"role": "assistant", "content": content}] if content else []), *calls]
    repaired, none = iter(calls), dict[str, Any]()
    items = parts(message, "output")
    items = [{**item, **next(repaired, none)} if item["type"] == "function_call" else item for item in items]
    while items and items[-1]["type"] == "reasoning":
        items.pop()  # refused without the item that it led to
    return items


def _content(content: Any) -> Any:
    """A content as this API writes it, from how Chat Completions does."""
    return [_part(piece) for piece in parts({"": content}, "")] if isinstance(content, list) else content


def _part(piece: dict[str, Any]) -> dict[str, Any]:
    if piece.get("type") == "text":
        return {"type": "input_text", "text": piece["text"]}
    if piece.get("type") == "image_url":
        image = piece["image_url"]
        return {"type": "input_image", "image_url": image["url"], "detail": image.get("detail", "auto")}
    return piece


def _named(tool: str) -> dict[str, Any]:
    return {"type": "function", "name": tool}
