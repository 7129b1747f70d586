"""Give each fuzz target many random inputs: `python fuzz/run.py [COUNT] [TARGET…]`, or `nox -s fuzz -- 100000 schema`.

What breaks a promise is printed as small as Hypothesis can make it, and kept in its database, so that the next run
begins with it. Then it belongs into FOUND in `tests/trust/test_fuzz.py`.
"""

# ruff: noqa: T201 - what it prints is what it is for

from __future__ import annotations

import logging
import sys
import time
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.database import DirectoryBasedExampleDatabase

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from trust.targets import TARGETS

DATABASE = DirectoryBasedExampleDatabase(Path(__file__).parents[1] / ".hypothesis" / "fuzz")
COUNT = 10_000
BATCH = 1000  # Hypothesis remembers every input of one test, and slows down with them


def fuzz(name: str, count: int) -> None:
    """Try as many inputs, and say so now and then. Raises what the target raises."""
    target, inputs = TARGETS[name]
    tried = 0

    @settings(
        max_examples=min(count, BATCH),
        database=DATABASE,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.reuse, Phase.generate, Phase.shrink],
    )
    @given(inputs)
    def attempt(given_input: object) -> None:
        nonlocal tried
        tried += 1
        target(given_input)

    started = time.monotonic()
    while tried < count:
        attempt()
        print(f"{name}: {tried:,} inputs in {time.monotonic() - started:.0f} s, no promise broken", flush=True)


if __name__ == "__main__":
    logging.getLogger("fnschema").setLevel(logging.ERROR)  # an unknown argument that is ignored is a warning
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    for chosen in [word for word in sys.argv[1:] if not word.isdigit()] or TARGETS:
        fuzz(chosen, numbers[0] if numbers else COUNT)
