"""Tools, schemas and runners that many threads and tasks share give the answers of one, from the first use on."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel

from fnschema import Agent, Runner, function_schema, function_tool
from fnschema.testing import ScriptedModel as Script
from fnschema.testing import ToolCall

THREADS, TASKS = 32, 1000


class Item(BaseModel):
    name: str
    price: Decimal = Decimal("1.10")
    parts: list[Item] = []


@dataclass
class Place:
    x: float
    y: float = 0


def pack(item: Item, at: Place, count: int = 1, notes: dict[str, str] = {}) -> str:  # noqa: B006 - copied for each call
    """Pack.

    Args:
        item: what to pack.
    """
    notes["seen"] = f"{len(notes)}"
    return f"{item.name} {item.price} {len(item.parts)} {at.x:g} {count} {notes}"


async def send(item: Item, to: Place) -> str:
    """Send."""
    await asyncio.sleep(0)
    return f"{item.name} to {to.x:g}"


def told(outcome: Callable[[], Any]) -> str:
    """The outcome as text, also when it is an error."""
    try:
        return repr(outcome())
    except ValueError as error:
        return f"{type(error).__name__}: {error}"


def sent(n: int) -> str:
    """Arguments that differ; every fifth does not fit."""
    count: Any = "many" if n % 5 == 0 else n
    return json.dumps(
        {"item": {"name": f"i{n}", "price": 1.25, "parts": [{"name": "p"}] * (n % 3)}, "at": {"x": n}, "count": count}
    )


def uses(n: int) -> list[Callable[[Any, Any], Any]]:
    """What a thread does with the tools, each from another beginning: what is lazy is met first in every order."""
    all_uses: list[Callable[[Any, Any], Any]] = [
        lambda tool, schema: tool.call(sent(n)),
        lambda tool, schema: schema.validate(sent(n)),
        lambda tool, schema: schema.bind(sent(n)),
        lambda tool, schema: tool.definition("openai"),
        lambda tool, schema: tool.definition("gemini"),
        lambda tool, schema: schema.params_pydantic_model.model_json_schema(),
        lambda tool, schema: schema.definition_schema,
        lambda tool, schema: tool.output_json_schema,
        lambda tool, schema: [problem.reason for problem in tool.problems("bedrock")],
    ]
    return all_uses[n % len(all_uses) :] + all_uses[: n % len(all_uses)]


def make() -> tuple[Any, Any]:
    options: dict[str, Any] = {"open_objects": "entries"}
    return function_tool(pack, **options), function_schema(pack, **options)


def work(n: int, tool: Any, schema: Any) -> list[str]:
    return [told(lambda use=use: use(tool, schema)) for use in uses(n)]


def test_threads_get_the_answers_of_one() -> None:
    alone = [work(n, *make()) for n in range(THREADS)]
    for _ in range(3):
        tool, schema = make()
        start = threading.Barrier(THREADS)

        def begin(n: int, tool: Any = tool, schema: Any = schema, start: Any = start) -> list[str]:
            start.wait()
            return work(n, tool, schema)

        with ThreadPoolExecutor(THREADS) as threads:
            assert list(threads.map(begin, range(THREADS))) == alone


def test_what_is_lazy_is_built_once() -> None:
    _, schema = make()
    start = threading.Barrier(THREADS)

    def model(_: int) -> Any:
        start.wait()
        return schema.params_pydantic_model

    with ThreadPoolExecutor(THREADS) as threads:
        assert len(set(threads.map(model, range(THREADS)))) == 1


def test_tasks_get_the_answers_of_one() -> None:
    alone = [told(lambda n=n: make()[0].call(sent(n))) for n in range(20)]
    tool, _ = make()

    async def one(n: int) -> str:
        try:
            return repr(await tool.acall(sent(n % 20)))
        except ValueError as error:
            return f"{type(error).__name__}: {error}"

    async def together() -> list[str]:
        return await asyncio.gather(*map(one, range(TASKS)))

    assert asyncio.run(together()) == alone * (TASKS // 20)


FIRST_USES = """
import importlib, sys, threading
import fnschema

def use(name):
    start.wait()
    try:
        importlib.import_module(name) if "." in name else getattr(fnschema, name)
    except Exception as error:
        errors.append(f"{name}: {error!r}")

