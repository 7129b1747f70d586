"""A conversation in the terminal."""

# ruff: noqa: T201 - what it prints is what it is for

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from .agent import Agent, Response
from .loop import Options
from .runner import Runner
from .wire import sound

__all__ = ["MAX_TURNS", "Screen", "run_demo_loop"]

MAX_TURNS = 10  # a person is waiting, and pays

# What a terminal takes for orders, as to write the clipboard. It is shown as Python would, but for line ends.
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0))} | {9: "\t", 10: "\n", 13: ""}


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
    screen = Screen(sys.stdout, named=True)
    options = Options(stream=stream, debug=debug, max_turns=MAX_TURNS)
    while (text := _read()) is not None:
        messages.append({"role": "user", "content": text})
        response = screen.follow(runner.events(agent, messages, variables, options))
        messages += response.messages
        agent, variables = response.agent or agent, response.context_variables


def _read() -> str | None:
    """What the user says; `None` is the end."""
    text = ""
    try:
        while not text.strip():
            text = _asked()
    except (EOFError, KeyboardInterrupt):
        print()
        return None
    return None if text.strip().lower() in ("exit", "quit") else text


def _asked() -> str:
    """One line; a lone surrogate, which is how Python reads a byte that is no text, could not be sent."""
    try:
        return str(sound(input("User: ")))
    except UnicodeDecodeError as error:
        print(f"That is not {error.encoding}.")
        return ""


class Screen:
    """What a reader sees of a run: the model's words as they come, each call when it is whole, and its answer.

    Args:
        out: where it is written.
        named: whether the agent's name stands before what it says and calls.
    """

    def __init__(self, out: TextIO, *, named: bool) -> None:
        self._out = out
        self._named = named
        self._said = False

    def follow(self, events: Iterable[Mapping[str, Any]]) -> Response:
        """Show a run to its end."""
        response = Response()
        for event in events:
            response = event.get("response", response)
            if words := event.get("content") or event.get("refusal"):
                self._write(words if self._said else f"{self._name(event)}{words}")
                self._said = True
            if "message" in event:
                self._show(event["message"])
        return response

    def _show(self, message: Mapping[str, Any]) -> None:
        """A message that is whole: its words, if they were not said before, its calls, or the answer to one."""
        words = message.get("content") or message.get("refusal")
        if message["role"] == "tool":
            self._write(f"-> {message['content']}\n")
        elif self._said or words:
            self._write("\n" if self._said else f"{self._name(message)}{words}\n")
        self._said = False
        for call in message.get("tool_calls", ()):
            function = call["function"]
            self._write(f"{self._name(message)}{function['name']}({_in_a_line(function['arguments'])})\n")

    def _name(self, said: Mapping[str, Any]) -> str:
        return f"{said['sender']}: " if self._named else ""

    def _write(self, text: str) -> None:
        """Write what the terminal can show; a letter that its encoding lacks is a question mark."""
        encoding = getattr(self._out, "encoding", None) or "utf-8"
        shown = str(sound(text)).translate(_CONTROLS).encode(encoding, "replace").decode(encoding)
        print(shown, end="", file=self._out, flush=True)


def _in_a_line(arguments: str) -> str:
    """The arguments as the model wrote them, without its line breaks."""
    try:
        return json.dumps(json.loads(arguments), ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments
