"""Running the command line in this process, on modules written for one test."""

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from fnschema.cli import main
from terminal import Ran, Run, Write


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command as a terminal of 80 columns would, without colour."""
    monkeypatch.setenv("COLUMNS", "80")

    def run_command(*arguments: object) -> Ran:
        code = main([str(argument) for argument in arguments])
        return Ran(code, *capsys.readouterr())

    return run_command


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Write a module's text to a file below a folder of this test's own, where the test then is."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    loaded = set(sys.modules)

    def write_module(name: str, text: str) -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text), encoding="utf-8")
        return Path(name)

    yield write_module
    for name in set(sys.modules) - loaded:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]
