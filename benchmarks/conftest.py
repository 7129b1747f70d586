from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from corpus import Sent
from libraries import LIBRARIES, Invoke, Library


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--library", default="fnschema", choices=sorted(LIBRARIES), help="whose time is taken")
    parser.addoption("--rounds", type=int, default=40, help="how often each thing is done")


@pytest.fixture
def library(request: pytest.FixtureRequest) -> Library:
    return LIBRARIES[request.config.getoption("--library")]()


@pytest.fixture
def rounds(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--rounds"))


@pytest.fixture
def loop() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


def batch_of(sent: Sent, invoke: Invoke, loop: asyncio.Runner) -> Callable[[], Any]:
    """A function that makes all calls of a batch, so that starting the event loop does not count."""
    calls: Any = invoke
    if not inspect.iscoroutinefunction(invoke):

        def batch() -> Any:
            for _ in range(sent.batch):
                result = calls(sent.arguments)
            return result

        return batch

    async def batch_async() -> Any:
        for _ in range(sent.batch):
            result = await calls(sent.arguments)
        return result

    return lambda: loop.run(batch_async())
