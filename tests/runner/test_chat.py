"""The adapter of Chat Completions."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from fnschema.runner.chat import Chat
from fnschema.runner.wire import ProviderError, Turn

CHAT = Chat()
CALL = {"id": "a", "type": "function", "function": {"name": "pay", "arguments": '{"cents": 1}'}}


def completion(message: dict[str, Any], finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}], **more}


def chunk(delta: Any = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}


def merged(*chunks: dict[str, Any]) -> Any:
    merger = CHAT.merger()
    for one in chunks:
        merger.add(one)
    return merger.reply()


ANSWERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "text": ({"content": "Hi."}, {"content": "Hi."}),
    "no content": ({"tool_calls": [CALL]}, {"content": None, "tool_calls": [CALL]}),
    "text beside a call": ({"content": "I pay.", "tool_calls": [CALL]}, {"content": "I pay.", "tool_calls": [CALL]}),
    "a refusal": ({"content": None, "refusal": "No."}, {"content": None, "refusal": "No."}),
    "empty siblings": (
        {
            "content": "Hi.",
            "refusal": "",
            "audio": {"id": ""},
            "function_call": {"name": ""},
            "annotations": [],
            "tool_calls": None,
        },
        {"content": "Hi."},
    ),
    "reasoning": (
        {"content": "Hi.", "reasoning_content": "Hm.", "reasoning": None},
        {"content": "Hi.", "reasoning_content": "Hm."},
    ),
    "content in parts": (
        {
            "content": [
                {"type": "thinking", "thinking": []},
                {"type": "text", "text": "Hi"},
                {"type": "text", "text": "."},
            ]
        },
        {"content": "Hi."},
    ),
    "a null among the calls": ({"tool_calls": [None, CALL]}, {"content": None, "tool_calls": [CALL]}),
    "a call without a type": (
        {"tool_calls": [{"id": "a", "index": 0, "function": CALL["function"]}]},
        {"content": None, "tool_calls": [CALL]},
    ),
}


@pytest.mark.parametrize(("sent", "read"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer(sent: dict[str, Any], read: dict[str, Any]) -> None:
    assert CHAT.read(completion(sent)).message == {"role": "assistant", **read}


@pytest.mark.parametrize(("sent", "read"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_in_a_chunk(sent: dict[str, Any], read: dict[str, Any]) -> None:
    assert merged(chunk(sent), chunk(finish="stop")).message == {"role": "assistant", **read}


@pytest.mark.parametrize(
    ("finish", "cut"),
    [("stop", False), ("tool_calls", False), ("", False), (None, False)]
    + [(reason, True) for reason in ("length", "model_length", "max_tokens", "content_filter", "error")],
)
def test_whether_an_answer_was_cut_off(finish: str | None, cut: bool) -> None:
    assert CHAT.read(completion({"tool_calls": [CALL]}, finish)).cut is cut


def test_the_usage_of_an_answer() -> None:
    assert CHAT.read(completion({"content": "Hi."}, usage={"total_tokens": 3})).usage == {"total_tokens": 3}


@pytest.mark.parametrize("body", [{}, {"choices": []}, {"choices": None}])
def test_an_answer_without_choices(body: dict[str, Any]) -> None:
    with pytest.raises(ProviderError, match="without choices"):
        CHAT.read(body)


def test_an_error_in_a_choice() -> None:
    with pytest.raises(ProviderError, match="The provider sent an error: Upstream failed"):
        CHAT.read({"choices": [{"error": {"message": "Upstream failed"}, "message": {}}]})


def test_text_in_pieces() -> None:
    assert merged(chunk({"content": "He"}), chunk({"content": None}), chunk({"content": "y"}, "stop")).message[
        "content"
    ] == ("Hey")


def test_an_emoji_cut_between_its_halves() -> None:
    assert merged(chunk({"content": "\ud83d"}), chunk({"content": "\ude00"}, "stop")).message["content"] == "😀"


def test_a_refusal_in_pieces() -> None:
    assert merged(chunk({"refusal": "I can"}), chunk({"refusal": "not."}, "stop")).message["refusal"] == "I cannot."


def test_reasoning_in_pieces() -> None:
    reply = merged(
        chunk({"reasoning": "H", "reasoning_details": [{"text": "H"}]}),
        chunk({"reasoning": "m", "reasoning_details": [{"text": "m"}]}),
        chunk({"content": "Hi."}, "stop"),
    )

    assert reply.message["reasoning"] == "Hm"
    assert reply.message["reasoning_details"] == [{"text": "H"}, {"text": "m"}]


@pytest.mark.parametrize("empty", [{"choices": []}, {"choices": None}, {}, chunk({}), chunk(None)])
def test_a_chunk_that_says_nothing(empty: dict[str, Any]) -> None:
    merger = CHAT.merger()

    assert list(merger.add(empty)) == []


def test_deltas_are_shown_as_they_came() -> None:
    merger = CHAT.merger()

    assert list(merger.add(chunk({"role": "assistant", "content": "Hi"}))) == [{"role": "assistant", "content": "Hi"}]


@pytest.mark.parametrize(
    "ends",
    [
        [chunk({}, "stop", usage={"total_tokens": 3})],
        [chunk({}, "stop"), {"choices": [], "usage": {"total_tokens": 3}}],
        [chunk({}, "stop", usage={"total_tokens": 2}), chunk(None, usage={"total_tokens": 3})],
        [chunk({}, "stop", x_groq={"usage": {"total_tokens": 3}})],
    ],
    ids=["with the end", "after it", "growing", "Groq"],
)
def test_the_usage_of_a_stream(ends: list[dict[str, Any]]) -> None:
    assert merged(chunk({"content": "Hi."}), *ends).usage == {"total_tokens": 3}


def test_an_error_in_a_chunk() -> None:
    with pytest.raises(ProviderError, match="Token limit reached"):
        merged(
            chunk({"content": "H"}, "length"), {**chunk({}), "error": {"code": 400, "message": "Token limit reached"}}
        )


def test_a_stream_without_a_finish_reason() -> None:
    assert merged(chunk({"content": "Hi."})).message["content"] == "Hi."
    assert merged(chunk({"tool_calls": [CALL]})).message["tool_calls"] == [CALL]


@pytest.mark.parametrize("chunks", [[], [chunk({"role": "assistant"})], [chunk({"reasoning": "Hm"})]])
def test_a_stream_that_ends_before_an_answer(chunks: list[dict[str, Any]]) -> None:
    with pytest.raises(ProviderError, match="The stream ended before an answer"):
        merged(*chunks)


@pytest.mark.parametrize("text", ["", '{"cents": '])
def test_a_stream_that_ends_within_a_call(text: str) -> None:
    with pytest.raises(ProviderError, match="The stream ended within a call"):
        merged(chunk({"tool_calls": [{**CALL, "function": {"name": "pay", "arguments": text}}]}))


def test_an_empty_answer() -> None:
    assert merged(chunk({"role": "assistant"}), chunk({}, "stop")).message == {"role": "assistant", "content": None}


ITEMS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a user's message": (
        {"role": "user", "content": [{"type": "text", "text": "hi"}], "name": "ann"},
        {"role": "user", "content": [{"type": "text", "text": "hi"}], "name": "ann"},
    ),
    "an answer": (
        {"role": "assistant", "content": "Hi.", "sender": "A", "output": [], "annotations": [], "refusal": None},
        {"role": "assistant", "content": "Hi."},
    ),
    "an answer of calls": (
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {"role": "assistant", "tool_calls": [CALL]},
    ),
    "an empty list of calls": (
        {"role": "assistant", "content": "Hi.", "tool_calls": [], "refusal": ""},
        {"role": "assistant", "content": "Hi."},
    ),
    "an empty answer": ({"role": "assistant", "content": None}, {"role": "assistant", "content": ""}),
    "reasoning": (
        {"role": "assistant", "content": "Hi.", "reasoning_content": "Hm."},
        {"role": "assistant", "content": "Hi.", "reasoning_content": "Hm."},
    ),
    "a tool's answer": (
        {"role": "tool", "tool_call_id": "a", "tool_name": "pay", "content": "ok"},
        {"role": "tool", "tool_call_id": "a", "content": "ok"},
    ),
}


@pytest.mark.parametrize(("message", "item"), ITEMS.values(), ids=ITEMS)
def test_a_message_as_the_api_takes_it(message: dict[str, Any], item: dict[str, Any]) -> None:
    assert CHAT.items(message) == [item]


def request(*, stream: bool = False, base_url: str = "https://api.openai.com/v1/") -> dict[str, Any]:
    turn = Turn("m", "Be kind.", [{"role": "user", "content": "hi"}], [], None, None, stream)
    return CHAT.request(turn, SimpleNamespace(base_url=base_url))


def test_a_request() -> None:
    assert request() == {
        "model": "m",
        "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "hi"}],
    }


def test_a_stream_is_asked_for_its_usage() -> None:
    assert request(stream=True)["stream_options"] == {"include_usage": True}


def test_mistral_is_not_asked_for_its_usage() -> None:
    assert "stream_options" not in request(stream=True, base_url="https://api.mistral.ai/v1/")


def test_one_tool_is_chosen_as_the_api_writes_it() -> None:
    turn = Turn("m", None, [], [{"type": "function"}], "pay", True, stream=False)

    assert CHAT.request(turn, None)["tool_choice"] == {"type": "function", "function": {"name": "pay"}}
