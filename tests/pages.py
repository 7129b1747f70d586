"""The fenced blocks of the project's Markdown pages, and how they are run.

On a page the `python` blocks run from top to bottom in one namespace, as a reader would type them; the `sh` blocks run
in the project's folder. A `text` or `json` block right after one is what it prints.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[1]
PAGES = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *sorted((PROJECT / "docs").rglob("*.md"))]

_FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
# What the suite's own environment has done already, or is doing.
_DONE = re.compile(r"python -m (pip|venv|pytest|nox)\b|nox\b|git\b|\. ")


@dataclass(frozen=True)
class Block:
    language: str
    text: str
    line: int
    printed: str | None = None  # by the block, as the page says

    @property
    def commands(self) -> list[str]:
        return [command.strip() for line in self.text.splitlines() for command in line.split("&&")]

    @property
    def commands_to_run(self) -> list[str]:
        return [command for command in self.commands if not _DONE.match(command)]


def blocks(page: Path) -> list[Block]:
    """The `python` and `sh` blocks of a page, each with the output block that follows it."""
    text = page.read_text(encoding="utf-8")
    found = [(match, text[: match.start()].count("\n") + 1) for match in _FENCE.finditer(text)]
    result: list[Block] = []
    for position, (match, line) in enumerate(found):
        following = found[position + 1][0] if position + 1 < len(found) else None
        printed = following["text"] if following and following["language"] in {"text", "json"} else None
        if match["language"] in {"python", "sh"}:
            result.append(Block(match["language"], match["text"], line, printed))
    return result


def run_python(block: Block, namespace: dict[str, object]) -> str:
    """What the block prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        # Not with this file's own `from __future__ import annotations`, which the page does not show.
        exec(compile(block.text, f"<line {block.line}>", "exec", dont_inherit=True), namespace)
    return printed.getvalue()


def run_shell(block: Block) -> str:
    """What the block's commands print on stdout and stderr, all of them, whatever their exit codes are."""
    return _printed("\n".join(block.commands_to_run))


@functools.cache  # a command that two pages show is run once
def _printed(script: str) -> str:
    folder = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80"}
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout
