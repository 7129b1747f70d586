"""What is changed, and the tests that must notice: those near it that run in this process, in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "fnschema"


@dataclass(frozen=True, slots=True)
class Target:
    """Files below the package, and pytest's arguments, what notices most first."""

    files: tuple[str, ...]
    tests: tuple[str, ...]

    @property
    def sources(self) -> list[Path]:
        return sorted(path for pattern in self.files for path in PACKAGE.glob(pattern))


# Another process reads the files as they are.
DOCSTRINGS = (
    "tests/test_documentation.py",
    "tests/laws/test_documentation.py",
    "--deselect=tests/test_documentation.py::test_griffe_is_loaded_only_to_read_parameters",
)
FIELDS = (
    "tests/test_fields.py",
    "tests/test_function_schema.py",
    "tests/test_annotations.py",
    "tests/test_typed_dicts.py",
)
RULES = ("tests/dialects/test_rules.py", "tests/dialects/test_dialects.py")

TARGETS = {
    "_signature": Target(("_inspection.py", "_signature.py"), ("tests/test_signature.py", "tests/test_callables.py")),
    "_documentation": Target(("_documentation.py",), DOCSTRINGS),
    "_docstring": Target(("_docstring_*.py",), DOCSTRINGS),
    "_fields": Target(("_fields.py",), FIELDS),
    "_arguments": Target(
        ("_arguments.py",),
        ("tests/test_arguments.py", "tests/test_fields.py", "tests/argument_rules", "tests/test_argument_errors.py"),
    ),
    "_argument_rules": Target(("_argument_rules/*.py",), ("tests/argument_rules", "tests/test_arguments.py")),
    "_argument_errors": Target(("_argument_errors.py",), ("tests/test_argument_errors.py", "tests/test_arguments.py")),
    "_json_text": Target(("_json_text.py",), ("tests/test_json_text.py", "tests/test_arguments.py")),
    "_binding": Target(("_binding.py",), ("tests/test_binding.py",)),
    "_strict_schema": Target(
        ("_strict_schema.py",), ("tests/test_strict_schema.py", "tests/laws/test_strict_schema.py")
    ),
    "dialects.rules": Target(("dialects/rules/*.py",), RULES),
    "dialects.checks": Target(("dialects/checks.py",), ("tests/dialects/test_checks.py",)),
    "dialects.dialect": Target(("dialects/dialect.py",), RULES),
    "runner.loop": Target(("runner/loop.py",), ("tests/runner/test_loop.py", "tests/runner/test_stream.py")),
}
