"""What a rule has found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..errors import Severity
from .places import Place
from .rules import RULES
from .selection import Selection

__all__ = ["Finding", "findings"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault at one place.

    Attributes:
        place: where the function is written.
        rule: the id of the rule.
        name: that of the rule.
        severity: an ``"error"`` is refused by Python or a provider, a ``"warning"`` makes the tool hard for a model.
        tool: the name of the tool, or of the function; `None` for a module and for several tools together.
        message: what is wrong, one sentence with a full stop.
        remedy: what to do about it, one sentence, or `None`.
    """

    place: Place
    rule: str
    name: str
    severity: Severity
    tool: str | None
    message: str
    remedy: str | None


def findings(subjects: Iterable[object], selection: Selection) -> Iterator[Finding]:
    """What the selected rules find, subject by subject, each in the order of the table."""
    chosen = [rule for rule in RULES if selection.takes(rule.id)]
    for subject in subjects:
        for rule in chosen:
            for fault in rule.faults(subject):
                severity = fault.severity or rule.severity
                yield Finding(fault.place, rule.id, rule.name, severity, fault.tool, fault.message, fault.remedy)
