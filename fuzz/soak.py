"""Memory, threads, tasks and files over a long time: `python fuzz/soak.py [CALLS] [RUNS]`, or `nox -s soak`.

Calls are made from sync and from async code: right, wrong, failing, too slow and given up. Runs go over HTTP, whole and
as streams, to a server that follows a script and fails now and then: one in ten with openai's clients, the others with
clients of a few lines, since openai's takes ten times as long over a request as all else together.
"""

# ruff: noqa: T201 - what it prints is what it is for

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import http.client
import json
import logging
import os
import re
import sys
import threading
import time
import tracemalloc
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openai

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import fault_server as server
from fnschema import Agent, Response, RunError, Runner, function_tool
from fnschema.runner.clients import ask

CALLS, RUNS, ROUNDS = 100_000, 10_000, 10
TRACED = 10  # one in so many is made again with tracemalloc, which triples the time of a run
AT_ONCE = 10

executed: Counter[str] = Counter()
outcomes: Counter[str] = Counter()
loose_ends: list[str] = []  # exceptions that nobody has caught, those of tasks and threads too


@function_tool
def pay(cents: int, note: str = "") -> str:
    """Pay."""
    if cents < 0:
        raise OSError("no")
    executed["pay"] += 1
    return f"{cents} paid {note}"


@function_tool
async def send(cents: int, note: str = "") -> str:
    """Pay, on the event loop."""
    await asyncio.sleep(0)
    executed["send"] += 1
    return f"{cents} paid {note}"


@function_tool(timeout=0.001)
def wait() -> str:
    """Take too long."""
    time.sleep(0.2)
    return "late"


@function_tool(timeout=0.001)
async def sleep() -> str:
    """Take too long, on the event loop."""
    await asyncio.sleep(10)
    return "late"


@function_tool
async def hang() -> str:
    """Never end."""
    await asyncio.Event().wait()
    return "never"


@dataclass(frozen=True)
class Held:
    """What the process holds, once threads that have nothing to do have ended."""

    resident: int
    blocks: int
    traced: int
    threads: int
    tasks: int
    sockets: int
    files: int

    @classmethod
    def now(cls, loop: asyncio.Runner) -> Held:
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and any(thread.name == "fnschema" for thread in threading.enumerate()):
            time.sleep(0.05)
        gc.collect()
        resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        files = list(map(_opened, os.listdir("/proc/self/fd")))  # noqa: PTH208 - numbers are all that it takes
        sockets = sum(file.startswith("socket:") for file in files)
        tasks = len(asyncio.all_tasks(loop.get_loop()))
        traced, _ = tracemalloc.get_traced_memory()
        blocks = sys.getallocatedblocks()
        return cls(resident, blocks, traced, threading.active_count(), tasks, sockets, len(files) - sockets)

    def __str__(self) -> str:
        traced = f"{self.traced / 1e6:.2f} MB traced, " if self.traced else ""
        return (
            f"{self.resident / 1e6:6.1f} MB resident, {self.blocks:,} blocks, {traced}"
            f"{self.threads} threads, {self.tasks} tasks, {self.sockets} sockets, {self.files} other files"
        )


def _opened(descriptor: str) -> str:
    try:
        return str(Path("/proc/self/fd", descriptor).readlink())
    except FileNotFoundError:
        return "the list of files"


def case(n: int) -> tuple[Any, str, str]:
    """A tool, what is sent to it, and what comes of that: its answer, or an exception's name."""
    if n % 100 == 99:
        return wait if n % 200 == 99 else sleep, "{}", "ToolTimeoutError"
    if n % 20 == 7:
        return pay, '{"cents": -1}', "OSError"
    tool = send if n % 4 == 3 else pay
    if n % 5 == 0:
        return tool, f'{{"cents": "n{n}"}}', "ArgumentsError"
    return tool, f'{{"cents": 2, "note": "n{n}"}}', f"2 paid n{n}"


