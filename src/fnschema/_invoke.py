"""Running a call to its value: a sync or an async function, from sync or from async code.

| the function is | in `run`                                          | in `arun`          |
|-----------------|---------------------------------------------------|--------------------|
| sync            | in the calling thread; if the call has a timeout, | on a worker thread |
|                 | on a worker thread                                |                    |
| async           | on a loop of its own, in the calling thread; if a | awaited            |
|                 | loop runs there already, in another thread        |                    |

An executor takes the place of the worker threads. An awaitable that a sync function returns is awaited as well. When
the time is up, an async function is cancelled; a sync one cannot be: it runs on and its result is dropped.

asyncio is imported where it is needed, so that a program without async code never loads it.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import contextvars
import functools
import importlib
import inspect
import operator
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import Any

from .errors import ToolTimeoutError

__all__ = ["Call", "Carried", "arun", "is_awaitable", "run"]

_MOST_WORKERS = 32
_NEVER_AWAITABLE = frozenset({str, int, float, bool, type(None), dict, list, tuple, bytes})
_IDLE_SECONDS = 1


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
    return _DaemonThreads(1).submit(Carried(complete)).result()


def _submit(call: Call, executor: Executor | None) -> Future[Any]:
    return (executor or _workers()).submit(Carried(call.function, executor), *call.args, **call.kwargs)


def _wait(future: Future[Any], call: Call) -> Any:
    """The result of a future; `future.result(timeout)` raises the same `TimeoutError` that the function may raise."""
    ended = False
    try:
        ended = bool(concurrent.futures.wait([future], call.timeout).done)
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

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._context.run(self._function, *args, **kwargs)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        module, name = getattr(self._function, "__module__", ""), getattr(self._function, "__qualname__", "")
        # multiprocessing gives its workers this process's `__main__`; others pickle what is in there by value.
        shared = module != "__main__" or isinstance(self._executor, concurrent.futures.ProcessPoolExecutor)
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


class _DaemonThreads(Executor):
    """An executor of daemon threads, which end when for a while there was nothing to do.

    Unlike those of a `ThreadPoolExecutor`, neither the interpreter nor a closing event loop waits for them.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._threads = 0
        self._idle = 0
        self._waiting: OrderedDict[Future[Any], Callable[[], Any]] = OrderedDict()
        self._changed = threading.Condition(threading.Lock())

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        with self._changed:
            if len(self._waiting) < self._idle:
                self._changed.notify()
            elif self._threads < self._most:
                threading.Thread(target=self._work, name="fnschema", daemon=True).start()
                self._threads += 1
            self._waiting[future] = functools.partial(function, *args, **kwargs)
        future.add_done_callback(self._forget)
        return future

    def _forget(self, future: Future[Any]) -> None:
        with self._changed:
            self._waiting.pop(future, None)

    def _work(self) -> None:
        while work := self._next():
            _complete(*work)
            del work  # an idle thread must not keep somebody's arguments alive

    def _next(self) -> tuple[Future[Any], Callable[[], Any]] | None:
        with self._changed:
            self._idle += 1
            found = self._changed.wait_for(lambda: self._waiting, _IDLE_SECONDS)
            self._idle -= 1
            if found:
                return self._waiting.popitem(last=False)
            self._threads -= 1
            return None


def _complete(future: Future[Any], task: Callable[[], Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        value = task()
    except BaseException as error:  # noqa: BLE001 - also a KeyboardInterrupt is raised where the result is awaited
        future.set_exception(error)
    else:
        future.set_result(value)


_pools: dict[int, _DaemonThreads] = {}


def _workers() -> _DaemonThreads:
    """The threads of this process; a fork has none of its parent's and may hold its lock, so it begins anew."""
    return _pools.get(os.getpid()) or _pools.setdefault(os.getpid(), _DaemonThreads(_MOST_WORKERS))
