"""Processes that run tests and end with pytest's exit code."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
from collections.abc import Callable
from math import ceil

WAITING = 20  # how many times longer than the processor a process may take
PASSED, FAILED, INTERRUPTED = 0, 1, 2  # of pytest's exit codes; a module that cannot be imported interrupts it
OUT_OF_TIME = (-signal.SIGXCPU, -signal.SIGKILL)
UNPROVEN = 99  # out of time, on a machine that is too slow for the tests as they are
PATIENCE = (1, 4, 16)  # times the time that tests may take

_FORK = multiprocessing.get_context("fork")


def exit_code(run: Callable[[], int], seconds: float) -> int:
    """What `run` returns in a process of its own, or one of `OUT_OF_TIME`.

    The seconds are those of the processor, so that a busy machine makes no difference; waiting has a limit, too.
    """
    process = _FORK.Process(target=_run, args=(run, seconds))
    process.start()
    process.join(WAITING * seconds)
    process.kill()
    process.join()
    assert process.exitcode is not None
    return process.exitcode


def proven_code(tests: Callable[[bool, float], int]) -> int:
    """The exit code of tests with a mutant; one of `OUT_OF_TIME` only if without it they then pass in half the time.

    Where the processor is shared with other machines, its seconds grow with their work.

    Args:
        tests: runs them with the mutant or without, with so much patience, and returns their exit code.
    """
    for patience in PATIENCE:
        code = tests(True, patience)
        if code not in OUT_OF_TIME or tests(False, patience / 2) == PASSED:
            return code
    return UNPROVEN


def limit_processor(seconds: float) -> None:
    """End this process by a signal when it has used so many seconds since it began."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(seconds), hard))


def _run(run: Callable[[], int], seconds: float) -> None:
    limit_processor(seconds)
    os._exit(run())  # what a mutant has left running must not hold the process
