"""Running a call from sync and from async code: threads, contextvars, timeouts, executors."""

import asyncio
import concurrent.futures
import contextvars
import functools
import gc
import inspect
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fnschema._invoke import Call, arun, run
from fnschema.errors import ToolTimeoutError

city: contextvars.ContextVar[str] = contextvars.ContextVar("city", default="nowhere")


def call_of(function: Callable[..., Any], *args: Any, timeout: float | None = None, **kwargs: Any) -> Call:
    return Call("t", function, args, kwargs, inspect.iscoroutinefunction(function), timeout)


def arun_now(call: Call, executor: concurrent.futures.Executor | None = None) -> Any:
    return asyncio.run(arun(call, executor))


def in_notebook(call: Call) -> Any:
    """`run` where a loop is running already."""

    async def cell() -> Any:
        return run(call)

    return asyncio.run(cell())


def add(a: int, b: int = 0) -> int:
    return a + b


async def add_later(a: int, b: int = 0) -> int:
    await asyncio.sleep(0)
    return a + b


def add_by_wrapper(a: int, b: int = 0) -> Coroutine[Any, Any, int]:
    return add_later(a, b)


FUNCTIONS = {"sync": add, "async": add_later, "sync wrapper of an async one": add_by_wrapper}
WAYS = {"run": run, "arun": arun_now, "run in a running loop": in_notebook}
whole = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
every_function = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
in_both = pytest.mark.parametrize("way", [run, arun_now], ids=["run", "arun"])


@whole
@every_function
@pytest.mark.parametrize("timeout", [None, 60])
def test_every_way_gives_the_value(way, function, timeout):
    assert way(call_of(function, 1, b=2, timeout=timeout)) == 3


@given(a=st.integers(), b=st.integers(), timeout=st.none() | st.floats(30, 1e6))
def test_every_way_gives_the_same_value(a, b, timeout):
    calls = [call_of(function, a, b, timeout=timeout) for function in FUNCTIONS.values()]
    assert {way(call) for way in WAYS.values() for call in calls} == {a + b}


@whole
@every_function
@pytest.mark.parametrize("timeout", [None, 60])
def test_the_error_of_the_function_is_the_very_object(way, function, timeout):
    error = LookupError("no such city")

    def fail() -> None:
        raise error

    async def fail_later() -> None:
        await asyncio.sleep(0)
        raise error

    failing = {add: fail, add_later: fail_later, add_by_wrapper: lambda: fail_later()}[function]
    with pytest.raises(LookupError) as caught:
        way(call_of(failing, timeout=timeout))
    assert caught.value is error


# Where a function runs


def test_a_sync_function_runs_in_the_calling_thread():
    assert run(call_of(threading.get_ident)) == threading.get_ident()


def test_in_a_notebook_too():
    assert in_notebook(call_of(threading.get_ident)) == threading.get_ident()


def test_with_a_timeout_it_runs_in_a_daemon_thread():
    assert run(call_of(lambda: threading.current_thread().daemon, timeout=60)) is True


def test_in_async_code_a_sync_function_runs_in_a_daemon_thread():
    async def main() -> None:
        thread = await arun(call_of(threading.current_thread))
        assert (thread.daemon, thread is threading.current_thread()) == (True, False)

    asyncio.run(main())


def test_in_async_code_an_async_function_runs_on_the_loop():
    async def loop() -> Any:
        return asyncio.get_running_loop()

    async def main() -> None:
        assert await arun(call_of(loop)) is asyncio.get_running_loop()

    asyncio.run(main())


def test_an_async_function_has_a_loop_of_its_own_in_a_notebook():
    async def loop() -> Any:
        return asyncio.get_running_loop()

    async def cell() -> None:
        assert run(call_of(loop)) is not asyncio.get_running_loop()

    asyncio.run(cell())


def test_the_event_loop_that_is_set_for_the_thread_stays():
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        run(call_of(add_later, 1))
        assert asyncio.get_event_loop() is loop
    finally:
        asyncio.set_event_loop(None)
        loop.close()


def test_the_event_loop_goes_on_while_a_sync_function_blocks():
    released = threading.Event()

    async def main() -> bool:
        asyncio.get_running_loop().call_later(0.01, released.set)
        return await arun(call_of(released.wait, 60))

    assert asyncio.run(main()) is True


# Contextvars


async def read_later() -> str:
    return city.get()


@whole
@pytest.mark.parametrize("function", [city.get, read_later, lambda: read_later()], ids=["sync", "async", "wrapper"])
@pytest.mark.parametrize("timeout", [None, 60])
def test_the_function_sees_the_contextvars_of_the_caller(way, function, timeout):
    token = city.set("Rome")
    try:
        assert way(call_of(function, timeout=timeout)) == "Rome"
    finally:
        city.reset(token)


