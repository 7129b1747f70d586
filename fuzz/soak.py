"""Memory, threads and files over a long time: `python fuzz/soak.py [CALLS] [RUNS]`, or `nox -s soak`.

Runs go over HTTP, with the `openai` client, to a server that follows a script and fails now and then.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
import threading
import time
import tracemalloc
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openai

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import fault_server as server
from fnschema import Agent, ArgumentsError, RunError, Runner, function_tool

CALLS, RUNS, ROUNDS = 100_000, 10_000, 10
PAYS = [server.call("pay", '{"cents": 1}', "a"), server.call("pay", '{"cents": "x"}', "b")]
REPLIES = (  # what each run meets, in turn
    (server.asks(*PAYS), server.says("Done.")),
    (server.asks(PAYS[0]), server.refuses(500)),
    (server.asks(PAYS[0]), server.hangs_up),
    (server.talks_garbage,),
    (server.says("Done."),),
)

executed: Counter[int] = Counter()


@function_tool
def pay(cents: int, note: str = "") -> str:
    """Pay."""
    executed[cents] += 1
    return f"{cents} paid {note}"


@dataclass(frozen=True)
class Held:
    """What the process holds."""

    traced: int
    resident: int
    threads: int
    files: int

    @classmethod
    def now(cls) -> Held:
        gc.collect()
        resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        files = len(list(Path("/proc/self/fd").iterdir()))
        return cls(tracemalloc.get_traced_memory()[0], resident, threading.active_count(), files)

    def __str__(self) -> str:
        return (
            f"{self.traced / 1e6:6.2f} MB traced, {self.resident / 1e6:6.1f} MB resident, "
            f"{self.threads} threads, {self.files} files"
        )


def call_often(count: int) -> None:
    for n in range(count):
        if n % 5:
            assert pay.call(f'{{"cents": 2, "note": "n{n}"}}') == f"2 paid n{n}"
            continue
        try:
            pay.call(f'{{"cents": "n{n}"}}')
        except ArgumentsError:
            continue
        raise AssertionError("nothing was raised")


def run_often(count: int) -> None:
    chosen = [reply for n in range(count) for reply in REPLIES[n % len(REPLIES)]]
    with (
        server.serving(*chosen) as (url, _),
        openai.OpenAI(api_key="test", base_url=url, max_retries=0, timeout=10) as client,
    ):
        runner, agent = Runner(client, model="m"), Agent(functions=[pay])
        for _ in range(count):
            messages = run_once(runner, agent)
            called = [call["id"] for message in messages for call in message.get("tool_calls", ())]
            answered = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
            assert called == answered


def run_once(runner: Runner, agent: Agent) -> list[dict[str, Any]]:
    try:
        return runner.run(agent, "hi").messages
    except RunError as error:
        if error.response is None:
            raise
        return error.response.messages


def main(calls: int, runs: int) -> None:
    logging.getLogger("fnschema").setLevel(logging.ERROR)  # each failed call is a warning
    tracemalloc.start()
    call_often(1000)
    run_often(len(REPLIES) * 4)
    print(f"after the start:  {Held.now()}", flush=True)  # noqa: T201 - what it is for
    executed.clear()
    started = time.monotonic()
    for round_ in range(1, ROUNDS + 1):
        call_often(calls // ROUNDS)
        run_often(runs // ROUNDS)
        print(f"after round {round_:2}:   {Held.now()}", flush=True)  # noqa: T201 - what it is for
    assert executed[2] == calls - ROUNDS * -(-(calls // ROUNDS) // 5), executed
    print(f"{calls:,} calls and {runs:,} runs in {time.monotonic() - started:.0f} s")  # noqa: T201 - what it is for


if __name__ == "__main__":
    main(*([int(word) for word in sys.argv[1:]] + [CALLS, RUNS][len(sys.argv) - 1 :]))
