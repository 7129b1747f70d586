"""A docstring and the names of a function's parameters → a description, and one for each parameter.

Which part of a docstring reaches the description is one rule. **What the schema or the caller's Python code says
already goes**: sections and fields on parameters, type parameters, attributes, results (returned, yielded, received)
and errors (raised, warned). **Everything else stays**, heading included: free text before and after those sections,
notes, warnings, examples, references. Code (a fence, a doctest, an rst literal block) stays as it is, never read.

How it is read: code is hidden behind stand-in lines, marks (headings of sections, and fields) are found in the lines,
and the text is cut there into blocks. A block of parameters is rewritten into the one form that griffe reads without
loss, a google section of ``name: description`` at even indentation, and griffe reads the items. The styles differ only
in that rewriting. Types are left out of it: griffe compiles them, and compiling a foreign text can warn or fail.

The style is chosen by evidence: the one that describes most of the function's own parameters wins. A tie goes to the
first of sphinx, numpy, google (the order of the Agents SDK), epydoc. The other styles fill in only the names that the
winner leaves without a description, so that a google docstring with a sphinx tail loses nothing.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ._docstring_blocks import Page
from ._docstring_code import HiddenCode
from ._docstring_marks import DocstringStyle, indent_of
from ._signature import Signature, read_signature

__all__ = [
    "DocstringStyle",
    "Documentation",
    "FuncDocumentation",
    "generate_func_documentation",
    "parse_docstring",
    "read_documentation",
]

_NAMES_AT = 4  # where `Page` puts the names of items; all else is at 8 or more
_NEVER = -1
_TIE_ORDER: tuple[DocstringStyle, ...] = ("sphinx", "numpy", "google", "epydoc")


class Documentation(NamedTuple):
    """What a docstring says.

    Attributes:
        description: the purpose and all other text that stays; `None` when there is none.
        parameters: name without stars → description, also for names that are not parameters of the function; a name
            without a description is absent.
    """

    description: str | None
    parameters: dict[str, str]


@dataclass
class FuncDocumentation:
    """What a function's docstring says, as the Agents SDK hands it out.

    Attributes:
        name: the function's own name.
        description: the docstring without its sections on parameters, results and errors; `None` when nothing is left.
        param_descriptions: parameter name → description; `None` when no parameter is described.
    """

    name: str
    description: str | None
    param_descriptions: dict[str, str] | None


def generate_func_documentation(func: Callable[..., Any], style: DocstringStyle | None = None) -> FuncDocumentation:
    """Read the documentation of a function, as the function of this name in the Agents SDK does.

    Args:
        func: any callable that `function_schema` reads.
        style: read this style only; `None` finds it by evidence.

    Raises:
        SignatureError: the callable cannot be read.
    """
    signature = read_signature(func)
    read = read_documentation(signature, style)
    name = signature.name or str(getattr(func, "__name__", type(func).__name__))
    return FuncDocumentation(name, read.description, read.parameters or None)


def read_documentation(signature: Signature, style: DocstringStyle | None = None) -> Documentation:
    """Read what documents a callable: for an object with `__call__`, the text of its class and that of the method."""
    purpose = parse_docstring(signature.docstring, signature.names, style)
    if signature.parameter_docstring == signature.docstring:
        return purpose
    closer = parse_docstring(signature.parameter_docstring, signature.names, style)
    return Documentation(purpose.description, {**purpose.parameters, **closer.parameters})


def parse_docstring(
    text: str | None, parameter_names: Sequence[str], style: DocstringStyle | None = None
) -> Documentation:
    """Read a docstring. Any text gives a reading: there is no error and no warning.

    Args:
        text: as written or as `inspect.getdoc` cleans it.
        parameter_names: the function's own parameters, without stars.
        style: read the marks of this style only and take those of the others for text; `None` finds it by evidence.
    """
    if not text or text.isspace():
        return Documentation(None, {})
    code = HiddenCode(text)
    lines = code.hide_examples(_without_margin(code.hide_fences(_lines(text))))
    own = frozenset(parameter_names)
    pieces: list[list[str]] = [[]]
    items: dict[DocstringStyle, list[str]] = {}
    for part in Page(lines, own, style).cut():
        if isinstance(part, str):
            pieces[-1].append(part)
        else:
            pieces.append([])
            items.setdefault(part.style, []).extend(part.items)
    description = "\n\n".join(filter(None, map(_tidy, pieces)))
    described = _merged({found: _read_items(google) for found, google in items.items() if google}, own)
    return Documentation(
        code.restore(description) or None, {name: code.restore(words) for name, words in described.items()}
    )


def _read_items(lines: list[str]) -> dict[str, str]:
    """The items of a google section: those that are plain read here, as most are, and all others by griffe."""
    plain = _plain_items(lines)
    return _items_by_griffe(lines) if plain is None else plain


def _items_by_griffe(lines: list[str]) -> dict[str, str]:
    from griffe import Docstring, DocstringSectionParameters

    # The empty line keeps griffe's cleandoc from taking the heading, a first line, out of the common indentation.
    sections = Docstring("\nArgs:\n" + "\n".join(lines)).parse("google", warnings=False)
    described: dict[str, str] = {}
    for section in sections:
        for read in section.value if isinstance(section, DocstringSectionParameters) else ():
            words = inspect.cleandoc(read.description)
            for name in read.name.split(", "):
                if words:
                    described.setdefault(name, words)
    return described


def _plain_items(lines: list[str]) -> dict[str, str] | None:
    """The items if each is a single name and the description one paragraph, as griffe reads them; else `None`.

    Loading griffe takes as long as loading pydantic, and reading by it three times as long as all else here.
    """
    described: dict[str, list[str]] = {}
    paragraph: list[str] = []
    margin = 0
    for line in lines:
        indent = indent_of(line)
        if indent == _NAMES_AT:
            name, _, text = line.strip().partition(":")
            if "," in name or name in described:
                return None
            paragraph = described[name] = [text.strip()] if text else []
            margin = 0
        elif not line:
            margin = _NEVER
        elif indent == (margin or indent):
            paragraph.append(line.strip())
            margin = indent
        else:
            return None
    # The names live as long as the tool, and the function has them already.
    return {sys.intern(name): "\n".join(paragraph) for name, paragraph in described.items() if paragraph}


def _merged(readings: dict[DocstringStyle, dict[str, str]], own: frozenset[str]) -> dict[str, str]:
    """The reading that describes most of the function's own parameters, completed by the others."""
    best_first = sorted(readings, key=lambda style: (-len(own & readings[style].keys()), _TIE_ORDER.index(style)))
    merged: dict[str, str] = {}
    for style in best_first:
        merged = {**merged, **{name: words for name, words in readings[style].items() if name not in merged}}
    return merged


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _without_margin(lines: list[str]) -> list[str]:
    """As `inspect.cleandoc` does it: the first line stands behind the quotes, so its own indentation says nothing."""
    margin = min((indent_of(line) for line in lines[1:] if line), default=0)
    return [lines[0].lstrip(), *(line[margin:] for line in lines[1:])]


def _tidy(lines: list[str]) -> str:
    """Lines as one text, without common indentation and without blank lines around it."""
    margin = min((indent_of(line) for line in lines if line), default=0)
    return "\n".join(line[margin:] for line in lines).strip("\n")
