"""A dialect: how a provider wants a tool to be written down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from .._json_schema import DEFINITIONS, Schema, check_depth, definitions_reached
from ..errors import Problem, SchemaError, UserError
from .checks import SCHEMA_CHECKS, SchemaCheck, description_length, tool_name
from .facts import SchemaFacts, ToolFacts
from .problems import Finding, or_else, problems_at
from .refusals import ambiguous_entries, open_objects_in, unbounded_look_around, unreadable
from .rules.keywords import booleans_as_schemas
from .rules.objects import maps_as_entries, objects_closed, objects_opened
from .rules.references import unused_definitions_left_out
from .rules.rule import DialectRule

__all__ = ["Change", "Dialect", "Form", "Strict", "ToolSchema"]

Strictness = Literal["by nature", "on request", "never"]
Payload = Callable[[str, str | None, Schema, bool], dict[str, Any]]

Strict: TypeAlias = bool | Literal["if possible"] | None
"""What may be asked of a definition: strict, not strict, strict where it is possible, or as is usual (`None`)."""

_STRICT: tuple[object, ...] = (True, False, "if possible", None)


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """What a tool tells a dialect about itself.

    Attributes:
        name: the tool's name.
        description: what the tool does, or `None`.
        schema: the JSON Schema of the arguments as pydantic generates it, not strict; it is never changed.
        strict: whether the author wants it strict where a provider can be.
        open_objects: whether maps are refused in strict dialects, or published as entries.
        closed: whether unknown arguments are refused, so that a definition may close its objects.
        subject: the function, ``module.qualname``, for messages.
    """

    name: str
    description: str | None
    schema: Schema
    strict: bool = True
    open_objects: Literal["reject", "entries"] = "reject"
    closed: bool = True
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """What a dialect changed about a parameter, and why.

    Attributes:
        parameter: its name.
        rule: the name of the rule that changed it.
        reason: one sentence, with a full stop.
    """

    parameter: str
    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Form:
    """One way in which a dialect publishes schemas: what the provider takes, and the rules and checks for that."""

    facts: SchemaFacts
    rules: tuple[DialectRule, ...]
    checks: tuple[SchemaCheck, ...] = SCHEMA_CHECKS


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a provider wants a tool to be written down, as data.

    Attributes:
        name: as in `fnschema.dialects.names`.
        strictness: whether strict tools are published as strict of themselves, on request only, or never.
        strict: the form of strict definitions; `None` where the provider has none.
        loose: the form of all others.
        tools: names, counts and lengths that the provider takes.
        payload: makes the definition of (name, description, schema, strict).
    """

    name: str
    strictness: Strictness
    strict: Form | None
    loose: Form
    tools: ToolFacts
    payload: Payload

    def definition(self, tool: ToolSchema, *, strict: Strict = None) -> dict[str, Any]:
        """The definition that a request holds for the tool.

        Args:
            tool: what is to be published.
            strict: `None` is strict where the tool is and the dialect is by nature; ``"if possible"`` where the tool
                is, the dialect has a strict mode, and the tool has no error in it.

        Raises:
            SchemaError: the dialect cannot express the tool; it lists every problem.
            UserError: `strict` is none of its values.
        """
        asked = self._decided(tool, strict)
        schema, problems = self._publish(tool, asked)
        errors = _errors(problems)
        if errors:
            raise self._cannot_define(tool, errors)
        return self.payload(tool.name, tool.description or None, schema, self._is_strict(tool, asked))

    def problems(self, tool: ToolSchema, *, strict: Strict = None) -> tuple[Problem, ...]:
        """Everything that is wrong with the tool in this dialect; without an error, `definition` succeeds."""
        return self._publish(tool, self._decided(tool, strict))[1]

    def parameters(self, tool: ToolSchema, *, strict: Strict = None) -> Schema:
        """The schema within the definition, whether or not it has problems."""
        return self._publish(tool, self._decided(tool, strict))[0]

    def changes(self, tool: ToolSchema, *, strict: Strict = None) -> tuple[Change, ...]:
        """What each rule changed, parameter by parameter, in the order of the rules.

        Raises:
            UserError: the schema cannot be read or rewritten; `problems` says the same.
        """
        broken = _broken(tool)
        if broken:
            raise self._cannot_define(tool, broken)
        found: list[Change] = []
        before = tool.schema
        for rule, after in self._steps(tool, self._form(tool, self._decided(tool, strict))):
            reason = (rule.__doc__ or "").strip().splitlines()[0]
            found += [Change(name, rule.__name__, reason) for name in _parameters_changed(before, after)]
            before = after
        return tuple(found)

    def is_strict(self, tool: ToolSchema, strict: Strict = None) -> bool:
        """Whether a definition of the tool is strict."""
        return self._is_strict(tool, self._decided(tool, strict))

    def _decided(self, tool: ToolSchema, strict: Strict) -> bool | None:
        """Whether it is possible, where that was asked; anything else as it was asked."""
        if strict == "if possible":
            return tool.strict and self.strict is not None and not _errors(self._publish(tool, True)[1])
        if strict not in _STRICT:
            raise UserError(f"strict={strict!r} is none of True, False, 'if possible' and None.")
        return strict

    def _is_strict(self, tool: ToolSchema, strict: bool | None) -> bool:
        wanted = (tool.strict and self.strictness == "by nature") if strict is None else strict
        return wanted and self.strict is not None

    def _form(self, tool: ToolSchema, strict: bool | None) -> Form:
        return self.strict if self.strict is not None and self._is_strict(tool, strict) else self.loose

    def _rules(self, tool: ToolSchema, form: Form) -> tuple[DialectRule, ...]:
        closing = objects_closed if tool.closed or form is self.strict else objects_opened
        return (
            booleans_as_schemas,
            *((maps_as_entries,) if self._has_entries(tool, form) else ()),
            *form.rules,
            closing,
            unused_definitions_left_out,
        )

    def _has_entries(self, tool: ToolSchema, form: Form) -> bool:
        """Whether maps are published as entries: in strict forms, and where a provider has no maps."""
        needed = form is self.strict or not form.facts.takes("additionalProperties")
        return needed and tool.open_objects == "entries"

    def _publish(self, tool: ToolSchema, strict: bool | None) -> tuple[Schema, tuple[Problem, ...]]:
        broken = _broken(tool)
        if broken:
            return tool.schema, broken
        form = self._form(tool, strict)
        problems = problems_at(tool.schema, self._refusals(tool, form, strict))
        try:
            schema = [schema for _, schema in self._steps(tool, form)][-1]
        except UserError as error:  # references that are too many once inlined, or circular once merged
            return tool.schema, (*problems, Problem("", str(error).rstrip("."), "Use a simpler type."))
        checked = (finding for check in form.checks for finding in check(schema, form.facts))
        found = dict.fromkeys([*problems, *problems_at(schema, checked)])
        return schema, tuple(self._with_way_out(tool, strict, found) if form is self.strict else found)

    def _with_way_out(self, tool: ToolSchema, strict: bool | None, found: Iterable[Problem]) -> Iterator[Problem]:
        """The problems; those that a definition which is not strict would not have say how to get that one."""
        if all(problem.severity == "warning" for problem in found):
            yield from found
            return
        lasting = {(problem.path, problem.reason) for problem in self._publish(tool, False)[1]}
        for problem in found:
            helps = problem.severity == "error" and (problem.path, problem.reason) not in lasting
            yield self._without_strict(tool, strict, problem) if helps else problem

    def _without_strict(self, tool: ToolSchema, strict: bool | None, problem: Problem) -> Problem:
        """Who has asked for strict in so many words is told first that it is this which cannot be had."""
        if not strict:
            return or_else(problem, "strict_mode=False" if tool.subject else "strict_json_schema=False")
        words = "Use strict=False" if self._is_strict(tool, None) else "Leave out strict=True"
        remedy = problem.remedy or ""
        return replace(problem, remedy=f"{words}, or {remedy[:1].lower()}{remedy[1:]}" if remedy else f"{words}.")

    def _steps(self, tool: ToolSchema, form: Form) -> Iterator[tuple[DialectRule, Schema]]:
        """Each rule, and the schema behind it."""
        schema = tool.schema
        for rule in self._rules(tool, form):
            schema = rule(schema, form.facts)
            yield rule, schema

    def _cannot_define(self, tool: ToolSchema, problems: Iterable[Problem]) -> SchemaError:
        return SchemaError(f"define for {self.name}", tool.subject or tool.name, problems)

    def _refusals(self, tool: ToolSchema, form: Form, strict: bool | None) -> Iterator[Finding]:
        if strict and self.strict is None:
            yield Finding((), f"{self.name} has no strict mode", "Leave out strict=True.")
        yield from tool_name(tool.name, self.tools)
        yield from description_length(tool.description, self.tools)
        yield from unbounded_look_around(tool.schema)
        entries = self._has_entries(tool, form)
        if form is self.strict:
            yield from open_objects_in(tool.schema, entries=entries)
        if entries:
            yield from ambiguous_entries(tool.schema)


def _errors(problems: Iterable[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.severity == "error"]


def _broken(tool: ToolSchema) -> tuple[Problem, ...]:
    check_depth(tool.schema)
    return problems_at(tool.schema, unreadable(tool.schema))


def _parameters_changed(before: Schema, after: Schema) -> list[str]:
    definitions = {
        (keyword, name)
        for keyword in DEFINITIONS
        for name, schema in before.get(keyword, {}).items()
        if after.get(keyword, {}).get(name, schema) != schema
    }
    changed: list[str] = []
    for name, schema in before.get("properties", {}).items():
        same = after.get("properties", {}).get(name) == schema
        if not same or not definitions.isdisjoint(definitions_reached(schema, before)):
            changed.append(name)
    return changed
