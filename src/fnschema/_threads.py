"""Worker threads that nobody has to wait for."""

from __future__ import annotations

import functools
import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

__all__ = ["DaemonThreads", "workers"]

_MOST_WORKERS = 32
_IDLE_SECONDS = 1


class DaemonThreads(Executor):
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


_pools: dict[int, DaemonThreads] = {}


def workers() -> DaemonThreads:
    """The threads of this process; a fork has none of its parent's and may hold its lock, so it begins anew."""
    return _pools.get(os.getpid()) or _pools.setdefault(os.getpid(), DaemonThreads(_MOST_WORKERS))
