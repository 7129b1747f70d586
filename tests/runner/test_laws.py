"""The law of a run: whatever the model, the tools and the provider do, a simple sequential model says what comes of it.

A state machine writes a conversation turn by turn: answers, calls, broken calls, handoffs, context updates, answers
that are cut off, and a client that fails. Each run is done in all four ways and compared with the model.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from conversations import MODES, Done, drive
from fnschema import Agent, Response, Result, RunError, Runner
from fnschema.testing import ScriptedModel, ToolCall

NAMES = ("Ann", "Bob", "Eve")


def office() -> dict[str, Agent]:
    """Three agents that hand over to each other, with tools that fail, count and write into the context."""

    def add(left: int, right: int) -> int:
        """Add."""
        return left + right

    async def fail() -> None:
        """Fail."""
        raise ValueError("secret")

    def put(key: str, value: int) -> Result:
        """Put into the context by a result."""
        return Result(f"{key} is {value}", context_variables={key: value})

    def hand_over(name: str) -> Agent:
        """Hand over."""
        return agents[name]

    def hand_over_with_a_note(name: str, context_variables: dict[str, Any]) -> Result:
        """Hand over and change the context."""
        context_variables["handoffs"] = context_variables.get("handoffs", 0) + 1
        return Result("Noted.", agents[name], {"last": name})

    tools = [add, fail, put, hand_over, hand_over_with_a_note]
    agents = {name: Agent(name, functions=tools) for name in NAMES}
    return agents


OFFICE = office()


@dataclass
class Expected:
    """What the sequential model says of a run."""

    agent: str = "Ann"
    context: dict[str, Any] = field(default_factory=dict)
    answers: list[str] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)
    senders: list[str] = field(default_factory=list)

    def turn(self, calls: list[tuple[str, ToolCall]], *, cut: bool) -> None:
        self.senders.append(self.agent)
        if cut:
            self.answers += [call_id for call_id, _ in calls]
            return
        for call_id, call in calls:
            self.answers.append(call_id)
            self._execute(call_id, call)

    def _execute(self, call_id: str, call: ToolCall) -> None:
        arguments = call.arguments
        if isinstance(arguments, str) or call.name in {"fail", "unknown"}:
            self.failed.add(call_id)
        elif call.name == "put":
            self.context[arguments["key"]] = arguments["value"]
        elif call.name.startswith("hand_over"):
            self.agent = arguments["name"]
            if call.name == "hand_over_with_a_note":
                self.context["handoffs"] = self.context.get("handoffs", 0) + 1
                self.context["last"] = self.agent


def call_of(name: str, /, **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[ToolCall]:
    return st.fixed_dictionaries(arguments).map(lambda drawn: ToolCall(name, drawn))


names = st.sampled_from(NAMES)
calls = st.lists(
    st.one_of(
        call_of("add", left=st.integers(), right=st.integers()),
        call_of("put", key=st.sampled_from("xy"), value=st.integers()),
        call_of("hand_over", name=names),
        call_of("hand_over_with_a_note", name=names),
        st.sampled_from([ToolCall("fail", {}), ToolCall("unknown", {})]),
        st.sampled_from(["", "{", '{"left": 1}', '{"left": 1, "right": "x"}']).map(lambda text: ToolCall("add", text)),
    ),
    min_size=1,
    max_size=6,
)


class Conversations(RuleBasedStateMachine):
    """Writes a script for the model, and what must come of it; each end of a run is the beginning of the next."""

    def __init__(self) -> None:
        super().__init__()
        self.history: list[dict[str, Any]] = []
        self.before = Expected()
        self._begin_run()

    def _begin_run(self) -> None:
        self.history.append({"role": "user", "content": "Go on."})
        self.script: list[Any] = []
        self.expected = Expected(self.before.agent, dict(self.before.context))
        self.made = 0

    @rule(calls=calls, cut=st.booleans(), ids=st.sampled_from(["own", "none", "same"]))
    def the_model_calls(self, calls: list[ToolCall], cut: bool, ids: str) -> None:
        positions = range(self.made, self.made + len(calls))
        self.made += len(calls)
        self.expected.turn([(str(n), call) for n, call in zip(positions, calls, strict=True)], cut=cut)
        written = [_written(call, f"own{n}", ids) for n, call in zip(positions, calls, strict=True)]
        self.script.append({"tool_calls": written, **({"finish_reason": "length"} if cut else {})})

    @rule(text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
    def the_model_answers(self, text: str) -> None:
        self.expected.senders.append(self.expected.agent)
        self._run_in_every_way([*self.script, text])

    @rule()
    def the_client_fails(self) -> None:
        self._run_in_every_way([*self.script, ConnectionError("gone")])

    def _run_in_every_way(self, script: list[Any]) -> None:
        transcripts = [self._checked(_run(mode, script, self.before, self.history)) for mode in MODES]
        assert all(transcript == transcripts[0] for transcript in transcripts)
        self.history += transcripts[0]
        self.before = self.expected
        self._begin_run()

    def _checked(self, response: Response) -> list[dict[str, Any]]:
        done, expected = Done(response), self.expected
        position_of = {call_id: str(position) for position, call_id in enumerate(done.asked)}
        assert [call_id for call_id, _ in done.answers] == done.asked, "each call has one answer, in call order"
        assert len(position_of) == len(done.asked), "no two calls of a run have one id"
        assert [position_of[call_id] for call_id in done.asked] == expected.answers
        assert {position_of[call_id] for call_id in response.errors} == expected.failed
        assert response.context_variables == expected.context
        assert response.agent is OFFICE[expected.agent]
        assert [m["sender"] for m in response.messages if m["role"] == "assistant"] == expected.senders
        assert json.loads(json.dumps(response.messages)) == response.messages
        return response.messages

    def teardown(self) -> None:
        made = [call["id"] for message in self.history for call in message.get("tool_calls", ())]
        assert len(made) == len(set(made)), "no two calls of a transcript have one id"


def _written(call: ToolCall, own: str, ids: str) -> dict[str, Any]:
    text = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)
    call_id = {"own": own, "none": "", "same": "same"}[ids]
    return {"id": call_id, "type": "function", "function": {"name": call.name, "arguments": text}}


def _run(mode: str, script: list[Any], before: Expected, history: list[dict[str, Any]]) -> Response:
    runner = Runner(ScriptedModel(*script, is_async=mode.startswith("arun")))
    run = partial(drive, mode, runner, OFFICE[before.agent], history, context_variables=before.context)
    if not isinstance(script[-1], ConnectionError):
        done = run()
        if done.events:
            assert [event["message"] for event in done.events if "message" in event] == done.response.messages
        return done.response
    with pytest.raises(RunError) as caught:
        run()
    assert caught.value.__cause__ is script[-1]
    assert caught.value.response is not None
    return caught.value.response


TestConversations = Conversations.TestCase
TestConversations.settings = settings(stateful_step_count=12)
