"""The protocol of a run, as a generator that does no I/O: it yields what it needs and is sent the result.

```
read history ─▶ (calls left open ─▶ execute) ─▶ ask ─▶ calls? ─▶ execute ─▶ answers, handoff, context ─▶ ask ─▶ …
                                                  └─ none: the run has ended
```

Sync, async and streaming runs drive this one generator, so every rule of a run is here and only here.
"""

from __future__ import annotations

import copy
import inspect
import logging
import sys
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from .._context import RunContextWrapper, ToolContext
from .._invoke import Call
from .._results import render
from .._signature import takes_context
from .._tool import FunctionTool, default_tool_error_function, is_tool, log_failure, tool_of
from ..errors import MaxTurnsExceeded, RunError, UnknownToolError, UserError
from .agent import Agent, Response, Result, check_functions
from .remote import Absent, present
from .transcript import CUT_OFF, ModelCall, answer, model_call, read_history, repair_ids
from .wire import Adapter, Reply, Turn, add_usage, plain

__all__ = ["Ask", "Execute", "Options", "Outcome", "Run", "Tell", "converse"]

T = TypeVar("T")
Need = Generator["Ask | Execute | Tell", Any, T]

_logger = logging.getLogger("fnschema")
_FREE_CHOICES = (None, "auto", "none")


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the language model with these arguments of the client's method; the result is its `Reply`."""

    request: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Execute:
    """Execute these calls, at once if that can be; the result is an `Outcome` for each, in order."""

    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Tell:
    """Tell whoever reads the events of the run that it has a new message; there is no result."""

    message: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The value of a call, or the exception that it raised."""

    value: Any = None
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """What a run was asked for; `Runner.run` says what each means. Swarm counts messages, and returns at its limit."""

    model_override: str | None = None
    stream: bool = False
    debug: bool = False
    max_turns: float | None = None
    execute_tools: bool = True
    context: Any = None
    max_messages: float | None = None


@dataclass(slots=True)
class Run:
    """One run: what it goes by, and how far it has come."""

    agent: Agent
    adapter: Adapter
    client: Any
    model: str | None  # of an agent that names none
    options: Options
    context_variables: dict[str, Any]
    together: bool = False  # the calls of a turn are executed at once
    messages: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    items: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])  # the transcript as the API takes it
    call_ids: set[str] = field(default_factory=set[str])
    usage: dict[str, Any] = field(default_factory=dict[str, Any])
    errors: dict[str, Exception] = field(default_factory=dict[str, Exception])
    turns: int = 0
    made: dict[Any, Any] = field(default_factory=dict[Any, Any])  # the definitions of tools
    offered: dict[str, FunctionTool[..., Any]] = field(default_factory=dict[str, FunctionTool[..., Any]])
    known: dict[str, Agent] = field(default_factory=dict[str, Agent])
    unforced: list[Agent] = field(default_factory=list[Agent])  # whose tools ran: their tool_choice forces no more

    def add(self, message: dict[str, Any]) -> Need[None]:
        """Add a message to the transcript, and tell of it."""
        if self.options.debug:
            print(f"{self.agent.name}: {_debugged(message)}", file=sys.stderr)  # noqa: T201 - it was asked for
        self.messages.append(message)
        self.items += self.adapter.items(message)
        yield Tell(message)

    def response(self) -> Response:
        """The run so far."""
        return Response(list(self.messages), self.agent, self.context_variables, dict(self.usage), dict(self.errors))


def _debugged(message: dict[str, Any]) -> str:
    try:
        return render(message)
    except ValueError:  # a provider may send what JSON cannot hold
        return ascii(message)


def own_context(variables: Mapping[str, Any] | None) -> dict[str, Any]:
    """The run's own dict: a deep copy, but for what cannot be copied, such as a client or a lock."""
    try:
        return copy.deepcopy(dict(variables or {}))
    except Exception:  # noqa: BLE001 - a class may raise anything here; its object is then shared
        return {name: _copied(value) for name, value in (variables or {}).items()}


def _copied(value: Any) -> Any:
    """On its own: where copying fails it leaves half a copy behind, which nothing else may be given."""
    try:
        return copy.deepcopy(value)
    except Exception:  # noqa: BLE001 - as above
        return value


def converse(run: Run, messages: Sequence[Any] | str) -> Need[Response]:
    """Run an agent until it answers without a call.

    Raises:
        UserError: an agent that cannot be run, or messages that are none.
        MaxTurnsExceeded: the model still calls tools after ``max_turns`` turns.
        RunError: the model could not be asked; the chained exception says why.
    """
    history, open_calls = read_history(_given(messages), run.call_ids)
    run.items = [item for message in history for item in run.adapter.items(message)]
    if open_calls:
        if not run.options.execute_tools:
            return run.response()
        yield from _offer(run)
        yield from _execute(run, open_calls)
    while _may_ask(run):
        reply = yield from _ask(run)
        calls = yield from _hear(run, reply)
        if calls and reply.cut:
            for call in calls:
                yield from run.add(answer(call, CUT_OFF))
        elif calls and run.options.execute_tools:
            yield from _execute(run, calls)
        else:
            if reply.cut:  # the text looks whole
                _logger.warning("The answer of agent %r was cut off, by a length limit or a filter", run.agent.name)
            break
    return run.response()


