"""`fnschema.testing`."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

import pytest

from conversations import drive, every_mode
from fnschema import Agent, ArgumentsError, RunContextWrapper, RunError, Runner, function_tool
from fnschema.testing import Reply, ScriptedModel, ToolCall, assert_call

CALL = {"id": "a", "type": "function", "function": {"name": "book", "arguments": "{}"}}


def book(day: date, seats: int = 1, *, window: bool = False) -> str:
    """Book a table."""
    raise AssertionError("never called")


def test_each_request_takes_the_next_reply_and_is_recorded() -> None:
    model = ScriptedModel("One.", "Two.")
    messages: list[Any] = []

    first = model.chat.completions.create(model="m", messages=messages)
    messages.append("later")
    second = model.chat.completions.create(model="m", messages=messages)

    assert [reply["choices"][0]["message"]["content"] for reply in (first, second)] == ["One.", "Two."]
    assert model.requests == [{"model": "m", "messages": []}, {"model": "m", "messages": ["later"]}]


def message(reply: Reply) -> Any:
    return ScriptedModel(reply).chat.completions.create()["choices"][0]["message"]


def test_calls_are_numbered_and_written() -> None:
    model = ScriptedModel([ToolCall("f", {"x": "é"}), ToolCall("g", "{", "own")], ToolCall("h"))

    made = [c for _ in range(2) for c in model.chat.completions.create()["choices"][0]["message"]["tool_calls"]]

    assert made == [
        {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"x":"é"}'}},
        {"id": "own", "type": "function", "function": {"name": "g", "arguments": "{"}},
        {"id": "call_3", "type": "function", "function": {"name": "h", "arguments": "{}"}},
    ]


def test_a_message() -> None:
    assert message({"refusal": "No."}) == {"role": "assistant", "content": None, "refusal": "No."}


def test_a_reply_that_depends_on_the_request() -> None:
    model = ScriptedModel(lambda request: f"You said {request['messages'][-1]['content']}.")

    assert Runner(model).run(Agent(), "hi").text == "You said hi."


@every_mode
def test_an_exception_is_raised(mode: str) -> None:
    error = ConnectionError()

    with pytest.raises(RunError) as caught:
        drive(mode, Runner(ScriptedModel(error, is_async=mode.startswith("arun"))), Agent())

    assert caught.value.__cause__ is error


@every_mode
def test_a_script_that_is_too_short(mode: str) -> None:
    with pytest.raises(RunError, match="The model was asked 1 times; the script has 0"):
        drive(mode, Runner(ScriptedModel(is_async=mode.startswith("arun"))), Agent())


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("api", ["chat", "responses"])
@every_mode
def test_every_api_and_every_way_to_run_bring_the_same_answer(mode: str, api: Any, is_async: bool) -> None:
    reply: Reply = {"content": " Two  words ", "refusal": "No.", "tool_calls": [CALL], "finish_reason": "length"}
    model = ScriptedModel(reply, "Well.", is_async=is_async)

    response = drive(mode, Runner(model, api=api), Agent()).response

    first = response.messages[0]
    assert (first["content"], first["refusal"], first["tool_calls"]) == (" Two  words ", "No.", [CALL])
    assert response.text == "Well."
    assert response.usage["total_tokens"] == 4


def test_a_stream_brings_word_by_word() -> None:
    events = Runner(ScriptedModel("One two.")).run(Agent(), "hi", stream=True)

    assert [event["content"] for event in events if "content" in event] == ["One", " two."]


CALLS: dict[str, tuple[Any, tuple[Any, ...], dict[str, Any]]] = {
    "by position": ('{"day": "2020-01-02"}', (date(2020, 1, 2),), {}),
    "by keyword": ({"day": "2020-01-02"}, (), {"day": date(2020, 1, 2)}),
    "defaults written out": ('{"day": "2020-01-02"}', (date(2020, 1, 2), 1), {"window": False}),
    "as a model writes it": ('{"day": "2020-01-02", "seats": "2", "window": null}', (date(2020, 1, 2), 2), {}),
}


@pytest.mark.parametrize(("arguments", "args", "kwargs"), CALLS.values(), ids=CALLS)
def test_assert_call(arguments: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    assert_call(book, arguments, *args, **kwargs)
    assert_call(function_tool(book), arguments, *args, **kwargs)


def test_another_call() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_call(book, '{"day": "2020-01-02", "seats": 2}', date(2020, 1, 2), window=True)

    assert str(caught.value) == "book is called with\n  seats: 2, not 1\n  window: False, not True"


@pytest.mark.parametrize("other", [True, 1.0])
def test_a_value_of_another_type_is_another_value(other: Any) -> None:
    with pytest.raises(AssertionError, match=r"seats: 1, not (True|1\.0)"):
        assert_call(book, '{"day": "2020-01-02", "seats": 1}', date(2020, 1, 2), other)


def test_arguments_that_do_not_fit() -> None:
    with pytest.raises(ArgumentsError):
        assert_call(book, "{}")


def test_pytest_shows_the_line_of_the_test() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_call(book, '{"day": "2020-01-02", "seats": 1}', date(2020, 1, 2), 2)

    assert [entry.path.name for entry in caught.traceback.filter(caught)] == ["test_testing.py"]


def test_what_the_model_does_not_send_is_left_out() -> None:
    def put(context: RunContextWrapper[Any], item: str, context_variables: dict[str, Any], count: int = 1) -> None:
        """Put."""

    assert_call(put, '{"item": "cup", "count": 2}', "cup", 2)


def test_star_parameters() -> None:
    def add(*numbers: int) -> int:
        """Add."""
        return sum(numbers)

    assert_call(add, '{"numbers": [1, 2]}', 1, 2)


def test_an_async_function() -> None:
    async def book(seats: int) -> None:
        """Book."""
        await asyncio.sleep(0)

    assert_call(book, '{"seats": 2}', 2)


def test_a_function_that_an_agent_takes_though_it_is_not_strict() -> None:
    def store(counts: dict[str, int]) -> None:
        """Store."""

    assert_call(store, '{"counts": {"cup": 2}}', {"cup": 2})
