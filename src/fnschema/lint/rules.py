"""The table of rules. A rule is a function of one kind of facts, named as the rule, that yields what is wrong.

The ids are stable: FNS0 is what hinders the check itself, FNS1 what makes a tool hard for a model, FNS2 what a provider
refuses. Each has its section in docs/reference/check-rules.md.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from ..errors import Problem, SchemaError, Severity, pointer
from .names import asks_for_secret, is_vague, placeholder_in
from .places import Place
from .subjects import LintedTool, Request, UnreadableModule, UnusableFunction

__all__ = ["RULES", "Fault", "Rule"]

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Fault:
    """What a rule says of its subject.

    Attributes:
        place: where the function is written.
        tool: its name; `None` for a module and for several tools together.
        message: one sentence.
        remedy: one sentence, or `None`.
        severity: where it differs from the rule's.
    """

    place: Place
    tool: str | None
    message: str
    remedy: str | None = None
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class Rule(Generic[S]):
    """A rule.

    Attributes:
        id: never given to another rule.
        severity: of its findings.
        about: the kind of facts that it is a rule about.
        check: the rule itself.
    """

    id: str
    severity: Severity
    about: type[S]
    check: Callable[[S], Iterator[Fault]]

    @property
    def name(self) -> str:
        """The name of the function, with hyphens."""
        return self.check.__name__.replace("_", "-")

    def faults(self, subject: object) -> Iterator[Fault]:
        """What the rule finds; nothing in other facts than those that it is about."""
        return self.check(subject) if isinstance(subject, self.about) else iter(())


def module_cannot_be_imported(module: UnreadableModule) -> Iterator[Fault]:
    yield Fault(module.place, None, module.reason)


def function_cannot_be_a_tool(function: UnusableFunction) -> Iterator[Fault]:
    for message, remedy in function.reasons:
        yield Fault(function.place, function.name, message, remedy)


def no_description(tool: LintedTool) -> Iterator[Fault]:
    if not tool.description.strip():
        yield _fault(tool, f"{tool.subject} has no description", "Write a docstring that says what it does.")


def parameter_without_description(tool: LintedTool) -> Iterator[Fault]:
    names = [parameter.name for parameter in tool.parameters if not parameter.description.strip()]
    if names:
        yield _fault(tool, f"{tool.subject} does not describe {_named(names)}", "Describe it in the docstring.", names)


def parameter_without_annotation(tool: LintedTool) -> Iterator[Fault]:
    names = _unannotated(tool)
    if names:
        yield _fault(tool, f"{tool.subject} gives no type to {_named(names)}", "Annotate it.", names)


def parameter_hidden(tool: LintedTool) -> Iterator[Fault]:
    if tool.hidden:
        message = f"{tool.subject} hides {_named(tool.hidden)} from the model, since no JSON Schema describes its type"
        yield _fault(tool, message, "Name it in hide if that is meant, or pass the object in the context.", tool.hidden)


def parameter_documented_in_vain(tool: LintedTool) -> Iterator[Fault]:
    known = [parameter.name for parameter in tool.parameters]
    for name in tool.documented_in_vain:
        near = difflib.get_close_matches(name, known, n=1)
        remedy = f"Did you mean {near[0]!r}?" if near else "Remove it, or add the parameter."
        yield _fault(tool, f"The docstring of {tool.subject} describes parameter {name!r}, which is not there", remedy)


def vague_name(tool: LintedTool) -> Iterator[Fault]:
    if is_vague(tool.name):
        message = f"The name {tool.name!r} of {tool.subject} does not say what the tool does"
        yield _fault(tool, message, "Name what it does and to what, or set name_override.")


def placeholder_left(tool: LintedTool) -> Iterator[Fault]:
    for text in dict.fromkeys([tool.description, *(parameter.description for parameter in tool.parameters)]):
        if placeholder := placeholder_in(text):
            message = f"The docstring of {tool.subject} has {placeholder!r} where the model looks for a description"
            yield _fault(tool, message, "Write the description.")


def default_concealed(tool: LintedTool) -> Iterator[Fault]:
    names = [parameter.name for parameter in tool.parameters if parameter.conceals_default]
    if names:
        message = f"{tool.subject} has a default that the model is not told, since JSON cannot hold it, for"
        yield _fault(tool, f"{message} {_named(names)}", "Use None, and make the object in the function.", names)


def description_too_long(tool: LintedTool) -> Iterator[Fault]:
    length = len(tool.description)
    if length > tool.longest_description:
        message = f"The description of {tool.subject} has {length:,} characters, and some providers refuse more than"
        yield _fault(tool, f"{message} {tool.longest_description:,}", "Shorten it.")


def secret_asked_of_the_model(tool: LintedTool) -> Iterator[Fault]:
    names = [parameter.name for parameter in tool.parameters if asks_for_secret(parameter.name)]
    if names:
        message = f"{tool.subject} asks the model for a secret in {_named(names)}"
        yield _fault(tool, message, "Take it from the environment or the context, or name it in hide.", names)


def refused_by_the_dialect(tool: LintedTool) -> Iterator[Fault]:
    yield from _as_faults(tool, f"define for {tool.dialect}", tool.refusals)


def not_strict(tool: LintedTool) -> Iterator[Fault]:
    """A parameter without annotation has a rule of its own, and would be told twice."""
    told = {pointer(("properties", name)) for name in _unannotated(tool)}
    untold = [problem for problem in tool.laxness if problem.path not in told]
    yield from _as_faults(tool, f"make strict for {tool.dialect}", untold)


def duplicate_name(request: Request) -> Iterator[Fault]:
    first: dict[str, LintedTool] = {}
    for tool in request.tools:
        other = first.setdefault(tool.name, tool)
        if other is not tool:
            message = f"{tool.subject} has the name {tool.name!r}, as {other.subject} has"
            yield _fault(tool, message, "Set name_override.")


def too_many_tools(request: Request) -> Iterator[Fault]:
    for problem in request.problems:
        yield Fault(request.place, None, f"{problem.reason}.", problem.remedy, problem.severity)


RULES: tuple[Rule[Any], ...] = (
    Rule("FNS001", "error", UnreadableModule, module_cannot_be_imported),
    Rule("FNS002", "error", UnusableFunction, function_cannot_be_a_tool),
    Rule("FNS101", "warning", LintedTool, no_description),
    Rule("FNS102", "warning", LintedTool, parameter_without_description),
    Rule("FNS103", "warning", LintedTool, parameter_without_annotation),
    Rule("FNS104", "warning", LintedTool, parameter_hidden),
    Rule("FNS105", "warning", LintedTool, parameter_documented_in_vain),
    Rule("FNS106", "warning", LintedTool, vague_name),
    Rule("FNS107", "warning", LintedTool, placeholder_left),
    Rule("FNS108", "warning", LintedTool, default_concealed),
    Rule("FNS109", "warning", LintedTool, description_too_long),
    Rule("FNS110", "warning", LintedTool, secret_asked_of_the_model),
    Rule("FNS201", "error", LintedTool, refused_by_the_dialect),
    Rule("FNS202", "warning", LintedTool, not_strict),
    Rule("FNS203", "error", Request, duplicate_name),
    Rule("FNS204", "error", Request, too_many_tools),
)


def _unannotated(tool: LintedTool) -> list[str]:
    return [parameter.name for parameter in tool.parameters if not parameter.is_annotated]


def _fault(tool: LintedTool, message: str, remedy: str, names: Iterable[str] = ()) -> Fault:
    """One parameter is described, several are: a remedy says "it", and here becomes "them"."""
    several = len(tuple(names)) > 1
    return Fault(tool.place, tool.name, f"{message}.", re.sub(r"\bit\b", "them", remedy) if several else remedy)


def _as_faults(tool: LintedTool, action: str, problems: Iterable[Problem]) -> Iterator[Fault]:
    for problem in problems:
        error = SchemaError(action, tool.subject, [replace(problem, remedy=None)])
        yield Fault(tool.place, tool.name, str(error), problem.remedy)


def _named(names: Iterable[str]) -> str:
    *others, last = map(repr, names)
    return f"parameters {', '.join(others)} and {last}" if others else f"parameter {last}"
