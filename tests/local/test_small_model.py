"""What the smallest model makes of tools. It is asked at temperature 0, so that the answers are the same every time.

Every call is valid, whatever the model: the response schema sees to that. Which tool it picks is the model's own doing,
and how the prompt tells it of the tools.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from fnschema import Agent, Response, Runner, function_tool
from test_examples import load

Currency = Literal["EUR", "USD", "GBP", "JPY"]


def get_weather(city: str, unit: Literal["celsius", "fahrenheit"] = "celsius") -> str:
    """Tell the current temperature in a city.

    Args:
        city: The city's English name.
        unit: The scale of the answer.
    """
    return f"18 degrees {unit} in {city}"


def set_timer(minutes: int) -> str:
    """Start a timer.

    Args:
        minutes: After how many minutes it rings.
    """
    return f"The timer rings in {minutes} minutes."


def convert_money(amount: float, source: Currency, target: Currency) -> str:
    """Convert an amount of money from one currency to another.

    Args:
        amount: How much money.
        source: The currency it is in.
        target: The currency to convert it to.
    """
    return f"{amount:g} {source} is {amount * 2:g} {target}"


def send_message(to: str, text: str) -> str:
    """Send a text message to a person.

    Args:
        to: The person's name.
        text: What the message says.
    """
    return f"{to} has got the message {text!r}."


TOOLS: list[Callable[..., str]] = [get_weather, set_timer, convert_money, send_message]
PROMPTS = {
    "What is the weather in Paris?": "get_weather",
    "How warm is it in London right now?": "get_weather",
    "What is the temperature in Tokyo in fahrenheit?": "get_weather",
    "Is it cold in Oslo today?": "get_weather",
    "Tell me the weather in Madrid in celsius.": "get_weather",
    "Set a timer for 10 minutes.": "set_timer",
    "Start a timer of 5 minutes for the eggs.": "set_timer",
    "Wake me up in 30 minutes.": "set_timer",
    "I need a 3 minute timer for my tea.": "set_timer",
    "Let the timer ring in 45 minutes.": "set_timer",
    "Convert 100 EUR to USD.": "convert_money",
    "How much is 50 dollars in euros?": "convert_money",
    "What are 20 GBP in JPY?": "convert_money",
    "Change 5000 yen to pounds.": "convert_money",
    "I have 75 euros. How many dollars is that?": "convert_money",
    "Send Anna a message that I am late.": "send_message",
    "Tell Bob by message: dinner is ready.": "send_message",
    "Text Maria that the meeting is at noon.": "send_message",
    "Send a message to Tom: happy birthday!": "send_message",
    "Message my brother Paul that I will call him.": "send_message",
}


@dataclass(frozen=True)
class Called:
    tool: str
    arguments: str


@pytest.fixture(scope="module")
def answers(small: Runner) -> dict[str, Called | None]:
    """What the model calls at each prompt; `None` where it only speaks."""
    agent = Agent(functions=TOOLS)
    return {prompt: _first_call(small.run(agent, prompt, execute_tools=False)) for prompt in PROMPTS}


def _first_call(response: Response) -> Called | None:
    calls: list[Any] = response.messages[0].get("tool_calls", [])
    return Called(calls[0]["function"]["name"], calls[0]["function"]["arguments"]) if calls else None


def test_every_call_is_valid(answers: dict[str, Called | None]) -> None:
    tools = {function.__name__: function_tool(function) for function in TOOLS}

    for called in filter(None, answers.values()):
        tools[called.tool].call(called.arguments)


def test_most_prompts_get_the_right_tool(answers: dict[str, Called | None]) -> None:
    wrong = {prompt: called for prompt, called in answers.items() if called is None or called.tool != PROMPTS[prompt]}

    assert len(wrong) <= 4, wrong


@pytest.mark.parametrize(
    ("prompt", "arguments"),
    [
        ("What is the weather in Paris?", {"city": "Paris", "unit": "celsius"}),
        ("Set a timer for 10 minutes.", {"minutes": 10}),
    ],
)
def test_arguments_come_out_of_the_prompt(
    prompt: str, arguments: dict[str, Any], answers: dict[str, Called | None]
) -> None:
    called = answers[prompt]
    assert called is not None

    assert json.loads(called.arguments) == arguments


def test_an_answer_follows_the_call(small: Runner) -> None:
    weather = load("weather")

    response = small.run(
        Agent(functions=[weather.get_weather]), "What is the weather in Paris in celsius?", max_turns=4
    )

    assert [message["role"] for message in response.messages] == ["assistant", "tool", "assistant"]
    assert response.messages[1]["content"] == "18.0 °C in Paris"
    assert "18.0" in response.text


def test_triage_hands_over_once(small: Runner) -> None:
    triage = load("triage")

    response = small.run(triage.triage, "I would like to order a garden hose.", max_turns=4)

    handoffs = [message["tool_name"] for message in response.messages if message["role"] == "tool"]
    assert (handoffs, response.agent) == (["to_sales"], triage.sales)
