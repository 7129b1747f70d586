"""The adapter of the Responses API."""

from __future__ import annotations

from typing import Any

import pytest

from conversations import drive, every_mode
from fnschema import Agent, Runner
from fnschema.runner.responses import Responses
from fnschema.runner.wire import ProviderError, Turn
from fnschema.testing import ScriptedModel, ToolCall

RESPONSES = Responses()
TEXT = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "Hi.", "annotations": []}],
}
CALL = {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "pay", "arguments": '{"cents": 1}'}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "…"}
SEARCH = [{"type": "tool_search_call", "id": "t_1"}, {"type": "tool_search_output", "id": "t_2", "tools": []}]

CHAT_CALL = {"id": "a", "type": "function", "function": {"name": "pay", "arguments": '{"cents": 1}'}}


def response(*items: Any, **more: Any) -> dict[str, Any]:
    return {"status": "completed", "output": list(items), "usage": {"total_tokens": 3}, "error": None, **more}


def test_text_and_a_call() -> None:
    message = RESPONSES.read(response(TEXT, CALL)).message

    assert message == {"role": "assistant", "content": "Hi.", "tool_calls": [CHAT_CALL], "output": [TEXT, CALL]}


def test_a_refusal() -> None:
    said = {**TEXT, "content": [{"type": "refusal", "refusal": "No."}]}

    assert RESPONSES.read(response(said)).message["refusal"] == "No."


def test_the_usage() -> None:
    assert RESPONSES.read(response(TEXT)).usage == {"total_tokens": 3}


def test_an_incomplete_response_was_cut_off() -> None:
    assert RESPONSES.read(response(CALL, status="incomplete")).cut
    assert not RESPONSES.read(response(CALL)).cut


def test_nulls_name_spaces_and_deferred_tools_are_left_out() -> None:
    sent = [{**THOUGHT, "content": None}, *SEARCH, {**CALL, "namespace": "pay"}]

    assert RESPONSES.read(response(*sent)).message["output"] == [THOUGHT, CALL]


ERRORS = {
    "an error": ({"error": {"message": "Overloaded"}}, "The provider sent an error: Overloaded"),
    "a failed response": (
        {"status": "failed", "output": []},
        "The provider sent a response of status 'failed' without an error.",
    ),
    "another object": ({"choices": []}, "The provider sent a response of status None without an error."),
}


@pytest.mark.parametrize(("body", "text"), ERRORS.values(), ids=ERRORS)
def test_what_is_no_answer(body: dict[str, Any], text: str) -> None:
    with pytest.raises(ProviderError) as caught:
        RESPONSES.read(body)

    assert str(caught.value) == text


# Streams

EVENTS: list[dict[str, Any]] = [
    {"type": "response.created", "response": response(status="in_progress")},
    {"type": "response.output_item.added", "output_index": 0, "item": {**THOUGHT, "summary": []}},
    {"type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": "Hm"},
    {"type": "response.output_item.done", "output_index": 0, "item": THOUGHT},
    {"type": "response.output_text.delta", "output_index": 1, "delta": "Hi."},
    {"type": "response.output_item.done", "output_index": 1, "item": TEXT},
    {"type": "response.output_item.added", "output_index": 2, "item": {**CALL, "arguments": ""}},
    {"type": "response.function_call_arguments.delta", "output_index": 2, "delta": '{"cents": 1}'},
    {"type": "response.output_item.done", "output_index": 2, "item": CALL},
]
COMPLETED = {"type": "response.completed", "response": response(THOUGHT, TEXT, CALL)}


def merged(*events: dict[str, Any]) -> tuple[list[dict[str, Any]], Any]:
    merger = RESPONSES.merger()
    deltas = [delta for event in events for delta in merger.add(event)]
    return deltas, merger.reply()


def test_a_stream_is_what_its_last_event_says() -> None:
    _, reply = merged(*EVENTS, COMPLETED)

    assert reply == RESPONSES.read(response(THOUGHT, TEXT, CALL))


def test_a_last_event_without_items() -> None:
    _, reply = merged(*EVENTS, {"type": "response.completed", "response": response()})

    assert reply == RESPONSES.read(response(THOUGHT, TEXT, CALL))


