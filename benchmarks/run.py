"""All benchmarks, each library in its own interpreter, in turns; prints the tables of docs/benchmarks.md.

    python benchmarks/run.py fnschema=PYTHON openai-agents=PYTHON pydantic-ai=PYTHON [--quick] [--write PAGE]

`nox -s bench` makes the interpreters and calls this.
"""

# ruff: noqa: T201 - it prints what it measured

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from report import Results, page, tables

HERE = Path(__file__).parent
FLOOR = "floor"
ONLY_OURS = ("test_definitions.py", "wrong", "validation")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("pythons", nargs="+", metavar="LIBRARY=PYTHON")
    parser.add_argument("--quick", action="store_true", help="one short turn each, to see that everything runs")
    parser.add_argument("--write", type=Path, help="a page whose results are to be replaced")
    parser.add_argument("--wheel", help="of fnschema, to measure what installing it brings along")
    options = parser.parse_args()
    pythons = dict(pair.split("=", 1) for pair in options.pythons)
    pythons |= {"fnschema, the tool": pythons["fnschema"], FLOOR: pythons["fnschema"]}
    results = measured(pythons, turns=1 if options.quick else 5, rounds=5 if options.quick else 40)
    results.install = _installed(pythons["fnschema"], options.wheel) if options.wheel else None
    text = tables(results)
    print(text)
    if options.write:
        options.write.write_text(page(options.write.read_text("utf-8"), text), "utf-8")


def measured(pythons: dict[str, str], *, turns: int, rounds: int) -> Results:
    results = Results(versions={name: _version(name, python) for name, python in pythons.items()})
    for turn in range(turns):
        for name, python in pythons.items():
            print(f"turn {turn + 1} of {turns}: {name}", file=sys.stderr)
            results.add_benchmarks(name, _benchmarks(name, python, rounds))
    for name, python in pythons.items():
        if name != "fnschema, the tool":
            print(f"processes and growth: {name}", file=sys.stderr)
            results.processes[name] = _script("processes.py", name, python, max(rounds // 4, 3))
            results.growth[name] = _script("growth.py", name, python, max(rounds // 5, 3))
    loops = ("loop_overhead.py", "loop_http.py")
    results.loop = "\n".join(_output([pythons["fnschema"], str(HERE / script)]) for script in loops)
    return results


def _benchmarks(name: str, python: str, rounds: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder, "found.json")
        chosen = [] if name == "fnschema" else ["-k", " and ".join(f"not {word}" for word in ONLY_OURS[1:])]
        files = [str(HERE / file) for file in ("test_schema.py", "test_calls.py")]
        files += [str(HERE / ONLY_OURS[0])] if name == "fnschema" else []
        command = [python, "-m", "pytest", "-c", str(HERE / "pytest.ini"), *files, *chosen]
        _output([*command, "--library", name, f"--rounds={rounds}", f"--benchmark-json={found}"])
        loaded: dict[str, Any] = json.loads(found.read_text("utf-8"))
        return loaded


def _script(script: str, name: str, python: str, rounds: int) -> Any:
    return json.loads(_output([python, str(HERE / script), "--library", name, f"--rounds={rounds}"]))


def _version(name: str, python: str) -> str:
    distribution = {"pydantic-ai": "pydantic-ai-slim", "openai-agents": "openai-agents"}.get(name, "pydantic")
    distribution = "fnschema" if name.startswith("fnschema") else distribution
    version = _output(
        [python, "-c", f"from importlib.metadata import version; print(version({distribution!r}))"]
    ).strip()
    return f"{distribution} {version}"


def _installed(python: str, wheel: str) -> tuple[int, float]:
    """How many distributions the core brings, and their megabytes, byte code included."""
    with tempfile.TemporaryDirectory() as folder:
        _output([python, "-m", "pip", "install", "--quiet", "--target", folder, wheel])
        _output([python, "-m", "compileall", "-q", folder])
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
        return len(list(Path(folder).glob("*.dist-info"))), size / 1e6


def _output(command: list[str]) -> str:
    # Without the variable, byte code is kept, as it is for everybody who runs a program twice.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment | {"OPENAI_API_KEY": "none"})
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


if __name__ == "__main__":
    main()