names = sys.argv[1:] or fnschema.__all__
sys.setswitchinterval(1e-6)
start, errors = threading.Barrier(len(names)), []
threads = [threading.Thread(target=use, args=(name,)) for name in names]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*errors, sep="\\n")
"""


@pytest.mark.parametrize(
    "names",
    [[], ["ensure_strict_json_schema", "Dialect"], ["function_tool", "Runner"], ["fnschema.testing", "fnschema.swarm"]],
)
def test_threads_that_each_ask_for_another_name_first_get_it(names: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_USES, *names], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")


AGENT = Agent(model="m", functions=[pack, send])


def reply(request: dict[str, Any]) -> Any:
    """Answers by what it is asked, so that it does not matter who asks first: a run's first message is its number."""
    said = request["messages"]
    n = int(said[1]["content"])
    if said[-1]["role"] == "user":
        place = {"x": n, "y": 0}
        item = {"name": f"i{n}", "price": "1", "parts": []}
        return [ToolCall("pack", {"item": item, "at": place}), ToolCall("send", {"item": item, "to": place})]
    return "; ".join(message["content"] for message in said if message["role"] == "tool")


class Model(Script):
    """Follows a rule and not a script, so that runs do not take each other's turns."""

    def _next(self, request: Any) -> Any:
        return self._message(reply, request)


def test_a_runner_and_an_agent_are_shared_by_threads() -> None:
    runner = Runner(Model())
    start = threading.Barrier(THREADS)

    def run(n: int) -> str:
        start.wait()
        return runner.run(Agent(model="m", functions=AGENT.functions) if n % 2 else AGENT, str(n)).text

    with ThreadPoolExecutor(THREADS) as threads:
        texts = list(threads.map(run, range(THREADS)))
    assert texts == [f"i{n} 1 0 {n} 1 {{'seen': '0'}}; i{n} to {n}" for n in range(THREADS)]


def test_a_runner_and_an_agent_are_shared_by_tasks() -> None:
    runner = Runner(Model(is_async=True))

    async def together() -> list[str]:
        responses = await asyncio.gather(*(runner.arun(AGENT, str(n)) for n in range(TASKS)))
        return [response.text for response in responses]

    assert asyncio.run(together()) == [f"i{n} 1 0 {n} 1 {{'seen': '0'}}; i{n} to {n}" for n in range(TASKS)]


GLOBALS = """
import asyncio, logging, sys, threading, warnings, signal, os, locale

def loggers():
    found = {"": logging.root, **logging.root.manager.loggerDict}
    return {n: (l.level, l.disabled, l.propagate, list(l.filters), list(l.handlers))
            for n, l in found.items() if isinstance(l, logging.Logger)}

def state():
    return {
        "filters": list(warnings.filters), "show": warnings.showwarning, "recursion": sys.getrecursionlimit(),
        "policy": type(asyncio.get_event_loop_policy()), "digits": sys.get_int_max_str_digits(),
        "switch": sys.getswitchinterval(), "hook": (sys.excepthook, threading.excepthook, sys.displayhook),
        "out": (sys.stdout, sys.stderr), "signals": [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)],
        "locale": locale.setlocale(locale.LC_ALL), "cwd": os.getcwd(), "environment": dict(os.environ),
        "path": list(sys.path), "meta": list(sys.meta_path), "trace": (sys.gettrace(), sys.getprofile()),
    }

import pydantic, openai, griffe, pydantic_core  # their own imports may do as they like
before, logs = state(), loggers()
"""
USE = """
from typing import Any
from fnschema import *
from fnschema.testing import ScriptedModel, ToolCall
def f(a: int, b: "str" = "x") -> str:
    '''Do.

    Args:
        a: what
          Returns: oddly
    '''
    return b
tool = function_tool(f)
assert tool.call('{"a": 1}') == "x"
asyncio.run(tool.acall('{"a": 1}'))
try:
    tool.call('{"a": ')
except ArgumentsError:
    pass
for name in ("openai", "gemini", "bedrock"):
    tool.definition(name)
for kind in (False, True):
    runner = Runner(ScriptedModel(ToolCall("f", '{"a": 1}'), "Done.", is_async=kind), model="m")
    assert runner.run(Agent(functions=[f]), "hi").text == "Done."
after, logs_after = state(), loggers()
assert before == after, {k: (before[k], after[k]) for k in before if before[k] != after[k]}
assert all(logs_after[name] == logs[name] for name in logs)
ours = [made for name, made in logs_after.items() if name.startswith("fnschema")]
assert ours and all(not made[4] and made[:3] == (0, False, True) for made in ours)
"""


def test_no_global_state_is_changed() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", GLOBALS + USE], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