def test_events_are_shown_as_deltas() -> None:
    deltas, _ = merged(*EVENTS, COMPLETED)

    assert deltas == [
        {"reasoning": "Hm"},
        {"content": "Hi."},
        {"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "pay", "arguments": ""}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '{"cents": 1}'}}]},
    ]


def test_a_stream_without_its_last_event() -> None:
    with pytest.raises(ProviderError, match="The stream ended before the response was complete"):
        merged(*EVENTS)


@pytest.mark.parametrize(
    "event",
    [
        {"type": "error", "message": "Overloaded", "code": "x"},
        {"type": "error", "error": {"message": "Overloaded"}},
        {"type": "response.failed", "response": response(status="failed", error={"message": "Overloaded"})},
    ],
    ids=["flat", "nested", "failed"],
)
def test_an_error_in_a_stream(event: dict[str, Any]) -> None:
    with pytest.raises(ProviderError, match="The provider sent an error: Overloaded"):
        merged(*EVENTS, event)


# Input


def test_messages_as_input_items() -> None:
    parts = [
        {"type": "text", "text": "hi"},
        {"type": "image_url", "image_url": {"url": "data:,"}},
        {"type": "input_file"},
    ]

    assert RESPONSES.items({"role": "user", "content": parts, "sender": "me"}) == [
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "hi"},
                {"type": "input_image", "image_url": "data:,", "detail": "auto"},
                {"type": "input_file"},
            ],
        }
    ]


def test_an_answer_of_another_api() -> None:
    assert RESPONSES.items({"role": "assistant", "content": "Hi.", "tool_calls": [CHAT_CALL], "sender": "A"}) == [
        {"role": "assistant", "content": "Hi."},
        {"type": "function_call", "call_id": "a", "name": "pay", "arguments": '{"cents": 1}'},
    ]


def test_an_answer_goes_back_with_its_reasoning_and_its_repaired_call() -> None:
    repaired = {**CHAT_CALL, "id": "b"}

    items = RESPONSES.items({"role": "assistant", "content": None, "tool_calls": [repaired], "output": [THOUGHT, CALL]})

    assert items == [THOUGHT, {**CALL, "call_id": "b"}]


def test_reasoning_that_led_to_nothing_does_not_go_back() -> None:
    assert RESPONSES.items({"role": "assistant", "content": "Hi.", "output": [TEXT, THOUGHT]}) == [TEXT]


def test_a_tools_answer() -> None:
    assert RESPONSES.items({"role": "tool", "tool_call_id": "a", "tool_name": "pay", "content": "ok"}) == [
        {"type": "function_call_output", "call_id": "a", "output": "ok"}
    ]


def test_an_input_item_of_the_callers_stays_as_it_is() -> None:
    item = {"type": "item_reference", "id": "msg_1"}

    assert RESPONSES.items({**item, "status": None}) == [item]


def test_a_request() -> None:
    turn = Turn("m", "Be kind.", [{"role": "user", "content": "hi"}], [{"name": "pay"}], "pay", True, stream=True)

    assert RESPONSES.request(turn, None) == {
        "model": "m",
        "instructions": "Be kind.",
        "input": [{"role": "user", "content": "hi"}],
        "tools": [{"name": "pay"}],
        "tool_choice": {"type": "function", "name": "pay"},
        "parallel_tool_calls": True,
        "stream": True,
    }


# Runs


def pay(cents: int) -> str:
    """Pay.

    Args:
        cents: How much.
    """
    return f"{cents} paid"


@every_mode
def test_a_run(mode: str) -> None:
    model = ScriptedModel(ToolCall("pay", {"cents": 1}), "Done.", is_async=mode.startswith("arun"))

    done = drive(mode, Runner(model, api="responses"), Agent(functions=[pay]))

    assert done.answers == [("call_1", "1 paid")]
    assert done.response.text == "Done."
    assert done.response.usage["total_tokens"] == 4
    assert model.requests[0]["tools"][0]["name"] == "pay"
    assert model.requests[1]["input"] == [
        {"role": "user", "content": "hi"},
        {"type": "function_call", "call_id": "call_1", "name": "pay", "arguments": '{"cents":1}'},
        {"type": "function_call_output", "call_id": "call_1", "output": "1 paid"},
    ]
