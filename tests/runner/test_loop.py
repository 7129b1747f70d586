"""The rules of a run, each in all four ways to run."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import json
import logging
import math
import threading
from typing import Any

import pytest
from pydantic import BaseModel

from conversations import drive, every_mode, play
from fnschema import (
    Agent,
    ArgumentsError,
    FunctionTool,
    MaxTurnsExceeded,
    Result,
    RunContextWrapper,
    RunError,
    Runner,
    SchemaError,
    SignatureError,
    ToolContext,
    ToolTimeoutError,
    UnknownToolError,
    UserError,
    function_tool,
)
from fnschema.dialects import Strict
from fnschema.testing import Reply, ScriptedModel, ToolCall


def double(number: int) -> int:
    """Double a number."""
    return 2 * number


def greet(name: str = "you") -> str:
    """Greet."""
    return f"Hello, {name}!"


class Till:
    """Counts money."""

    def __init__(self) -> None:
        self.total = 0

    def pay(self, cents: int) -> str:
        """Pay."""
        self.total += cents
        return f"{self.total} in all"

    def __call__(self, cents: int) -> str:
        return self.pay(cents)


# Turns


@every_mode
def test_a_run_ends_with_an_answer_that_calls_nothing(mode: str) -> None:
    done, model = play(mode, [double], ToolCall("double", {"number": 4}), "Eight.")

    assert done.response.text == "Eight."
    assert [message["role"] for message in done.response.messages] == ["assistant", "tool", "assistant"]
    assert len(model.requests) == 2


@every_mode
def test_the_model_is_asked_max_turns_times_and_no_more(mode: str) -> None:
    with pytest.raises(MaxTurnsExceeded) as caught:
        play(mode, [greet], *[ToolCall("greet")] * 3, max_turns=2)

    assert str(caught.value) == "The model still calls tools after 2 turns."


@every_mode
def test_the_run_so_far_is_in_the_error_and_can_go_on(mode: str) -> None:
    agent = Agent(functions=[greet])
    with pytest.raises(MaxTurnsExceeded) as caught:
        play(mode, [], ToolCall("greet"), agent=agent, max_turns=1)
    so_far = caught.value.response
    assert so_far is not None

    done, model = play(mode, [], "Bye.", agent=agent, messages=[{"role": "user", "content": "hi"}, *so_far.messages])

    assert done.response.text == "Bye."
    assert [message["role"] for message in model.requests[0]["messages"]] == ["system", "user", "assistant", "tool"]


@every_mode
def test_the_last_turn_may_answer(mode: str) -> None:
    done, _ = play(mode, [greet], ToolCall("greet"), "Bye.", max_turns=2)

    assert done.response.text == "Bye."


@every_mode
def test_no_turn_at_all(mode: str) -> None:
    with pytest.raises(MaxTurnsExceeded):
        play(mode, [], max_turns=0)


@every_mode
@pytest.mark.parametrize("choice", ["required", "double", {"type": "function", "function": {"name": "double"}}])
def test_a_forced_tool_choice_is_not_sent_again_after_a_tool_ran(mode: str, choice: Any) -> None:
    agent = Agent(functions=[double], tool_choice=choice)

    _, model = play(mode, [], ToolCall("double", {"number": 1}), "Two.", agent=agent)

    assert ["tool_choice" in request for request in model.requests] == [True, False]


@every_mode
def test_a_tool_choice_that_forces_nothing_is_sent_each_turn(mode: str) -> None:
    agent = Agent(functions=[double], tool_choice="auto")

    _, model = play(mode, [], ToolCall("double", {"number": 1}), "Two.", agent=agent)

    assert [request["tool_choice"] for request in model.requests] == ["auto", "auto"]


@every_mode
def test_the_heir_of_a_handoff_has_its_own_forced_choice(mode: str) -> None:
    heir = Agent("heir", functions=[double], tool_choice="required")
    first = Agent("first", functions=[lambda_named("hand_over", lambda: heir)], tool_choice="required")

    _, model = play(mode, [], ToolCall("hand_over"), ToolCall("double", {"number": 1}), "Two.", agent=first)

    assert ["tool_choice" in request for request in model.requests] == [True, True, False]


def lambda_named(name: str, function: Any) -> Any:
    function.__name__ = function.__qualname__ = name
    return function


# Answers


@every_mode
def test_every_call_is_answered_once_in_call_order(mode: str) -> None:
    def fail() -> None:
        """Fail."""
        raise ValueError("secret")

    calls = [
        ToolCall("fail"),
        ToolCall("double", {"number": 2}),
        ToolCall("duble"),
        ToolCall("double", {"number": "x"}),
    ]
    done, _ = play(mode, [double, fail], calls, "Done.")

    assert done.answers == [
        ("call_1", "The tool fail failed."),
        ("call_2", "4"),
        ("call_3", "There is no tool 'duble'. Did you mean double?"),
        ("call_4", done.texts[3]),
    ]
    assert done.texts[3].startswith("Invalid JSON input for tool double: /number")


@every_mode
def test_the_errors_of_failed_calls_are_kept_by_call_id(mode: str) -> None:
    error = KeyError("gone")

    def fail() -> None:
        """Fail."""
        raise error

    done, _ = play(mode, [fail], [ToolCall("fail"), ToolCall("nothing"), ToolCall("fail", "[]")], "Done.")

    assert done.response.errors["call_1"] is error
    assert {name: type(error) for name, error in done.response.errors.items()} == {
        "call_1": KeyError,
        "call_2": UnknownToolError,
        "call_3": ArgumentsError,
    }


@every_mode
def test_the_log_names_the_type_of_an_error_and_not_its_text(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        """Fail."""
        raise ValueError("secret")

    play(mode, [fail], ToolCall("fail"), "Done.")

    assert caplog.record_tuples == [("fnschema", logging.WARNING, "The call of tool 'fail' failed: ValueError")]
    assert "secret" not in caplog.text


@every_mode
def test_the_log_has_the_traceback_of_an_error_for_who_debugs(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        """Fail."""
        raise ValueError("secret")

    with caplog.at_level(logging.DEBUG, "fnschema"):
        play(mode, [fail], ToolCall("fail"), "Done.")

    assert [record.levelname for record in caplog.records if record.name == "fnschema"] == ["WARNING", "DEBUG"]
    assert "in fail\n" in caplog.text
    assert caplog.text.rstrip().endswith("ValueError: secret")


class Sum(BaseModel):
    """A sum."""

    total: int
    currency: str = "€"


RESULTS = {
    "text": ("as it is: é", "as it is: é"),
    "nothing": (None, "null"),
    "number": (7, "7"),
    "truth": (True, "true"),
    "object": ({"é": [1, None]}, '{"é":[1,null]}'),
    "model": (Sum(total=3), '{"total":3,"currency":"€"}'),
    "models": ([Sum(total=3)], '[{"total":3,"currency":"€"}]'),
    "a word that is no number": ({"NaN": "Infinity"}, '{"NaN":"Infinity"}'),
}


@every_mode
@pytest.mark.parametrize(("value", "text"), RESULTS.values(), ids=RESULTS)
def test_a_result_is_text_or_json(mode: str, value: Any, text: str) -> None:
    def tell() -> Any:
        """Tell."""
        return value

    done, _ = play(mode, [tell], ToolCall("tell"), "Done.")

    assert done.texts == [text]


def cycle() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


@every_mode
@pytest.mark.parametrize(
    "value", [object(), float("nan"), [float("inf")], b"\xff", "half \ud83d", cycle(), Result(object())], ids=repr
)
def test_what_json_cannot_hold_is_answered_like_a_raising_tool(mode: str, value: Any) -> None:
    def tell() -> Any:
        """Tell."""
        return value

    done, _ = play(mode, [tell], ToolCall("tell"), "Done.")

    assert done.answers == [("call_1", "The tool tell failed.")]
    assert set(done.response.errors) == {"call_1"}


@every_mode
def test_a_tool_words_its_own_failure(mode: str) -> None:
    async def excuse(context: RunContextWrapper[str], error: Exception) -> str:
        return f"{context.context}: {type(error).__name__}"

    @function_tool(failure_error_function=excuse)
    def fail() -> None:
        """Fail."""
        raise ValueError

    done, _ = play(mode, [fail], ToolCall("fail"), "Done.", context="Sorry")

    assert done.texts == ["Sorry: ValueError"]


@every_mode
def test_without_a_failure_error_function_a_run_still_answers(mode: str) -> None:
    @function_tool(failure_error_function=None)
    def fail() -> None:
        """Fail."""
        raise ValueError

    done, _ = play(mode, [fail], ToolCall("fail"), "Done.")

    assert done.texts == ["The tool fail failed."]


@every_mode
def test_a_failing_failure_error_function_still_leaves_an_answer(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    def excuse(context: RunContextWrapper[Any], error: Exception) -> str:
        raise RuntimeError

    @function_tool(failure_error_function=excuse)
    def fail() -> None:
        """Fail."""
        raise ValueError

    with caplog.at_level(logging.DEBUG, "fnschema"):
        done, _ = play(mode, [fail], ToolCall("fail"), "Done.")

    assert done.texts == ["The tool fail failed."]
    assert type(done.response.errors["call_1"]) is ValueError
    assert "The failure_error_function of 'fail' failed: RuntimeError" in caplog.messages
    assert "in excuse\n" in caplog.text


@every_mode
@pytest.mark.parametrize("messages", [5, [5], None], ids=str)
def test_what_are_no_messages_is_said(mode: str, messages: Any) -> None:
    reason = "Cannot run on these messages: they are a text, or a list of dicts as Chat Completions has them."
    with pytest.raises(UserError, match=f"^{reason}$"):
        play(mode, [], messages=messages)


@every_mode
def test_a_late_tool_is_answered_and_its_error_holds_the_run_so_far(mode: str) -> None:
    @function_tool(timeout=0.01)
    async def sleep() -> None:
        """Sleep."""
        await asyncio.sleep(60)

    done, _ = play(mode, [sleep], ToolCall("sleep"), "Done.")

    error = done.response.errors["call_1"]
    assert isinstance(error, ToolTimeoutError)
    assert done.texts == [str(error)] == ["The tool sleep did not answer within 0.01 seconds."]
    assert error.response is not None
    assert error.response.messages == done.response.messages[:1]


@every_mode
def test_the_error_of_a_run_within_a_tool_keeps_its_own_transcript(mode: str) -> None:
    def ask_another() -> str:
        """Ask another agent."""
        return Runner(ScriptedModel(ToolCall("greet"))).run(Agent(functions=[greet]), "hi", max_turns=1).text

    done, _ = play(mode, [ask_another], ToolCall("ask_another"), "Done.")

    error = done.response.errors["call_1"]
    assert isinstance(error, MaxTurnsExceeded)
    assert error.response is not None
    assert [message.get("tool_name") for message in error.response.messages] == [None, "greet"]


@every_mode
def test_methods_partials_and_callable_objects_run(mode: str) -> None:
    till = Till()
    functions = [till.pay, functools.partial(double, 21), Till()]
    calls = [ToolCall("pay", {"cents": 5}), ToolCall("double"), ToolCall("Till", {"cents": 1})]

    done, _ = play(mode, functions, calls, "Done.")

    assert done.texts == ["5 in all", "42", "1 in all"]


@every_mode
def test_a_tool_learns_about_its_call(mode: str) -> None:
    seen = []

    def note(context: ToolContext[str], text: str) -> None:
        """Note."""
        seen.append((context.context, context.tool_name, context.tool_call_id, context.tool_arguments))

    play(mode, [note], ToolCall("note", '{"text": "x"}', id="c"), "Done.", context="mine")

    assert seen == [("mine", "note", "c", '{"text": "x"}')]


# Handoffs


@every_mode
def test_a_returned_agent_takes_over(mode: str) -> None:
    heir = Agent("Heir", instructions="Be the heir.", functions=[greet])

    def hand_over() -> Agent:
        """Hand over."""
        return heir

    done, model = play(mode, [hand_over], ToolCall("hand_over"), "I am here.")

    assert done.response.agent is heir
    assert done.texts == ['{"assistant":"Heir"}']
    assert done.response.messages[-1]["sender"] == "Heir"
    assert model.requests[1]["messages"][0] == {"role": "system", "content": "Be the heir."}
    assert [tool["function"]["name"] for tool in model.requests[1]["tools"]] == ["greet"]


@every_mode
def test_of_several_handoffs_the_last_wins_and_the_others_are_told(mode: str) -> None:
    first, second = Agent("First"), Agent("Second")

    def to_first() -> Result:
        """To the first."""
        return Result("Noted.", first, {"seen": "first"})

    def to_second() -> Agent:
        """To the second."""
        return second

    done, _ = play(mode, [to_first, to_second, greet], [*map(ToolCall, ["to_first", "to_second", "greet"])], "Here.")

    assert done.response.agent is second
    assert done.texts == [
        "Noted.\nNot handed over to First: a later call of this turn handed over to Second.",
        '{"assistant":"Second"}',
        "Hello, you!",
    ]
    assert done.response.context_variables == {"seen": "first"}


@every_mode
def test_a_handoff_that_does_not_come_about_is_told_beside_an_empty_text_too(mode: str) -> None:
    first, second = Agent("First"), Agent("Second")

    def to_first() -> Result:
        """To the first."""
        return Result("", first)

    def to_second() -> Agent:
        """To the second."""
        return second

    done, _ = play(mode, [to_first, to_second], [ToolCall("to_first"), ToolCall("to_second")], "Here.")

    assert done.texts[0] == "Not handed over to First: a later call of this turn handed over to Second."


@every_mode
def test_two_handoffs_to_the_same_agent_are_one(mode: str) -> None:
    heir = Agent("Heir")

    def hand_over() -> Agent:
        """Hand over."""
        return heir

    done, _ = play(mode, [hand_over], [ToolCall("hand_over"), ToolCall("hand_over")], "Here.")

    assert done.texts == ['{"assistant":"Heir"}'] * 2


@every_mode
def test_a_result_that_names_no_agent_is_answered_like_a_raising_tool(mode: str) -> None:
    def hand_over() -> Result:
        """Hand over."""
        return Result("ok", "Heir")  # type: ignore[arg-type]

    done, _ = play(mode, [hand_over], ToolCall("hand_over"), "Done.")

    assert done.texts == ["The tool hand_over failed."]
    assert str(done.response.errors["call_1"]) == "a Result names str as its agent"


@every_mode
def test_a_result_whose_context_variables_are_no_mapping_is_answered_like_a_raising_tool(mode: str) -> None:
    def update() -> Result:
        """Update."""
        return Result("ok", context_variables=5)  # type: ignore[arg-type]

    done, _ = play(mode, [update], ToolCall("update"), "Done.")

    assert done.texts == ["The tool update failed."]
    assert str(done.response.errors["call_1"]) == "a Result has int as its context_variables"


@every_mode
def test_a_result_without_context_variables_updates_nothing(mode: str) -> None:
    def update() -> Result:
        """Update."""
        return Result("ok", context_variables=None)  # type: ignore[arg-type]

    done, _ = play(mode, [update], ToolCall("update"), "Done.", context_variables={"a": 1})

    assert (done.texts, done.response.context_variables) == (["ok"], {"a": 1})


# Context


@every_mode
def test_context_variables_are_injected_and_hidden(mode: str) -> None:
    def who(name: str, context_variables: dict[str, Any]) -> str:
        """Who."""
        return f"{name} {context_variables['family']}"

    done, model = play(mode, [who], ToolCall("who", {"name": "Ann"}), "Done.", context_variables={"family": "Lee"})

    assert done.texts == ["Ann Lee"]
    assert list(model.requests[0]["tools"][0]["function"]["parameters"]["properties"]) == ["name"]


@every_mode
def test_a_function_gets_the_runs_own_dict(mode: str) -> None:
    def count(context_variables: dict[str, Any]) -> str:
        """Count."""
        context_variables["seen"].append(1)
        return str(len(context_variables["seen"]))

    given = {"seen": [0]}
    done, _ = play(mode, [count], ToolCall("count"), ToolCall("count"), "Done.", context_variables=given)

    assert done.texts == ["2", "3"]
    assert done.response.context_variables == {"seen": [0, 1, 1]}
    assert given == {"seen": [0]}


@every_mode
def test_what_cannot_be_copied_is_shared(mode: str) -> None:
    lock, names = threading.Lock(), ["Ann"]

    done, _ = play(mode, [], "Hi.", context_variables={"lock": lock, "names": names})

    assert done.response.context_variables["lock"] is lock
    assert done.response.context_variables["names"] == names
    assert done.response.context_variables["names"] is not names


@every_mode
def test_what_cannot_be_copied_is_whole_under_every_name(mode: str) -> None:
    desk = ["Ann", threading.Lock(), "Ben"]

    done, _ = play(mode, [], "Hi.", context_variables={"desk": desk, "same": desk, "below": {"desk": desk}})

    assert done.response.context_variables == {"desk": desk, "same": desk, "below": {"desk": desk}}


def set_user() -> Result:
    """Set the user."""
    return Result("set", context_variables={"user": "Ann"})


def read_user(context_variables: dict[str, Any]) -> str:
    """Read the user."""
    return str(context_variables.get("user"))


@every_mode
def test_the_next_call_of_a_turn_sees_an_update_where_calls_run_one_by_one(mode: str) -> None:
    done, _ = play(mode, [set_user, read_user], [ToolCall("set_user"), ToolCall("read_user")], "Done.")

    assert done.texts == ["set", "None" if mode.startswith("arun") else "Ann"]


@every_mode
def test_the_next_turn_sees_an_update(mode: str) -> None:
    done, _ = play(mode, [set_user, read_user], ToolCall("set_user"), ToolCall("read_user"), "Done.")

    assert done.texts == ["set", "Ann"]


@every_mode
def test_updates_of_a_turn_are_merged_in_call_order(mode: str) -> None:
    async def put(value: int) -> Result:
        """Put."""
        await asyncio.sleep(0.02 * (3 - value))  # the last call ends first
        return Result("put", context_variables={"value": value})

    done, _ = play(mode, [put], [ToolCall("put", {"value": value}) for value in (1, 2, 3)], "Done.")

    assert done.response.context_variables == {"value": 3}


# Instructions


def by_name(context_variables: dict[str, Any]) -> str:
    return f"Serve {context_variables['user']}{context_variables['title']}."


def by_position(variables: dict[str, Any], /) -> str:
    return f"Serve {variables['user']}."


async def later(*, context_variables: dict[str, Any]) -> str:
    await asyncio.sleep(0)
    return f"Serve {context_variables['user']}."


class Manners:
    def instructions(self, context_variables: dict[str, Any]) -> str:
        return f"Serve {context_variables['user']}."


INSTRUCTIONS = {
    "text": ("Serve Ann.", "Serve Ann."),
    "by name, with a missing key": (by_name, "Serve Ann."),
    "by position": (by_position, "Serve Ann."),
    "async, by keyword": (later, "Serve Ann."),
    "a method": (Manners().instructions, "Serve Ann."),
    "a partial": (functools.partial(by_name), "Serve Ann."),
    "no parameter": (lambda: "Serve.", "Serve."),
    "no signature": ("Serve {user}{title}.".format_map, "Serve Ann."),
}


@every_mode
@pytest.mark.parametrize(("instructions", "text"), INSTRUCTIONS.values(), ids=INSTRUCTIONS)
def test_instructions(mode: str, instructions: Any, text: str) -> None:
    _, model = play(mode, [], "Hi.", agent=Agent(instructions=instructions), context_variables={"user": "Ann"})

    assert model.requests[0]["messages"][0] == {"role": "system", "content": text}


def to_the_agents_sdk(ctx: RunContextWrapper[str], agent: Agent) -> str:
    return f"{agent.name}: serve {ctx.context}."


def to_the_context(ctx: RunContextWrapper[str] | None, tone: str = "kindly") -> str:
    assert ctx
    return f"Serve {ctx.context} {tone}."


def to_both(ctx: RunContextWrapper[str], context_variables: dict[str, Any]) -> str:
    return f"Serve {ctx.context} and {context_variables['user']}."


async def to_the_context_later(ctx: RunContextWrapper[str], /) -> str:
    await asyncio.sleep(0)
    return f"Serve {ctx.context}."


WITH_CONTEXT: dict[str, tuple[Any, str]] = {
    "and the agent": (to_the_agents_sdk, "Desk: serve Bob."),
    "alone": (to_the_context, "Serve Bob kindly."),
    "and the variables": (to_both, "Serve Bob and Ann."),
    "async, by position": (to_the_context_later, "Serve Bob."),
    "to a partial": (functools.partial(to_the_context, tone="well"), "Serve Bob well."),
}


@every_mode
@pytest.mark.parametrize(("instructions", "text"), WITH_CONTEXT.values(), ids=WITH_CONTEXT)
def test_instructions_are_given_the_context(mode: str, instructions: Any, text: str) -> None:
    agent = Agent("Desk", instructions=instructions)
    _, model = play(mode, [], "Hi.", agent=agent, context_variables={"user": "Ann"}, context="Bob")

    assert model.requests[0]["messages"][0] == {"role": "system", "content": text}


OTHER_PARAMETERS: dict[str, Any] = {
    "two without a type": lambda ctx, agent: "",
    "a third": lambda context_variables, ctx, more: "",
    "a keyword": lambda *, tone: "",
}


@every_mode
@pytest.mark.parametrize("instructions", OTHER_PARAMETERS.values(), ids=OTHER_PARAMETERS)
def test_instructions_of_other_parameters_are_the_authors_mistake(mode: str, instructions: Any) -> None:
    with pytest.raises(UserError, match=r"^Cannot run agent 'Desk': its instructions .* \(missing a required .*\)\."):
        play(mode, [], "Hi.", agent=Agent("Desk", instructions=instructions))


@every_mode
@pytest.mark.parametrize("instructions", [None, ""])
def test_no_instructions(mode: str, instructions: str | None) -> None:
    _, model = play(mode, [], "Hi.", agent=Agent(instructions=instructions))

    assert model.requests[0]["messages"] == [{"role": "user", "content": "hi"}]


@every_mode
def test_what_instructions_raise_passes_through(mode: str) -> None:
    def instructions() -> str:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        play(mode, [], "Hi.", agent=Agent(instructions=instructions))


# Requests


@every_mode
def test_without_functions_nothing_is_said_of_tools(mode: str) -> None:
    _, model = play(mode, [], "Hi.", agent=Agent(tool_choice="required"))

    assert not {"tools", "tool_choice", "parallel_tool_calls"} & set(model.requests[0])


@every_mode
@pytest.mark.parametrize(("parallel", "sent"), [(True, [True]), (False, [False]), (None, [])])
def test_parallel_tool_calls(mode: str, parallel: bool | None, sent: list[bool]) -> None:
    _, model = play(mode, [], "Hi.", agent=Agent(functions=[greet], parallel_tool_calls=parallel))

    assert [value for key, value in model.requests[0].items() if key == "parallel_tool_calls"] == sent


@every_mode
def test_a_disabled_tool_is_not_offered_and_not_known(mode: str) -> None:
    asked: list[tuple[Any, Agent]] = []

    async def is_enabled(context: RunContextWrapper[Any], agent: Agent) -> bool:
        asked.append((context.context, agent))
        return len(asked) > 1

    agent = Agent(functions=[function_tool(greet, is_enabled=is_enabled)])
    done, model = play(mode, [], ToolCall("greet"), ToolCall("greet"), "Done.", agent=agent, context="mine")

    assert ["tools" in request for request in model.requests] == [False, True, True]
    assert done.texts == ["There is no tool 'greet'.", "Hello, you!"]
    assert asked == [("mine", agent)] * 3


@every_mode
def test_the_models_name(mode: str) -> None:
    heir = Agent("Heir", model="b")

    def hand_over() -> Agent:
        """Hand over."""
        return heir

    agent = Agent(model="a", functions=[hand_over])
    _, model = play(mode, [], ToolCall("hand_over"), "Hi.", agent=agent)
    _, overridden = play(mode, [], ToolCall("hand_over"), "Hi.", agent=agent, model_override="c")

    assert [request["model"] for request in model.requests] == ["a", "b"]
    assert [request["model"] for request in overridden.requests] == ["c", "c"]


@every_mode
def test_an_agent_without_a_model_has_the_runners(mode: str) -> None:
    model = ScriptedModel("Hi.")

    drive(mode, Runner(model, model="m"), Agent())

    assert model.requests[0]["model"] == "m"


# Names


@every_mode
def test_two_tools_of_one_name(mode: str) -> None:
    tools = [function_tool(greet, name_override="same"), function_tool(double, name_override="same")]

    with pytest.raises(UserError) as caught:
        play(mode, tools, "Hi.")

    assert str(caught.value) == "Cannot run agent 'Agent': two tools are named 'same'. Rename one."


@every_mode
def test_functions_may_change_after_the_agent_is_made(mode: str) -> None:
    agent = Agent(functions=[greet])
    play(mode, [], "Hi.", agent=agent)
    agent.functions = [double]

    done, _ = play(mode, [], ToolCall("double", {"number": 1}), "Two.", agent=agent)

    assert done.texts == ["2"]


class Counted(FunctionTool[..., Any]):
    """A tool that counts how often its definition is made."""

    count = 0

    def definition(self, dialect: str = "openai", *, strict: Strict = None) -> dict[str, Any]:
        self.count += 1
        return super().definition(dialect, strict=strict)


@every_mode
def test_a_definition_is_made_once_a_run(mode: str) -> None:
    tool = function_tool(greet)
    counted = Counted(**{field.name: getattr(tool, field.name) for field in dataclasses.fields(tool) if field.init})
    agent = Agent(functions=[counted])

    for _ in range(2):
        play(mode, [], ToolCall("greet"), ToolCall("greet"), "Bye.", agent=agent)

    assert counted.count == 2


@every_mode
def test_a_function_that_can_be_strict_is(mode: str) -> None:
    _, model = play(mode, [greet], "Hi.")

    assert model.requests[0]["tools"][0]["function"]["strict"] is True


@every_mode
def test_a_function_that_cannot_be_strict_is_not_and_the_reason_is_logged_once(
    mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    def store(values: dict[str, int]) -> str:
        """Store."""
        return json.dumps(values)

    caplog.set_level(logging.INFO)
    done, model = play(mode, [store], ToolCall("store", {"values": {"a": 1}}), "Done.")

    assert done.texts == ['{"a": 1}']
    assert not model.requests[0]["tools"][0]["function"].get("strict")
    assert [record.levelname for record in caplog.records] == ["INFO"]
    assert caplog.messages[0].startswith("The tool store is not strict: Cannot ")


@every_mode
def test_a_strict_tool_that_cannot_be_strict_is_refused(mode: str) -> None:
    with pytest.raises(SchemaError):
        play(mode, [function_tool(anything)], "Hi.")


def anything(value: Any) -> str:
    """Take anything."""
    return "ok"


@every_mode
def test_a_function_that_cannot_be_read_is_refused(mode: str) -> None:
    with pytest.raises(SignatureError):
        play(mode, [lambda: 1], "Hi.")


# History


@every_mode
def test_what_the_api_would_refuse_is_cleaned(mode: str) -> None:
    history = [
        {"role": "user", "content": "hi", "sender": "me", "name": None},
        {"role": "assistant", "content": None, "sender": "A", "audio": None, "annotations": [], "tool_calls": None},
        {"role": "user", "content": "and?"},
    ]

    _, model = play(mode, [], "Hi.", messages=history)

    assert model.requests[0]["messages"][1:] == [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": ""},
        {"role": "user", "content": "and?"},
    ]


@every_mode
def test_open_calls_of_the_history_are_executed_first(mode: str) -> None:
    agent = Agent(functions=[double])
    stopped, _ = play(mode, [], [ToolCall("double", {"number": n}) for n in (1, 2)], agent=agent, execute_tools=False)
    history = [{"role": "user", "content": "hi"}, *stopped.response.messages]

    done, model = play(mode, [], "Done.", agent=agent, messages=history)

    assert done.answers == [("call_1", "2"), ("call_2", "4")]
    assert [message["role"] for message in model.requests[0]["messages"]] == [
        "system", "user", "assistant", "tool", "tool",
    ]  # fmt: skip


@every_mode
def test_only_the_calls_without_an_answer_are_executed(mode: str) -> None:
    call = {"type": "function", "function": {"name": "double", "arguments": '{"number": 1}'}}
    history = [
        {"role": "assistant", "tool_calls": [{"id": "a", **call}, {"id": "b", **call}]},
        {"role": "tool", "tool_call_id": "a", "content": "2"},
    ]

    done, _ = play(mode, [double], "Done.", messages=history)

    assert done.answers == [("b", "2")]


@every_mode
def test_open_calls_stay_open_where_tools_are_not_executed(mode: str) -> None:
    history = [{"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "greet"}}]}]

    done, model = play(mode, [greet], messages=history, execute_tools=False)

    assert done.response.messages == []
    assert model.requests == []


@every_mode
def test_a_call_that_was_passed_over_is_answered_before_the_history_is_sent(mode: str) -> None:
    history = [
        {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "greet", "arguments": "{}"}}]},
        {"role": "user", "content": "never mind"},
    ]

    done, model = play(mode, [greet], "Fine.", messages=history)

    assert [message["role"] for message in model.requests[0]["messages"]] == ["system", "assistant", "tool", "user"]
    told = "It is not known whether this call was executed."
    assert model.requests[0]["messages"][2] == {"role": "tool", "tool_call_id": "a", "content": told}
    assert done.texts == []


@every_mode
def test_the_messages_given_are_not_changed(mode: str) -> None:
    history: list[dict[str, Any]] = [{"role": "assistant", "tool_calls": [{"function": {"name": "greet"}}]}]

    play(mode, [greet], "Fine.", messages=history)

    assert history == [{"role": "assistant", "tool_calls": [{"function": {"name": "greet"}}]}]


# Broken payloads


@every_mode
def test_execute_tools_false_returns_the_calls(mode: str) -> None:
    done, model = play(mode, [double], ToolCall("double", {"number": 1}), execute_tools=False)

    assert done.response.messages[-1]["tool_calls"][0]["function"] == {"name": "double", "arguments": '{"number":1}'}
    assert len(model.requests) == 1


@every_mode
def test_missing_empty_and_repeated_call_ids_are_repaired(mode: str) -> None:
    calls = [ToolCall("double", {"number": n}, id) for n, id in ((1, ""), (2, "c"), (3, "c"), (4, ""))]
    done, _ = play(mode, [double], calls, ToolCall("double", {"number": 5}, "c"), "Done.")

    assert done.texts == ["2", "4", "6", "8", "10"]
    assert [call_id for call_id, _ in done.answers] == done.asked
    assert len(set(done.asked)) == 5
    assert all(done.asked)


@every_mode
def test_broken_calls_go_back_in_a_form_that_servers_take(mode: str) -> None:
    done, model = play(mode, [double], [ToolCall("no such tool!", "{}"), ToolCall("double", '{"number": ')], "Done.")

    sent = model.requests[1]["messages"][-3]["tool_calls"]
    assert [call["function"] for call in sent] == [
        {"name": "no_such_tool_", "arguments": "{}"},
        {"name": "double", "arguments": '{"invalid_json":"{\\"number\\": "}'},
    ]
    assert done.response.messages[0]["tool_calls"][1]["function"]["arguments"] == '{"number": '


@every_mode
def test_calls_of_an_answer_that_was_cut_off_are_answered_and_not_executed(mode: str) -> None:
    till = Till()
    call = {"id": "a", "type": "function", "function": {"name": "pay", "arguments": '{"cents": 1}'}}
    cut: Reply = {"tool_calls": [call], "finish_reason": "length"}

    done, _model = play(mode, [till.pay], cut, ToolCall("pay", {"cents": 2}), "Done.")

    assert done.answers == [
        (
            "a",
            "Not executed: the answer was cut off at its length limit. Make it shorter, or make fewer calls at once.",
        ),
        ("call_1", "2 in all"),
    ]
    assert till.total == 2
    assert done.response.text == "Done."


@every_mode
def test_a_text_that_was_cut_off_ends_the_run_and_is_logged(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    cut: Reply = {"content": "Once upon", "finish_reason": "length"}

    done, _ = play(mode, [greet], cut)

    assert done.response.text == "Once upon"
    assert caplog.messages == ["The answer of agent 'Agent' was cut off, by a length limit or a filter"]


@every_mode
def test_a_whole_text_is_not_logged(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    play(mode, [greet], "Once upon a time.")

    assert caplog.messages == []


@every_mode
def test_a_failing_client_is_a_run_error_with_the_run_so_far(mode: str) -> None:
    error = ConnectionError("no route")

    with pytest.raises(RunError) as caught:
        play(mode, [greet], ToolCall("greet"), error)

    assert caught.value.__cause__ is error
    assert str(caught.value) == "The model gave no answer: ConnectionError: no route"
    assert caught.value.response is not None
    assert [message["role"] for message in caught.value.response.messages] == ["assistant", "tool"]


@every_mode
def test_usage_is_added_up(mode: str) -> None:
    done, _ = play(mode, [greet], ToolCall("greet"), "Done.")

    assert done.response.usage == {"prompt_tokens": 2, "completion_tokens": 2, "total_tokens": 4}


@every_mode
def test_a_refusal_reaches_the_caller(mode: str) -> None:
    refusal: Reply = {"refusal": "I will not."}
    done, _ = play(mode, [], refusal)

    assert done.response.messages == [
        {"role": "assistant", "content": None, "refusal": "I will not.", "sender": "Agent"}
    ]
    assert done.response.text == "I will not."


def test_debug_prints_what_json_cannot_hold(capsys: pytest.CaptureFixture[str]) -> None:
    play("run", [greet], {"content": "Done.", "reasoning_details": [math.nan]}, debug=True)

    assert "'reasoning_details': [nan]" in capsys.readouterr().err


@every_mode
def test_debug_prints_every_message(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    play(mode, [greet], ToolCall("greet"), "Done.", debug=True)

    assert len(capsys.readouterr().err.splitlines()) == 3
