"""Running an agent in each of the four ways, and reading what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from fnschema import Agent, Response, Runner
from fnschema.testing import Reply, ScriptedModel

MODES = ("run", "arun", "run stream", "arun stream")
STREAMS = MODES[2:]
ASYNC = MODES[1::2]

every_mode = pytest.mark.parametrize("mode", MODES)
streams = pytest.mark.parametrize("mode", STREAMS)
async_modes = pytest.mark.parametrize("mode", ASYNC)


@dataclass
class Done:
    """A run that has ended."""

    response: Response
    events: list[dict[str, Any]] = field(default_factory=list)

    @property
    def answers(self) -> list[tuple[str, str]]:
        """The call id and the text of each answer of a tool, in order."""
        return [(m["tool_call_id"], m["content"]) for m in self.response.messages if m["role"] == "tool"]

    @property
    def texts(self) -> list[str]:
        return [text for _, text in self.answers]

    @property
    def asked(self) -> list[str]:
        """The ids of the calls that the model made, in order."""
        return [call["id"] for message in self.response.messages for call in message.get("tool_calls", ())]


def drive(mode: str, runner: Runner, agent: Agent, messages: Any = "hi", **options: Any) -> Done:
    """Run an agent to its end."""
    if mode == "run":
        return Done(runner.run(agent, messages, **options))
    if mode == "arun":
        return Done(asyncio.run(_awaited(runner.arun(agent, messages, **options))))
    if mode == "run stream":
        events = list(runner.run(agent, messages, stream=True, **options))
    else:
        events = asyncio.run(_listed(runner.arun(agent, messages, stream=True, **options)))
    return Done(events[-1]["response"], events)


async def _awaited(run: Any) -> Any:
    return await run


async def _listed(run: Any) -> list[Any]:
    return [event async for event in run]


def play(
    mode: str, functions: Sequence[Callable[..., Any]], *replies: Reply, agent: Agent | None = None, **options: Any
) -> tuple[Done, ScriptedModel]:
    """Run an agent of these functions on a scripted model; each mode has a client of its own kind."""
    model = ScriptedModel(*replies, is_async=mode.startswith("arun"))
    return drive(mode, Runner(model), agent or Agent(functions=functions), **options), model
