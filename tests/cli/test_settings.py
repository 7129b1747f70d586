"""What pyproject.toml may settle."""

from pathlib import Path

import pytest

from fnschema import UserError
from fnschema.cli.settings import Settings, read_settings

SETTLED = {
    "nothing": ("", Settings()),
    "other tools only": ("[tool.other]\nselect = 3", Settings()),
    "all": (
        '[tool.fnschema]\nselect = ["FNS1"]\nignore = ["FNS102", "FNS103"]\ndialect = "mcp"',
        Settings(("FNS1",), ("FNS102", "FNS103"), ("mcp",)),
    ),
    "several dialects": ('[tool.fnschema]\ndialect = ["mcp", "groq"]', Settings(dialect=("mcp", "groq"))),
    "strict": ("[tool.fnschema]\nstrict = true", Settings(strict=True)),
    "strict if possible": ('[tool.fnschema]\nstrict = "if possible"', Settings(strict="if possible")),
    "no rule at all": ("[tool.fnschema]\nselect = []", Settings(())),
}

REFUSED = {
    "an unknown key": (
        "[tool.fnschema]\nselects = []",
        "there is no key 'selects'. It has select, ignore, dialect, strict.",
    ),
    "a string for an array": ('[tool.fnschema]\nselect = "FNS1"', "it should be an array of strings."),
    "numbers in an array": ("[tool.fnschema]\nignore = [1]", "it should be an array of strings."),
    "a number for a dialect": ("[tool.fnschema]\ndialect = 1", "it should be an array of strings."),
    "another word for strict": (
        '[tool.fnschema]\nstrict = "maybe"',
        "Cannot read 'strict' in [tool.fnschema] of",
    ),
    "a list for strict": ("[tool.fnschema]\nstrict = []", 'it should be true, false or "if possible".'),
    "no table": ("tool.fnschema = 3", "it should be a table."),
    "no table of tools": ("tool = 3", "it should be a table."),
    "no TOML": ("[tool", "Expected ']' at the end of a table declaration"),
}


@pytest.mark.parametrize(("text", "settings"), SETTLED.values(), ids=SETTLED)
def test_what_is_settled(text: str, settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text)

    assert read_settings(tmp_path) == settings


@pytest.mark.parametrize(("text", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(text: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text)

    with pytest.raises(UserError) as caught:
        read_settings(tmp_path)

    assert reason in str(caught.value)
    assert str(tmp_path / "pyproject.toml") in str(caught.value)


def test_the_nearest_project_counts(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.fnschema]\ndialect = "mcp"')
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)

    assert read_settings(inner).dialect == ("mcp",)

    (tmp_path / "a" / "pyproject.toml").write_text("")

    assert read_settings(inner).dialect is None
