"""The examples of agents, in a conversation with a scripted provider over HTTP."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import openai
import pytest

import fault_server as server
from conversations import MODES, Done, drive
from fnschema import Runner
from test_examples import load


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def talk(module: ModuleType, *replies: server.Reply, mode: str, **options: Any) -> tuple[Done, list[server.Body]]:
    with server.serving(*replies) as (base_url, requests):
        kind: Any = openai.AsyncOpenAI if mode.startswith("arun") else openai.OpenAI
        client = kind(api_key="test", base_url=base_url, max_retries=0, timeout=10)
        return drive(mode, Runner(client), module.triage, "Good day.", **options), requests


def offered(request: server.Body) -> list[str]:
    return [tool["function"]["name"] for tool in request["tools"]]


def system(request: server.Body) -> str:
    return str(request["messages"][0]["content"])


@pytest.mark.parametrize("mode", MODES)
def test_triage_hands_over_to_sales_which_sells(mode: str) -> None:
    done, requests = talk(
        load("triage"),
        server.asks(server.call("to_sales", "{}", "a")),
        server.asks(server.call("look_up_item", '{"words": "anvil"}', "b")),
        server.asks(server.call("order", '{"item_id": "item_2", "quantity": 2}', "c")),
        server.says("Two anvils are on their way."),
        mode=mode,
    )

    assert done.texts == ['{"assistant":"Sales"}', "item_2: anvil", "Ordered 2 x anvil for 198 €."]
    assert done.response.agent is not None
    assert done.response.agent.name == "Sales"
    assert [offered(request) for request in requests[:2]] == [
        ["to_sales", "to_repairs"],
        ["look_up_item", "order", "back_to_triage"],
    ]


@pytest.mark.parametrize("mode", MODES)
def test_repairs_refunds_and_hands_back(mode: str) -> None:
    done, _ = talk(
        load("triage"),
        server.asks(server.call("to_repairs", "{}", "a")),
        server.asks(
            server.call("look_up_item", '{"words": "rocket"}', "b"), server.call("refund", '{"item_id": "item_3"}', "c")
        ),
        server.asks(server.call("back_to_triage", "{}", "d")),
        server.says("Anything else?"),
        mode=mode,
    )

    assert done.texts[1:] == [
        "There is no such item.",
        "Refunded item_3. Reason: not given.",
        '{"assistant":"Triage"}',
    ]
    assert [message["sender"] for message in done.response.messages if "sender" in message] == [
        "Triage", "Issues and repairs", "Issues and repairs", "Triage",
    ]  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
def test_an_item_that_is_not_there(mode: str) -> None:
    done, _ = talk(
        load("triage"),
        server.asks(server.call("to_sales", "{}", "a")),
        server.asks(server.call("order", '{"item_id": "item_9"}', "b")),
        server.says("Sorry."),
        mode=mode,
    )

    assert done.texts[-1] == "There is no item item_9."


@pytest.mark.parametrize("mode", MODES)
def test_the_airline_knows_the_customer_and_changes_the_flight(mode: str) -> None:
    module = load("airline")
    done, requests = talk(
        module,
        server.asks(server.call("to_flight_changes", "{}", "a")),
        server.asks(server.call("change_flight", '{"flight": "AC 1920"}', "b")),
        server.asks(server.call("cancel_flight", "{}", "c")),
        server.says("Have a nice day."),
        mode=mode,
        context_variables=module.CUSTOMER,
    )

    assert done.texts[1:] == ["Changed AC 1919 to AC 1920.", "Cancelled AC 1920 and refunded it."]
    assert [word for request in requests for word in ("1919", "1920", "no flight") if word in system(request)] == [
        "1919", "1919", "1920", "no flight",
    ]  # fmt: skip
    assert done.response.agent is module.triage
    assert module.CUSTOMER["flight"] == "AC 1919"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("arguments", "looks"), [("{}", ""), ('{"colour": "red"}', " in red"), ('{"colour": null}', "")]
)
def test_the_airline_looks_for_bags(mode: str, arguments: str, looks: str) -> None:
    module = load("airline")
    done, _ = talk(
        module,
        server.asks(server.call("to_lost_bags", "{}", "a")),
        server.asks(server.call("find_bags", arguments, "b"), server.call("back_to_triage", "{}", "c")),
        server.says("We will find them."),
        mode=mode,
        context_variables=module.CUSTOMER,
    )

    assert done.texts[1] == f"Looking for 2 bags{looks} of Ada Lovelace."
    assert done.response.agent is module.triage
