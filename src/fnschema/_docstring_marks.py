"""What single lines of a docstring mean in the four styles: section headings, fields, first lines of items.

The tables of words are here. Patterns use possessive quantifiers where a plain one could scan a long line twice.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal, NamedTuple, TypeAlias

__all__ = [
    "DocstringStyle",
    "Field",
    "Heading",
    "Item",
    "Role",
    "field",
    "heading",
    "indent_of",
    "is_underline",
    "item",
    "may_be_mark",
]

DocstringStyle: TypeAlias = Literal["google", "numpy", "sphinx", "epydoc"]
Role: TypeAlias = Literal["parameters", "others"]

_ARGUMENTS = ("arg", "args", "argument", "arguments", "param", "params", "parameter", "parameters")
_KINDS_OF_ARGUMENTS = ("keyword", "other", "optional", "required", "named", "positional", "additional")
# Sections that are also written on one line, "Returns: the sum"; the other words begin too many sentences.
_ONE_LINE = ("return", "returns", "yield", "yields", "raise", "raises")
_TITLES: dict[str, Role] = {
    **dict.fromkeys((*_ARGUMENTS, "kwargs"), "parameters"),
    **{f"{kind} {word}": "parameters" for kind in _KINDS_OF_ARGUMENTS for word in (*_ARGUMENTS, "kwargs")},
    **dict.fromkeys((*_ONE_LINE, "return value", "return values", "receive", "receives"), "others"),
    **dict.fromkeys(("exception", "exceptions", "throws", "warns", "attribute", "attributes"), "others"),
    **{f"type {word}": "others" for word in _ARGUMENTS},
}

# Sphinx (Python domain, "Info field lists") and epydoc ("Epydoc fields"); a word that is not here is text.
_FIELDS: dict[str, Role] = {
    **dict.fromkeys(("param", "parameter", "arg", "argument", "key", "keyword", "kwarg", "kwparam"), "parameters"),
    **dict.fromkeys(
        ("type", "paramtype", "kwtype", "return", "returns", "rtype", "yield", "yields", "ytype"), "others"
    ),
    **dict.fromkeys(("raise", "raises", "throws", "except", "exception", "var", "ivar", "cvar", "vartype"), "others"),
    "meta": "others",
}

_HEADING = re.compile(
    r"\s*+(?P<markdown>#++ |\*\*|__)?(?P<title>[a-z][a-z -]{0,29}+)(?:\*\*|__)?\s*+"
    r"(?:(?P<colon>::?)(?:\*\*|__)?(?P<rest>.*)|$)",
    re.IGNORECASE,
)
_AROUND_TITLES = re.compile(r"[*_\s]+")
_UNDERLINE = re.compile(r"\s*+(?:-{2,}+|={2,}+|~{2,}+)")
_NAME = r"[*`\\]*+[^\W\d]\w*+(?:\.\w++)*+[*`\\]*+"
_ITEM = re.compile(
    rf"\s*+(?:[-+*•]\s++)?(?P<names>{_NAME}(?:\s*+,\s*+(?:{_NAME}|\.\.\.))*+)"
    r"(?:\s*+[(\[<].*?[)\]>](?=\s*+(?::|-|\u2013|$)))?(?P<gap>\s*+)(?P<sign>:(?!//)|--?\s|\u2013\s|$)(?P<text>.*)"
)
_FIELD_SIGNS = (":", "@")
_FIELD = re.compile(r"\s*+(?P<sign>[:@])(?P<word>[a-z]++)(?=[\s:])(?P<rest>.*)", re.IGNORECASE)
# docutils ("Field lists"): the name ends at a colon before white space. Authors also leave the space out.
_FIELD_NAME_END = re.compile(r":(?=\s|$)")
_TYPE = re.compile(
    r"(?:int|integer|str|string|bool|boolean|float|number|dict|list|tuple|set|bytes|object|any|none|callable|optional"
    r"|[\w.]++\[.*\])(?:[\s,|].*)?",
    re.IGNORECASE,
)
_OF_A_TYPE = re.compile(r"[\[({]|\boptional\b|\bdefault", re.IGNORECASE)


def may_be_mark(line: str) -> bool:
    """Whether `heading` or `field` may find something in the line: cheap, and wrong only by saying yes."""
    start = line.lstrip()
    title = _AROUND_TITLES.sub(" ", start.lstrip("#")[:64].partition(":")[0])  # a title has 30 letters at most
    return start[:1] in _FIELD_SIGNS or _plain(title) in _TITLES


def indent_of(line: str) -> int:
    """The width of the white space at the line's beginning."""
    return len(line) - len(line.lstrip())