def call_often(loop: asyncio.Runner, count: int) -> None:
    """So many calls, half of them from async code."""
    before = executed.total()
    for n in range(count // 2):
        tool, sent, expected = case(n)
        try:
            outcome = tool.call(sent)
        except Exception as error:  # noqa: BLE001 - which one is what is asked next
            outcome = error
        settle(outcome, expected)
    for start in range(0, count // 2, AT_ONCE):
        loop.run(_acall_at_once(range(start, min(start + AT_ONCE, count // 2))))
    right = sum("paid" in case(n)[2] for n in range(count // 2))
    assert executed.total() - before == 2 * right


async def _acall_at_once(numbers: range) -> None:
    given_up = asyncio.ensure_future(hang.acall("{}"))
    chosen = [case(n) for n in numbers]
    found = await asyncio.gather(*(tool.acall(sent) for tool, sent, _ in chosen), return_exceptions=True)
    given_up.cancel()
    for outcome, (_, _, expected) in zip(found, chosen, strict=True):
        settle(outcome, expected)


def settle(outcome: Any, expected: str) -> None:
    told = outcome if isinstance(outcome, str) else type(outcome).__name__
    assert told == expected, (told, expected)
    outcomes["answers" if isinstance(outcome, str) else told] += 1


RIGHT, WRONG = server.call("pay", '{"cents": 1}', "a"), server.call("pay", '{"cents": "x"}', "b")
REPLIES = (  # of the server, in turn; the last of each row ends a run
    (server.asks(RIGHT, WRONG), server.says("Done.")),
    (server.asks(RIGHT), server.refuses(500)),
    (server.asks(RIGHT), server.hangs_up),
    (server.talks_garbage,),
    (server.asks(server.call("pay", '{"cents": -1}'), server.call("nobody", "{}", "b")), server.fails_within_200),
    (server.asks(RIGHT), server.breaks_off({"content": "Done."})),
    (server.asks(RIGHT, server.call("wait", "{}", "c")), server.says("Done.")),
    (server.says("Done."),),
)
AGENT = Agent(functions=[pay, wait])  # few: openai's client takes longer over definitions than all else


class Client:
    """What a runner needs of a client, sync or async."""

    def __init__(self, url: str, *, is_async: bool = False) -> None:
        self.chat = self.completions = self
        self.create = self._acreate if is_async else self._create
        self._host, self._port = url.removeprefix("http://").removesuffix("/v1").split(":")

    def close(self) -> None:
        """Nothing is kept open."""

    def _create(self, **request: Any) -> Any:
        connection = http.client.HTTPConnection(self._host, int(self._port), timeout=60)
        with contextlib.closing(connection):
            connection.request("POST", "/", json.dumps(request))
            response = connection.getresponse()
            found = self._read(response.status, response.read())
        return iter(found) if request.get("stream") else found[0]

    async def _acreate(self, **request: Any) -> Any:
        reader, writer = await asyncio.open_connection(self._host, self._port)
        body = json.dumps(request).encode()
        try:
            writer.write(b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"Content-Length: (\d+)", head)
            assert length
            found = self._read(int(head.split()[1]), await reader.readexactly(int(length[1])))
        finally:
            writer.close()
            await writer.wait_closed()
        return _one_by_one(found) if request.get("stream") else found[0]

    def _read(self, status: int, body: bytes) -> list[Any]:
        if status != 200:
            raise ConnectionError(status)
        lines = [line.removeprefix(b"data: ") for line in body.splitlines()]
        return [json.loads(line) for line in lines if line not in (b"", b"[DONE]")]


async def _one_by_one(pieces: list[Any]) -> AsyncIterator[Any]:
    for piece in pieces:
        yield piece


AsyncClient = functools.partial(Client, is_async=True)
OPTIONS: dict[str, Any] = {"api_key": "test", "max_retries": 0, "timeout": 60}
WAYS = (  # of the others too, the client that code of this kind would not choose
    *[("run", Client), ("run stream", Client), ("arun", AsyncClient), ("arun stream", AsyncClient)] * 4,
    ("run", AsyncClient),
    ("arun", Client),
)
OPENAIS = (
    ("run", openai.OpenAI),
    ("run stream", openai.OpenAI),
    ("run", openai.AsyncOpenAI),
    ("arun", openai.AsyncOpenAI),
    ("arun stream", openai.AsyncOpenAI),
    ("arun", openai.OpenAI),
)


def run_often(loop: asyncio.Runner, count: int) -> None:
    """So many runs, as many in each way."""
    for ways, share in ((WAYS, count - count // 10), (OPENAIS, count // 10)):
        for n, (way, kind) in enumerate(ways):
            _run_in(loop, way, kind, share * (n + 1) // len(ways) - share * n // len(ways))


def _run_in(loop: asyncio.Runner, way: str, kind: Any, count: int) -> None:
    chosen = [reply for i in range(count) for reply in REPLIES[i % len(REPLIES)]]
    with server.serving(*chosen) as (url, _):
        client = kind(url) if kind in (Client, AsyncClient) else kind(**OPTIONS, base_url=url)
        runner = Runner(client, model="m")
        if way.startswith("arun"):
            loop.run(_arun_often(runner, count, "stream" in way))
        else:
            for _ in range(count):
                check(_run(runner, "stream" in way))
        if kind is openai.AsyncOpenAI and way.startswith("arun"):
            loop.run(client.close())
        else:
            ask(client.close, {})  # an async client lives on the runner's own loop


def _run(runner: Runner, stream: bool) -> Any:
    try:
        if not stream:
            return runner.run(AGENT, "hi")
        *_, last = runner.run(AGENT, "hi", stream=True)
        return last["response"]
    except RunError as error:
        return error


async def _arun_often(runner: Runner, count: int, stream: bool) -> None:
    for start in range(0, count, AT_ONCE):
        runs = (_arun(runner, stream) for _ in range(start, min(start + AT_ONCE, count)))
        for outcome in await asyncio.gather(*runs, return_exceptions=True):
            check(outcome)


async def _arun(runner: Runner, stream: bool) -> Any:
    if not stream:
        return await runner.arun(AGENT, "hi")
    return [event async for event in runner.arun(AGENT, "hi", stream=True)][-1]["response"]


def check(outcome: Any) -> None:
    """Whether a run ended as it may, each call answered once and in order."""
    response = outcome.response if isinstance(outcome, RunError) else outcome
    assert isinstance(response, Response), repr(outcome)
    messages = response.messages
    called = [call["id"] for message in messages for call in message.get("tool_calls", ())]
    assert called == [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    outcomes["runs that failed" if isinstance(outcome, RunError) else "runs that ended"] += 1
    outcomes["calls of runs"] += len(called)


def main(calls: int, runs: int) -> None:
    logging.getLogger("fnschema").setLevel(logging.ERROR)  # each failed call is a warning
    sys.unraisablehook = lambda unraisable: loose_ends.append(repr(unraisable.exc_value))
    threading.excepthook = lambda raised: loose_ends.append(repr(raised.exc_value))
    started = time.monotonic()
    with asyncio.Runner() as loop:
        loop.get_loop().set_exception_handler(lambda _, context: loose_ends.append(str(context)))
        warm_up(loop)
        outcomes.clear()
        for number in range(1, ROUNDS + 1):
            call_often(loop, calls // ROUNDS)
            run_often(loop, runs // ROUNDS)
            print(f"after round {number:2}: {Held.now(loop)}", flush=True)
        print(f"{calls:,} calls and {runs:,} runs in {time.monotonic() - started:.0f} s: {dict(outcomes)}", flush=True)
        tracemalloc.start()
        warm_up(loop)
        for _ in range(2):
            call_often(loop, calls // TRACED // 2)
            run_often(loop, runs // TRACED // 2)
            print(f"traced, after half: {Held.now(loop)}", flush=True)
    assert not loose_ends, loose_ends[:10]


def warm_up(loop: asyncio.Runner) -> None:
    """What is loaded and made when it is first needed."""
    call_often(loop, 1000)
    run_often(loop, 10 * len(REPLIES) * len(OPENAIS))
    print(f"after a start:  {Held.now(loop)}", flush=True)


if __name__ == "__main__":
    main(*([int(word) for word in sys.argv[1:]] + [CALLS, RUNS][len(sys.argv) - 1 :]))
