"""Inputs of full size at every entry: `python fuzz/hostile.py [NAME…]`, or `nox -s hostile`.

Each input has a process of its own. Prints what came of it, and the seconds and megabytes of the entry that took most;
the input itself is not counted. `tests/trust/` sends the same in smaller sizes with every change. Linux only.
"""

# ruff: noqa: T201 - what it prints is what it is for

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import logging
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from conversations import play
from fnschema import ArgumentsError, FunctionTool, ToolContext, UserError, dialects, ensure_strict_json_schema
from fnschema import function_tool as tool_of
from trust.hostile import NOT_STRICT, of
from trust.test_hostile_arguments import take

MILLION = 1_000_000
WIDE = tool_of(take, strict_mode=False, hide=["client"], max_bytes=200 * MILLION)
USUAL = tool_of(take, strict_mode=False, hide=["client"])


def many(item: str, count: int = MILLION) -> str:
    return ", ".join([item] * count)


def keys() -> str:
    return ", ".join(f'"k{i}": 1' for i in range(MILLION))


Text = Callable[[], str]
ARGUMENTS: dict[str, tuple[Any, Text]] = {
    "a text of 100 MB": (USUAL, lambda: f'{{"text": "{"a" * 100 * MILLION}"}}'),
    "a text of 100 MB, let in": (WIDE, lambda: f'{{"text": "{"a" * 100 * MILLION}"}}'),
    "100,000 levels": (USUAL, lambda: '{"tree": ' + '{"below": [' * 50_000 + "]}" * 50_000 + "}"),
    "100,000 levels in a text": (USUAL, lambda: '{"tree": "' + "[" * 100_000 + '"}'),
    "an integer of a million digits": (USUAL, lambda: f'{{"number": {"9" * MILLION}}}'),
    "an exponent of a million digits": (USUAL, lambda: f'{{"share": 1e{"9" * MILLION}}}'),
    "a decimal of a million digits": (USUAL, lambda: f'{{"price": 0.{"3" * MILLION}}}'),
    "a million unknown keys": (WIDE, lambda: f"{{{keys()}}}"),
    "a million keys of a map": (WIDE, lambda: f'{{"others": {{{keys()}}}}}'),
    "one key a million times": (WIDE, lambda: "{" + many('"number": 1') + "}"),
    "a million wrong values": (USUAL, lambda: f'{{"numbers": [{many(chr(34) + "x" + chr(34))}]}}'),
    "a million lists for numbers": (USUAL, lambda: f'{{"numbers": [{many("[]")}]}}'),
    "a million numbers": (USUAL, lambda: f'{{"numbers": [{many("1")}]}}'),
    "9 MB for a pattern that backtracks": (USUAL, lambda: f'{{"code": "{"a" * 9 * MILLION}!"}}'),
}


def endless() -> dict[str, Any]:
    """Twenty definitions that each name all others."""
    names = [f"d{i}" for i in range(20)]
    below = {name: of(**{f"p{i}": {"$ref": f"#/$defs/{other}"} for i, other in enumerate(names)}) for name in names}
    return {**of(a={"$ref": "#/$defs/d0"}), "$defs": below}


SCHEMAS: dict[str, Callable[[], Any]] = {
    "10,000 levels of a schema": lambda: NOT_STRICT["deep"],
    "10**20 schemas behind references": lambda: NOT_STRICT["a bomb of properties"],
    "10**20 alternatives behind references": lambda: NOT_STRICT["a bomb of alternatives"],
    "definitions that all lead to each other": endless,
    "a million properties": lambda: of(**{f"p{i}": {"type": "string"} for i in range(MILLION)}),
    "a million values of an enum": lambda: of(a={"type": "string", "enum": [f"v{i}" for i in range(MILLION)]}),
    "a million unknown keywords": lambda: {**of(), **{f"x-{i}": i for i in range(MILLION)}},
    "a description of 100 MB": lambda: of(a={"type": "string", "description": "a" * 100 * MILLION}),
}


# Entries; each raises what it may raise, or gives what comes of the call.


def on_invoke_tool(tool: Any, sent: str) -> str:
    return told(asyncio.run(tool.on_invoke_tool(ToolContext("ours", tool_name="take"), sent)))


