"""The names and the rules of openai/swarm, on the loop of `fnschema.Runner`.

A program written for Swarm changes its import to ``from fnschema.swarm import Swarm, Agent``. What is otherwise than
there is told in ``docs/explanation/differences-from-swarm.md``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, overload

from .runner import Agent as _Agent
from .runner import Response, Result, Runner
from .runner import run_demo_loop as _run_demo_loop
from .runner.loop import Options
from .runner.runner import last_response

__all__ = ["Agent", "Response", "Result", "Swarm", "function_to_json", "run_demo_loop"]

_JSON_TYPES: Mapping[Any, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    list: "array",
    dict: "object",
    type(None): "null",
}


@dataclass(eq=False)
class Agent(_Agent):
    """An agent whose model is ``gpt-4o`` unless it says otherwise."""

    model: str | None = "gpt-4o"


class Swarm:
    """Runs agents on Chat Completions.

    Args:
        client: an `openai.OpenAI`, or one shaped like it; `None` builds one at first use.
    """

    def __init__(self, client: Any = None) -> None:
        self._runner = Runner(client)

    # fmt: off
    @overload
    def run(self, agent: _Agent, messages: Sequence[Any], context_variables: Mapping[str, Any] | None = ...,
            model_override: str | None = ..., stream: Literal[False] = ..., debug: bool = ..., max_turns: float = ...,
            execute_tools: bool = ...) -> Response: ...
    @overload
    def run(self, agent: _Agent, messages: Sequence[Any], context_variables: Mapping[str, Any] | None = ...,
            model_override: str | None = ..., *, stream: Literal[True], debug: bool = ..., max_turns: float = ...,
            execute_tools: bool = ...) -> Iterator[dict[str, Any]]: ...
    # fmt: on
    def run(
        self,
        agent: _Agent,
        messages: Sequence[Any],
        context_variables: Mapping[str, Any] | None = None,
        model_override: str | None = None,
        stream: bool = False,
        debug: bool = False,
        max_turns: float = float("inf"),
        execute_tools: bool = True,
    ) -> Response | Iterator[dict[str, Any]]:
        """Run an agent, as `fnschema.Runner.run` does, but for ``max_turns``.

        Args:
            agent: who begins.
            messages: the transcript so far.
            context_variables: for functions and instructions; the run copies them.
            model_override: a model for every agent of the run.
            stream: return an iterator of events.
            debug: print every message to standard error.
            max_turns: how many messages the run may add before it returns, the answers of tools counted.
            execute_tools: `False` returns the calls of the model and executes none.

        Raises:
            UserError: an agent that cannot be run.
            RunError: the model gave no answer.
        """
        options = Options(model_override, stream, debug, None, execute_tools, max_messages=max_turns)
        events = self._runner.events(agent, messages, context_variables, options)
        return _as_in_swarm(events) if stream else last_response(events)

    def run_and_stream(
        self,
        agent: _Agent,
        messages: Sequence[Any],
        context_variables: Mapping[str, Any] | None = None,
        model_override: str | None = None,
        debug: bool = False,
        max_turns: float = float("inf"),
        execute_tools: bool = True,
    ) -> Iterator[dict[str, Any]]:
        """`run` with ``stream=True``."""
        options = Options(model_override, True, debug, None, execute_tools, max_messages=max_turns)
        return _as_in_swarm(self._runner.events(agent, messages, context_variables, options))


def _as_in_swarm(events: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Events without those of whole messages, which Swarm does not have."""
    return (event for event in events if "message" not in event)


def function_to_json(func: Callable[..., Any]) -> dict[str, Any]:
    """What Swarm publishes of a function: the whole docstring, and one word for the type of each parameter.

    `fnschema.function_tool` publishes more. This is for programs that compare with Swarm, or build requests themselves.

    Args:
        func: any function with a signature and a name.

    Returns:
        a definition as Chat Completions takes it. A parameter without an annotation, or with one that Swarm does not
        know, is a ``"string"``.

    Raises:
        ValueError: the function has no signature.
    """
    name = func.__name__
    try:
        parameters = inspect.signature(func).parameters.values()
    except ValueError as error:
        raise ValueError(f"Cannot describe function {name!r}: it has no signature.") from error
    schema = {
        "type": "object",
        "properties": {parameter.name: {"type": _json_type(parameter.annotation)} for parameter in parameters},
        "required": [parameter.name for parameter in parameters if parameter.default is parameter.empty],
    }
    return {"type": "function", "function": {"name": name, "description": func.__doc__ or "", "parameters": schema}}


def _json_type(annotation: Any) -> str:
    try:
        return _JSON_TYPES.get(annotation, "string")
    except TypeError:  # an annotation that cannot be hashed, which ends Swarm
        return "string"


def run_demo_loop(
    starting_agent: _Agent,
    context_variables: Mapping[str, Any] | None = None,
    stream: bool = False,
    debug: bool = False,
) -> None:
    """Talk to an agent in the terminal, as `fnschema.run_demo_loop` does."""
    _run_demo_loop(starting_agent, context_variables, stream, debug)
