"""Talking to a client, sync or async, from sync and from async code. The only importer of openai."""

from __future__ import annotations

import contextlib
import inspect
import os
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from .._invoke import Call, arun
from ..errors import RunError, UserError

if TYPE_CHECKING:
    import asyncio

__all__ = ["Clients", "aask", "apieces", "ask", "pieces"]

_CONNECTIONS = {"OpenAI": "DefaultHttpxClient", "AsyncOpenAI": "DefaultAsyncHttpxClient"}
_END = object()
_loops: dict[int, asyncio.AbstractEventLoop] = {}


class Clients:
    """The clients of openai's own that a runner has built, which read the environment.

    Args:
        direct: go through no proxy, whatever the environment says: the server is on this machine.
        **settings: arguments of the clients, in place of what the environment says.
    """

    def __init__(self, *, direct: bool = False, **settings: Any) -> None:
        self._build = partial(_build, direct=direct, settings=settings)
        self._sync: Any = None
        self._async: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()  # by loop: connections die with theirs

    def get(self, kind: str) -> Any:
        """The ``OpenAI`` or the ``AsyncOpenAI`` of this runner.

        Raises:
            UserError: openai is not installed.
            RunError: it cannot be built, as without a key.
        """
        if kind == "OpenAI":
            self._sync = self._sync or self._build(kind)
            return self._sync
        import asyncio

        loop = asyncio.get_running_loop()
        if loop not in self._async:
            self._async[loop] = self._build(kind)
        return self._async[loop]

    def close(self) -> None:
        """Close the connections of the sync client; those of an async one end with its loop."""
        if self._sync:
            self._sync.close()


def _build(kind: str, direct: bool, settings: Mapping[str, Any]) -> Any:
    try:
        import openai
    except ImportError as error:
        install = 'python -m pip install "fnschema[openai]"'
        raise UserError(f"Cannot build a client: openai is not installed. {install}") from error
    try:
        connections = {"http_client": getattr(openai, _CONNECTIONS[kind])(trust_env=False)} if direct else {}
        return getattr(openai, kind)(**settings, **connections)
    except Exception as error:
        raise RunError(f"The client cannot be built: {error}") from error


def ask(create: Callable[..., Any], request: dict[str, Any]) -> Any:
    """What the client answers; that of an async one is awaited on a loop which outlives the run."""
    answer = create(**request)
    return _wait_for(answer) if inspect.isawaitable(answer) else answer


async def aask(create: Callable[..., Any], request: dict[str, Any]) -> Any:
    """`ask` from async code; a sync client answers on a thread."""
    if inspect.iscoroutinefunction(create) or inspect.iscoroutinefunction(inspect.unwrap(create)):
        return await create(**request)
    return await arun(Call("client", create, kwargs=request))


def pieces(stream: Any) -> Generator[Any, None, None]:
    """The pieces of a stream, which is closed at the end, also when nobody reads to the end."""
    try:
        if hasattr(stream, "__iter__"):
            yield from stream
            return
        iterator = aiter(stream)
        while (piece := _wait_for(anext(iterator, _END))) is not _END:
            yield piece
    finally:
        with contextlib.suppress(Exception):  # the answer is read or given up, whatever the connection says
            closed = stream.close()
            if inspect.isawaitable(closed):
                _wait_for(closed)


async def apieces(stream: Any) -> AsyncGenerator[Any, None]:
    """`pieces` from async code; a sync client's are awaited on a thread, one by one."""
    try:
        if hasattr(stream, "__aiter__"):
            async for piece in stream:
                yield piece
            return
        iterator = iter(stream)
        while (piece := await arun(Call("client", next, (iterator, _END)))) is not _END:
            yield piece
    finally:
        with contextlib.suppress(Exception):
            closed = stream.close()
            if inspect.isawaitable(closed):
                await closed


def _wait_for(awaitable: Any) -> Any:
    """Await on the loop of this process's own thread, where the connections of an async client stay alive."""
    import asyncio

    async def value() -> Any:
        return await awaitable

    future = asyncio.run_coroutine_threadsafe(value(), _loop())
    try:
        return future.result()
    finally:
        future.cancel()  # a KeyboardInterrupt ends the request too


def _loop() -> asyncio.AbstractEventLoop:
    import asyncio

    if os.getpid() not in _loops:
        loop = asyncio.new_event_loop()
        # Without a lock, which a fork may hold for ever. Connections live on one loop, so the first thread's is kept.
        if _loops.setdefault(os.getpid(), loop) is loop:
            threading.Thread(target=loop.run_forever, name="fnschema-clients", daemon=True).start()
        else:
            loop.close()
    return _loops[os.getpid()]
