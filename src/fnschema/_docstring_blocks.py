"""The lines of a docstring, cut into text that stays and blocks of parameters, in whatever style they are written."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from ._docstring_marks import (
    DocstringStyle,
    Heading,
    Item,
    Role,
    field,
    heading,
    indent_of,
    is_underline,
    item,
    may_be_mark,
)

__all__ = ["Block", "Page"]

# What a numpy section of results lists: a type, or a name and a type; no sentence, heading, list, directive or code.
_RESULT = re.compile(r"(?!``)[\w`(\[{:*].*(?<![:.!?])")
_NOTHING = ("none", "none.", "n/a", "nothing", "nothing.", "-")


class Block(NamedTuple):
    """Lines that leave the description.

    Attributes:
        style: the style that they are written in.
        items: for a block of parameters its items as lines of a google section, else empty.
        end: the line below the block.
    """

    style: DocstringStyle
    items: list[str]
    end: int


class _Mark(NamedTuple):
    """Where a block may begin.

    Attributes:
        style: whose mark it is.
        heading: of a section; `None` for a field, which is its own first line.
        body: the line below the heading, or the field's own line.
    """

    style: DocstringStyle
    heading: Heading | None
    body: int


class Page:
    """The lines of a docstring, and the marks in them.

    Args:
        lines: without white space at their ends (a blank line is ``""``), code hidden.
        own: the function's own parameters.
        style: the only style whose marks count; `None` for all.
    """

    def __init__(self, lines: list[str], own: frozenset[str], style: DocstringStyle | None) -> None:
        self._lines = lines
        self._own = own
        found = ((at, self._mark(at)) for at, line in enumerate(lines) if may_be_mark(line))
        self._marks = {at: mark for at, mark in found if mark and style in (None, mark.style)}
        self._level = self._level_of_marks()

    def cut(self) -> Iterator[str | Block]:
        """Lines that stay and blocks that go, in order."""
        at = 0
        while at < len(self._lines):
            block = self._block(at) if at in self._marks else None
            yield self._lines[at] if block is None else block
            at = at + 1 if block is None else block.end

    def _mark(self, at: int) -> _Mark | None:
        if found := field(self._lines[at]):
            return _Mark(found.style, None, at)
        title = heading(self._lines[at])
        if title and not title.rest and self._is_underlined(at):
            return _Mark("numpy", title, at + 2)
        if not title or not title.stands_alone:
            return None
        # "Attributes: see below" is a sentence, and so is "Returns: the sum" where it is the whole purpose.
        is_sentence = title.role == "others" and title.rest and (at == 0 or not title.takes_text)
        return None if is_sentence else _Mark("google", title, at + 1)

    def _is_underlined(self, at: int) -> bool:
        return at + 1 < len(self._lines) and is_underline(self._lines[at + 1])

    def _level_of_marks(self) -> int:
        """The one indentation at which marks count; deeper ones belong to some example.

        It is not 0 in a docstring that is indented oddly. Then a mark must name a parameter, and stand below no ``x:``.
        """
        if not self._marks or any(indent_of(self._lines[at]) == 0 for at in self._marks):
            return 0
        above = _less_indented_above(self._lines)
        for at, mark in self._marks.items():
            first = _next_line(self._lines, mark.body)
            is_example = self._lines[above[at]].endswith(":") if at in above else False
            if first < len(self._lines) and not is_example and self._names_own(first, mark.style):
                return indent_of(self._lines[at])
        return 0

    def _block(self, at: int) -> Block | None:
        mark = self._marks[at]
        if indent_of(self._lines[at]) != self._level:
            return None
        if mark.heading is None:
            end = self._flush_end(at, "parameters", mark.style)
            return Block(mark.style, self._items(self._lines[at:end], mark.style), end)
        end = self._section_end(mark, mark.heading)
        body = self._lines[mark.body : end]
        if mark.heading.role == "others":
            return Block(mark.style, [], end)
        if mark.heading.rest:
            return self._titled_block(mark.heading.rest, body, end)
        return Block(mark.style, self._items(body, mark.style), end)

    def _titled_block(self, rest: str, body: list[str], end: int) -> Block | None:
        """A google section with text beside the heading: the first item, or that there are none, or a title."""
        below = next((line for line in body if line), "")
        beside = item(rest, "google", self._own, has_body=False)
        if beside and not self._own.isdisjoint(beside.names):
            first = " " * indent_of(below) + rest
            return Block("google", self._items([first, *body], "google"), end)
        is_title = indent_of(below) > self._level
        return Block("google", self._items(body, "google"), end) if is_title or rest.lower() in _NOTHING else None

    def _section_end(self, mark: _Mark, title: Heading) -> int:
        """The line below a section's body, which is indented deeper than the heading or stands flush below it."""
        first = _next_line(self._lines, mark.body)
        adjacent = first == mark.body
        if first == len(self._lines) or (title.rest and not adjacent):
            return mark.body
        if indent_of(self._lines[first]) > self._level:
            return self._hanging_end(first, title.role, mark.style)
        if mark.style == "google" and not self._is_flush_body(first, title.role, adjacent):
            return mark.body
        return self._flush_end(first, title.role, mark.style)

    def _is_flush_body(self, first: int, role: Role, adjacent: bool) -> bool:
        """Whether a line at the level of the google heading above it belongs to that section."""
        if role == "parameters":
            return self._names_own(first, "google")
        return adjacent and first not in self._marks

    def _hanging_end(self, start: int, role: Role, style: DocstringStyle) -> int:
        for at in range(start, len(self._lines)):
            if self._lines[at] and indent_of(self._lines[at]) <= self._level:
                slipped = role == "parameters" and self._lines[at - 1] and at not in self._marks
                if not (slipped and self._names_own(at, style)):
                    return at
        return len(self._lines)

    def _flush_end(self, start: int, role: Role, style: DocstringStyle) -> int:
        """The end of a body at the level of its heading, or of a list of fields."""
        seen_deeper = False
        for at in range(start, len(self._lines)):
            line = self._lines[at]
            if line and indent_of(line) > self._level:
                seen_deeper = True
            elif line and (
                indent_of(line) < self._level
                or self._begins_another(at, role, style)
                or (at > start and not self._lines[at - 1] and self._is_text(at, role, style, seen_deeper))
            ):
                return at
        return len(self._lines)

    def _begins_another(self, at: int, role: Role, style: DocstringStyle) -> bool:
        """Whether a block of another kind, or a section of text, begins at this line."""
        mark = self._marks.get(at)
        if mark is None:
            return self._is_underlined(at)
        if mark.heading is None:
            return mark.style != style
        return mark.style == "numpy" or role == "others" or not self._names_own(at, style)

    def _is_text(self, at: int, role: Role, style: DocstringStyle, seen_deeper: bool) -> bool:
        """Whether the line, which stands flush below a blank line, is text below the section and not more of it."""
        line = self._lines[at]
        has_body = _has_body(self._lines, at)
        if style in ("sphinx", "epydoc"):
            return at not in self._marks
        if role == "parameters":
            # "Note:" with a body is the heading of a google section; a numpy item has a gap before its colon.
            is_item = style == "numpy" and (" : " in line or (has_body and ":" not in line))
            found = item(line, style, self._own, has_body=has_body)
            return not found or (self._own.isdisjoint(found.names) and not is_item)
        if style == "google":
            return True
        if not seen_deeper:  # numpy results written as prose
            return has_body and line.endswith(":")
        return not (_RESULT.fullmatch(line) and (has_body or " " not in line or " : " in line))

    def _items(self, lines: list[str], style: DocstringStyle) -> list[str]:
        """The body of a block of parameters as griffe reads it best: names at 4 blanks, all else at 8 or more."""
        first_lines = _first_lines(lines, style, self._own)
        out: list[str] = []
        level = hang = 0
        is_read = False
        for at, line in enumerate(lines):
            if found := first_lines.get(at):
                level = hang = indent_of(line)
                is_read = bool(found.names)
                if is_read:
                    out.append(f"    {', '.join(found.names)}: {found.text}")
            elif is_read and indent_of(line) > level:
                hang = indent_of(line)
                out.append(" " * 8 + line)
            elif is_read:  # wrapped without indentation, or blank
                out.append(" " * (8 + hang) + line.lstrip() if line else "")
        return out

    def _names_own(self, at: int, style: DocstringStyle) -> bool:
        found = item(self._lines[at], style, self._own, has_body=_has_body(self._lines, at))
        return found is not None and not self._own.isdisjoint(found.names)


