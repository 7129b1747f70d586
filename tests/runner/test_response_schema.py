"""The adapter that writes calls as the text of answers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from pydantic_core import to_json

from fnschema import Agent, RunError, Runner, function_tool
from fnschema.runner.response_schema import ResponseSchema
from fnschema.runner.wire import Turn
from fnschema.testing import ScriptedModel

ADAPTER = ResponseSchema()


def pay(cents: int, to: str = "the shop") -> str:
    """Pay an amount.

    Args:
        cents: How much.
    """
    return f"paid {cents} to {to}"


def ship(parcel: int) -> str:
    return f"shipped {parcel}"


def call(tool: str, **arguments: Any) -> str:
    return to_json({"tool": tool, "arguments": arguments}).decode()


def said(text: str) -> str:
    return to_json({"answer": text}).decode()


def cut(text: str) -> dict[str, Any]:
    """An answer at its length limit."""
    return {"choices": [{"index": 0, "finish_reason": "length", "message": {"role": "assistant", "content": text}}]}


class Playback:
    """A client whose answers are these payloads, whole or as chunks of a few letters."""

    def __init__(self, *payloads: Mapping[str, Any]) -> None:
        self._payloads = list(payloads)
        self.chat = self.completions = self

    def create(self, **request: Any) -> Any:
        payload = self._payloads.pop(0)
        if not request.get("stream"):
            return payload
        [choice] = payload["choices"]
        text, finish = choice["message"]["content"], choice["finish_reason"]
        pieces = [{"content": text[start : start + 3]} for start in range(0, len(text), 3)]
        return iter([*map(_chunk, pieces), _chunk({}, finish)])


def _chunk(delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def runner(*replies: str) -> tuple[Runner, ScriptedModel]:
    model = ScriptedModel(*replies)
    return Runner(model, tools_as="response_schema", model="small"), model


def request_of(agent: Agent, messages: Any = "Hello!") -> dict[str, Any]:
    client, model = runner(said("Hi."))
    client.run(agent, messages)
    return model.requests[0]


def test_a_call_is_executed_and_answered() -> None:
    client, _ = runner(call("pay", cents=3, to="you"), said("Done."))

    response = client.run(Agent(functions=[pay]), "Pay 3 cents.")

    assert [(m["role"], m["content"]) for m in response.messages] == [
        ("assistant", None),
        ("tool", "paid 3 to you"),
        ("assistant", "Done."),
    ]
    assert response.messages[0]["tool_calls"][0]["function"] == {
        "name": "pay",
        "arguments": '{"cents":3,"to":"you"}',
    }


def test_the_async_runner_speaks_it_too() -> None:
    model = ScriptedModel(call("pay", cents=3, to="you"), said("Done."), is_async=True)
    client = Runner(model, tools_as="response_schema", model="small")

    assert asyncio.run(client.arun(Agent(functions=[pay]), "Pay.")).text == "Done."


def test_no_tools_are_sent() -> None:
    assert sorted(request_of(Agent(functions=[pay]))) == ["messages", "model", "response_format"]


def test_the_response_schema_is_strict_where_all_tools_are() -> None:
    def open_ended(options: dict[str, int]) -> None: ...

    formats = [request_of(Agent(functions=tools))["response_format"] for tools in ([pay], [pay, open_ended])]

    assert [form["json_schema"]["strict"] for form in formats] == [True, False]


def test_the_schema_without_tools_holds_an_answer_only() -> None:
    schema = request_of(Agent())["response_format"]["json_schema"]["schema"]

    assert list(schema["properties"]) == ["answer"]


def test_the_prompt_tells_the_tools() -> None:
    assert request_of(Agent(instructions="Be brief.", functions=[pay, ship]))["messages"][0] == {
        "role": "system",
        "content": "Be brief.\n\nUse a tool where one fits, then tell the user what it answered. Reply in JSON. "
        'The tools:\npay: Pay an amount. (cents: How much. to: Default: "the shop".)\nship: ',
    }


EXAMPLE = [
    {"role": "user", "content": "Pay an amount."},
    {"role": "assistant", "content": '{"tool": "pay", "arguments": {"cents": 1, "to": "to"}}'},
    {"role": "user", "content": "Answer of pay: done"},
    {"role": "assistant", "content": '{"answer": "done"}'},
]


def test_an_example_of_a_call_stands_before_the_transcript_twice() -> None:
    messages = request_of(Agent(functions=[pay]))["messages"]

    assert messages[1:] == [*EXAMPLE, *EXAMPLE, {"role": "user", "content": "Hello!"}]


def test_of_many_tools_one_example_each_is_enough() -> None:
    tools = [function_tool(pay, name_override=f"pay_{number}") for number in range(6)]

    messages = request_of(Agent(functions=tools))["messages"]

    assert [m["content"] for m in messages if m["content"].startswith("Answer of")] == [
        f"Answer of pay_{number}: done" for number in range(6)
    ]


def test_an_example_of_a_forced_call_has_no_answer() -> None:
    client, model = runner(call("pay", cents=1, to="you"), said("Paid."))

    client.run(Agent(functions=[pay], tool_choice="required"), "Hello!")

    asked, called = EXAMPLE[:2]
    assert model.requests[0]["messages"][1:] == [asked, called, asked, called, {"role": "user", "content": "Hello!"}]


HISTORY = [
    {"role": "user", "content": "Pay."},
    {
        "role": "assistant",
        "content": "I pay twice.",
        "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "pay", "arguments": '{"cents": 1}'}},
            {"id": "b", "type": "function", "function": {"name": "pay", "arguments": "{broken"}},
        ],
    },
    {"role": "tool", "tool_call_id": "a", "tool_name": "pay", "content": "paid"},
    {"role": "tool", "tool_call_id": "b", "content": "failed"},
    {"role": "user", "content": "And?"},
    {"role": "assistant", "content": "It is paid."},
    {"role": "user", "content": [{"type": "text", "text": "Thanks."}]},
]


def test_the_transcript_is_written_in_roles_that_every_template_knows() -> None:
    assert request_of(Agent(instructions=None), HISTORY)["messages"] == [
        {"role": "user", "content": "Pay."},
        {
            "role": "assistant",
            "content": '{"answer": "I pay twice."}\n{"tool": "pay", "arguments": {"cents": 1}}\n'
            '{"tool": "pay", "arguments": {"invalid_json":"{broken"}}',
        },
        {"role": "user", "content": "Answer of pay: paid\n\nAnswer of the tool: failed\n\nAnd?"},
        {"role": "assistant", "content": '{"answer": "It is paid."}'},
        {"role": "user", "content": [{"type": "text", "text": "Thanks."}]},
    ]


CHOICES: dict[str, tuple[Any, list[str]]] = {
    "left to the model": (None, ["pay", "ship", "answer"]),
    "auto": ("auto", ["pay", "ship", "answer"]),
    "none": ("none", ["answer"]),
    "required": ("required", ["pay", "ship"]),
    "any": ("any", ["pay", "ship"]),
    "a name": ("ship", ["ship"]),
    "an object": ({"type": "function", "function": {"name": "ship"}}, ["ship"]),
}


def _branches(schema: Mapping[str, Any]) -> list[str]:
    found = [branch["properties"] for branch in schema.get("anyOf", [schema])]
    return [properties["tool"]["enum"][0] if "tool" in properties else "answer" for properties in found]


@pytest.mark.parametrize(("choice", "left"), CHOICES.values(), ids=CHOICES)
def test_a_tool_choice_narrows_the_schema(choice: Any, left: list[str]) -> None:
    client, model = runner(call("ship", parcel=1), said("Shipped."))

    client.run(Agent(functions=[pay, ship], tool_choice=choice), "Go.")

    assert _branches(model.requests[0]["response_format"]["json_schema"]["schema"]) == left


def test_a_forced_choice_is_not_forced_again() -> None:
    client, model = runner(call("ship", parcel=1), said("Shipped."))

    client.run(Agent(functions=[ship], tool_choice="required"), "Go.")

    assert _branches(model.requests[1]["response_format"]["json_schema"]["schema"]) == ["ship", "answer"]


def test_a_choice_that_is_not_offered_ends_the_run() -> None:
    client, _ = runner()

    with pytest.raises(RunError, match="tool_choice 'fly': it names no tool that is enabled"):
        client.run(Agent(functions=[ship], tool_choice="fly"), "Go.")


TEXTS = {
    "words, from a server that does not keep to the schema": "It is paid.",
    "another object": '{"name": "pay"}',
    "a number": "42",
    "an answer that is no text": '{"answer": 1}',
    "nothing": "",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_is_neither_call_nor_answer_is_the_text_itself(text: str) -> None:
    client, _ = runner(text)

    assert client.run(Agent(functions=[pay]), "Pay.").text == text


@pytest.mark.parametrize(
    "arguments",
    ['{"amount": 0.10000000000000000001}', '{ "a" : [1,\n 2] }', '{"a": "}"}', "{}"],
)
def test_arguments_stay_the_text_that_the_model_wrote(arguments: str) -> None:
    reply = ADAPTER.read(_whole(f'\n{{ "tool" : "pay",\n "arguments" : {arguments} }}\n'))

    assert reply.message["tool_calls"][0]["function"] == {"name": "pay", "arguments": arguments}


def _whole(text: str) -> dict[str, Any]:
    return {"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": text}}]}


CUT_CALLS = ['{"tool": "pa', '{"tool": "pay"', '{"tool": "pay", "arguments": {"cen', '{"tool": "pay", "arguments": {}']


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize("text", CUT_CALLS)
def test_a_call_that_is_cut_off_is_not_executed(text: str, stream: bool) -> None:
    done = _whole(said("Too long."))
    client = Runner(Playback(cut(text), done), tools_as="response_schema", model="small")

    events = list(client.run(Agent(functions=[pay]), "Pay.", stream=True)) if stream else []
    response = events[-1]["response"] if stream else client.run(Agent(functions=[pay]), "Pay.")

    assert response.messages[1]["content"].startswith("Not executed: the answer was cut off")
    assert response.text == "Too long."


@pytest.mark.parametrize("text", ['{"answer": "Once upon', '{"answer": "Once upon\\u00'])
def test_an_answer_that_is_cut_off_ends_where_it_does(text: str) -> None:
    client = Runner(Playback(cut(text)), tools_as="response_schema", model="small")

    assert client.run(Agent(), "Tell.").text == "Once upon"


def test_an_answer_that_is_cut_off_at_once_ends_the_run() -> None:
    client = Runner(Playback(cut('{"an')), tools_as="response_schema", model="small")

    with pytest.raises(RunError, match="cut off at its length limit before it said anything"):
        client.run(Agent(), "Tell.")


def streamed(text: str) -> list[dict[str, Any]]:
    client = Runner(Playback(_whole(text)), tools_as="response_schema", model="small")
    events = list(client.run(Agent(functions=[pay]), "Go.", stream=True, execute_tools=False))
    return [event for event in events if "sender" in event and "message" not in event]


@pytest.mark.parametrize("text", ["It is 18 °C.", 'He said "no".\n\\', "😀 done", ""])
def test_a_stream_shows_the_words_of_an_answer_as_they_come(text: str) -> None:
    deltas = streamed(to_json({"answer": text}).decode())

    assert "".join(delta["content"] for delta in deltas) == text
    assert len(deltas) > 1 or len(text) < 4


def test_a_stream_shows_a_call_once_when_it_is_whole() -> None:
    assert streamed('{"tool": "pay", "arguments": {"cents": 1}}\n\n\n\n') == [
        {
            "tool_calls": [
                {"index": 0, "id": "", "type": "function", "function": {"name": "pay", "arguments": '{"cents": 1}'}}
            ],
            "sender": "Agent",
        }
    ]


def test_a_stream_shows_the_words_of_a_server_that_does_not_keep_to_the_schema() -> None:
    assert "".join(delta["content"] for delta in streamed("It is paid.")) == "It is paid."


def test_the_request_of_a_turn_does_not_change_it() -> None:
    turn = Turn("small", "Be brief.", [{"role": "user", "content": "Hello!"}], [], None, None, False)

    ADAPTER.request(turn, None)

    assert turn.items == [{"role": "user", "content": "Hello!"}]
