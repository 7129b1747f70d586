"""Plugins of pytest for the process that runs the tests: another source for a module, and which tests call what."""

from __future__ import annotations

import ast
import builtins
import inspect
import json
import sys
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from functools import partial
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from time import process_time
from types import CodeType, FunctionType
from typing import Any, Protocol

import pytest
from mutants import Mutant, place_of
from targets import PACKAGE

from processes import FAILED, PASSED, exit_code, limit_processor, proven_code

_WHILE_IMPORTING = ""

Tests = Mapping[str, float]  # name in pytest → seconds of the processor


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


class Plugin(Protocol):
    """A plugin of pytest with something to do before pytest runs, in the same process."""

    def start(self) -> None: ...


class Replaced(SourceFileLoader):
    """Loads one module from another source than its file's."""

    def __init__(self, path: Path, source: str) -> None:
        super().__init__(module_name(path), str(path))
        self.source = source

    def start(self) -> None:
        sys.meta_path.insert(0, self)

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec")

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return spec_from_file_location(fullname, self.path, loader=self) if fullname == self.name else None


class Record:
    """Writes down the tests that call each function of some files."""

    def __init__(self, files: Iterable[Path], report: Path) -> None:
        self.files = list(files)
        self.report = report
        self.test = _WHILE_IMPORTING
        self.tests: dict[str, set[str]] = defaultdict(set)
        self.seconds: dict[str, float] = {}

    def start(self) -> None:
        vars(builtins)[_Noting.NAME] = lambda place: self.tests[place].add(self.test)
        for path in self.files:
            tree = _Noting(path).visit(ast.parse(path.read_text(encoding="utf-8")))
            Replaced(path, ast.unparse(tree)).start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, bool, bool]:
        self.test = item.nodeid
        before = process_time()
        result = yield
        self.seconds[self.test] = process_time() - before
        return result

    def pytest_sessionfinish(self) -> None:
        tests = {place: sorted(tests) for place, tests in self.tests.items()}
        self.report.write_text(json.dumps([self.seconds, tests]), "utf-8")


class InTurn:
    """Collects the tests once and runs them for each mutant in a fork, with the mutant's code in its function's place.

    A survivor has to be tried again in a process of its own: here a table, a default and what was made while the test
    modules were imported are as they were.
    """

    def __init__(self, tries: Sequence[tuple[Mutant | None, Tests]], report: Path):
        self.tries = tries
        self.report = report

    def start(self) -> None:
        """Nothing."""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        codes = [proven_code(partial(_in_a_fork, session, *each)) for each in self.tries]
        self.report.write_text(json.dumps(codes), "utf-8")
        return True


def limit(tests: Tests, patience: float) -> float:
    """How many seconds tests may take with a mutant; a single one gets no more than its share of that."""
    return patience * (4 * sum(tests.values()) + 5)


def _in_a_fork(session: pytest.Session, mutant: Mutant | None, tests: Tests, with_mutant: bool, patience: float) -> int:
    run = partial(_run_items, session, mutant if with_mutant else None, tests, patience)
    return exit_code(run, limit(tests, patience))


def _run_items(session: pytest.Session, mutant: Mutant | None, tests: Tests, patience: float) -> int:
    if mutant and not _put_in_place(mutant):
        return PASSED
    items = [item for item in session.items if item.nodeid in tests]
    for item, following in zip(items, [*items[1:], None], strict=True):
        limit_processor(process_time() + limit({item.nodeid: tests[item.nodeid]}, patience))
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return FAILED
    return PASSED


def _put_in_place(mutant: Mutant) -> bool:
    """Give the mutant's function, or the one that it is in, its code; returns whether that made a difference."""
    holder: Any = sys.modules.get(module_name(mutant.path))
    code = compile(mutant.source, str(mutant.path), "exec")
    for name in mutant.where.split("."):
        holder = vars(holder).get(name)
        code = next((part for part in code.co_consts if isinstance(part, CodeType) and part.co_name == name), code)
        function = inspect.unwrap(getattr(holder, "fget", getattr(holder, "__func__", holder)))
        if isinstance(function, FunctionType):
            before, function.__code__ = function.__code__, code
            return before != code
        if not isinstance(holder, type):
            return False
    return False


class Only:
    """Runs no tests but these."""

    def __init__(self, tests: Tests) -> None:
        self.tests = tests

    def start(self) -> None:
        """Nothing."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.tests]


def calling(report: Path) -> tuple[Tests, dict[str, Tests]]:
    """All tests, and those that call each function; a function that is called while modules are imported is absent."""
    seconds, places = json.loads(report.read_text(encoding="utf-8"))
    called = {place: tests for place, tests in places.items() if _WHILE_IMPORTING not in tests}
    return seconds, {place: {test: seconds[test] for test in tests} for place, tests in called.items()}


class _Noting(ast.NodeTransformer):
    """Each function begins with a note of its place."""

    NAME = "__note_place__"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.where: tuple[str, ...] = ()

    def visit(self, node: ast.AST) -> ast.AST:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return self.generic_visit(node)
        outside, self.where = self.where, (*self.where, node.name)
        self.generic_visit(node)
        if not isinstance(node, ast.ClassDef):
            note = ast.parse(f"{self.NAME}({place_of(self.path, '.'.join(self.where))!r})").body[0]
            node.body.insert(1 if ast.get_docstring(node) else 0, note)
        self.where = outside
        return ast.fix_missing_locations(node)
