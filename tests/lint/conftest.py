"""Linting functions that a test defines, as those of one request."""

from collections.abc import Callable
from typing import Any

import pytest

from fnschema.dialects import Strict
from fnschema.lint import Finding, Place, Selection, findings, read_request

Lint = Callable[..., list[Finding]]


@pytest.fixture
def lint() -> Lint:
    def lint_functions(
        *functions: Callable[..., Any], dialect: str = "openai", select: str = "FNS", strict: Strict = None
    ) -> list[Finding]:
        subjects = read_request(functions, dialect, Place("shop.py"), strict)
        return list(findings(subjects, Selection((select,))))

    return lint_functions
