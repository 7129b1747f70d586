"""`fnschema.swarm`: a program written for Swarm runs, with Swarm's names and rules."""

from __future__ import annotations

import functools
from typing import Annotated, Any

import pytest

from fnschema.runner import Agent as PlainAgent
from fnschema.swarm import Agent, Response, Result, Swarm, function_to_json, run_demo_loop
from fnschema.testing import Reply, ScriptedModel, ToolCall

USER = [{"role": "user", "content": "hi"}]


def greet(name: str = "you") -> str:
    """Greet."""
    return f"Hello, {name}!"


def swarm(*replies: Reply) -> tuple[Swarm, ScriptedModel]:
    model = ScriptedModel(*replies)
    return Swarm(model), model


def test_an_agent_has_swarms_defaults() -> None:
    agent = Agent()

    assert (agent.name, agent.model, agent.instructions, agent.functions) == (
        "Agent", "gpt-4o", "You are a helpful agent.", [],
    )  # fmt: skip
    assert (agent.tool_choice, agent.parallel_tool_calls) == (None, True)
    assert isinstance(agent, PlainAgent)


def test_a_run() -> None:
    client, model = swarm(ToolCall("greet"), "Bye.")

    response = client.run(Agent(functions=[greet]), USER)

    assert isinstance(response, Response)
    assert [message["content"] for message in response.messages] == [None, "Hello, you!", "Bye."]
    assert [message.get("sender") for message in response.messages] == ["Agent", None, "Agent"]
    assert response.messages[1]["tool_name"] == "greet"
    assert model.requests[0]["model"] == "gpt-4o"


def test_a_handoff_and_a_context_update() -> None:
    sales = Agent(name="Sales")

    def to_sales(context_variables: dict[str, Any]) -> Result:
        """To sales."""
        return Result(
            value=f"Done, {context_variables['user']}.", agent=sales, context_variables={"department": "sales"}
        )

    client, _ = swarm(ToolCall("to_sales"), "Yes?")

    response = client.run(agent=Agent(functions=[to_sales]), messages=USER, context_variables={"user": "Ann"})

    assert response.agent is sales
    assert response.messages[1]["content"] == "Done, Ann."
    assert response.context_variables == {"user": "Ann", "department": "sales"}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("limit", "added"), [(0, 0), (1, 2), (2, 2), (3, 3), (9, 3), (float("inf"), 3)])
def test_max_turns_counts_messages_and_returns(limit: float, added: int, stream: bool) -> None:
    client, _ = swarm(ToolCall("greet"), "Bye.")
    agent = Agent(functions=[greet])

    if stream:
        *_, last = client.run(agent, USER, stream=True, max_turns=limit)
        response = last["response"]
    else:
        response = client.run(agent, USER, max_turns=limit)

    assert len(response.messages) == added


def test_run_and_stream() -> None:
    client, _ = swarm("Bye.")

    events = list(client.run_and_stream(Agent(name="Ann"), USER))

    assert events[0] == {"delim": "start"}
    assert events[-2] == {"delim": "end"}
    assert events[-1]["response"].text == "Bye."
    assert {event["sender"] for event in events[1:-2]} == {"Ann"}


def test_the_events_are_those_of_swarm() -> None:
    client, _ = swarm(ToolCall("greet"), "Bye.")

    events = list(client.run(Agent(functions=[greet]), USER, stream=True))

    assert {key for event in events for key in event} == set("delim role sender tool_calls content response".split())


def test_execute_tools_false_returns_the_calls() -> None:
    client, _ = swarm(ToolCall("greet"))

    response = client.run(Agent(functions=[greet]), USER, execute_tools=False)

    assert response.messages[-1]["tool_calls"][0]["function"]["name"] == "greet"


def test_a_model_override() -> None:
    client, model = swarm("Bye.")

    client.run(Agent(), USER, {}, "other")

    assert model.requests[0]["model"] == "other"


def test_run_demo_loop(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def end(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", end)

    run_demo_loop(starting_agent=Agent())

    assert capsys.readouterr().out == "\n"


class Opaque:
    pass


def everything(
    text: str,
    whole: int,
    part: float,
    truth: bool,
    items: list,  # type: ignore[type-arg]
    table: dict,  # type: ignore[type-arg]
    nothing: type(None),  # type: ignore[valid-type]
    unannotated,  # type: ignore[no-untyped-def]
    typed_items: list[int],
    union: int | None,
    other: Opaque,
    unhashable: Annotated[int, []],
    optional: int = 3,
    *args: int,
    **kwargs: int,
):
    """Whole docstring.

    Args:
        text: also stays.
    """


def test_function_to_json_is_swarms() -> None:
    words = {
        "text": "string", "whole": "string", "part": "string", "truth": "string", "items": "string", "table": "string",
        "nothing": "string", "unannotated": "string", "typed_items": "string", "union": "string", "other": "string",
        "unhashable": "string", "optional": "string", "args": "string", "kwargs": "string",
    }  # fmt: skip

    # This module's annotations are strings, of which Swarm knows none.
    assert function_to_json(everything) == {
        "type": "function",
        "function": {
            "name": "everything",
            "description": everything.__doc__,  # Python 3.13 takes the indentation out of it
            "parameters": {
                "type": "object",
                "properties": {name: {"type": word} for name, word in words.items()},
                "required": [name for name in words if name != "optional"],
            },
        },
    }


ANNOTATIONS = [
    (str, "string"),
    (int, "integer"),
    (float, "number"),
    (bool, "boolean"),
    (list, "array"),
    (dict, "object"),
    (type(None), "null"),
    (None, "string"),
    (list[int], "string"),
    (int | None, "string"),
    (Opaque, "string"),
    (Annotated[int, []], "string"),
]


@pytest.mark.parametrize(("annotation", "word"), ANNOTATIONS, ids=str)
def test_the_words_of_function_to_json(annotation: Any, word: str) -> None:
    def function(value: Any) -> None: ...

    function.__annotations__ = {"value": annotation}

    assert function_to_json(function) == {
        "type": "function",
        "function": {
            "name": "function",
            "description": "",
            "parameters": {"type": "object", "properties": {"value": {"type": word}}, "required": ["value"]},
        },
    }


def test_function_to_json_of_a_partial() -> None:
    with pytest.raises(AttributeError):
        function_to_json(functools.partial(greet))


def test_function_to_json_without_a_signature() -> None:
    with pytest.raises(ValueError, match=r"^Cannot describe function 'type': it has no signature\.$"):
        function_to_json(type)