def run_in(mode: str) -> Callable[[Any, str], str]:
    def run(tool: Any, sent: str) -> str:
        from fnschema.testing import ToolCall

        done, _ = play(mode, [tool], ToolCall("take", sent), "Done.", context="ours")
        return told(done.texts[0])

    return run


def told(answer: str) -> str:
    if answer.startswith("Invalid JSON input for tool take: "):
        raise ArgumentsError("", []) if len(answer.encode()) < 1024 else AssertionError(answer)
    return answer


def command_line(tool: Any, sent: str) -> str:
    name = "WIDE" if tool is WIDE else "USUAL"
    command = [sys.executable, "-m", "fnschema", "call", f"{__file__}:{name}", "-"]
    done = subprocess.run(command, input=sent, capture_output=True, text=True, check=False)
    if done.returncode:
        told(done.stderr.removeprefix("Error: "))
        raise AssertionError(done.stderr)
    return done.stdout.strip()


ENTRIES: dict[str, Callable[[Any, str], str]] = {
    "validate": lambda tool, sent: tool.schema.validate(sent) and "taken",
    "call": lambda tool, sent: tool.call(sent, "ours"),
    "acall": lambda tool, sent: asyncio.run(tool.acall(sent, "ours")),
    "on_invoke_tool": on_invoke_tool,
    "run": run_in("run"),
    "arun stream": run_in("arun stream"),
    "the command line": command_line,
}


async def never(context: Any, sent: str) -> str:
    return ""


def definitions(given: Any, strict: bool | None = None) -> str:
    tool = FunctionTool("t", "", given, never, strict_json_schema=False)
    refused = 0
    for name in dialects.names():
        try:
            tool.definition(name, strict=strict)
        except UserError:
            refused += 1
    return f"refused by {refused} of {len(dialects.names())} dialects"


def measured(use: Callable[[], str]) -> tuple[str, float, float]:
    """What came of it, seconds, and megabytes at the peak."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before = _kilobytes("VmRSS")
    started = _worked()
    outcome: Any
    try:
        outcome = use()
    except (ArgumentsError, UserError) as error:
        outcome = error
    seconds = _worked() - started
    if isinstance(outcome, Exception):
        assert len(str(outcome).encode()) < 1024, outcome
        outcome = "ArgumentsError" if isinstance(outcome, ArgumentsError) else "UserError"
    return outcome, seconds, (_kilobytes("VmHWM") - before) / 1024


def _worked() -> float:
    """Seconds of work: other programs do not count."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _kilobytes(name: str) -> int:
    found = re.search(rf"{name}:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found
    return int(found[1])


def uses(name: str) -> Iterator[tuple[str, Callable[[], str]]]:
    if name in ARGUMENTS:
        tool, text = ARGUMENTS[name]
        sent = text()
        for entry, enter in ENTRIES.items():
            if enter is not command_line:
                enter(tool, "{}")  # what is built once is not counted
            yield entry, lambda enter=enter: enter(tool, sent)
        return
    schema = SCHEMAS[name]()
    yield "ensure_strict_json_schema", lambda: "strict" if ensure_strict_json_schema(schema) else ""
    yield "definition", lambda: definitions(schema)
    yield "definition, strict", lambda: definitions(schema, True)


def report(name: str) -> None:
    found = {entry: measured(use) for entry, use in uses(name)}
    own = [entry for entry in found if entry != "the command line"]  # whose process takes more to start
    slowest = max(own, key=lambda entry: found[entry][1])
    largest = max(own, key=lambda entry: found[entry][2])
    outcomes = ", ".join(dict.fromkeys(outcome for outcome, _, _ in found.values()))
    print(
        f"| {name} | {outcomes} | {found[slowest][1]:.2f} s in {slowest} | {found[largest][2]:.0f} MB in {largest} |",
        flush=True,
    )


def main(names: list[str]) -> None:
    if len(names) == 1:
        logging.disable()
        report(names[0])
        return
    for name in names or [*ARGUMENTS, *SCHEMAS]:
        subprocess.run([sys.executable, __file__, name], check=True)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main(sys.argv[1:])
