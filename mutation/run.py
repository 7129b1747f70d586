"""Change one thing in a core module and see whether a test notices, many times.

    python mutation/run.py [--count N | --all] [--where NAME] [TARGET…]

`nox -s mutants -- --all _fields` makes an environment for it. The changes are those of mutmut. Its own runner leaves
out tables and what runs while a test module is imported, both of which matter here: so a mutant takes the place of its
module in a process of its own, which imports the tests anew.
"""

# ruff: noqa: T201 - it prints what it found

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from mutants import Mutant, sample
from plugins import InTurn, Only, Plugin, Record, Replaced, Tests, calling, limit
from targets import PACKAGE, TARGETS, Target

from processes import FAILED, INTERRUPTED, OUT_OF_TIME, PASSED, UNPROVEN, exit_code, proven_code

PROJECT = PACKAGE.parents[1]
BEFORE = ("pydantic", "griffe", "hypothesis", "jsonschema_rs", "openai")  # what takes long to import

_OUTCOMES = {PASSED: "survived", UNPROVEN: "unproven", **dict.fromkeys(OUT_OF_TIME, "timeout")}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--count", type=int, default=60, help="how many mutants of each target")
    parser.add_argument("--all", action="store_const", const=None, dest="count", help="every mutant")
    parser.add_argument("--where", default="", help="only mutants of functions with this in their name")
    options = parser.parse_args()
    os.chdir(PROJECT)
    _import_what_takes_long()
    tried = [_tried(name, options.count, options.where) for name in options.targets or TARGETS]
    print("\n| module | mutants | tried | killed | survived | |\n|---|--:|--:|--:|--:|--:|", *tried, sep="\n")


def _tried(name: str, count: int | None, where: str) -> str:
    """Try the mutants of a target and print the survivors; returns the line of the table."""
    target = TARGETS[name]
    everything, mutants = sample(target.sources, count, where)
    tests, callers = _without_a_mutant(target)
    print(f"{name}: {len(mutants)} of {everything} mutants, {sum(tests.values()):.0f} s of tests", flush=True)
    tries = [(mutant, callers.get(mutant.place, tests)) for mutant in mutants]
    outcomes: Counter[str] = Counter()
    for (mutant, callers_of_it), code in zip(tries, _in_turn(target, tests, tries), strict=True):
        if code == PASSED:
            code = proven_code(partial(_in_a_process, target, mutant, callers_of_it))
        outcomes[_outcome(mutant, code)] += 1
    killed = outcomes["killed"] + outcomes["timeout"]
    share = f"{killed / len(mutants):.0%}"
    left = len(mutants) - killed
    return f"| `{name}` | {everything} | {len(mutants)} | {killed} | {left} | {share} |"


def _outcome(mutant: Mutant, code: int) -> str:
    if code in (FAILED, INTERRUPTED):
        return "killed"
    outcome = _OUTCOMES.get(code, f"exit code {code}")
    print(f"{outcome}: {mutant}", flush=True)
    return outcome


def _without_a_mutant(target: Target) -> tuple[Tests, dict[str, Tests]]:
    """All tests, and those that call each function."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report")
        code, printed = _run(target, [Record(target.sources, report)])
        if code != PASSED:
            sys.exit(f"the tests fail without a mutant\n{printed}")
        return calling(report)


def _in_turn(target: Target, tests: Tests, tries: Sequence[tuple[Mutant, Tests]]) -> list[int]:
    """The exit code for each mutant; `PASSED` means no more than that it may have survived."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report")
        _, printed = _run(target, [InTurn([(None, tests), *tries], report)])
        codes: list[int] = json.loads(report.read_text(encoding="utf-8")) if report.exists() else [FAILED]
        if codes[0] != PASSED:
            sys.exit(f"the tests fail in a fork\n{printed}")
        return codes[1:]


def _in_a_process(target: Target, mutant: Mutant, tests: Tests, with_mutant: bool, patience: float) -> int:
    changed = [Replaced(mutant.path, mutant.source)] if with_mutant else []
    return _run(target, [*changed, Only(tests)], limit(tests, patience))[0]


def _run(target: Target, plugins: Sequence[Plugin], seconds: float = 36_000) -> tuple[int, str]:
    """pytest's exit code and what it printed, of a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        code = exit_code(partial(_run_pytest, target.tests, plugins, log), seconds)
        return code, log.read_text(encoding="utf-8", errors="replace")


def _run_pytest(tests: tuple[str, ...], plugins: Sequence[Plugin], log: Path) -> int:
    with log.open("w") as out:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
    for plugin in plugins:
        plugin.start()
    return pytest.main(["-x", "-q", "-p", "no:cacheprovider", "--tb=line", *tests], plugins=list(plugins))


def _import_what_takes_long() -> None:
    """All but the package: whoever is forked has it already."""
    os.environ["HYPOTHESIS_PROFILE"] = "few"
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # the tests need none, and looking for them takes a while
    with tempfile.TemporaryDirectory() as folder:
        pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "--rootdir", folder, folder])
    for name in BEFORE:
        __import__(name)
    gc.freeze()  # pytest collects garbage at its end, again and again


if __name__ == "__main__":
    main()
