"""What a turn costs in `Runner`, over the loop that one would write by hand.

    python benchmarks/loop_overhead.py

A turn asks the model, validates and executes one call, and writes its answer into the transcript. The client answers at
once from a script, so that only the loop is measured. Printed are microseconds a turn, the best of several rounds.
"""

# ruff: noqa: T201 - it prints what it measured

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from fnschema import Agent, Runner, function_tool

TURNS = 20  # of a run
ROUNDS = 200
USER = [{"role": "user", "content": "hi"}]


def add(left: int, right: int) -> int:
    """Add two numbers."""
    return left + right


async def add_async(left: int, right: int) -> int:
    """Add two numbers."""
    return left + right


class Client:
    """A client that calls `add` until the last turn, in dicts that are made beforehand."""

    def __init__(self) -> None:
        self.turn = 0
        self.replies = [_reply({"tool_calls": [_call(turn)]}) for turn in range(TURNS - 1)] + [
            _reply({"content": "Bye."})
        ]
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self.create))

    def create(self, **_: Any) -> dict[str, Any]:
        reply = self.replies[self.turn % TURNS]
        self.turn += 1
        return reply


class AsyncClient(Client):
    async def create(self, **request: Any) -> dict[str, Any]:  # type: ignore[override]
        return super().create(**request)


def _call(turn: int) -> dict[str, Any]:
    return {
        "id": f"call_{turn}",
        "type": "function",
        "function": {"name": "add", "arguments": '{"left": 1, "right": 2}'},
    }


def _reply(message: dict[str, Any]) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": None, **message}, "finish_reason": "stop"}]}


def by_hand(client: Client, tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The least that a loop does, with none of the rules."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "You are a helpful agent."}, *USER]
    while True:
        reply = client.create(model="m", messages=messages, tools=tools, parallel_tool_calls=True)
        message = reply["choices"][0]["message"]
        messages.append(message)
        if not message.get("tool_calls"):
            return messages
        for call in message["tool_calls"]:
            result = add(**json.loads(call["function"]["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": str(result)})


async def by_hand_async(client: AsyncClient, tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "system", "content": "You are a helpful agent."}, *USER]
    while True:
        reply = await client.create(model="m", messages=messages, tools=tools, parallel_tool_calls=True)
        message = reply["choices"][0]["message"]
        messages.append(message)
        if not message.get("tool_calls"):
            return messages
        for call in message["tool_calls"]:
            result = await add_async(**json.loads(call["function"]["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": str(result)})


def microseconds_a_turn(run: Callable[[], object]) -> float:
    run()
    best = min(_timed(run) for _ in range(ROUNDS))
    return best / TURNS * 1e6


def _timed(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    agent, of_async = Agent(functions=[add]), Agent(functions=[function_tool(add_async, name_override="add")])
    runner, arunner = Runner(Client()), Runner(AsyncClient())
    client, aclient, tools = Client(), AsyncClient(), [{"type": "function", "function": {"name": "add"}}]
    with asyncio.Runner() as loop:
        hand = microseconds_a_turn(lambda: by_hand(client, tools))
        hand_async = microseconds_a_turn(lambda: loop.run(by_hand_async(aclient, tools)))
        ways: dict[str, tuple[float, Callable[[], object]]] = {
            "Runner.run": (hand, lambda: runner.run(agent, USER)),
            "Runner.arun, async": (hand_async, lambda: loop.run(_awaited(arunner, of_async))),
            "Runner.arun, threads": (hand_async, lambda: loop.run(_awaited(arunner, agent))),
        }
        for name, (least, run) in ways.items():
            taken = microseconds_a_turn(run)
            print(f"{name:20} {taken:6.1f} µs a turn, {taken - least:+6.1f} over the loop by hand")


async def _awaited(runner: Runner, agent: Agent) -> object:
    return await runner.arun(agent, USER)


if __name__ == "__main__":
    main()
