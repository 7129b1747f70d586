"""How time and size grow with the function: more parameters, deeper types, wider unions, more tools.

    python benchmarks/growth.py [--library NAME] [--rounds N]

Prints JSON: for each series the points (size, seconds of the processor, bytes of the schema), or why it ended.
"""

# ruff: noqa: T201 - it prints what it measured

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

from corpus import GROWTH, clone, order_seeds
from libraries import LIBRARIES, Library

TOOLS = (100, 500, 2_000)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", default="fnschema", choices=sorted(LIBRARIES))
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    library = LIBRARIES[options.library]()
    series = {name: _points(library, make, sizes, options.rounds) for name, (make, sizes) in GROWTH.items()}
    series["tools"] = [_tools(library, count) for count in TOOLS]
    print(json.dumps(series))


def _points(library: Library, make: Callable[[int], Any], sizes: tuple[int, ...], rounds: int) -> list[Any]:
    points: list[Any] = []
    for size in sizes:
        function = make(size)
        try:
            schema = library.build(clone(function))
        except Exception as error:  # noqa: BLE001 - libraries end in many ways
            return [*points, f"{size}: {type(error).__name__}"]
        seconds = min(_seconds(lambda function=function: library.build(clone(function))) for _ in range(rounds))
        points.append((size, seconds, len(json.dumps(schema))))
    return points


def _tools(library: Library, count: int) -> tuple[int, float, int]:
    functions = [clone(order_seeds) for _ in range(count)]
    kept: list[Any] = []
    seconds = _seconds(lambda: kept.extend(library.build(function) for function in functions))
    return count, seconds, len(json.dumps(kept))


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main()
