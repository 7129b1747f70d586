"""The transcript of a run: messages as Chat Completions writes them, in plain dicts, whatever API is spoken.

Every call of an answer has a ``type``, arguments in a text, and an id that no other call of the transcript has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json, to_json

from .wire import part, parts

__all__ = ["CUT_OFF", "ModelCall", "answer", "arguments_text", "is_object", "model_call", "read_call", "read_history",
           "repair_ids", "sendable"]  # fmt: skip

UNANSWERED = "It is not known whether this call was executed."  # it may have been, in a run that was given up
CUT_OFF = "Not executed: the answer was cut off at its length limit. Make it shorter, or make fewer calls at once."


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A call that the model made: whose arguments nobody has looked at, of a tool that may not exist."""

    id: str
    name: str
    arguments: str


_OpenCalls = list[tuple[object, ModelCall]]  # calls without an answer so far, by the id they came with


def arguments_text(arguments: Any) -> str:
    """Arguments as the text they should have been: `None` is ``""``, an object is written as JSON.

    The halves of surrogate pairs are escaped as JSON escapes them, so that the text can be sent: a pair that a stream
    has cut is whole again, and a lone half is still refused as one.
    """
    if arguments is None:
        return ""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="backslashreplace").decode()


def is_object(text: str) -> bool:
    """Whether a text is one whole JSON object."""
    try:
        return isinstance(from_json(text), dict)
    except ValueError:
        return False


def read_call(call: Mapping[str, Any]) -> dict[str, Any]:
    """A call as a provider sent it, without what it need not have, with what it lacks (but for an id)."""
    function = part(call, "function")
    name, arguments = _word(function.get("name")), arguments_text(function.get("arguments")) or "{}"
    # Gemini refuses a call that comes back without its signature.
    signature = {"extra_content": call["extra_content"]} if call.get("extra_content") else {}
    return {
        "id": _word(call.get("id")),
        "type": "function",
        "function": {"name": name, "arguments": arguments},
        **signature,
    }


def _word(value: object) -> str:
    """A name or an id, of which some servers make a number."""
    return value if isinstance(value, str) else "" if value is None else str(value)


def sendable(call: Mapping[str, Any]) -> dict[str, Any]:
    """A call that may go back: servers match the name and load the arguments, and refuse it all if they cannot."""
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    if not is_object(arguments):
        arguments = to_json({"invalid_json": arguments}).decode()
    name = re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64] or "unnamed"
    return {**call, "function": {"name": name, "arguments": arguments}}


def repair_ids(calls: Sequence[Mapping[str, Any]], taken: set[str]) -> list[dict[str, Any]]:
    """Calls with ids of their own. ``taken``, the ids of the transcript, takes in theirs.

    A made id is nine letters and digits, the only kind that Mistral takes.
    """
    repaired: list[dict[str, Any]] = []
    for call in calls:
        call_id, number = call["id"], len(taken)
        while not call_id or call_id in taken:
            call_id, number = f"call{number:05d}", number + 1
        taken.add(call_id)
        repaired.append({**call, "id": call_id})
    return repaired


def model_call(call: Mapping[str, Any]) -> ModelCall:
    """A repaired call as a value."""
    return ModelCall(call["id"], call["function"]["name"], call["function"]["arguments"])


def answer(call: ModelCall, text: str) -> dict[str, Any]:
    """The answer to a call."""
    return {"role": "tool", "tool_call_id": call.id, "tool_name": call.name, "content": text}


def read_history(
    messages: Iterable[Mapping[str, Any]], taken: set[str]
) -> tuple[list[dict[str, Any]], list[ModelCall]]:
    """The messages of earlier runs, and the calls that they end in without an answer.

    Calls are repaired, and their answers with them. A call that was passed over is answered, too: an API refuses a
    transcript that lacks an answer. ``taken`` takes in all call ids.
    """
    read: list[dict[str, Any]] = []
    open_calls: _OpenCalls = []
    for message in messages:
        message = dict(message)
        if message.get("role") == "tool":
            message, open_calls = _close(message, open_calls)
        else:
            read += [answer(call, UNANSWERED) for _, call in open_calls]
            message, open_calls = _open(message, taken)
        read.append(message)
    return read, [call for _, call in open_calls]


def _open(message: dict[str, Any], taken: set[str]) -> tuple[dict[str, Any], _OpenCalls]:
    sent = parts(message, "tool_calls") if message.get("role") == "assistant" else []
    calls = repair_ids([read_call(call) for call in sent], taken)
    if calls:
        message["tool_calls"] = calls
    return message, [(before.get("id"), model_call(call)) for before, call in zip(sent, calls, strict=True)]


def _close(message: dict[str, Any], open_calls: _OpenCalls) -> tuple[dict[str, Any], _OpenCalls]:
    for position, (call_id, call) in enumerate(open_calls):
        if call_id == message.get("tool_call_id"):
            return {**message, "tool_call_id": call.id}, open_calls[:position] + open_calls[position + 1 :]
    return message, open_calls