def _next_line(lines: list[str], at: int) -> int:
    """The first line from here on that is not blank."""
    while at < len(lines) and not lines[at]:
        at += 1
    return at


def _less_indented_above(lines: list[str]) -> dict[int, int]:
    """Each line → the nearest line above it that is indented less."""
    above: dict[int, int] = {}
    outer: list[int] = []
    for at, line in enumerate(lines):
        if line:
            while outer and indent_of(lines[outer[-1]]) >= indent_of(line):
                outer.pop()
            if outer:
                above[at] = outer[-1]
            outer.append(at)
    return above


def _has_body(lines: list[str], at: int) -> bool:
    below = _next_line(lines, at + 1)
    return below < len(lines) and indent_of(lines[below]) > indent_of(lines[at])


def _first_lines(lines: list[str], style: DocstringStyle, own: frozenset[str]) -> dict[int, Item]:
    """The first line of each item: at the indentation of the first one or less.

    A slightly deeper line, or any deeper field, counts too when it names a parameter that is described nowhere else.
    """
    level: int | None = None
    found: dict[int, Item] = {}
    deeper: dict[int, Item] = {}
    reach = 4 if style in ("google", "numpy") else sys.maxsize
    for at, line in enumerate(lines):
        if not line or (level is not None and indent_of(line) >= level + reach):
            continue
        first = item(line, style, own, has_body=_has_body(lines, at))
        if first and (level is None or indent_of(line) <= level):
            level = indent_of(line) if level is None else level
            found[at] = first
        elif first:
            deeper[at] = first
    described = {name for first in found.values() for name in first.names}
    return found | {at: first for at, first in deeper.items() if own.intersection(first.names) - described}
