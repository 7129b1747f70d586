"""Problems of a schema, each with its place and the parameters whose type it is in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from .._json_schema import DEFINITIONS, Path, Schema, definitions_reached, is_object
from ..errors import Problem, Severity, pointer

__all__ = ["Finding", "or_else", "problems_at"]


class Finding(NamedTuple):
    """Something wrong at a place in a schema, before it is known which parameters it concerns."""

    path: Path
    reason: str
    remedy: str | None = None
    severity: Severity = "error"


def or_else(problem: Problem, other: str) -> Problem:
    """The problem with another remedy behind its own: ``strict_mode=False``, which is also an option to be used."""
    if problem.remedy is None:
        return replace(problem, remedy=f"Use {other}.")
    verb = "" if problem.remedy.startswith("Use ") else "use "
    return replace(problem, remedy=f"{problem.remedy.rstrip('.')}, or {verb}{other}.")


def problems_at(root: Schema, findings: Iterable[Finding]) -> tuple[Problem, ...]:
    """Findings as problems; one in a definition names the parameters that refer to it."""
    found = tuple(findings)
    in_definition = any(finding.path[:1] and finding.path[0] in DEFINITIONS for finding in found)
    users = _users_of_definitions(root) if in_definition else {}
    return tuple(
        Problem(
            pointer(finding.path), finding.reason + _in_types_of(finding.path, users), finding.remedy, finding.severity
        )
        for finding in found
    )


def _in_types_of(path: Path, users: dict[Path, list[str]]) -> str:
    names = users.get(path[:2], [])
    if not names:
        return ""
    return f", in the type of parameter{'s' * (len(names) > 1)} {', '.join(map(repr, names))}"


def _users_of_definitions(root: Schema) -> dict[Path, list[str]]:
    users: dict[Path, list[str]] = {}
    properties = root.get("properties")
    for name, schema in properties.items() if is_object(properties) else ():
        for place in definitions_reached(schema, root) if is_object(schema) else ():
            users.setdefault(place, []).append(name)
    return users
