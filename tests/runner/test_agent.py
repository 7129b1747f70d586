"""The values of a run."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest

import fnschema
from fnschema import Agent, Response, Result, Runner, UserError
from fnschema.testing import ScriptedModel
from shop_floor import sales

ANSWER = {"role": "assistant", "content": "Yes.", "sender": "A"}
TEXTS = {
    "an answer": ([ANSWER], "Yes."),
    "the last answer": ([{**ANSWER, "content": "No."}, ANSWER], "Yes."),
    "an answer before a tool's": ([ANSWER, {"role": "tool", "tool_call_id": "a", "content": "ok"}], "Yes."),
    "a refusal": ([{**ANSWER, "content": None, "refusal": "No."}], "No."),
    "calls": ([{**ANSWER, "content": None}], ""),
    "nothing": ([], ""),
}


@pytest.mark.parametrize(("messages", "text"), TEXTS.values(), ids=TEXTS)
def test_the_text_of_a_response(messages: list[dict[str, object]], text: str) -> None:
    assert Response(messages).text == text


def test_defaults() -> None:
    agent = Agent()

    assert (agent.name, agent.model, agent.functions, agent.tool_choice, agent.parallel_tool_calls) == (
        "Agent", None, [], None, True,
    )  # fmt: skip
    assert Result() == Result("", None, {})
    assert Response() == Response([], None, {}, {}, {})


def test_agents_are_told_apart_by_identity() -> None:
    assert Agent() != Agent()
    assert len({Agent(), Agent()}) == 2


def test_an_agent_that_has_run_can_be_pickled() -> None:
    Runner(ScriptedModel("Hi.")).run(sales, "hi")

    copy = pickle.loads(pickle.dumps(sales))

    assert (copy.name, copy.functions) == (sales.name, sales.functions)
    assert Runner(ScriptedModel("Hi.")).run(copy, "hi").text == "Hi."


def test_an_agent_can_be_replaced() -> None:
    other = dataclasses.replace(sales, name="Other")

    assert (other.name, other.functions) == ("Other", sales.functions)


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Orchestrator'"):
        fnschema.runner.Orchestrator  # noqa: B018


def no_function(name: str) -> Any:
    """A tool of the Agents SDK, by the name and the module of its class."""
    return type("FunctionTool", (), {"name": name, "__module__": "agents.tool"})()


NO_FUNCTIONS = {
    "an agent": (
        Agent("Heir"),
        (
            "Cannot offer agent 'Heir' as a function of agent 'Desk': an agent is no function. "
            "Give a function that returns the agent."
        ),
    ),
    "a tool of the Agents SDK": (
        no_function("pay"),
        (
            "Cannot offer tool 'pay' as a function of agent 'Desk': it is a tool of the Agents SDK. "
            "Make it with fnschema's function_tool."
        ),
    ),
}


@pytest.mark.parametrize(("function", "message"), NO_FUNCTIONS.values(), ids=NO_FUNCTIONS)
def test_what_is_no_function_is_refused_when_the_agent_is_built(function: Any, message: str) -> None:
    with pytest.raises(UserError) as caught:
        Agent("Desk", functions=[function])

    assert str(caught.value) == message


@pytest.mark.parametrize(("function", "message"), NO_FUNCTIONS.values(), ids=NO_FUNCTIONS)
def test_what_is_no_function_is_refused_when_it_was_added_later(function: Any, message: str) -> None:
    functions: list[Any] = []
    agent = Agent("Desk", functions=functions)
    functions.append(function)

    with pytest.raises(UserError) as caught:
        Runner(ScriptedModel("Hi.")).run(agent, "hi")

    assert str(caught.value) == message
