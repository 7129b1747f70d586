"""`Runner`: what it refuses, its clients, and calls that run at once."""

from __future__ import annotations

import asyncio
import contextvars
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from conversations import MODES, async_modes, drive, every_mode, play, streams
from fnschema import Agent, Result, RunError, Runner, UserError
from fnschema.testing import ScriptedModel, ToolCall


def greet() -> str:
    """Greet."""
    return "Hello!"


def test_an_api_that_is_not_known() -> None:
    with pytest.raises(UserError) as caught:
        Runner(api="completions")  # type: ignore[arg-type]

    assert str(caught.value).startswith(
        "Cannot make a runner of api='completions' with tools_as='tools': use api='chat'"
    )


def test_a_runner_takes_a_client_and_no_text() -> None:
    with pytest.raises(UserError) as caught:
        Runner("gpt-5")

    assert str(caught.value) == "Cannot make a runner of 'gpt-5': it takes a client. Runner(model=…) names a model."


@pytest.mark.parametrize("messages", [None, {"role": "user", "content": "hi"}, ["hi"], 5])
def test_messages_that_are_none_are_the_authors_mistake(messages: Any) -> None:
    with pytest.raises(UserError, match="a text, or a list of dicts"):
        Runner(ScriptedModel("ok")).run(Agent(), messages)


@every_mode
def test_nobody_names_a_model(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test")

    with pytest.raises(UserError) as caught:
        drive(mode, Runner(), Agent("Ann"))

    assert str(caught.value) == ("Cannot run agent 'Ann': neither it nor the runner names a model. Give it model=….")


@every_mode
def test_a_client_of_ones_own_may_know_its_model(mode: str) -> None:
    _, model = play(mode, [], "Hi.")

    assert model.requests[0]["model"] == ""


@every_mode
def test_no_key(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    agent = Agent(model="m")

    with pytest.raises(RunError) as caught:
        drive(mode, Runner(), agent)

    assert type(caught.value.__cause__).__name__ == "OpenAIError"
    assert caught.value.response is not None
    assert caught.value.response.agent is agent


@every_mode
def test_openai_is_not_installed(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)

    with pytest.raises(UserError) as caught:
        drive(mode, Runner(), Agent(model="m"))

    install = 'python -m pip install "fnschema[openai]"'
    assert str(caught.value) == f"Cannot build a client: openai is not installed. {install}"


def test_openai_is_not_imported_for_a_client_of_ones_own() -> None:
    program = """if True:
        import sys
        from fnschema import Agent, Runner
        from fnschema.testing import ScriptedModel
        assert Runner(ScriptedModel("Hi.")).run(Agent(functions=[]), "hi").text == "Hi."
        print(sorted(name for name in ("openai", "asyncio", "griffe") if name in sys.modules))
    """

    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "[]\n"


@pytest.mark.parametrize("is_async", [False, True])
@every_mode
def test_either_kind_of_client_runs_either_way(mode: str, is_async: bool) -> None:
    model = ScriptedModel(ToolCall("greet"), "Hi.", is_async=is_async)

    assert drive(mode, Runner(model), Agent(functions=[greet])).texts == ["Hello!"]


@every_mode
def test_every_way_to_run_gives_the_same_messages(mode: str) -> None:
    calls = [ToolCall("greet", id=""), ToolCall("great")]

    done, _ = play(mode, [greet], calls, "Hi.")
    expected, _ = play("run", [greet], calls, "Hi.")

    assert done.response.messages == expected.response.messages


@pytest.mark.parametrize("mode", MODES[::2])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_sync_run_within_a_running_loop(mode: str, is_async: bool) -> None:
    async def later() -> str:
        """Answer later."""
        await asyncio.sleep(0)
        return "later"

    async def notebook() -> Any:
        model = ScriptedModel(ToolCall("later"), "Hi.", is_async=is_async)
        return drive(mode, Runner(model), Agent(functions=[later])).texts

    assert asyncio.run(notebook()) == ["later"]


# Streams


@streams
def test_the_events_of_a_run(mode: str) -> None:
    heir = Agent("Heir")

    def hand_over() -> Agent:
        """Hand over."""
        return heir

    done, _ = play(mode, [hand_over], ToolCall("hand_over"), "Hello there.")

    call = {"id": "call_1", "type": "function", "function": {"name": "hand_over", "arguments": "{}"}}
    called, answered, said = done.response.messages
    assert done.events == [
        {"delim": "start"},
        {"role": "assistant", "sender": "Agent"},
        {"tool_calls": [{"index": 0, **call}], "sender": "Agent"},
        {"message": called, "sender": "Agent"},
        {"delim": "end"},
        {"message": answered, "sender": "Agent"},
        {"delim": "start"},
        {"role": "assistant", "sender": "Heir"},
        {"content": "Hello", "sender": "Heir"},
        {"content": " there.", "sender": "Heir"},
        {"message": said, "sender": "Heir"},
        {"delim": "end"},
        {"response": done.response},
    ]


@streams
def test_a_streamed_message_has_the_ids_that_its_answers_have(mode: str) -> None:
    """The deltas are as the server sent them."""
    done, _ = play(mode, [greet], [ToolCall("greet", id=""), ToolCall("greet", id="")], "Hi.")

    called, first, second, _ = [event["message"] for event in done.events if "message" in event]
    ids = [call["id"] for call in called["tool_calls"]]
    assert ids == [first["tool_call_id"], second["tool_call_id"]]
    assert "" not in ids


@streams
def test_a_run_that_fails_has_told_its_messages(mode: str) -> None:
    """Each as soon as it is known: the reader of a stream gets no response then."""
    runner = Runner(ScriptedModel(ToolCall("greet"), ConnectionError("reset")))
    events: Any = (runner.run if mode == "run stream" else runner.arun)(Agent(functions=[greet]), "hi", stream=True)
    told: list[dict[str, Any]] = []

    def hear(event: dict[str, Any]) -> None:
        told.extend([event["message"]] if "message" in event else [])

    async def read() -> None:
        async for event in events:
            hear(event)

    with pytest.raises(RunError) as caught:
        asyncio.run(read()) if mode == "arun stream" else list(map(hear, events))

    assert caught.value.response is not None
    assert [message["role"] for message in told] == ["assistant", "tool"]
    assert told == caught.value.response.messages


class Line:
    """A stream that knows whether it was closed."""

    def __init__(self, kind: str, *, breaks: bool = False) -> None:
        self.kind, self.breaks, self.closed = kind, breaks, False
        create = self._acreate if kind == "async" else self._create
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=create))

    def _create(self, **request: Any) -> Line:
        return self

    async def _acreate(self, **request: Any) -> Line:
        return self

    def pieces(self) -> Iterator[dict[str, Any]]:
        for text in ("a", "b"):
            yield {"choices": [{"delta": {"content": text}}]}
        if self.breaks:
            raise ConnectionError

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


