"""What a library costs before it has done anything: import time and memory in new processes, and memory of live tools.

    python benchmarks/processes.py [--rounds N] [--library NAME]

Prints JSON. Times are of the processor, over those of an interpreter that imports nothing, the best of all rounds.
"""

# ruff: noqa: T201 - it prints what it measured

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

IMPORTS = {
    "fnschema": [
        "import fnschema",
        "from fnschema import function_schema, function_tool",
        "from fnschema import Agent, Runner",
    ],
    "openai-agents": ["from agents import function_tool"],
    "pydantic-ai": ["from pydantic_ai import Tool"],
    "floor": ["from pydantic import BaseModel", "from pydantic import BaseModel, Field, create_model"],
}
_RSS = "; print(next(line for line in open('/proc/self/status') if line.startswith('VmRSS')).split()[1])"
_TOOLS = 2_000
_MEMORY = f"""
import gc, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from corpus import clone, order_seeds
from libraries import LIBRARIES
def resident():
    gc.collect()
    return int(next(line for line in open('/proc/self/status') if line.startswith('VmRSS')).split()[1])
make = LIBRARIES[{{library!r}}]().keep
make(clone(order_seeds))
functions = [clone(order_seeds) for _ in range({_TOOLS})]
before = resident()
kept = [make(function) for function in functions]
print((resident() - before) / {_TOOLS})
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", default="fnschema", choices=sorted(IMPORTS))
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    statements = IMPORTS[options.library]
    nothing = [_measured("pass") for _ in range(options.rounds)]
    imports = {}
    for statement in statements:
        _measured(statement)  # writes the byte code
        seen = [_measured(statement) for _ in range(options.rounds)]
        imports[statement] = {
            "ms": min(ms for ms, _ in seen) - min(ms for ms, _ in nothing),
            "mb": min(mb for _, mb in seen) - min(mb for _, mb in nothing),
        }
    print(json.dumps({"imports": imports, "tool_kb": _tool_kb(options.library)}))


def _measured(statement: str) -> tuple[float, float]:
    """Milliseconds of processor time and megabytes of resident memory."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    kilobytes = _output(statement + _RSS)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds * 1_000, float(kilobytes) / 1_024


def _tool_kb(library: str) -> float | None:
    """Kilobytes of a tool with 8 parameters, before it is called."""
    return None if library == "floor" else min(float(_output(_MEMORY.format(library=library))) for _ in range(2))


def _output(code: str) -> str:
    # Without the variable, byte code is kept, as it is for everybody who runs a program twice.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-I", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


if __name__ == "__main__":
    main()
