"""The four kinds of facts that rules are about."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import Problem
from .places import Place

__all__ = ["LintedParameter", "LintedTool", "Request", "UnreadableModule", "UnusableFunction"]


@dataclass(frozen=True, slots=True)
class UnreadableModule:
    """A module that raises an exception when it is imported.

    Attributes:
        place: the line of it that failed.
        reason: the sentence that says so.
    """

    place: Place
    reason: str


@dataclass(frozen=True, slots=True)
class UnusableFunction:
    """A function that cannot be a tool.

    Attributes:
        place: where it is written.
        name: of the function.
        reasons: each a whole sentence, with its remedy.
    """

    place: Place
    name: str
    reasons: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class LintedParameter:
    """A parameter that the model fills.

    Attributes:
        name: as the model sees it.
        description: ``""`` is none.
        is_annotated: whether its author has given it a type.
        conceals_default: whether it has a default that the model is not told.
    """

    name: str
    description: str
    is_annotated: bool = True
    conceals_default: bool = False


@dataclass(frozen=True, slots=True)
class LintedTool:
    """One tool, as a dialect publishes it.

    Attributes:
        place: where its function is written.
        name: the tool's name.
        subject: the function, ``module.qualname``, or the name of a tool without one.
        dialect: its name.
        description: ``""`` is none.
        longest_description: that no provider minds, in characters.
        parameters: that the model fills.
        hidden: parameters that nothing describes to the model, less those whose hiding the author has asked for.
        documented_in_vain: names that the docstring describes as parameters, and that are none.
        refusals: why the dialect cannot express it.
        laxness: why it is not strict, where its author has left the choice and the dialect could be.
    """

    place: Place
    name: str
    subject: str
    dialect: str
    description: str = ""
    longest_description: int = 1024
    parameters: tuple[LintedParameter, ...] = ()
    hidden: tuple[str, ...] = ()
    documented_in_vain: tuple[str, ...] = ()
    refusals: tuple[Problem, ...] = ()
    laxness: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """The tools that go into one request together.

    Attributes:
        place: the module that holds them.
        tools: in the order of the module, or of its agent.
        problems: of all together.
    """

    place: Place
    tools: tuple[LintedTool, ...]
    problems: tuple[Problem, ...] = ()