class SyncLine(Line):
    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.pieces()

    def close(self) -> None:
        self.closed = True


class AsyncLine(Line):
    async def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        for piece in self.pieces():
            yield piece

    async def close(self) -> None:
        self.closed = True


LINES = pytest.mark.parametrize(("line", "kind"), [(SyncLine, "sync"), (AsyncLine, "async")])


@streams
@LINES
def test_a_stream_is_closed_at_its_end(mode: str, line: type[Line], kind: str) -> None:
    client = line(kind)

    assert drive(mode, Runner(client), Agent()).response.text == "ab"
    assert client.closed


@streams
@LINES
def test_a_stream_is_closed_when_it_breaks(mode: str, line: type[Line], kind: str) -> None:
    client = line(kind, breaks=True)

    with pytest.raises(RunError) as caught:
        drive(mode, Runner(client), Agent())

    assert client.closed
    assert type(caught.value.__cause__) is ConnectionError
    assert caught.value.response is not None
    assert caught.value.response.messages == []


@LINES
def test_a_stream_that_nobody_reads_to_the_end_is_closed(line: type[Line], kind: str) -> None:
    client = line(kind)
    events: Any = Runner(client).run(Agent(), "hi", stream=True)

    assert [next(events), next(events)] == [{"delim": "start"}, {"content": "a", "sender": "Agent"}]
    events.close()

    assert client.closed


@LINES
def test_an_async_stream_that_nobody_reads_to_the_end_is_closed(line: type[Line], kind: str) -> None:
    client = line(kind)

    async def read_two() -> None:
        events: Any = Runner(client).arun(Agent(), "hi", stream=True)
        assert [await anext(events), await anext(events)][1] == {"content": "a", "sender": "Agent"}
        await events.aclose()

    asyncio.run(read_two())

    assert client.closed


# At once


@async_modes
def test_tools_of_one_turn_run_at_once(mode: str) -> None:
    both = threading.Barrier(2, timeout=10)
    meeting = asyncio.Event()

    def meet() -> str:
        """Meet."""
        both.wait()
        return "met"

    async def wait() -> str:
        """Wait."""
        await meeting.wait()
        return "waited"

    async def open_up() -> str:
        """Open."""
        meeting.set()
        return "opened"

    calls = [ToolCall("meet"), ToolCall("wait"), ToolCall("meet"), ToolCall("open_up")]
    done, _ = play(mode, [meet, wait, open_up], calls, "Done.")

    assert done.texts == ["met", "waited", "met", "opened"]