def _given(messages: Any) -> list[dict[str, Any]]:
    if isinstance(messages, str):
        return [{"role": "user", "content": messages}]
    read = [plain(message) for message in messages] if isinstance(messages, Sequence) else None
    if read is None or not all(isinstance(message, dict) for message in read):
        raise UserError(
            "Cannot run on these messages: they are a text, or a list of dicts as Chat Completions has them."
        )
    return read


def _may_ask(run: Run) -> bool:
    options = run.options
    if options.max_turns is not None and run.turns >= options.max_turns:
        raise MaxTurnsExceeded(f"The model still calls tools after {run.turns} turns.", run.response())
    return options.max_messages is None or len(run.messages) < options.max_messages


def _ask(run: Run) -> Need[Reply]:
    agent, options = run.agent, run.options
    model = options.model_override or agent.model or run.model
    if model is None:
        raise UserError(f"Cannot run agent {agent.name!r}: neither it nor the runner names a model. Give it model=….")
    definitions = yield from _offer(run)
    instructions = yield from _instructions(run)
    forced = agent.tool_choice not in _FREE_CHOICES and agent in run.unforced
    choice = None if forced else agent.tool_choice
    turn = Turn(model, instructions, list(run.items), definitions, choice, agent.parallel_tool_calls, options.stream)
    try:
        reply: Reply = yield Ask(run.adapter.request(turn, run.client))
    except Exception as error:
        raise RunError(f"The model gave no answer: {type(error).__name__}: {error}", run.response()) from error
    return reply


def _hear(run: Run, reply: Reply) -> Need[list[ModelCall]]:
    run.turns += 1
    add_usage(run.usage, reply.usage)
    message = {**reply.message, "sender": run.agent.name}
    calls = repair_ids(message.get("tool_calls", ()), run.call_ids)
    if calls:
        message["tool_calls"] = calls
    yield from run.add(message)
    return [model_call(call) for call in calls]


def _instructions(run: Run) -> Need[Any]:
    instructions = run.agent.instructions
    if not callable(instructions):
        return instructions
    variables = defaultdict(str, run.context_variables)  # as Swarm does: a missing key reads as ""
    try:
        signature = inspect.signature(instructions)
    except ValueError:  # some of what is written in C, such as `"…".format_map`, has none
        return (yield from _evaluate(instructions, variables))
    args, kwargs = _instruction_arguments(run, instructions, signature, variables)
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        raise UserError(
            f"Cannot run agent {run.agent.name!r}: its instructions are a function of other parameters ({error}). They "
            "are context_variables, or one annotated with fnschema's RunContextWrapper and the agent after it."
        ) from error
    return (yield from _evaluate(instructions, *args, **kwargs))


def _instruction_arguments(
    run: Run, instructions: Callable[..., Any], signature: inspect.Signature, variables: Mapping[str, Any]
) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """As in Swarm the context variables; for a function written for the Agents SDK the context, and the agent."""
    parameters = signature.parameters.values()
    by_name = any(p.name == "context_variables" and p.kind is not p.POSITIONAL_ONLY for p in parameters)
    kwargs = {"context_variables": variables} if by_name else {}
    by_position = [
        p
        for p in parameters
        if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.VAR_POSITIONAL) and p.name not in kwargs
    ]
    if by_position and takes_context(instructions, by_position[0]):
        takes_agent = len(by_position) > 1 and by_position[1].default is inspect.Parameter.empty
        return [RunContextWrapper(run.options.context), run.agent][: 1 + takes_agent], kwargs
    return [variables] if by_position and not by_name else [], kwargs