class Heading(NamedTuple):
    """A line that names a section: ``Args:``, or ``Parameters`` above a line of dashes.

    Attributes:
        role: what the section holds.
        stands_alone: whether a colon or markdown makes it a heading, without a line of dashes below.
        rest: the text beside the title.
        takes_text: whether a section of this title may be written on one line.
    """

    role: Role
    stands_alone: bool
    rest: str
    takes_text: bool


def heading(line: str) -> Heading | None:
    """Read a line as the heading of a section that leaves the description."""
    found = _HEADING.match(line)
    if not found:
        return None
    title = _plain(found["title"])
    role = _TITLES.get(title)
    if role is None:
        return None
    stands_alone = bool(found["colon"] or found["markdown"])
    return Heading(role, stands_alone, (found["rest"] or "").strip(), title in _ONE_LINE)


def _plain(title: str) -> str:
    return " ".join(title.lower().replace("-", " ").split())


def is_underline(line: str) -> bool:
    """Whether the line makes a heading of the line above it."""
    return bool(_UNDERLINE.fullmatch(line))


class Item(NamedTuple):
    """The first line of an item: the names that it describes (none for a ``:type:`` or the like), the text beside."""

    names: tuple[str, ...]
    text: str


class Field(NamedTuple):
    """A line ``:word spec: text`` or ``@word spec: text``."""

    style: DocstringStyle
    role: Role
    spec: str
    text: str

    def item(self, own: Collection[str]) -> Item:
        """Whom it describes: all of ``a, b``, else the last word that is a name, the function's own before others."""
        if self.role != "parameters":
            return Item((), "")
        listed = tuple(_bare(part) for part in self.spec.split(","))
        if all(map(str.isidentifier, listed)):
            return Item(listed, self.text)
        names = [name for name in map(_bare, reversed(self.spec.split())) if name.isidentifier()]
        mine = [name for name in names if name in own]
        return Item(tuple((mine or names)[:1]), self.text)


def field(line: str) -> Field | None:
    """Read a line as a field that leaves the description."""
    found = _FIELD.match(line) if line.lstrip()[:1] in _FIELD_SIGNS else None
    role = _FIELDS.get(found["word"].lower()) if found else None
    if not found or not role:
        return None
    style: DocstringStyle = "sphinx" if found["sign"] == ":" else "epydoc"
    rest = found["rest"]
    end = _FIELD_NAME_END.search(rest)
    at = end.start() if end else rest.find(":")
    if at >= 0:
        return Field(style, role, rest[:at], rest[at + 1 :].strip())
    if style == "sphinx":
        return None
    name, _, text = rest.strip().partition(" ")  # javadoc's habit: "@param name text"
    return Field(style, role, name, text.strip())


def item(line: str, style: DocstringStyle, own: Collection[str], *, has_body: bool) -> Item | None:
    """Read a line as the first of an item in a section of parameters.

    Args:
        line: a line at the indentation of the items.
        style: of the section; in one of fields only fields begin an item.
        own: the function's own parameters: a line that names one of them may be written more loosely.
        has_body: whether lines that are indented deeper follow.
    """
    if found := field(line):
        return found.item(own)
    if style in ("sphinx", "epydoc"):
        return None
    match = _ITEM.match(line)
    if not match:
        name = _bare(line.split(maxsplit=1)[0])
        return Item((name,), "") if style == "numpy" and has_body and name in own else None
    names = tuple(name for name in map(_bare, match["names"].split(",")) if name != "...")
    if match["sign"] != ":" and names[0] not in own and not (style == "numpy" and has_body):
        return None
    text = match["text"].strip().removeprefix("** ")
    return Item(names, "" if _is_type(text, style, bool(match["gap"]), has_body) else text)


def _is_type(text: str, style: DocstringStyle, gap: bool, has_body: bool) -> bool:
    """Whether what stands after the colon is a type: in numpy style it should be, but people describe there too."""
    if style == "google":
        return gap and has_body and bool(_TYPE.fullmatch(text))
    if gap and has_body:
        return True
    if not gap and not has_body:
        return bool(_TYPE.fullmatch(text))
    is_prose = text.endswith((".", "!", "?")) or len(text.split()) > 3
    return not is_prose or bool(_OF_A_TYPE.search(text))


def _bare(name: str) -> str:
    return name.strip(" \t*`\\")
