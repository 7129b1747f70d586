"""``fnschema run``: an agent, a function or a module's tools on a language model."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import click

from ..errors import RunError
from ..runner import Agent, Response, Runner, run_demo_loop
from ..runner.clients import Clients
from ..runner.loop import Options
from ..runner.repl import MAX_TURNS, Screen
from .target import Target, TargetError, find_tools

__all__ = ["run"]

_MODEL = "gpt-4.1-mini"  # of an agent that names none
_KEY = "OPENAI_API_KEY"
_NO_KEY = "none"  # a server of one's own asks for none, but the client will not go without


@click.command(short_help="Run an agent or a function on a language model.")
@click.argument("target", type=Target.parse)
@click.argument("prompt", required=False)
@click.option("--local", is_flag=True, help="A small model on this machine; --model is then the path of a GGUF file.")
@click.option("--model", metavar="NAME", help="The provider's name of the model.")
@click.option("--base-url", metavar="URL", help="A server that speaks OpenAI's API.")
@click.option(
    "--max-turns", metavar="N", type=click.IntRange(min=1), help=f"Ask the model at most N times [{MAX_TURNS}]."
)
@click.option("--no-execute", is_flag=True, help="Show the calls of the first answer; call nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the transcript as JSON, at the end.")
def run(
    target: Target,
    prompt: str | None,
    local: bool,
    model: str | None,
    base_url: str | None,
    max_turns: int | None,
    no_execute: bool,
    as_json: bool,
) -> None:
    """Run the agent or function TARGET, or all tools of a module, on a language model.

    Without PROMPT it is a conversation. The model is the one that the options name; without any, OpenAI's if
    OPENAI_API_KEY is set, else a small one on this machine. The exit code is 1 when the run fails.
    """
    if prompt is None and (max_turns or no_execute or as_json):
        raise click.UsageError("--max-turns, --no-execute and --json need a PROMPT.")
    if local and base_url:
        raise click.UsageError("--local and --base-url exclude each other.")
    if model and not (local or base_url or os.environ.get(_KEY)):
        raise click.UsageError(f"--model needs {_KEY} in the environment, --base-url or --local.")
    agent = _agent(target)
    with _run_failures(), _runner(local, model, base_url) as runner:
        if prompt is None:
            run_demo_loop(agent, stream=True, runner=runner)
            return
        options = Options(stream=not as_json, max_turns=max_turns or MAX_TURNS, execute_tools=not no_execute)
        (_print_transcript if as_json else _show)(runner, agent, prompt, options)


def _agent(target: Target) -> Agent:
    """The agent that the target names or the only one of its module; else one with all the tools there.

    Raises:
        TargetError: there is nothing of that name, nothing at all, or a choice of several agents.
        UserError: what the target names cannot be a tool.
    """
    module = target.module()
    named = {target.name: target.named(module)} if target.name else vars(module)
    agents = {name: value for name, value in named.items() if isinstance(value, Agent)}
    if len(agents) > 1:
        raise TargetError(
            f"Cannot choose an agent of {target}: it has {', '.join(agents)}. Name one, as in {target}:{min(agents)}."
        )
    if agents:
        return agents.popitem()[1]
    found = find_tools(target, "openai")
    if not found.tools:
        raise found.refusals[0]
    for refusal in found.refusals:
        click.echo(f"Left out: {refusal}", err=True)
    return Agent(functions=found.tools)


class _OneModel(Runner):
    """A runner whose model goes before those that agents name."""

    def events(self, agent: Agent, messages: Any, variables: Any, options: Options) -> Iterator[dict[str, Any]]:
        """The events of a run."""
        return super().events(agent, messages, variables, replace(options, model_override=self.model))


@contextlib.contextmanager
def _runner(local: bool, model: str | None, base_url: str | None) -> Generator[Runner]:
    """A runner on the model that was asked for, or is at hand; says which on stderr."""
    has_key = bool(os.environ.get(_KEY))
    if local or not (model or base_url or has_key):
        with Runner.local(model) as runner:
            click.echo(f"Model: {runner.model}, on this machine", err=True)
            yield runner
        return
    settings: dict[str, Any] = {"base_url": base_url} if base_url else {}
    if base_url and not has_key:
        settings["api_key"] = _NO_KEY
    clients = Clients(**settings)
    client = clients.get("OpenAI")
    name = model or f"each agent's own, or {_MODEL}"
    click.echo(f"Model: {name}, at {_place(str(client.base_url))}", err=True)
    yield _OneModel(client, model=model) if model else Runner(client, model=_MODEL)
    clients.close()


def _place(url: str) -> str:
    """The host and the port: what stands before them may be a password."""
    return urlsplit(url).netloc.rpartition("@")[2]


@contextlib.contextmanager
def _run_failures() -> Generator[None]:
    try:
        yield
    except RunError as error:
        raise click.ClickException(str(error)) from error


def _print_transcript(runner: Runner, agent: Agent, prompt: str, options: Options) -> None:
    """The transcript of the run, or as far as it came."""
    response = Response()
    out = sys.stdout
    try:
        with contextlib.redirect_stdout(sys.stderr):
            *_, last = runner.events(agent, prompt, None, options)
        response = last["response"]
    except RunError as error:
        response = error.response or response
        raise
    finally:
        facts = {
            "messages": [{"role": "user", "content": prompt}, *response.messages],
            "agent": response.agent.name if response.agent else agent.name,
            "usage": response.usage,
        }
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False), file=out)


def _show(runner: Runner, agent: Agent, prompt: str, options: Options) -> None:
    screen = Screen(sys.stdout, named=False)
    with contextlib.redirect_stdout(sys.stderr):
        screen.follow(runner.events(agent, prompt, None, options))