@in_both
def test_contextvars_go_along_to_the_threads_of_an_executor(way):
    token = city.set("Rome")
    try:
        with ThreadPoolExecutor(1) as executor:
            assert way(call_of(city.get), executor) == "Rome"
    finally:
        city.reset(token)


# Timeouts


@whole
def test_a_sync_function_is_left_behind_when_the_time_is_up(way):
    released, ended = threading.Event(), threading.Event()

    def slow() -> None:
        released.wait(60)
        ended.set()

    with pytest.raises(ToolTimeoutError, match=r"^The tool t did not answer within 0.01 seconds.$"):
        way(call_of(slow, timeout=0.01))
    assert not ended.is_set()
    released.set()
    assert ended.wait(60)


@whole
@pytest.mark.parametrize("wrap", [False, True], ids=["async", "wrapper"])
def test_an_async_function_is_cancelled_when_the_time_is_up(way, wrap):
    cancelled = []

    async def slow() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    with pytest.raises(ToolTimeoutError):
        way(call_of((lambda: slow()) if wrap else slow, timeout=0.5))
    assert cancelled == [True]


@whole
def test_a_function_that_answers_its_cancellation_is_late_all_the_same(way):
    async def stubborn() -> str:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return "late"
        return "never"

    with pytest.raises(ToolTimeoutError):
        way(call_of(stubborn, timeout=0.01))


@whole
def test_an_error_during_the_cancellation_is_the_cause(way):
    async def clumsy() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            raise OSError("cannot close")

    with pytest.raises(ToolTimeoutError) as caught:
        way(call_of(clumsy, timeout=0.01))
    assert isinstance(caught.value.__cause__, OSError)


@whole
@pytest.mark.parametrize("timeout", [None, 60])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_timeout_error_of_the_function_is_its_own(way, timeout, is_async):
    def fail() -> None:
        raise TimeoutError("the database")

    async def fail_later() -> None:
        fail()

    with pytest.raises(TimeoutError, match=r"^the database$"):
        way(call_of(fail_later if is_async else fail, timeout=timeout))


@in_both
def test_a_timeout_holds_on_an_executor_too(way):
    released = threading.Event()
    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(ToolTimeoutError):
            way(call_of(released.wait, 60, timeout=0.01), executor)
        released.set()


def test_a_coroutine_that_comes_too_late_is_closed():
    released = threading.Event()
    made = []

    def slow() -> Coroutine[Any, Any, int]:
        released.wait(60)
        made.append(add_later(1))
        return made[0]

    with pytest.raises(ToolTimeoutError):
        arun_now(call_of(slow, timeout=0.01))
    released.set()
    wait_for_threads()
    assert inspect.getcoroutinestate(made[0]) == inspect.CORO_CLOSED


def test_a_timeout_leaves_nothing_behind():
    class Argument:
        pass

    released = threading.Event()
    argument = Argument()
    trace = weakref.ref(argument)
    with pytest.raises(ToolTimeoutError):
        run(call_of(lambda _: released.wait(60), argument, timeout=0.01))
    del argument
    released.set()
    wait_for_threads()
    gc.collect()
    assert trace() is None


# Worker threads


def test_at_most_32_sync_functions_run_at_once():
    lock, running, peak = threading.Lock(), 0, 0
    full = threading.Barrier(32)

    def work() -> None:
        nonlocal running, peak
        with lock:
            running += 1
            peak = max(peak, running)
        full.wait(60)
        with lock:
            running -= 1

    async def main() -> None:
        await asyncio.gather(*(arun(call_of(work)) for _ in range(64)))

    asyncio.run(main())
    assert peak == 32


def test_the_wait_for_a_free_thread_counts_and_the_call_never_begins():
    released, began = threading.Event(), []

    async def main() -> None:
        blocked = [asyncio.ensure_future(arun(call_of(released.wait, 60))) for _ in range(32)]
        await asyncio.sleep(0)  # they begin
        with pytest.raises(ToolTimeoutError):
            await arun(call_of(began.append, 1, timeout=0.01))
        released.set()
        await asyncio.gather(*blocked)
        await arun(call_of(add, 1))

    asyncio.run(main())
    assert began == []


def test_a_thousand_at_once():
    async def main() -> list[int]:
        return await asyncio.gather(*(arun(call_of(add, n, timeout=60)) for n in range(1000)))

    assert asyncio.run(main()) == list(range(1000))


def test_no_thread_is_left_when_nothing_is_to_be_done():
    async def main() -> None:
        await asyncio.gather(*(arun(call_of(add, n)) for n in range(100)))

    asyncio.run(main())
    wait_for_threads()
    assert own_threads() == []


