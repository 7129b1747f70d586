"""The values of a run."""

from __future__ import annotations

import dataclasses
import pickle

import pytest

import fnschema
from fnschema import Agent, Response, Result, Runner
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
