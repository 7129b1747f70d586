"""pyright and mypy accept the right lines of `tools.py` and refuse the wrong ones."""

import json
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).with_name("tools.py")
WRONG = {n for n, line in enumerate(TOOLS.read_text().splitlines(), 1) if line.endswith("# wrong")}


def output_of(*command: str) -> str:
    return subprocess.run([sys.executable, "-m", *command, str(TOOLS)], capture_output=True, text=True).stdout


def test_pyright():
    found = json.loads(output_of("pyright", "--outputjson"))["generalDiagnostics"]
    assert {d["range"]["start"]["line"] + 1 for d in found if d["severity"] == "error"} == WRONG


def test_mypy():
    found = [json.loads(line) for line in output_of("mypy", "--strict", "--output=json").splitlines()]
    assert {d["line"] for d in found if d["severity"] == "error"} == WRONG