def _evaluate(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Need[Any]:
    """The value of a function of the author's, sync or async; what it raises passes through."""
    [outcome] = yield Execute((Call("agent", function, args, kwargs, is_async=True),))
    if outcome.error is not None:
        raise outcome.error
    return outcome.value


def _offer(run: Run) -> Need[list[dict[str, Any]]]:
    """The definitions of the tools that are enabled this turn, which are then in ``run.offered``."""
    names: set[str] = set()
    definitions: list[dict[str, Any]] = []
    run.offered = {}
    run.known.setdefault(run.agent.name, run.agent)
    check_functions(run.agent)  # once more, since a list may have grown
    for function in run.agent.functions:
        tool, definition = _tool(run, function)
        if tool.name in names:
            raise UserError(f"Cannot run agent {run.agent.name!r}: two tools are named {tool.name!r}. Rename one.")
        names.add(tool.name)
        enabled = tool.is_enabled
        if not isinstance(enabled, bool):
            enabled = yield from _evaluate(enabled, RunContextWrapper(run.options.context), run.agent)
        if enabled:
            run.offered[tool.name] = tool
            definitions.append(definition)
    return definitions


def _tool(run: Run, function: Callable[..., Any]) -> tuple[FunctionTool[..., Any], dict[str, Any]]:
    """The tool and its definition, made once a run, since a tool may be changed in between.

    The tool of a plain function is the agent's own, and kept.
    """
    kept = run.made if is_tool(function) else run.agent.made
    key = id(function), run.adapter.dialect
    if key not in kept:
        tool, reason = tool_of(function, run.adapter.dialect)
        if reason:
            _logger.info("The tool %s is not strict: %s", tool.name, reason)
        kept[key] = function, tool, tool.definition(run.adapter.dialect)  # as long as it is kept, its id is its own
    _, tool, definition = kept[key]
    return tool, definition


def _execute(run: Run, calls: Sequence[ModelCall]) -> Need[None]:
    """Give every call its answer; update the context, and hand over."""
    results: list[Result] = []
    for group in [calls] if run.together else [[call] for call in calls]:
        outcomes = yield from _outcomes(run, group)
        for call, outcome in zip(group, outcomes, strict=True):
            result = yield from _settle(run, call, outcome)
            run.context_variables.update(result.context_variables)
            results.append(result)
    if run.agent not in run.unforced:
        run.unforced.append(run.agent)
    heir = next((result.agent for result in reversed(results) if result.agent), None)
    for call, result in zip(calls, results, strict=True):
        yield from run.add(answer(call, _told(result, heir)))
    run.agent = heir or run.agent


def _outcomes(run: Run, calls: Sequence[ModelCall]) -> Need[Iterable[Outcome]]:
    prepared = [_prepare(run, call) for call in calls]
    ready = tuple(call for call in prepared if isinstance(call, Call))
    executed = iter((yield Execute(ready)) if ready else ())
    return [next(executed) if isinstance(call, Call) else Outcome(error=call) for call in prepared]


def _prepare(run: Run, call: ModelCall) -> Call | Exception:
    tool = run.offered.get(call.name)
    if tool is None:
        return UnknownToolError(call.name, run.offered)
    try:
        return tool.prepare(call.arguments, _context(run, call), run.context_variables)
    except Exception as error:  # noqa: BLE001 - a validator of the user's may raise anything; it becomes the answer
        return error


def _context(run: Run, call: ModelCall) -> ToolContext[Any]:
    return ToolContext(run.options.context, call.name, call.id, call.arguments)


def _settle(run: Run, call: ModelCall, outcome: Outcome) -> Need[Result]:
    """The outcome as a `Result` whose value is the text for the model."""
    error = outcome.error
    if error is None:
        try:
            return _result(run, outcome.value)
        except Exception as unfit:  # noqa: BLE001 - what JSON cannot hold is answered like a raising tool
            error = unfit
    if isinstance(error, RunError) and error.response is None:
        error.response = run.response()
    run.errors[call.id] = error
    log_failure("call of tool", call.name, error)
    return Result((yield from _failure(run, call, error)))


def _result(run: Run, value: Any) -> Result:
    result = value if isinstance(value, Result) else Result(agent=value) if isinstance(value, Agent) else Result(value)
    agent: Any = result.agent
    if isinstance(agent, Absent):
        agent = present(agent, run.known, run.agent.functions)
    if not isinstance(agent, Agent | None):
        raise TypeError(f"a Result names {type(agent).__name__} as its agent")
    variables = cast("Any", result.context_variables)
    variables = {} if variables is None else variables
    if not isinstance(variables, Mapping):
        raise TypeError(f"a Result has {type(variables).__name__} as its context_variables")
    return replace(result, value=render(result.value), agent=agent, context_variables=variables)


def _failure(run: Run, call: ModelCall, error: Exception) -> Need[str]:
    context, tool = _context(run, call), run.offered.get(call.name)
    function = (tool and tool.failure_error_function) or default_tool_error_function
    try:
        return render((yield from _evaluate(function, context, error)))
    except Exception as second:  # noqa: BLE001 - every call has its answer, also when the author's text of it fails
        log_failure("failure_error_function of", call.name, second)
        return default_tool_error_function(context, error)


def _told(result: Result, heir: Agent | None) -> str:
    """The answer to a call; one that handed over says so, and whether another has come after it."""
    if result.agent is None:
        return str(result.value)
    if result.agent is heir:
        return result.value or render({"assistant": result.agent.name})
    assert heir is not None
    note = f"Not handed over to {result.agent.name}: a later call of this turn handed over to {heir.name}."
    return f"{result.value}\n{note}" if result.value else note
