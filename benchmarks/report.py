"""What was measured, as the tables of docs/benchmarks.md; the targets are here."""

# ruff: noqa: RUF001 - times is a cross

import math
import os
import platform
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import geometric_mean
from typing import Any

from corpus import CALLS, COMMON, GENERAL

BEGIN, END = "<!-- results, written by `nox -s bench -- --write docs/benchmarks.md` -->", "<!-- end of results -->"
OURS, TOOL, AGENTS, PYDANTIC_AI, FLOOR = "fnschema", "fnschema, the tool", "openai-agents", "pydantic-ai", "floor"
LIBRARIES = (OURS, TOOL, AGENTS, PYDANTIC_AI, FLOOR)
PYDANTIC, MODELS = "from pydantic import BaseModel", "from pydantic import BaseModel, Field, create_model"
US = 1e6


@dataclass
class Results:
    """Everything of one run.

    Attributes:
        versions: library → distribution and version.
        times: (library, test, case) → seconds of one call, the best of all turns.
        processes: library → what `processes.py` prints.
        growth: library → what `growth.py` prints.
        loop: what `loop_overhead.py` and `loop_http.py` print.
        install: distributions and megabytes of the core, if they were measured.
    """

    versions: dict[str, str]
    times: dict[tuple[str, str, str], float] = field(default_factory=dict)
    processes: dict[str, Any] = field(default_factory=dict)
    growth: dict[str, Any] = field(default_factory=dict)
    loop: str = ""
    install: tuple[int, float] | None = None

    def add_benchmarks(self, library: str, found: dict[str, Any]) -> None:
        for benchmark in found["benchmarks"]:
            test, _, case = benchmark["name"].rstrip("]").partition("[")
            seconds = benchmark["stats"]["min"] / benchmark["extra_info"].get("batch", 1)
            place = (library, test.removeprefix("test_"), case)
            self.times[place] = min(seconds, self.times.get(place, math.inf))

    def time(self, library: str, test: str, case: str = "") -> float:
        return self.times.get((library, test, case), math.nan)

    def ratio(self, test: str, cases: Iterable[str], of: str, to: str) -> float:
        """The geometric mean, over the cases, of one library's time to another's."""
        return geometric_mean(self.time(of, test, case) / self.time(to, test, case) for case in cases)

    def import_ms(self, library: str, statement: str) -> float:
        return float(self.processes[library]["imports"][statement]["ms"])


@dataclass(frozen=True)
class Target:
    """One figure that the project has set itself."""

    what: str
    limit: float
    unit: str
    value: Callable[[Results], float]


def _import(statement: str, library: str, other: str) -> Callable[[Results], float]:
    return lambda r: r.import_ms(OURS, statement) / r.import_ms(library, other)


def _call(case: str) -> Callable[[Results], float]:
    return lambda r: r.time(OURS, "call", case) / r.time(FLOOR, "call", case)


def _validation(r: Results) -> float:
    ours = r.time(OURS, "validation_without_the_search_for_repeated_keys", "1000 models")
    return ours / r.time(OURS, "validation_by_pydantic_alone", "1000 models")


def _printed(pattern: str) -> Callable[[Results], float]:
    return lambda r: float(re.search(pattern, r.loop)[1])  # type: ignore[index]  # the scripts print it


_ENGINE = "from fnschema import function_schema, function_tool"
TARGETS = (
    Target("schema, common types", 0.10, "× openai-agents", lambda r: r.ratio("common_types", COMMON, OURS, AGENTS)),
    Target(
        "schema, types that need pydantic's generator",
        0.65,
        "× openai-agents",
        lambda r: r.ratio("types_that_need_pydantics_generator", GENERAL, OURS, AGENTS),
    ),
    *(Target(f"call, {case}", 2.0, "× pydantic alone", _call(case)) for case in ("4 scalars", "4 scalars, async")),
    Target("validation, 1000 models", 1.1, "× pydantic alone", _validation),
    *(Target(f"call, {case}", 2.1, "× pydantic alone", _call(case)) for case in ("100 KB", "1000 models")),
    Target("`import fnschema`", 1.3, "× pydantic", _import("import fnschema", FLOOR, PYDANTIC)),
    Target("`from fnschema import function_tool`", 1.3, "× pydantic's models", _import(_ENGINE, FLOOR, MODELS)),
    Target(
        "`from fnschema import function_tool`",
        0.1,
        "× openai-agents",
        _import(_ENGINE, AGENTS, "from agents import function_tool"),
    ),
    Target("a turn of `run`", 50, "µs over a loop by hand", _printed(r"Runner\.run .*\+ *([\d.]+) over")),
    Target("a turn of `arun`, async tool", 50, "µs over a loop by hand", _printed(r"async .*\+ *([\d.]+) over")),
    Target("a run over HTTP", 1.1, "× by hand", _printed(r"Runner\.run .*run, ([\d.]+) of")),
    Target("live tool of 8 parameters", 5.0, "KB", lambda r: r.processes[OURS]["tool_kb"]),
    Target("steepest growth", 1.1, "exponent", lambda r: max(_exponents(r.growth[OURS]).values())),
)