@async_modes
def test_calls_that_run_at_once_see_the_context_before_the_turn(mode: str) -> None:
    def swap(value: int, context_variables: dict[str, Any]) -> Result:
        """Swap."""
        return Result(str(context_variables["value"]), context_variables={"value": value})

    calls = [ToolCall("swap", {"value": value}) for value in (1, 2)]
    done, _ = play(mode, [swap], calls, "Done.", context_variables={"value": 0})

    assert done.texts == ["0", "0"]
    assert done.response.context_variables == {"value": 2}


variable = contextvars.ContextVar("variable", default="unset")


@every_mode
@pytest.mark.parametrize("is_async", [False, True])
def test_tools_see_the_callers_contextvars(mode: str, is_async: bool) -> None:
    def read() -> str:
        """Read."""
        return variable.get()

    async def aread() -> str:
        """Read."""
        return variable.get()

    token = variable.set("set")
    try:
        done, _ = play(mode, [aread if is_async else read], ToolCall("aread" if is_async else "read"), "Done.")
    finally:
        variable.reset(token)

    assert done.texts == ["set"]


@every_mode
@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("is_async", [False, True])
def test_an_interrupt_in_a_tool_ends_the_run(mode: str, interrupt: type[BaseException], is_async: bool) -> None:
    def stop() -> None:
        """Stop."""
        raise interrupt

    async def astop() -> None:
        """Stop."""
        raise interrupt

    name = "astop" if is_async else "stop"
    with pytest.raises(interrupt):
        play(mode, [stop, astop, greet], [ToolCall("greet"), ToolCall(name), ToolCall("greet")], "Never.")


INTERRUPTED = """
import asyncio, sys, time
from fnschema import Agent, Runner, function_tool
from fnschema.testing import ScriptedModel, ToolCall

def sleep() -> None:
    "Sleep for longer than the test waits."
    time.sleep(0.3)  # until the main thread waits: Python may miss a signal just before
    print("asleep", flush=True)
    time.sleep(600)

mode, timeout = sys.argv[1], float(sys.argv[2]) or None
agent = Agent(functions=[function_tool(sleep, timeout=timeout)])
runner = Runner(ScriptedModel(ToolCall("sleep")))

async def drive():
    if "stream" in mode:
        return [event async for event in runner.arun(agent, "hi", stream=True)]
    return await runner.arun(agent, "hi")

try:
    if mode.startswith("arun"):
        asyncio.run(drive())
    else:
        runner.run(agent, "hi")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize(("mode", "timeout"), [("run", "0"), ("run", "500"), ("arun", "0"), ("arun stream", "0")])
def test_ctrl_c_ends_the_program_though_a_tool_sleeps_on(mode: str, timeout: str) -> None:
    program = [sys.executable, "-c", INTERRUPTED, mode, timeout]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "asleep\n"
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)

    assert (rest, process.returncode) == ("interrupted\n", 0)


@every_mode
def test_an_interrupt_of_the_client_ends_the_run(mode: str) -> None:
    def interrupted(request: dict[str, Any]) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(mode, [], interrupted)


@async_modes
def test_a_cancelled_run_cancels_its_tools_and_leaves_threads_behind(mode: str) -> None:
    cancelled: list[str] = []
    free = threading.Event()

    async def scenario() -> None:
        begun = asyncio.Event()
        loop = asyncio.get_running_loop()

        async def sleep() -> None:
            """Sleep."""
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.append("sleep")
                raise

        def block() -> None:
            """Block."""
            loop.call_soon_threadsafe(begun.set)
            free.wait(60)

        model = ScriptedModel([ToolCall("sleep"), ToolCall("block")], is_async=True)
        runner, agent = Runner(model), Agent(functions=[sleep, block])

        async def run() -> None:
            if mode == "arun":
                await runner.arun(agent, "hi")
            else:
                _ = [event async for event in runner.arun(agent, "hi", stream=True)]

        task = asyncio.create_task(run())
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scenario())
    free.set()

    assert cancelled == ["sleep"]


@async_modes
def test_a_run_that_is_cancelled_while_a_sync_client_answers_ends_at_once(mode: str) -> None:
    free = threading.Event()

    async def scenario() -> None:
        asked = asyncio.Event()
        loop = asyncio.get_running_loop()

        def slow(request: dict[str, Any]) -> str:
            loop.call_soon_threadsafe(asked.set)
            free.wait(60)
            return "late"

        runner = Runner(ScriptedModel(slow))

        async def run() -> None:
            if mode == "arun":
                await runner.arun(Agent(), "hi")
            else:
                _ = [event async for event in runner.arun(Agent(), "hi", stream=True)]

        task = asyncio.create_task(run())
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scenario())
    free.set()
