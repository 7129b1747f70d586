"""A conversation in the terminal."""

from __future__ import annotations

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
