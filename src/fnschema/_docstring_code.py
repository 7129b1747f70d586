"""Code in a docstring, hidden from whoever reads the text around it and put back unchanged."""

from __future__ import annotations

import re

from ._docstring_marks import heading, indent_of

__all__ = ["HiddenCode"]

_CODE_DIRECTIVE = re.compile(r"\s*+\.\. (?:code|code-block|sourcecode|parsed-literal|math)::")
_FENCE = re.compile(r"(?P<fence>`{3,}+|~{3,}+)(?P<language>.*)")


class HiddenCode:
    """Code that nothing may read or change: each block of it is one stand-in line until `restore`."""

    def __init__(self, text: str) -> None:
        self._blocks: list[list[str]] = []
        self._has_fences = "```" in text or "~~~" in text
        self._has_examples = ">>>" in text or "::" in text
        self._sign = "\ue000"  # private use; repeated until the text does not hold it, so that no line can be mistaken
        while self._sign in text:
            self._sign += self._sign

    def hide_fences(self, lines: list[str]) -> list[str]:
        """Hide fences (CommonMark 0.31, section 4.5; an open one is text), clean the white space of the rest."""
        closers = _closing_fences(lines) if self._has_fences else {}
        shown: list[str] = []
        at = 0
        while at < len(lines):
            end = closers.get(at)
            if end is None:
                shown.append(lines[at].expandtabs().rstrip())
                at += 1
            else:
                shown.append(self._hide(_outdented_fence(lines[at : end + 1]), indent_of(lines[end].expandtabs())))
                at = end + 1
        return shown

    def hide_examples(self, lines: list[str]) -> list[str]:
        """Hide doctests and rst's literal blocks and code directives."""
        if not self._has_examples:
            return lines
        shown: list[str] = []
        at, above = 0, ""
        while at < len(lines):
            end = _doctest_end(lines, at) or _literal_end(lines, at, above)
            if end:
                margin = min(indent_of(line) for line in lines[at:end] if line)
                shown.append(self._hide([line[margin:] for line in lines[at:end]], margin))
            else:
                shown.append(lines[at])
            above = lines[at] or above
            at = end or at + 1
        return shown

    def restore(self, text: str) -> str:
        """Put the code back, at the indentation of its stand-in."""
        if not self._blocks:
            return text
        stand_in = re.compile(rf"^( *){self._sign}(\d+)$", re.MULTILINE)
        with_fences = stand_in.sub(self._shown, text)
        return stand_in.sub(self._shown, with_fences)  # an example may hold the stand-in of a fence, nothing is deeper

    def _hide(self, block: list[str], indent: int) -> str:
        self._blocks.append(block)
        return f"{' ' * indent}{self._sign}{len(self._blocks) - 1}"

    def _shown(self, stand_in: re.Match[str]) -> str:
        indent, number = stand_in.groups()
        return "\n".join(indent + line if line else line for line in self._blocks[int(number)])


def _closing_fences(lines: list[str]) -> dict[int, int]:
    """The line of each opening fence → the line of the fence that closes it."""
    closers: dict[int, int] = {}
    never_closed: dict[str, int] = {}  # the shortest fence of a kind known to stay open; spares a scan for longer ones
    at = 0
    while at < len(lines):
        fence = _opening_fence(lines, at)
        at += 1
        if not fence or len(fence) >= never_closed.get(fence[0], len(fence) + 1):
            continue
        end = next((i for i in range(at, len(lines)) if _closes(lines[i].strip(), fence)), None)
        if end is None:
            never_closed[fence[0]] = len(fence)
        else:
            closers[at - 1] = end
            at = end + 1
    return closers


def _opening_fence(lines: list[str], at: int) -> str | None:
    found = _FENCE.match(lines[at].lstrip())
    if not found or (found["fence"][0] == "`" and "`" in found["language"]):
        return None
    above = lines[at - 1].strip() if at else ""
    underlines = found["fence"][0] == "~" and not found["language"] and 0 < len(above) <= len(found["fence"])
    return None if underlines else found["fence"]


def _closes(line: str, fence: str) -> bool:
    return len(line) >= len(fence) and line == fence[0] * len(line)


def _outdented_fence(block: list[str]) -> list[str]:
    """A fence without indentation; its code keeps what it is indented by beyond the fence, or within itself."""
    opener, *code, closer = block
    margin = min([indent_of(closer), *(indent_of(line) for line in code if line.strip())])
    return [opener.strip(), *(line[margin:] for line in code), closer.strip()]


def _doctest_end(lines: list[str], start: int) -> int | None:
    """The end of the doctest that begins at this line; a blank line or a smaller indentation ends it."""
    if not lines[start].lstrip().startswith(">>>"):
        return None
    margin = indent_of(lines[start])
    ends = (i for i in range(start + 1, len(lines)) if not lines[i] or indent_of(lines[i]) < margin)
    return next(ends, len(lines))


def _literal_end(lines: list[str], start: int, above: str) -> int | None:
    """The end of the literal block that begins at this line, if the text above it ends in ``::`` or is a directive."""
    if not lines[start] or indent_of(lines[start]) <= indent_of(above):
        return None
    announced = above.endswith("::") and not lines[start - 1] and not heading(above)
    if not (announced or _CODE_DIRECTIVE.match(above)):
        return None
    ends = (i for i in range(start + 1, len(lines)) if lines[i] and indent_of(lines[i]) <= indent_of(above))
    end = next(ends, len(lines))
    while not lines[end - 1]:
        end -= 1
    return end
