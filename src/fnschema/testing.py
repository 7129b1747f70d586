"""For the tests of your own tools and agents: a model that follows a script, and what a call comes to.

```python
model = ScriptedModel(ToolCall("get_weather", {"city": "Paris"}), "It is 18 °C in Paris.")
response = Runner(model).run(Agent(functions=[get_weather]), "How warm is it in Paris?")
assert response.text == "It is 18 °C in Paris."
assert model.requests[0]["tools"][0]["function"]["name"] == "get_weather"

assert_call(get_weather, '{"city": "Paris"}', "Paris", unit="celsius")
```
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, TypeAlias

from pydantic_core import to_json

from ._context import RunContextWrapper
from ._tool import tool_of
from .runner.wire import parts

__all__ = ["ScriptedModel", "ToolCall", "assert_call"]

Payload = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that a scripted model makes.

    Attributes:
        name: of the tool.
        arguments: an object, or the very text that the model sends, which need not be JSON.
        id: `None` numbers the calls of the script: ``call_1``, ``call_2``, …
    """

    name: str
    arguments: Mapping[str, Any] | str = "{}"
    id: str | None = None


Reply: TypeAlias = "str | ToolCall | Sequence[ToolCall] | Mapping[str, Any] | Exception | Callable[[Payload], Reply]"


class ScriptedModel:
    """A language model that follows a script. It stands in for the client of a `Runner`, whichever API that speaks.

    Args:
        *replies: one a turn: a text; a `ToolCall` or several; a message of Chat Completions, for a refusal or what else
            there is, with its ``finish_reason`` (``"length"`` for an answer that was cut off); an exception, to be
            raised; or a function of the request that returns any of these.
        is_async: be an async client. Either kind runs under `Runner.run` and `Runner.arun`.

    Attributes:
        requests: the keyword arguments of each request so far, copied when they came.
    """

    def __init__(self, *replies: Reply, is_async: bool = False) -> None:
        self.requests: list[Payload] = []
        self._replies = list(replies)
        self._calls = 0
        create: Callable[..., Any] = self._acreate if is_async else self._create
        self.chat: SimpleNamespace = SimpleNamespace(completions=SimpleNamespace(create=partial(create, _Chat)))
        self.responses: SimpleNamespace = SimpleNamespace(create=partial(create, _Responses))

    def _create(self, api: type[_Chat | _Responses], **request: Any) -> Payload | Iterator[Payload]:
        message = self._next(request)
        return iter(api.pieces(message)) if request.get("stream") else api.whole(message)

    async def _acreate(self, api: type[_Chat | _Responses], **request: Any) -> Payload | AsyncIterator[Payload]:
        message = self._next(request)
        return _async_iterator(api.pieces(message)) if request.get("stream") else api.whole(message)

    def _next(self, request: Payload) -> Payload:
        self.requests.append(copy.deepcopy(request))
        if len(self.requests) > len(self._replies):
            raise AssertionError(
                f"The model was asked {len(self.requests)} times; the script has {len(self._replies)}."
            )
        return self._message(self._replies[len(self.requests) - 1], request)

    def _message(self, reply: Reply, request: Payload) -> Payload:
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, str):
            return {"role": "assistant", "content": reply}
        if isinstance(reply, Mapping):
            return {"role": "assistant", "content": None, **reply}
        if callable(reply):
            return self._message(reply(request), request)
        calls = [reply] if isinstance(reply, ToolCall) else reply
        return {"role": "assistant", "content": None, "tool_calls": [self._written(call) for call in calls]}

    def _written(self, call: ToolCall) -> Payload:
        self._calls += 1
        text = call.arguments if isinstance(call.arguments, str) else to_json(call.arguments).decode()
        call_id = f"call_{self._calls}" if call.id is None else call.id
        return {"id": call_id, "type": "function", "function": {"name": call.name, "arguments": text}}


