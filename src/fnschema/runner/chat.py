"""Chat Completions, as OpenAI documents it and as those who follow it send it.

https://platform.openai.com/docs/api-reference/chat
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .stream import Calls
from .transcript import read_call, sendable
from .wire import ProviderError, Reply, Turn, body_of, part, parts, raise_error, sound

__all__ = ["Chat"]

# DeepSeek, Kimi and MiniMax refuse or forget without the reasoning of earlier turns, Gemini without its signatures.
_REASONING = ("reasoning_content", "reasoning", "reasoning_details", "extra_content")
_KEYS = {
    "assistant": ("role", "content", "name", "refusal", "audio", "tool_calls", *_REASONING),
    "tool": ("role", "tool_call_id", "content"),
}
_SAID = ("content", "refusal", *_REASONING)
_CUT = frozenset(("length", "model_length", "max_tokens", "content_filter", "error"))
_NO_STREAM_OPTIONS = "mistral.ai"  # 422 extra_forbidden; it sends its usage unasked


class Chat:
    """The adapter of Chat Completions."""

    dialect = "openai"

    def create(self, client: Any) -> Any:
        """The client's ``chat.completions.create``."""
        return client.chat.completions.create

    def items(self, message: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The message without what an API refuses: the sender, nulls, keys of other APIs, broken calls."""
        keys = _KEYS.get(str(message.get("role")), tuple(message))
        item = {key: message[key] for key in keys if message.get(key) is not None and key != "sender"}
        if item.get("role") != "assistant":
            return [item]
        # An empty list of calls is refused as well, and by Anthropic's models an empty content beside calls.
        item = {key: value for key, value in item.items() if value}
        if "tool_calls" in item:
            item["tool_calls"] = [sendable(call) for call in item["tool_calls"]]
        else:
            item.setdefault("content", "")
        return [item]

    def request(self, turn: Turn, client: Any) -> dict[str, Any]:
        """A stream is asked for its usage, too."""
        system = [{"role": "system", "content": turn.instructions}] if turn.instructions else []
        request = {"model": turn.model, "messages": system + turn.items, **turn.of_tools(_named)}
        if turn.stream:
            request["stream"] = True
            if _NO_STREAM_OPTIONS not in str(getattr(client, "base_url", "")):
                request["stream_options"] = {"include_usage": True}
        return request

    def read(self, payload: object) -> Reply:
        """A chat completion."""
        body = body_of(payload)
        choice = _choice(body)
        if not choice:
            raise ProviderError("The provider sent an answer without choices.")
        message = part(choice, "message")
        return _reply(message, parts(message, "tool_calls"), choice.get("finish_reason"), part(body, "usage"))

    def merger(self) -> Chunks:
        """For chat completion chunks."""
        return Chunks()


class Chunks:
    """The chunks of one chat completion."""

    def __init__(self) -> None:
        self._message: dict[str, Any] = {}
        self._calls = Calls()
        self._finish: str | None = None
        self._usage: dict[str, Any] = {}

    def add(self, piece: object) -> list[dict[str, Any]]:
        """Take a chunk; one without choices tells the usage, or nothing."""
        chunk = body_of(piece)
        choice = _choice(chunk)
        delta = part(choice, "delta")
        self._usage = part(chunk, "usage") or part(part(chunk, "x_groq"), "usage") or self._usage
        self._finish = choice.get("finish_reason") or self._finish
        for key in _SAID:
            if value := _text(delta[key]) if key == "content" and key in delta else delta.get(key):
                before = self._message.get(key)
                self._message[key] = value if before is None or isinstance(value, dict) else before + value
        for entry in parts(delta, "tool_calls"):
            self._calls.add(entry)
        return [delta] if delta else []

    def reply(self) -> Reply:
        """The whole answer. The client hides the stream's ``[DONE]``, and some providers name no finish reason."""
        calls = self._calls.whole()
        if not self._finish and not (self._message.get("content") or self._message.get("refusal") or calls):
            raise ProviderError("The stream ended before an answer.")
        if not self._finish and not self._calls.complete:
            raise ProviderError("The stream ended within a call.")
        return _reply(self._message, calls, self._finish, self._usage)


def _choice(body: Mapping[str, Any]) -> dict[str, Any]:
    choices = parts(body, "choices")
    choice = choices[0] if choices else {}
    raise_error(choice)
    return choice


def _reply(
    message: Mapping[str, Any], calls: list[dict[str, Any]], finish: str | None, usage: Mapping[str, Any]
) -> Reply:
    content = _text(message.get("content"))
    read: dict[str, Any] = {"role": "assistant", "content": content}
    read.update({key: message[key] for key in _SAID[1:] if message.get(key)})
    if calls:
        read["tool_calls"] = [read_call(call) for call in calls]
    return Reply(sound(read), cut=finish in _CUT, usage=usage)


def _text(content: Any) -> Any:
    """The text of a content; Mistral's reasoning models send a list of parts, of which the text is the answer."""
    if isinstance(content, list):
        pieces = parts({"content": content}, "content")
        return "".join(piece.get("text") or "" for piece in pieces if piece.get("type") == "text")
    return content


def _named(tool: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": tool}}
