"""A conversation in the terminal."""

# ruff: noqa: T201 - what it prints is what it is for

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .agent import Agent, Response
from .runner import Runner
from .wire import part, parts

__all__ = ["MAX_TURNS", "run_demo_loop"]

MAX_TURNS = 10  # a person is waiting, and pays


def run_demo_loop(
    agent: Agent,
    context_variables: Mapping[str, Any] | None = None,
    stream: bool = False,
    debug: bool = False,
    *,
    runner: Runner | None = None,
) -> None:
    """Talk to an agent in the terminal, until you say exit or quit, or end the input (Ctrl-D).

    Args:
        agent: who begins; a handoff holds for the next message too.
        context_variables: kept from one message to the next.
        stream: show the answer as it comes.
        debug: print every message to standard error.
        runner: `None` is one on openai's own client.

    Raises:
        RunError: the model could not be asked, or still calls tools after 10 turns.
    """
    runner = runner or Runner()
    messages: list[dict[str, Any]] = []
    variables = context_variables
    while (text := _read()) is not None:
        messages.append({"role": "user", "content": text})
        if stream:
            events = runner.run(agent, messages, variables, stream=True, debug=debug, max_turns=MAX_TURNS)
            response = _show(events)
        else:
            response = runner.run(agent, messages, variables, debug=debug, max_turns=MAX_TURNS)
            for message in response.messages:
                _print(message)
        messages += response.messages
        agent, variables = response.agent or agent, response.context_variables


def _read() -> str | None:
    """What the user says; `None` is the end."""
    text = ""
    try:
        while not text.strip():
            text = input("User: ")
    except (EOFError, KeyboardInterrupt):
        print()
        return None
    return None if text.strip().lower() in ("exit", "quit") else text


def _print(message: Mapping[str, Any]) -> None:
    if message["role"] == "assistant":
        if text := message.get("content") or message.get("refusal"):
            print(f"{message['sender']}: {text}")
        for call in message.get("tool_calls", ()):
            print(f"{message['sender']}: {call['function']['name']}({call['function']['arguments']})")


def _show(events: Iterable[Mapping[str, Any]]) -> Response:
    """Print a stream as it comes: text at once, a call when its name is known."""
    speaking, response = False, Response()
    for event in events:
        response = event.get("response", response)
        text = event.get("content") or event.get("refusal")
        if text:
            print(text if speaking else f"{event['sender']}: {text}", end="", flush=True)
            speaking = True
        for call in parts(event, "tool_calls"):
            if name := part(call, "function").get("name"):
                print(f"\n{event['sender']}: {name}()" if speaking else f"{event['sender']}: {name}()")
                speaking = False
        if event.get("delim") == "end" and speaking:
            print()
            speaking = False
    return response
