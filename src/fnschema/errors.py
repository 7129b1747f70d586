"""Every error that fnschema raises.

```
FnSchemaError
├─ UserError                the author's mistake, raised when a schema, tool or agent is built
│  ├─ SignatureError        (also TypeError)  the callable cannot be read
│  └─ SchemaError           (also ValueError) no schema, or a dialect cannot express it
├─ ModelBehaviorError       the language model's mistake, raised when a call is made
│  ├─ ArgumentsError        (also ValueError) the arguments do not fit the tool
│  └─ UnknownToolError      (also LookupError) no tool of that name
└─ RunError                 the run itself
   ├─ MaxTurnsExceeded
   └─ ToolTimeoutError      (also TimeoutError)
```

Two stand in rooms of their own: `_results.ResultError` below `UserError`, `mcp.ServerToolError` below
`ModelBehaviorError`.

Facts live in fields; the sentence is made in ``__str__``. What an author reads may name modules and types; what a
language model reads (``ModelBehaviorError`` and below) is short and holds neither a value nor a URL.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from .runner import Response

__all__ = [
    "ArgumentsError",
    "FnSchemaError",
    "MaxTurnsExceeded",
    "ModelBehaviorError",
    "Problem",
    "RunError",
    "SchemaError",
    "SignatureError",
    "ToolTimeoutError",
    "UnknownToolError",
    "UserError",
]

Severity = Literal["error", "warning"]

MOST_PROBLEMS = 100
LONGEST_ARGUMENTS_TEXT = 900  # characters; with multi-byte letters the text stays near 1 KB, cheap to send back
_LONGEST_END = 70  # characters of four bytes, three times of them
_LONGEST_NAME = 64  # characters shown of a name that the model made up


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, and where.

    Attributes:
        path: a JSON Pointer (RFC 6901) into the schema or into the arguments; ``""`` is the whole document.
        reason: what is wrong there, without the final full stop.
        remedy: what to do about it, a sentence, or `None`.
        severity: ``"error"`` is refused, ``"warning"`` is only reported.
    """

    path: str
    reason: str
    remedy: str | None = None
    severity: Severity = "error"


