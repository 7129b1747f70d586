"""A conversation in the terminal."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from fnschema import Agent, MaxTurnsExceeded, Result, Runner, run_demo_loop
from fnschema.testing import Reply, ScriptedModel, ToolCall

streamed_or_not = pytest.mark.parametrize("stream", [False, True])


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the user types, line by line; an exception is raised; after it the input ends."""
    lines: list[Any] = []

    def read(prompt: str) -> str:
        sys.stdout.write(prompt)
        if not lines:
            raise EOFError
        line = lines.pop(0)
        if isinstance(line, BaseException):
            raise line
        sys.stdout.write(f"{line}\n")
        return str(line)

    monkeypatch.setattr("builtins.input", read)
    return lines


def talk(agent: Agent, *replies: Reply, stream: bool = False, **options: Any) -> ScriptedModel:
    model = ScriptedModel(*replies)
    run_demo_loop(agent, stream=stream, runner=Runner(model), **options)
    return model


@streamed_or_not
def test_answers_are_shown_with_their_sender(
    typed: list[Any], stream: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    typed.append("hi")

    talk(Agent("Ann"), "Hello to you.", stream=stream)

    assert capsys.readouterr().out == "User: hi\nAnn: Hello to you.\nUser: \n"


@streamed_or_not
def test_calls_answers_and_a_refusal_are_shown(
    typed: list[Any], stream: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    def greet(name: str) -> str:
        """Greet."""
        return name

    typed.append("hi")
    call = {"id": "a", "type": "function", "function": {"name": "greet", "arguments": '{"name": "Bob"}'}}

    talk(Agent("Ann", functions=[greet]), {"content": "Well.", "tool_calls": [call]}, {"refusal": "No."}, stream=stream)

    shown = 'Ann: Well.\nAnn: greet({"name": "Bob"})\n-> Bob\nAnn: No.\n'
    assert capsys.readouterr().out == f"User: hi\n{shown}User: \n"


@streamed_or_not
def test_the_transcript_the_agent_and_the_context_go_on(typed: list[Any], stream: bool) -> None:
    heir = Agent("Heir", instructions=lambda context_variables: f"Serve {context_variables['user']}.")

    def hand_over() -> Result:
        """Hand over."""
        return Result("ok", heir, {"user": "Ann"})

    typed.extend(["hi", "and?"])
    model = talk(Agent(functions=[hand_over]), ToolCall("hand_over"), "Yes?", "No.", stream=stream)

    assert [message["content"] for message in model.requests[-1]["messages"] if message["role"] != "assistant"] == [
        "Serve Ann.", "hi", "ok", "and?",
    ]  # fmt: skip


@pytest.mark.parametrize("word", ["exit", "Quit "])
def test_a_word_that_ends_the_conversation(typed: list[Any], word: str) -> None:
    typed.extend([word, "never read"])

    assert talk(Agent()).requests == []


def test_an_empty_line_asks_again(typed: list[Any]) -> None:
    typed.extend(["", " ", "hi"])

    model = talk(Agent(instructions=None), "Hello.")

    assert model.requests[0]["messages"] == [{"role": "user", "content": "hi"}]


def test_an_interrupt_at_the_prompt_ends_the_conversation(typed: list[Any]) -> None:
    typed.append(KeyboardInterrupt())

    assert talk(Agent()).requests == []


def test_a_model_that_never_stops_is_stopped(typed: list[Any]) -> None:
    def greet() -> str:
        """Greet."""
        return "hello"

    typed.append("hi")

    with pytest.raises(MaxTurnsExceeded, match="after 10 turns"):
        talk(Agent(functions=[greet]), *[ToolCall("greet")] * 10)


def test_the_context_given_is_the_first(typed: list[Any]) -> None:
    agent = Agent(instructions=lambda context_variables: context_variables["user"])
    typed.append("hi")

    model = talk(agent, "Hi.", context_variables={"user": "Ann"})

    assert model.requests[0]["messages"][0]["content"] == "Ann"


HOSTILE = "caf\u00e9 \U0001f600 \ud83d \x1b]52;c;AAAA\x07\r\n\tend\x9b"  # half a letter, and orders to the terminal


@streamed_or_not
@pytest.mark.parametrize(("encoding", "letters"), [("utf-8", "caf\u00e9 \U0001f600 \ufffd"), ("ascii", "caf? ? ?")])
def test_what_a_terminal_cannot_show_is_no_crash_and_no_order(
    typed: list[Any], stream: bool, encoding: str, letters: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def greet(name: str) -> str:
        return name

    screen = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", screen)
    typed.append("hi")

    calls = [ToolCall("greet", sent) for sent in ('{"name": "\\ud83d"}', "[" * 100_000, '{"name": "\x1b[2J"}')]
    talk(Agent("Ann", functions=[greet]), *calls, HOSTILE, stream=stream)

    screen.seek(0)
    shown = screen.read()
    assert f"Ann: {letters} \\x1b]52;c;AAAA\\x07\n\tend\\x9b\n" in shown
    assert shown.count("Ann: greet(") == 3
    assert "\x1b" not in shown


@pytest.mark.parametrize(("errors", "asked"), [("strict", []), ("surrogateescape", ["hi \ufffd", "and?"])])
def test_a_line_that_is_no_text_is_no_crash(
    errors: str, asked: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = io.TextIOWrapper(io.BytesIO(b"hi \xff\nand?\n"), encoding="utf-8", errors=errors)
    monkeypatch.setattr(sys, "stdin", lines)

    model = talk(Agent(instructions=None), "Well.", "Well.")

    assert [request["messages"][-1]["content"] for request in model.requests] == asked
    assert ("That is not utf-8." in capsys.readouterr().out) == (errors == "strict")
