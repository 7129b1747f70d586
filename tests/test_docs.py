"""Every Python and shell block of README and docs runs, and prints what the page shows."""

import re
from pathlib import Path

import pytest

from pages import PAGES, PROJECT, blocks, run_python, run_shell

_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)  # may hold what looks like a link
_LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
_ANCHOR = re.compile(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def _name(page: Path) -> str:
    return str(page.relative_to(PROJECT))


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_the_python_blocks_run_and_print_what_the_page_shows(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    namespace: dict[str, object] = {"__name__": "__main__"}
    python = [block for block in blocks(page) if block.language == "python"]

    printed = [(block.line, run_python(block, namespace)) for block in python]

    assert printed == [(block.line, block.printed or "") for block in python]


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_the_shell_blocks_run_and_print_what_the_page_shows(page: Path) -> None:
    shell = [block for block in blocks(page) if block.language == "sh" and block.commands_to_run]

    printed = [(block.line, run_shell(block)) for block in shell]

    assert printed == [(block.line, block.printed or "") for block in shell]


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_the_links_between_pages_lead_somewhere(page: Path) -> None:
    linked = _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8")))

    assert [link for link in linked if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_the_links_to_headings_name_one(page: Path) -> None:
    linked = _ANCHOR.findall(_CODE.sub("", page.read_text(encoding="utf-8")))

    assert [
        (link, anchor) for link, anchor in linked if anchor not in _anchors(page.parent / link if link else page)
    ] == []


def _anchors(page: Path) -> set[str]:
    """As the site makes them of headings: lower case, hyphens for spaces, without other signs."""
    headings = _HEADING.findall(_FENCED.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading).strip()).lower() for heading in headings}
