"""Findings as text for programs. What a person reads is the command line's own business."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from .findings import Finding

__all__ = ["REPORTS", "sentence"]


def sentence(finding: Finding) -> str:
    """The message and the remedy on one line."""
    return " ".join(f"{finding.message} {finding.remedy or ''}".split())


def as_json(findings: Sequence[Finding]) -> str:
    """An array of objects, one a finding."""
    return json.dumps(list(map(_record, findings)), indent=2, ensure_ascii=False) + "\n"


def as_github(findings: Sequence[Finding]) -> str:
    """Workflow commands, which GitHub Actions shows as annotations of the lines (its docs, "Workflow commands")."""
    return "".join(map(_annotation, findings))


REPORTS: dict[str, Callable[[Sequence[Finding]], str]] = {"json": as_json, "github": as_github}


def _record(finding: Finding) -> dict[str, str | int | None]:
    return {
        "rule": finding.rule,
        "name": finding.name,
        "severity": finding.severity,
        "file": finding.place.file,
        "line": finding.place.line,
        "tool": finding.tool,
        "message": finding.message,
        "remedy": finding.remedy,
    }


def _annotation(finding: Finding) -> str:
    title = _property(f"{finding.rule} {finding.name}")
    place = f"file={_property(finding.place.file)},line={finding.place.line},title={title}"
    return f"::{finding.severity} {place}::{_escaped(sentence(finding))}\n"


def _escaped(text: str) -> str:
    """Percent first, since the escapes hold it (actions/toolkit, packages/core/src/command.ts)."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
