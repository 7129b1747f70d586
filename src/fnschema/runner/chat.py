"""Chat Completions, as OpenAI documents it and as those who follow it send it.

https://platform.openai.com/docs/api-reference/chat
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json

from .stream import Calls
from .transcript import is_object, read_call
from .wire import ProviderError, Reply, Turn, plain, raise_error, sound

__all__ = ["Chat"]

# DeepSeek, Kimi and MiniMax refuse or forget without the reasoning of earlier turns, Gemini without its signatures.
_REASONING = ("reasoning_content", "reasoning", "reasoning_details", "extra_content")
_ASSISTANT = ("role", "content", "name", "refusal", "audio", "tool_calls", *_REASONING)
_TOOL = ("role", "tool_call_id", "content")
_CUT = frozenset(("length", "model_length", "max_tokens", "content_filter", "error"))
_NO_STREAM_OPTIONS = "mistral.ai"  # 422 extra_forbidden; it sends its usage unasked
_FREE_CHOICES = frozenset(("auto", "none", "required", "any"))


class Chat:
    """The adapter of Chat Completions."""

    dialect = "openai"

    def create(self, client: Any) -> Any:
        """The client's ``chat.completions.create``."""
        return client.chat.completions.create

    def items(self, message: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The message without what an API refuses: the sender, nulls, keys of other providers, broken calls."""
        role = message.get("role")
        keys = _ASSISTANT if role == "assistant" else _TOOL if role == "tool" else tuple(message)
        item = {key: message[key] for key in keys if message.get(key) is not None and key != "sender"}
        if role == "assistant":
            calls = item.pop("tool_calls", None)
            if calls:
                item["tool_calls"] = [_sendable(call) for call in calls]
            else:
                item.setdefault("content", "")
        return [item]

    def request(self, turn: Turn, client: Any) -> dict[str, Any]:
        """``tools`` and what goes with them are left out when there are none."""
        system = [{"role": "system", "content": turn.instructions}] if turn.instructions else []
        request: dict[str, Any] = {"model": turn.model, "messages": system + turn.items}
        if turn.tools:
            request["tools"] = turn.tools
            if turn.tool_choice is not None:
                request["tool_choice"] = _choice(turn.tool_choice)
            if turn.parallel_tool_calls is not None:
                request["parallel_tool_calls"] = turn.parallel_tool_calls
        if turn.stream:
            request["stream"] = True
            if _NO_STREAM_OPTIONS not in str(getattr(client, "base_url", "")):
                request["stream_options"] = {"include_usage": True}
        return request

    def read(self, payload: object) -> Reply:
        """A chat completion."""
        body = plain(payload)
        choice = _choice_of(body)
        if choice is None:
            raise ProviderError("The provider sent an answer without choices.")
        return _reply(choice.get("message") or {}, choice.get("finish_reason"), body.get("usage"))

    def merger(self) -> Chunks:
        """For chat completion chunks."""
        return Chunks()


class Chunks:
    """The chunks of one chat completion."""

    def __init__(self) -> None:
        self._message: dict[str, Any] = {}
        self._calls = Calls()
        self._finish: str | None = None
        self._usage: Mapping[str, Any] | None = None

    def add(self, piece: object) -> list[dict[str, Any]]:
        """Take a chunk; one without choices tells the usage, or nothing."""
        chunk = plain(piece)
        choice = _choice_of(chunk)
        self._usage = chunk.get("usage") or (chunk.get("x_groq") or {}).get("usage") or self._usage
        if choice is None:
            return []
        self._finish = choice.get("finish_reason") or self._finish
        delta = choice.get("delta") or {}
        for key in ("content", "refusal", *_REASONING):
            self._append(key, delta.get(key))
        for entry in delta.get("tool_calls") or ():
            self._calls.add(entry)
        return [delta]

    def reply(self) -> Reply:
        """The whole answer. The client hides the stream's ``[DONE]``, and some providers name no finish reason."""
        calls = self._calls.whole()
        if not self._finish and not (self._message.get("content") or self._message.get("refusal") or calls):
            raise ProviderError("The stream ended before an answer.")
        if not self._finish and not self._calls.complete:
            raise ProviderError("The stream ended within a call.")
        return _reply({**self._message, "tool_calls": calls}, self._finish, self._usage)

    def _append(self, key: str, value: Any) -> None:
        if value:
            value = _text(value) if key == "content" else value
            before = self._message.get(key)
            self._message[key] = value if before is None or isinstance(value, dict) else before + value


def _choice_of(body: Any) -> dict[str, Any] | None:
    raise_error(body)
    choices = body.get("choices")
    if not choices:
        return None
    raise_error(choices[0])
    return choices[0]


def _reply(message: Mapping[str, Any], finish: str | None, usage: Mapping[str, Any] | None) -> Reply:
    content = _text(message.get("content"))
    read: dict[str, Any] = {"role": "assistant", "content": None if content is None else sound(content)}
    read.update({key: message[key] for key in ("refusal", *_REASONING) if message.get(key)})
    calls = [read_call(call) for call in message.get("tool_calls") or () if call]
    if calls:
        read["tool_calls"] = calls
    return Reply(read, cut=finish in _CUT, usage=usage or {})


def _text(content: Any) -> str | None:
    """The text of a content; Mistral's reasoning models send a list of parts, of which the text is the answer."""
    if isinstance(content, list):
        return "".join(part.get("text") or "" for part in content if part.get("type") == "text")
    return content


def _sendable(call: Mapping[str, Any]) -> dict[str, Any]:
    """A call that goes back to the model. Servers load the arguments and match the name, and refuse a broken one."""
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    if not is_object(arguments):
        arguments = to_json({"invalid_json": arguments}).decode()
    name = re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64] or "unnamed"
    return {**call, "function": {"name": name, "arguments": arguments}}


def _choice(choice: Any) -> Any:
    if isinstance(choice, str) and choice not in _FREE_CHOICES:
        return {"type": "function", "function": {"name": choice}}
    return choice