def closest(name: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The known names that a wrong one may have been meant for, the closest first."""
    from difflib import get_close_matches  # loaded for an error only

    return tuple(get_close_matches(name[:_LONGEST_NAME], list(known), n=most))


class FnSchemaError(Exception):
    """The base of every error that fnschema raises."""


class UserError(FnSchemaError):
    """The author's mistake: a function, schema, tool or agent that cannot be used as it is."""


class _ProblemsError(UserError):
    """What an author has to mend, all of it at once.

    Args:
        action: what could not be done, e.g. ``"describe parameter"``; each problem's path names the object of it.
        subject: what it was done to, e.g. ``"shop.pay"``.
        problems: one or more problems.
    """

    def __init__(self, action: str, subject: str, problems: Iterable[Problem]) -> None:
        self.action = action
        self.subject = subject
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(action, subject, self.problems)

    def __str__(self) -> str:
        return "\n".join(self._sentence(problem) for problem in self.problems)

    def _sentence(self, problem: Problem) -> str:
        name = f" {_name_of(problem.path)!r} of" if problem.path else ""
        remedy = f" {problem.remedy}" if problem.remedy else ""
        return f"Cannot {self.action}{name} {self.subject}: {problem.reason}.{remedy}"


class SignatureError(_ProblemsError, TypeError):
    """The callable cannot be read: no signature, or a parameter that nothing can describe to a model."""


class SchemaError(_ProblemsError, ValueError):
    """There is no JSON Schema for it, or a dialect cannot express the schema; ``problems`` says where and why."""


class ModelBehaviorError(FnSchemaError):
    """The language model's mistake; ``str(error)`` may be sent back to it."""


class ArgumentsError(ModelBehaviorError, ValueError):
    """The arguments do not fit the tool. The text is under 1 KB and holds no argument value.

    Args:
        tool: the tool's name.
        problems: at most 100 are kept.
    """

    def __init__(self, tool: str, problems: Sequence[Problem]) -> None:
        self.tool = tool
        self.problems: tuple[Problem, ...] = tuple(problems[:MOST_PROBLEMS])
        super().__init__(tool, self.problems)

    def __str__(self) -> str:
        shown: list[str] = []
        room = LONGEST_ARGUMENTS_TEXT
        for problem in self.problems:
            line = problem_line(problem)
            size = len(line.encode()) + 2
            if size > room:
                if not shown:
                    shown.append(_shortened(problem))
                break
            room -= size
            shown.append(line)
        left = len(self.problems) - len(shown)
        more = [f"and {left} more"] if left else []
        return f"Invalid JSON input for tool {self.tool[:_LONGEST_NAME]}: " + "; ".join(shown + more)


class UnknownToolError(ModelBehaviorError, LookupError):
    """The model called a tool that does not exist; the text names the close matches.

    Args:
        name: what the model called.
        known: the names of the tools it was offered.
    """

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known: tuple[str, ...] = tuple(known)
        self.matches: tuple[str, ...] = closest(name, self.known)
        super().__init__(name, self.known)

    def __str__(self) -> str:
        names = self.matches or self.known
        listed = ", ".join(names[:10])
        hint = f" Did you mean {listed}?" if self.matches else f" The tools are: {listed}." if names else ""
        return f"There is no tool {quoted(self.name)}.{hint}"


class RunError(FnSchemaError):
    """The run could not go on. ``response`` holds the run so far (`None` outside a run)."""

    def __init__(self, message: str, response: Response | None = None) -> None:
        super().__init__(message)
        self.response = response


class MaxTurnsExceeded(RunError):
    """The model was asked ``max_turns`` times and still calls tools."""


class ToolTimeoutError(RunError, TimeoutError):
    """A tool did not answer within its ``timeout`` seconds.

    Args:
        tool: the tool's name.
        timeout: seconds.
    """

    def __init__(self, tool: str, timeout: float, response: Response | None = None) -> None:
        super().__init__(f"The tool {tool} did not answer within {timeout:g} seconds.", response)
        self.tool = tool
        self.timeout = timeout

    def __reduce__(self) -> tuple[Any, ...]:
        """Exceptions are copied by their text, which is not what this one is made of."""
        return type(self), (self.tool, self.timeout, self.response)


def quoted(name: str) -> str:
    """A name that the model made up, as it may be shown: escaped, in quotes, at most 64 characters."""
    return repr(name[:_LONGEST_NAME]) + ("…" if len(name) > _LONGEST_NAME else "")


def pointer(path: Iterable[str | int]) -> str:
    """A JSON Pointer (RFC 6901, section 3): ``("a/b", 0)`` is ``/a~1b/0``."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def _name_of(path: str) -> str:
    """The property that a JSON Pointer is about: ``items`` or ``anyOf/0`` below it say less than its name."""
    parts = path.split("/")
    named = [part for before, part in itertools.pairwise(parts) if before == "properties"]
    return (named or parts)[-1].replace("~1", "/").replace("~0", "~")


def on_one_line(text: str) -> str:
    """The text with its control characters escaped, as `repr` does, and nothing else.

    They would move the cursor of a terminal, or pass for lines of our own.
    """
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def problem_line(problem: Problem) -> str:
    where = f"{repr(problem.path)[1:-1]}: " if problem.path else ""  # `repr` escapes what a key may smuggle in
    remedy = f" ({problem.remedy})" if problem.remedy else ""
    return f"{where}{on_one_line(problem.reason)}{remedy}"


def _shortened(problem: Problem) -> str:
    """A line of a problem that has no room, with both ends of its path and no remedy: under 900 bytes of UTF-8."""
    path = repr(problem.path)[1:-1]
    if len(path) > 2 * _LONGEST_END:
        path = f"{path[:_LONGEST_END]}…{path[-_LONGEST_END:]}"
    reason = on_one_line(problem.reason)
    if len(reason) > _LONGEST_END:
        reason = f"{reason[:_LONGEST_END]}…"
    return f"{path}: {reason}" if path else reason
