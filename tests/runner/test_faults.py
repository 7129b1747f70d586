"""Runs with the real `openai` client over HTTP and SSE, on a provider that fails.

Whatever happens, a run ends in a right answer or in a `RunError`, every executed call is answered exactly once, and the
transcript can be continued.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

import openai
import pytest

import fault_server as server
from conversations import MODES, Done, drive, every_mode
from fnschema import Agent, RunError, Runner
from fnschema.runner.clients import ask
from fnschema.testing import ScriptedModel, ToolCall

USER = {"role": "user", "content": "hi"}
PAYS = [server.call("pay", '{"cents": 1}', "a"), server.call("pay", '{"cents": 2}', "b")]


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def patience() -> Iterator[threading.Event]:
    """Set at the end of a test, when a silent server may go home."""
    over = threading.Event()
    yield over
    over.set()


class Shop:
    """Counts how often each call is executed."""

    def __init__(self) -> None:
        self.paid: Counter[int] = Counter()
        self.agent = Agent(functions=[self.pay])

    def pay(self, cents: int) -> str:
        """Pay."""
        self.paid[cents] += 1
        return f"{cents} paid"


def run(mode: str, agent: Agent, replies: list[server.Reply], messages: Any = None, **options: Any) -> Done:
    with server.serving(*replies) as (base_url, _):
        kind: Any = openai.AsyncOpenAI if mode.startswith("arun") else openai.OpenAI
        client = kind(api_key="test", base_url=base_url, **{"max_retries": 0, "timeout": 10, **options})
        return drive(mode, Runner(client, model="m"), agent, [USER] if messages is None else messages)


FAULTS: dict[str, server.Reply] = {
    "429": server.refuses(429),
    "500": server.refuses(500),
    "garbage": server.talks_garbage,
    "a page": server.shows_a_page,
    "an error within 200": server.fails_within_200,
    "hangs up": server.hangs_up,
    "breaks off within a text": server.breaks_off({"content": "I would like to pay. " * 9}),
    "breaks off within a call": server.breaks_off({"content": "I pay.", "tool_calls": PAYS}),
}
every_fault = pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)


@every_mode
@every_fault
def test_a_fault_in_the_first_turn(mode: str, fault: server.Reply) -> None:
    shop = Shop()

    with pytest.raises(RunError) as caught:
        run(mode, shop.agent, [fault])

    assert caught.value.__cause__ is not None
    assert caught.value.response is not None
    assert caught.value.response.messages == []
    assert shop.paid == {}


@every_mode
@every_fault
def test_a_fault_after_calls_were_executed(mode: str, fault: server.Reply) -> None:
    shop = Shop()

    with pytest.raises(RunError) as caught:
        run(mode, shop.agent, [server.asks(*PAYS), fault])
    assert caught.value.response is not None
    so_far = caught.value.response.messages
    done = run(mode, shop.agent, [server.says("Done.")], [USER, *so_far])

    assert [message.get("tool_call_id") for message in so_far] == [None, "a", "b"]
    assert done.response.text == "Done."
    assert shop.paid == {1: 1, 2: 1}


@every_mode
@pytest.mark.parametrize("status", [429, 500])
def test_a_client_that_tries_again(mode: str, status: int) -> None:
    shop = Shop()

    done = run(mode, shop.agent, [server.refuses(status), server.asks(*PAYS), server.says("Done.")], max_retries=1)

    assert done.answers == [("a", "1 paid"), ("b", "2 paid")]
    assert done.response.text == "Done."


@every_mode
def test_a_provider_that_stays_silent(mode: str, patience: threading.Event) -> None:
    with pytest.raises(RunError) as caught:
        run(mode, Shop().agent, [server.stays_silent(patience)], timeout=0.05)

    assert isinstance(caught.value.__cause__, openai.APITimeoutError)


@every_mode
def test_a_slow_first_byte(mode: str) -> None:
    slow = threading.Event()
    threading.Timer(0.05, slow.set).start()

    done = run(mode, Shop().agent, [server.answers({"content": "Done."}, after=slow)])

    assert done.response.text == "Done."


@every_mode
def test_one_id_for_two_calls(mode: str) -> None:
    shop = Shop()
    twins = [server.call("pay", '{"cents": 1}', "a"), server.call("pay", '{"cents": 2}', "a")]

    done = run(mode, shop.agent, [server.asks(*twins), server.says("Done.")])

    assert done.texts == ["1 paid", "2 paid"]
    assert [call_id for call_id, _ in done.answers] == done.asked
    assert len(set(done.asked)) == 2
    assert shop.paid == {1: 1, 2: 1}


@every_mode
def test_arguments_that_are_garbage(mode: str) -> None:
    shop = Shop()
    broken = server.call("pay", '{"cents": ', "b")

    done = run(mode, shop.agent, [server.asks(PAYS[0], broken), server.says("Done.")])

    assert [call_id for call_id, _ in done.answers] == ["a", "b"]
    assert done.texts[1].startswith("Invalid JSON input for tool pay")
    assert shop.paid == {1: 1}


@every_mode
@pytest.mark.parametrize("kind", [openai.OpenAI, openai.AsyncOpenAI])
def test_either_client_runs_either_way(mode: str, kind: Any) -> None:
    shop = Shop()
    replies = [server.asks(*PAYS), server.says("Done.")] * 2
    with server.serving(*replies) as (base_url, requests):
        client = kind(api_key="test", base_url=base_url, max_retries=0, timeout=10)
        runner = Runner(client, model="m")
        for _ in range(2):
            done = drive(mode, runner, shop.agent)

    assert done.response.text == "Done."
    assert len(requests) == 4


@pytest.mark.parametrize("mode", MODES[::2])
def test_an_async_client_keeps_its_connection_from_one_sync_run_to_the_next(mode: str) -> None:
    connections: list[Any] = []
    with server.serving(server.says("One."), server.says("Two."), connections=connections) as (base_url, _):
        client = openai.AsyncOpenAI(api_key="test", base_url=base_url, max_retries=0, timeout=10)
        texts = [drive(mode, Runner(client, model="m"), Agent()).response.text for _ in range(2)]
        ask(client.close, {})

    assert texts == ["One.", "Two."]
    assert len(connections) == 1


@every_mode
def test_the_responses_api(mode: str) -> None:
    shop = Shop()
    model = ScriptedModel([ToolCall("pay", {"cents": 1}), ToolCall("tip")], "Done.")
    with server.serving(*[server.plays(model)] * 2) as (base_url, requests):
        kind: Any = openai.AsyncOpenAI if mode.startswith("arun") else openai.OpenAI
        client = kind(api_key="test", base_url=base_url, max_retries=0, timeout=10)
        done = drive(mode, Runner(client, api="responses", model="m"), shop.agent)

    assert done.texts == ["1 paid", "There is no tool 'tip'. The tools are: pay."]
    assert done.response.text == "Done."
    assert done.response.usage["total_tokens"] == 4
    assert requests[0]["tools"][0]["strict"] is True
    assert [item.get("type") for item in requests[1]["input"]] == [
        None, "function_call", "function_call", "function_call_output", "function_call_output",
    ]  # fmt: skip


@every_mode
def test_a_client_is_built_at_first_use(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with server.serving(server.says("Done."), server.says("Done.")) as (base_url, requests):
        monkeypatch.setenv("OPENAI_API_KEY", "test")
        monkeypatch.setenv("OPENAI_BASE_URL", base_url)
        runner = Runner()
        texts = [drive(mode, runner, Agent(model="m")).response.text for _ in range(2)]

    assert texts == ["Done.", "Done."]
    assert [request["model"] for request in requests] == ["m", "m"]
