"""The values of a run: who answers, what a tool may return, what comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import UserError

__all__ = ["Agent", "Response", "Result", "check_functions"]


@dataclass(eq=False)
class Agent:
    """A language model with instructions and functions.

    Attributes:
        name: shown as the ``sender`` of its messages; handoffs across processes are matched by it.
        model: the provider's name of the model; `None` is the runner's.
        instructions: the system prompt, or a function that makes it, sync or async. The function may take the context
            variables, by the name ``context_variables`` or as its first parameter; a missing key reads as ``""``. Where
            its first parameter is annotated with `RunContextWrapper`, that is the run's context, and a second one the
            agent.
        functions: functions and `FunctionTool`s that the model may call. A plain function is strict where it can be.
        tool_choice: ``"auto"``, ``"none"``, ``"required"``, a tool's name or the provider's own object. One that forces
            a call is not sent again after a tool of this agent ran.
        parallel_tool_calls: whether the model may make several calls in one turn; `None` leaves it to the provider.

    Raises:
        UserError: an agent, or a tool of the Agents SDK, among the functions.
    """

    name: str = "Agent"
    model: str | None = None
    instructions: str | Callable[..., Any] | None = "You are a helpful agent."
    functions: Sequence[Callable[..., Any]] = field(default_factory=list[Callable[..., Any]])
    tool_choice: str | Mapping[str, Any] | None = None
    parallel_tool_calls: bool | None = True
    made: dict[Any, Any] = field(default_factory=dict[Any, Any], init=False, repr=False)  # the runner's tools of them

    def __post_init__(self) -> None:
        check_functions(self)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "made": {}}


def check_functions(agent: Agent) -> None:
    """Refuse what users of the Agents SDK may put among the functions.

    Raises:
        UserError: an agent, or a tool of that SDK, which is told by the name of its class.
    """
    for function in agent.functions:
        kind, name = type(function), getattr(function, "name", "")
        if isinstance(function, Agent):
            raise UserError(
                f"Cannot offer agent {name!r} as a function of agent {agent.name!r}: an agent is no function. "
                "Give a function that returns the agent."
            )
        if kind.__name__ == "FunctionTool" and kind.__module__.partition(".")[0] == "agents":
            raise UserError(
                f"Cannot offer tool {name!r} as a function of agent {agent.name!r}: it is a tool "
                "of the Agents SDK. Make it with fnschema's function_tool."
            )


@dataclass(frozen=True, slots=True)
class Response:
    """What a run has come to.

    Attributes:
        messages: what the run added to the messages it was given, as Chat Completions writes them, with the ``sender``
            of each answer and the ``tool_name`` of each tool's answer. Append them to go on.
        agent: who answered last.
        context_variables: the run's own dict of them.
        usage: the provider's counts, added up over the turns.
        errors: the exception of each failed call, by call id.
    """

    messages: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    agent: Agent | None = None
    context_variables: dict[str, Any] = field(default_factory=dict[str, Any])
    usage: dict[str, Any] = field(default_factory=dict[str, Any])
    errors: dict[str, Exception] = field(default_factory=dict[str, Exception])

    @property
    def text(self) -> str:
        """The text of the last answer, or its refusal; ``""`` if there is neither."""
        for message in reversed(self.messages):
            if message["role"] == "assistant":
                return message.get("content") or message.get("refusal") or ""
        return ""


@dataclass(frozen=True, slots=True)
class Result:
    """What a function may return to say more than a value.

    Attributes:
        value: the answer to the model.
        agent: who takes over.
        context_variables: what to update.
    """

    value: Any = ""
    agent: Agent | None = None
    context_variables: Mapping[str, Any] = field(default_factory=dict[str, Any])
