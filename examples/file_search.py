"""A file search without a shell: a dataclass parameter, `Path`, and lists as results, documented in the numpy style."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

from pydantic import Field

from fnschema import function_tool


@dataclass
class Filter:
    """Which files count; every condition that is given must hold."""

    name: Annotated[str, Field(description="A glob pattern for the file's name, such as *.py.")] = "*"
    smallest: Annotated[int, Field(ge=0, description="Size in bytes, at least.")] = 0
    modified_since: Annotated[date | None, Field(description="Changed on this day or later.")] = None

    def admits(self, path: Path) -> bool:
        facts = path.stat()
        recent = self.modified_since is None or date.fromtimestamp(facts.st_mtime) >= self.modified_since
        return facts.st_size >= self.smallest and recent


@dataclass
class Match:
    """One line of a file."""

    file: Path
    line: int
    text: str


@function_tool
def find_files(
    folder: Path, only: Filter | None = None, limit: Annotated[int, Field(ge=1, le=1000)] = 50
) -> list[Path]:
    """List the files below a folder, in alphabetical order.

    Parameters
    ----------
    folder
        Where to start.
    only
        Which files count; null lists all.
    limit
        At most so many files.
    """
    chosen = only or Filter()
    found = sorted(path for path in folder.rglob(chosen.name) if path.is_file() and chosen.admits(path))
    return found[:limit]


@function_tool
def search_text(
    folder: Path, text: str, only: Filter | None = None, limit: Annotated[int, Field(ge=1, le=1000)] = 50
) -> list[Match]:
    """Find the lines that hold a text, in the files below a folder.

    Parameters
    ----------
    folder
        Where to start.
    text
        What the line must hold; upper and lower case differ.
    only
        Which files count; null searches all.
    limit
        At most so many lines.
    """
    matches: list[Match] = []
    for file in find_files(folder, only, 1000):
        for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            if text in line:
                matches.append(Match(file, number, line.strip()))
            if len(matches) == limit:
                return matches
    return matches
