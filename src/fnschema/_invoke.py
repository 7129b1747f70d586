"""Running a call to its value: a sync or an async function, from sync or from async code.

| the function is | in `run`                                          | in `arun`          |
|-----------------|---------------------------------------------------|--------------------|
| sync            | in the calling thread; if the call has a timeout, | on a worker thread |
|                 | on a worker thread                                |                    |
| async           | on a loop of its own, in the calling thread; if a | awaited            |
|                 | loop runs there already, in another thread        |                    |

An executor takes the place of the worker threads. An awaitable that a sync function returns is awaited as well. When
the time is up, an async function is cancelled; a sync one cannot be: it runs on and its result is dropped.

asyncio and threads are imported where they are needed, so that a program without them never loads them.
"""

from __future__ import annotations

import contextlib
import contextvars
import importlib
import inspect
import operator
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .errors import ToolTimeoutError

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

__all__ = ["Call", "Carried", "arun", "is_awaitable", "run"]

_NEVER_AWAITABLE = frozenset({str, int, float, bool, type(None), dict, list, tuple, bytes})


@dataclass(frozen=True, slots=True)
class Call:
    """A function with its arguments, ready to run; `run`, `arun` and their executor decide where.

    Attributes:
        tool: the tool's name, for `ToolTimeoutError`.
        function: what is called.
        args: by position. The `repr` shows neither these nor the keyword arguments: they may be secret.
        kwargs: by keyword.
        is_async: the function is called on the event loop; else it may block, and in async code runs on a thread.
        timeout: seconds, or `None` for no limit.
    """

    tool: str
    function: Callable[..., Any]
    args: tuple[Any, ...] = field(default=(), repr=False)
    kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)
    is_async: bool = False
    timeout: float | None = None


def run(call: Call, executor: Executor | None = None) -> Any:
    """Run a call from sync code and return its value.

    Args:
        call: what to run.
        executor: where a sync function runs; `None` is the calling thread, or a daemon thread if there is a timeout.

    Raises:
        ToolTimeoutError: the call did not end within its timeout.
        BaseException: whatever the function raises, unwrapped.
    """
    started = time.monotonic()
    if call.is_async or (executor is None and call.timeout is None):
        value = call.function(*call.args, **call.kwargs)
    else:
        value = _wait(_submit(call, executor), call)
    if not is_awaitable(value):
        return value
    seconds = None if call.timeout is None else call.timeout - (time.monotonic() - started)
    return _drive(_within(seconds, call, value))


async def arun(call: Call, executor: Executor | None = None) -> Any:
    """Run a call from async code and return its value.

    Args:
        call: what to run.
        executor: where a sync function runs; `None` is a daemon thread, of which 32 run at once. The wait for a free
            one counts towards the timeout. An executor of this process runs it with the caller's contextvars.

    Raises:
        ToolTimeoutError: the call did not end within its timeout.
        BaseException: whatever the function raises, unwrapped; except `StopIteration`, which a coroutine cannot raise:
            Python makes it the cause of a `RuntimeError`.
    """
    return await _within(call.timeout, call, _value(call, executor))


def is_awaitable(value: object) -> bool:
    """As `inspect.isawaitable`, at a fraction of its time for what tools return."""
    return type(value) not in _NEVER_AWAITABLE and inspect.isawaitable(value)


async def _value(call: Call, executor: Executor | None) -> Any:
    if call.is_async:
        value = call.function(*call.args, **call.kwargs)
    else:
        value = await _finished(_submit(call, executor))
    return await value if is_awaitable(value) else value


async def _within(seconds: float | None, call: Call, awaitable: Awaitable[Any]) -> Any:
    if call.timeout is None:
        return await awaitable
    import asyncio

    limit = asyncio.timeout(seconds)
    late = ToolTimeoutError(call.tool, call.timeout)
    try:
        async with limit:
            value = await awaitable
    except Exception as error:
        if limit.expired():
            raise late from error
        raise  # a TimeoutError before the time is up is the function's own
    if limit.expired():
        raise late  # the function has swallowed its cancellation
    return value


def _drive(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine to its end from sync code, on a loop of its own.

    With a `loop_factory`, `asyncio.Runner` leaves alone the loop that is set for this thread; `asyncio.run` unsets it.
    """
    import asyncio

    def complete() -> Any:
        with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
            return runner.run(coroutine)

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return complete()
    from ._threads import DaemonThreads

    return DaemonThreads(1).submit(Carried(complete)).result()


def _submit(call: Call, executor: Executor | None) -> Future[Any]:
    if executor is None:
        from ._threads import workers

        executor = workers()
    return executor.submit(Carried(call.function, executor), *call.args, **call.kwargs)


def _wait(future: Future[Any], call: Call) -> Any:
    """The result of a future; `future.result(timeout)` raises the same `TimeoutError` that the function may raise."""
    from concurrent.futures import wait

    ended = False
    try:
        ended = bool(wait([future], call.timeout).done)
    finally:
        if not ended:
            _abandon(future)
    if not ended:
        raise ToolTimeoutError(call.tool, call.timeout or 0)
    return future.result()


async def _finished(future: Future[Any]) -> Any:
    """The result of a future of another thread.

    `asyncio.wrap_future` would take a `CancelledError` of concurrent.futures, raised by the function, for a
    cancellation of the caller, and on Python 3.11 would never end after a `StopIteration`.
    """
    import asyncio

    loop = asyncio.get_running_loop()
    waiter = loop.create_future()

    def wake() -> None:
        if not waiter.done():
            waiter.set_result(None)

    def call_wake(_: Future[Any]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed, and the caller gone with it
            loop.call_soon_threadsafe(wake)

    future.add_done_callback(call_wake)
    try:
        await waiter
    except asyncio.CancelledError:
        _abandon(future)
        raise
    return future.result()


def _abandon(future: Future[Any]) -> None:
    """See that a call that has not begun never does, and that a coroutine which comes too late is closed."""
    if not future.cancel():
        future.add_done_callback(_close)


def _close(future: Future[Any]) -> None:
    if not future.cancelled() and not future.exception() and inspect.iscoroutine(value := future.result()):
        value.close()


class Carried:
    """A function that takes the caller's contextvars along.

    An executor of this process calls it. An executor of other processes pickles it, and only the function travels.
    """

    def __init__(self, function: Callable[..., Any], executor: Executor | None = None) -> None:
        self._function = function
        self._executor = executor
        self._context = contextvars.copy_context()

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self._context.run(self._function, *args, **kwargs)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        from concurrent.futures import ProcessPoolExecutor

        module, name = getattr(self._function, "__module__", ""), getattr(self._function, "__qualname__", "")
        # multiprocessing gives its workers this process's `__main__`; others pickle what is in there by value.
        shared = module != "__main__" or isinstance(self._executor, ProcessPoolExecutor)
        if shared and _is_wrapped_at(module, name, self._function):
            return _wrapped_at, (module, name)
        return _itself, (self._function,)


def _itself(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


def _wrapped_at(module: str, name: str) -> Any:
    """The function that a decorator has replaced under its name: pickle finds the replacement there and refuses."""
    return operator.attrgetter(f"{name}.__wrapped__")(importlib.import_module(module))


def _is_wrapped_at(module: str, name: str, function: Callable[..., Any]) -> bool:
    try:
        return _wrapped_at(module, name) is function
    except (AttributeError, ImportError, ValueError):
        return False
