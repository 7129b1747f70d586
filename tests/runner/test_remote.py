"""Tools on executors, of this process and of others."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import pytest

import shop_floor
from conversations import Done, drive, every_mode
from fnschema import Agent, ArgumentsError, Runner, UserError
from fnschema.testing import ScriptedModel, ToolCall


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        yield executor


@pytest.fixture
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2, thread_name_prefix="given") as executor:
        yield executor


def play(mode: str, executor: Executor, functions: list[Any], calls: Any, **options: Any) -> Done:
    model = ScriptedModel(calls, "Done.", is_async=mode.startswith("arun"))
    return drive(mode, Runner(model, executor=executor), Agent("Desk", functions=functions), **options)


@every_mode
def test_sync_tools_run_on_the_executor(mode: str, threads: Executor) -> None:
    done = play(mode, threads, [shop_floor.thread_name], [ToolCall("thread_name")] * 2)

    assert all(text.startswith("given") for text in done.texts)


@every_mode
def test_async_tools_do_not(mode: str, threads: Executor) -> None:
    async def thread_name() -> str:
        """Tell the thread."""
        return threading.current_thread().name

    done = play(mode, threads, [thread_name], ToolCall("thread_name"))

    assert done.texts == [threading.current_thread().name]


@every_mode
def test_threads_have_the_contextvars_and_the_runs_own_context(mode: str, threads: Executor) -> None:
    token = shop_floor.language.set("Latin")
    try:
        done = play(mode, threads, [shop_floor.spoken, shop_floor.change], [ToolCall("spoken"), ToolCall("change")])
    finally:
        shop_floor.language.reset(token)

    assert done.texts == ["Latin", "changed"]
    assert done.response.context_variables == {"in place": True, "by result": True}


@every_mode
def test_other_processes(mode: str, processes: Executor) -> None:
    done = play(mode, processes, [shop_floor.process_id], ToolCall("process_id"))

    assert int(done.texts[0]) != os.getpid()


@every_mode
def test_a_parameter_named_self_in_another_process(mode: str, processes: Executor) -> None:
    done = play(mode, processes, [shop_floor.named_self], ToolCall("named_self", {"self": 7}))

    assert done.texts == ["7"]


@every_mode
def test_a_decorated_function_in_another_process(mode: str, processes: Executor) -> None:
    done = play(mode, processes, [shop_floor.decorated], ToolCall("decorated", {"number": "7"}))

    process, number = done.texts[0].split()
    assert int(process) != os.getpid()
    assert number == "7"


@every_mode
def test_other_processes_have_no_contextvars_and_change_the_context_by_results_only(
    mode: str, processes: Executor
) -> None:
    token = shop_floor.language.set("Latin")
    try:
        done = play(mode, processes, [shop_floor.spoken, shop_floor.change], [ToolCall("spoken"), ToolCall("change")])
    finally:
        shop_floor.language.reset(token)

    assert done.texts == ["unset", "changed"]
    assert done.response.context_variables == {"by result": True}


@every_mode
def test_a_tool_that_fails_in_another_process(mode: str, processes: Executor) -> None:
    done = play(mode, processes, [shop_floor.fail], ToolCall("fail"))

    assert done.texts == ["The tool fail failed."]
    assert type(done.response.errors["call_1"]) is ValueError


@every_mode
def test_bad_arguments_never_travel(mode: str, processes: Executor) -> None:
    done = play(mode, processes, [shop_floor.decorated], ToolCall("decorated", {"number": "seven"}))

    assert type(done.response.errors["call_1"]) is ArgumentsError


@every_mode
def test_a_tool_that_cannot_be_pickled_gets_an_error_answer(mode: str, processes: Executor) -> None:
    def nested() -> str:
        """Cannot be imported by name."""
        return "ok"

    done = play(mode, processes, [nested, shop_floor.process_id], [ToolCall("nested"), ToolCall("process_id")])

    assert done.texts[0] == "The tool nested failed."
    assert set(done.response.errors) == {"call_1"}


@every_mode
def test_arguments_that_cannot_be_pickled_get_an_error_answer(mode: str, processes: Executor) -> None:
    context = {"lock": threading.Lock()}

    done = play(mode, processes, [shop_floor.change], ToolCall("change"), context_variables=context)

    assert done.texts == ["The tool change failed."]


@every_mode
@pytest.mark.parametrize(
    ("function", "heir"),
    [
        (shop_floor.to_sales, shop_floor.sales),
        (shop_floor.to_repairs, shop_floor.repairs),
        (shop_floor.Counter().to_repairs, shop_floor.repairs),
    ],
    ids=["pickled", "not pickled", "a method"],
)
def test_a_handoff_is_matched_by_name(mode: str, processes: Executor, function: Any, heir: Agent) -> None:
    done = play(mode, processes, [function], ToolCall(function.__name__))

    assert done.response.agent is heir


@every_mode
def test_a_callable_object_refers_to_nobody(mode: str, processes: Executor) -> None:
    done = play(mode, processes, [shop_floor.Counter()], ToolCall("Counter"))

    assert type(done.response.errors["call_1"]) is UserError


@every_mode
def test_a_handoff_to_an_agent_of_the_run(mode: str, processes: Executor) -> None:
    desk = Agent("Sales", functions=[shop_floor.to_sales])
    model = ScriptedModel(ToolCall("to_sales"), "Done.", is_async=mode.startswith("arun"))

    done = drive(mode, Runner(model, executor=processes), desk)

    assert done.response.agent is desk


@every_mode
def test_a_handoff_to_an_agent_made_in_the_other_process(mode: str, processes: Executor) -> None:
    done = play(mode, processes, [shop_floor.to_a_new_desk], ToolCall("to_a_new_desk"))

    assert done.response.agent is not None
    assert (done.response.agent.name, done.response.agent.instructions) == ("New", "Be new.")


@every_mode
def test_a_handoff_to_an_agent_that_nobody_knows_here(mode: str, processes: Executor) -> None:
    done = play(mode, processes, [shop_floor.to_a_hidden_desk], ToolCall("to_a_hidden_desk"))

    assert done.texts == ["The tool to_a_hidden_desk failed."]
    error = done.response.errors["call_1"]
    assert type(error) is UserError
    assert str(error) == (
        "Cannot hand over to agent 'Hidden' of another process: it is not known here. "
        "Name it in a global variable that the function uses."
    )


class Inline(Executor):
    """An executor of a kind that nobody knows, which pickles nothing."""

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(function(*args, **kwargs))
        return future


@every_mode
def test_any_other_executor(mode: str) -> None:
    done = play(mode, Inline(), [shop_floor.to_repairs], ToolCall("to_repairs"))

    assert done.response.agent is shop_floor.repairs
    assert done.texts == ["Over to you."]


@every_mode
def test_an_executor_that_is_shut_down(mode: str) -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()

    done = play(mode, executor, [shop_floor.process_id], ToolCall("process_id"))

    assert done.texts == ["The tool process_id failed."]
    assert type(done.response.errors["call_1"]) is RuntimeError
