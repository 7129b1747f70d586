"""Documentation as facts, and the docstring that a careful author writes from it in each style."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from hypothesis import strategies as st

STYLES = ("google", "numpy", "sphinx", "epydoc")

# Words that readers of docstrings trip over, where they stand in running text.
_WORDS = st.sampled_from(
    [
        "the",
        "city",
        "Args:",
        "returns",
        "days: Mon-Fri",
        "(int)",
        "a, b",
        "*kw*",
        "`x`",
        "3.5",
        "ünïcode",
        "--",
        "e.g.",
        "#",
    ]
)
_STARTS = st.sampled_from(["The", "how", "All", "1.5", "Ünit", "one"])
_NAMES = st.sampled_from(
    ["city", "days", "_x", "args", "kw", "returns", "größe", "note", "type", "self", "param", "a1"]
)
_TYPES = st.sampled_from(["", "int", "str, optional", "dict[str, list[int]]", "int | None", "Callable[[int], str]"])
_FENCE = "```python\nArgs:\n    x: 1\n\n:param y: 2\nReturns\n-------\n  z\n```"
_LIST = "- first\n- second:\n  with more\n\n  and a paragraph"


@dataclass(frozen=True)
class Written:
    """What an author has to say.

    Attributes:
        purpose: the text above the parameters.
        parameters: (stars, name, type, description) each.
        result: what is returned; ``""`` says nothing.
        advice: the text below.
    """

    purpose: str
    parameters: tuple[tuple[str, str, str, str], ...]
    result: str
    advice: str

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for _, name, _, _ in self.parameters)

    @property
    def described(self) -> dict[str, str]:
        return {name: text for _, name, _, text in self.parameters}

    @property
    def description(self) -> str | None:
        return "\n\n".join(filter(None, (self.purpose, self.advice))) or None


def _sentences() -> st.SearchStrategy[str]:
    line = st.builds(lambda start, words: " ".join([start, *words]), _STARTS, st.lists(_WORDS, max_size=5))
    return st.lists(line, min_size=1, max_size=3).map("\n".join)


def texts() -> st.SearchStrategy[str]:
    """Paragraphs, lists and code; the first is a paragraph."""
    more = st.lists(st.one_of(_sentences(), st.just(_LIST), st.just(_FENCE)), max_size=2)
    return st.builds(lambda first, rest: "\n\n".join([first, *rest]), _sentences(), more)


def written() -> st.SearchStrategy[Written]:
    """Documentation of functions with up to five parameters."""
    parameter = st.tuples(st.sampled_from(["", "", "*", "**"]), _NAMES, _TYPES, texts())
    parameters = st.lists(parameter, max_size=5, unique_by=lambda each: each[1]).map(tuple)
    return st.builds(Written, texts() | st.just(""), parameters, st.just("") | _sentences(), texts() | st.just(""))


def docstring(facts: Written, style: str) -> str:
    """The docstring as it stands in a source file, indented as the body of a function."""
    blocks = [facts.purpose, *_SECTIONS[style](facts)]
    # Numpy style has no end of a section but the next heading, so advice stands in a section of its own or above.
    blocks.insert(1 if style == "numpy" else len(blocks), facts.advice)
    return "\n" + textwrap.indent("\n\n".join(filter(None, blocks)), " " * 4) + "\n    "


def _google(facts: Written) -> list[str]:
    items = [
        f"{stars}{name}{f' ({kind})' if kind else ''}: {_hanging(text)}" for stars, name, kind, text in facts.parameters
    ]
    return [_section("Args:", "\n".join(items)), _section("Returns:", facts.result)]


def _numpy(facts: Written) -> list[str]:
    items = [
        f"{stars}{name}{f' : {kind}' if kind else ''}\n{_indented(text)}"
        for stars, name, kind, text in facts.parameters
    ]
    result = f"int\n{_indented(facts.result)}" if facts.result else ""
    return [_underlined("Parameters", "\n".join(items)), _underlined("Returns", result)]


def _fields(mark: str, close: str, facts: Written) -> list[str]:
    lines = []
    for stars, name, kind, text in facts.parameters:
        lines.append(f"{mark}param {stars}{name}{close} {_hanging(text)}")
        if kind:
            lines.append(f"{mark}type {stars}{name}{close} {kind}")
    if facts.result:
        lines.append(f"{mark}return{close} {_hanging(facts.result)}")
    return ["\n".join(lines)]


_SECTIONS = {
    "google": _google,
    "numpy": _numpy,
    "sphinx": lambda facts: _fields(":", ":", facts),
    "epydoc": lambda facts: _fields("@", ":", facts),
}


def _section(heading: str, body: str) -> str:
    return f"{heading}\n{_indented(body)}" if body else ""


def _underlined(heading: str, body: str) -> str:
    return f"{heading}\n{'-' * len(heading)}\n{body}" if body else ""


def _indented(text: str) -> str:
    return textwrap.indent(text, " " * 4)


def _hanging(text: str) -> str:
    return _indented(text).lstrip()