def page(text: str, results: str) -> str:
    """The page with its results replaced."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{results}\n{END}{rest.partition(END)[2]}"


def tables(results: Results) -> str:
    return "\n".join(_sections(results))


def _sections(r: Results) -> Iterator[str]:
    yield f"Measured with {', '.join(dict.fromkeys(r.versions.values()))} on {_machine()}.\n"
    yield "### Targets\n"
    yield from _table(("what", "target", "measured", ""), (_verdict(target, r) for target in TARGETS))
    if r.install:
        count, size = r.install
        yield f"\nInstalling the core brings {count} distributions of {size:.1f} MB (target: 7 of 13 MB).\n"
    yield "\n### Schema of a new function, µs\n"
    yield from _times(r, "common_types", COMMON)
    yield "\nTypes that need pydantic's generator:\n"
    yield from _times(r, "types_that_need_pydantics_generator", GENERAL)
    tools = ", ".join(f"{name} {r.time(name, 'two_hundred_tools') * 200e3:.0f} ms" for name in LIBRARIES)
    yield f"\n200 tools of 8 parameters: {tools}.\n"
    yield "\n### Call, from the JSON text to the function's result, µs\n"
    yield from _times(r, "call", CALLS, libraries=(OURS, AGENTS, PYDANTIC_AI, FLOOR))
    yield "\nRefused calls, µs, the message included: " + _listed(r, "wrong_arguments") + ".\n"
    yield "\n### Definition of a tool, µs\n"
    yield _listed(r, "definition") + ".\n"
    yield "\n### Import, over an interpreter that imports nothing\n"
    imports = [(line, found) for name in r.processes for line, found in r.processes[name]["imports"].items()]
    rows = ((f"`{line}`", f"{found['ms']:.0f}", f"{found['mb']:.1f}") for line, found in imports)
    yield from _table(("statement", "processor ms", "MB"), rows)
    kept = ", ".join(f"{name} {found['tool_kb']:.1f} KB" for name, found in r.processes.items() if found["tool_kb"])
    yield f"\nA live tool of 8 parameters before its first call: {kept}.\n"
    yield "\n### Growth\n\nms at the last size, bytes of the schema, and the exponent of time over the last doubling.\n"
    yield from _table(("series", *r.growth), _growth_rows(r))
    yield f"\n### Loop\n\n```text\n{r.loop.rstrip()}\n```"


def _verdict(target: Target, r: Results) -> tuple[str, ...]:
    value = target.value(r)
    return (
        target.what,
        f"≤ {target.limit:g} {target.unit}",
        f"{value:.2f}",
        "met" if value <= target.limit else "**missed**",
    )


def _times(r: Results, test: str, cases: Iterable[str], libraries: Sequence[str] = LIBRARIES) -> Iterator[str]:
    rows = [(case, *(f"{r.time(name, test, case) * US:.1f}" for name in libraries)) for case in cases]
    means = (f"{r.ratio(test, cases, name, AGENTS):.3f}" for name in libraries)
    yield from _table(("", *libraries), [*rows, ("× openai-agents, geometric mean", *means)])


def _listed(r: Results, test: str) -> str:
    found = {case: seconds for (name, of, case), seconds in r.times.items() if (name, of) == (OURS, test)}
    return ", ".join(f"{case} {seconds * US:.0f}" for case, seconds in found.items())


def _growth_rows(r: Results) -> Iterator[tuple[str, ...]]:
    for series in r.growth[OURS]:
        yield series, *(_grown(found[series]) for found in r.growth.values())


def _grown(points: list[Any]) -> str:
    measured = [point for point in points if not isinstance(point, str)]
    ended = [f"ends at {point}" for point in points if isinstance(point, str)]
    if len(measured) < 2:
        return "; ".join(ended)
    size, seconds, length = measured[-1]
    return "; ".join([f"{size}: {seconds * 1e3:.1f} ms, {length} B, {_exponent(measured):.2f}", *ended])


def _exponents(growth: dict[str, list[Any]]) -> dict[str, float]:
    return {series: _exponent(points) for series, points in growth.items()}


def _exponent(points: Sequence[Any]) -> float:
    (smaller, sooner, _), (larger, later, _) = points[-2:]
    return math.log(later / sooner) / math.log(larger / smaller)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|---" * len(head) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def _machine() -> str:
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    return f"Python {platform.python_version()}, {system}"