class _Chat:
    """Chat Completions, as far as a script needs them."""

    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}  # noqa: RUF012 - never changed

    @classmethod
    def whole(cls, message: Payload) -> Payload:
        return {"choices": [{"index": 0, **cls._ended(message), "message": message}], "usage": cls.usage}

    @classmethod
    def pieces(cls, message: Payload) -> list[Payload]:
        calls = parts(message, "tool_calls")
        deltas: list[Payload] = [
            {key: value for key, value in message.items() if key not in ("content", "tool_calls", "finish_reason")},
            *({"content": text} for text in _split(message.get("content"))),
            *({"tool_calls": [{"index": index, **call}]} for index, call in enumerate(calls)),
        ]
        chunks: list[Payload] = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
        end = {"choices": [{"index": 0, "delta": Payload(), **cls._ended(message)}]}
        return [*chunks, end, {"choices": [], "usage": cls.usage}]

    @staticmethod
    def _ended(message: Payload) -> Payload:
        return {"finish_reason": message.get("finish_reason", "tool_calls" if message.get("tool_calls") else "stop")}


class _Responses:
    """The Responses API, as far as a script needs it."""

    @staticmethod
    def whole(message: Payload) -> Payload:
        said = [
            {"type": kind, key: message[name]}
            for name, kind, key in (("content", "output_text", "text"), ("refusal", "refusal", "refusal"))
            if message.get(name)
        ]
        output: list[Payload] = [{"type": "message", "role": "assistant", "content": said}] if said else []
        output += (
            {"type": "function_call", "call_id": call["id"], **call["function"]}
            for call in parts(message, "tool_calls")
        )
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        status = "incomplete" if message.get("finish_reason") == "length" else "completed"
        return {"status": status, "output": output, "usage": usage}

    @classmethod
    def pieces(cls, message: Payload) -> list[Payload]:
        response = cls.whole(message)
        events: list[Payload] = [
            {"type": "response.output_text.delta", "output_index": 0, "delta": text}
            for text in _split(message.get("content"))
        ]
        for index, item in enumerate(response["output"]):
            if item["type"] == "function_call":
                arguments = {"output_index": index, "delta": item["arguments"]}
                events.append({"type": "response.output_item.added", "output_index": index, "item": item})
                events.append({"type": "response.function_call_arguments.delta", **arguments})
        return [*events, {"type": "response.completed", "response": response}]


def _split(text: str | None) -> list[str]:
    """A text in pieces, as a stream brings it: each word with the space before it."""
    words = (text or "").split(" ")
    return [piece for piece in (words[0], *(f" {word}" for word in words[1:])) if piece]


async def _async_iterator(pieces: list[Payload]) -> AsyncIterator[Payload]:
    for piece in pieces:
        yield piece


def assert_call(
    tool: Callable[..., Any], /, arguments: str | Mapping[str, Any] | None, *args: Any, **kwargs: Any
) -> None:
    """Assert what a tool's function is called with when a model sends these arguments. It is not called.

    Args:
        tool: a `FunctionTool`, or a function, of which one is made as an agent makes it.
        arguments: what the model sends.
        *args: what the function gets, written as one would call it; defaults may be left out, and so are the context
            and ``context_variables``, which the model does not send.
        **kwargs: the same, by keyword.

    Raises:
        AssertionError: the call is another one; a value of another type is another value, too.
        ArgumentsError: the arguments do not fit the tool.
    """
    __tracebackhide__ = True  # pytest then shows the line of the test
    made, _ = tool_of(tool)
    call = made.prepare(arguments)
    signature = inspect.signature(call.function)
    actual = _named(signature, call.args, call.kwargs)
    hidden = {name for name, value in actual.items() if isinstance(value, RunContextWrapper)} | {"context_variables"}
    shown = signature.replace(parameters=[p for name, p in signature.parameters.items() if name not in hidden])
    expected = _named(shown, args, kwargs)
    actual = {name: value for name, value in actual.items() if name not in hidden}
    different = [name for name in shown.parameters if not _is_same(actual[name], expected[name])]
    if different:
        lines = [f"  {name}: {actual[name]!r}, not {expected[name]!r}" for name in different]
        raise AssertionError("\n".join([f"{made.name} is called with", *lines]))


def _named(signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.arguments


def _is_same(actual: object, expected: object) -> bool:
    return type(actual) is type(expected) and actual == expected
