"""Calls on an executor of other processes: what a function returns there, and the agent that is meant here."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, cast

from .._invoke import Call, Carried
from ..errors import UserError
from .agent import Agent, Result

__all__ = ["Absent", "placed", "present"]


@dataclass(frozen=True, slots=True)
class Absent:
    """An agent of another process: its name, and its copy if it can be pickled."""

    name: str
    copy: Agent | None


@dataclass(frozen=True, slots=True)
class _Portable:
    """A function whose result may be pickled though it names an agent."""

    function: Callable[..., Any]

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        value = self.function(*args, **kwargs)
        result = Result(agent=value) if isinstance(value, Agent) else value
        if isinstance(result, Result) and result.agent is not None:
            return replace(result, agent=_absent(result.agent))
        return result


def placed(call: Call, executor: Executor | None) -> Call:
    """The call as it can run on the executor. Only a `ThreadPoolExecutor` is known to be in this process."""
    if call.is_async or executor is None or isinstance(executor, ThreadPoolExecutor):
        return call
    return replace(call, function=_Portable(Carried(call.function, executor)))


def present(absent: Absent, known: Mapping[str, Agent], functions: Iterable[Callable[..., Any]]) -> Agent:
    """The agent of this process that has the name: one of the run, one that a function refers to, or else the copy.

    Raises:
        UserError: there is none.
    """
    referred = {agent.name: agent for function in functions for agent in _referred_to_by(function)}
    agent = known.get(absent.name) or referred.get(absent.name) or absent.copy
    if agent is None:
        remedy = "Name it in a global variable that the function uses."
        raise UserError(f"Cannot hand over to agent {absent.name!r} of another process: it is not known here. {remedy}")
    return agent


def _absent(agent: Agent) -> Any:
    try:
        return Absent(agent.name, pickle.loads(pickle.dumps(agent)))
    except Exception:  # noqa: BLE001 - pickle raises whatever the agent's functions raise; the name still travels
        return Absent(agent.name, None)


def _referred_to_by(function: Callable[..., Any]) -> Iterator[Agent]:
    function = inspect.unwrap(function)
    if not (inspect.isfunction(function) or inspect.ismethod(function)):
        return
    variables = inspect.getclosurevars(function)
    for value in (*variables.nonlocals.values(), *variables.globals.values()):
        yield from (agent for agent in _members(value) if isinstance(agent, Agent))


def _members(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return cast("dict[object, object]", value).values()
    return cast("Iterable[object]", value) if isinstance(value, (list, tuple)) else [value]
