"""A model on this machine for all tests here, and a look at the processes that a test has left behind."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fnschema import Runner

MARK = "FNSCHEMA_TEST_PROCESS"


@pytest.fixture(scope="session")
def small() -> Iterator[Runner]:
    """The model that the extra and the weights' package bring."""
    with Runner.local() as runner:
        yield runner


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[int]]:
    """The model servers that were started by this test or by a process of it; ended ones take a moment to go."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv(MARK, mark)
    return lambda: [pid for pid in _processes(f"{MARK}={mark}") if b"local_server.py" in _read(pid, "cmdline")]


def _processes(setting: str) -> list[int]:
    pids = [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdecimal()]
    return [pid for pid in pids if setting.encode() in _read(pid, "environ").split(b"\0")]


def _read(pid: int, name: str) -> bytes:
    """What the system tells of a process; nothing of one that has ended or is somebody else's."""
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


@pytest.fixture
def all_gone(servers: Callable[[], list[int]]) -> Callable[[], bool]:
    """Whether no server is left behind, now or in a while."""

    def gone() -> bool:
        end = time.monotonic() + 30
        while left := servers():
            if time.monotonic() > end:
                return False
            os.sched_yield()
            time.sleep(0.05)
        return not left

    return gone