def test_a_fork_has_threads_of_its_own():
    released = threading.Event()

    async def main() -> int:
        blocked = [asyncio.ensure_future(arun(call_of(released.wait, 60))) for _ in range(32)]
        await asyncio.sleep(0)  # they begin
        child = os.fork()
        if child == 0:
            os._exit(run(call_of(add, 40, b=2, timeout=60)))
        _, status = os.waitpid(child, 0)
        released.set()
        await asyncio.gather(*blocked)
        return os.waitstatus_to_exitcode(status)

    assert asyncio.run(main()) == 42


LEFT_BEHIND = """
import asyncio, threading
from fnschema._invoke import Call, arun, run
from fnschema.errors import ToolTimeoutError

def expect_timeout(way):
    try:
        way()
    except ToolTimeoutError:
        print("late")

call = Call("t", threading.Event().wait, timeout=0.01)
expect_timeout(lambda: run(call))
expect_timeout(lambda: asyncio.run(arun(call)))
print("end")
"""


def test_neither_a_loop_nor_the_interpreter_waits_for_a_function_left_behind():
    child = subprocess.run([sys.executable, "-c", LEFT_BEHIND], capture_output=True, text=True, timeout=60, check=True)
    assert child.stdout.split() == ["late", "late", "end"]


# Ends that must not be swallowed


@whole
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("timeout", [None, 60])
def test_what_ends_the_program_passes_through(way, error, timeout):
    def stop() -> None:
        raise error

    with pytest.raises(error):
        way(call_of(stop, timeout=timeout))


def test_the_caller_is_cancelled_at_once():
    released = threading.Event()

    async def main() -> None:
        task = asyncio.ensure_future(arun(call_of(released.wait, 60)))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        released.set()

    asyncio.run(main())


def test_a_cancelled_future_in_the_function_is_an_error_and_no_cancellation():
    def ask() -> None:
        future: concurrent.futures.Future[int] = concurrent.futures.Future()
        future.cancel()
        future.result()

    with pytest.raises(concurrent.futures.CancelledError):
        arun_now(call_of(ask))


def test_stop_iteration_passes_through_in_sync_code():
    with pytest.raises(StopIteration):
        run(call_of(next, iter(()), timeout=60))


def test_stop_iteration_is_the_cause_of_a_runtime_error_in_async_code():
    with pytest.raises(RuntimeError) as caught:
        arun_now(call_of(next, iter(())))
    assert isinstance(caught.value.__cause__, StopIteration)


# Executors


@in_both
def test_a_sync_function_runs_on_the_executor(way):
    with ThreadPoolExecutor(1, thread_name_prefix="given") as executor:
        assert way(call_of(lambda: threading.current_thread().name), executor) == "given_0"


@in_both
def test_an_async_function_does_not(way):
    async def name() -> str:
        return threading.current_thread().name

    with ThreadPoolExecutor(1, thread_name_prefix="given") as executor:
        assert way(call_of(name), executor) == threading.current_thread().name


def test_an_awaitable_from_an_executor_is_awaited():
    with ThreadPoolExecutor(1) as executor:
        assert [way(call_of(add_by_wrapper, 1, b=2), executor) for way in (run, arun_now)] == [3, 3]


def decorated(function: Callable[..., int]) -> Callable[..., int]:
    @functools.wraps(function)
    def replaced(*args: int) -> int:
        return -1

    return replaced


@decorated
def double(n: int) -> int:
    """Pickle finds `replaced` under this name."""
    return 2 * n


class Shop:
    @decorated
    def price(self, n: int) -> int:
        return 3 * n


PORTABLE = {
    "function": (pow, (2, 5), 32),
    "decorated function": (double.__wrapped__, (21,), 42),
    "decorated method": (Shop.price.__wrapped__, (None, 4), 12),
    "bound method": ("a-b".split, ("-",), ["a", "b"]),
    "partial": (functools.partial(pow, 2), (3,), 8),
}


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        yield executor


@in_both
@pytest.mark.parametrize(("function", "args", "value"), PORTABLE.values(), ids=PORTABLE)
def test_other_processes_get_the_function(way, function, args, value, processes):
    assert way(call_of(function, *args), processes) == value


def test_a_function_that_cannot_be_pickled_is_an_error(processes):
    with pytest.raises((AttributeError, pickle.PicklingError), match="pickle"):
        run(call_of(lambda: 1), processes)


# What is seen from outside


def test_the_repr_shows_no_argument():
    assert "hunter2" not in repr(call_of(add, "hunter2", b="hunter2"))


def test_asyncio_is_loaded_only_for_async_code():
    code = (
        "import sys; from fnschema._invoke import Call, run; "
        "print(run(Call('t', int, ('7',))), run(Call('t', int, ('8',), timeout=60)), 'asyncio' in sys.modules)"
    )
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert child.stdout.split() == ["7", "8", "False"]


def own_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "fnschema"]


def wait_for_threads() -> None:
    for thread in own_threads():
        thread.join(60)
