"""Findings for programs."""

import json

from fnschema.lint import REPORTS, Finding, Place, sentence

FINDING = Finding(
    Place("a/shop.py", 3), "FNS102", "some-name", "warning", "pay", "Pay\nis 100% vague, sir.", "Mend it."
)
MODULE = Finding(Place("C:\\x,y.py", 1), "FNS001", "other-name", "error", None, "Cannot import it: no.", None)


def test_a_sentence_is_one_line() -> None:
    assert sentence(FINDING) == "Pay is 100% vague, sir. Mend it."


def test_a_sentence_without_remedy() -> None:
    assert sentence(MODULE) == "Cannot import it: no."


def test_json_is_an_array_of_objects() -> None:
    assert json.loads(REPORTS["json"]([FINDING])) == [
        {
            "rule": "FNS102",
            "name": "some-name",
            "severity": "warning",
            "file": "a/shop.py",
            "line": 3,
            "tool": "pay",
            "message": "Pay\nis 100% vague, sir.",
            "remedy": "Mend it.",
        }
    ]


def test_json_of_nothing() -> None:
    assert REPORTS["json"]([]) == "[]\n"


def test_github_annotations_are_escaped() -> None:
    assert REPORTS["github"]([FINDING, MODULE]) == (
        "::warning file=a/shop.py,line=3,title=FNS102 some-name::Pay is 100%25 vague, sir. Mend it.\n"
        "::error file=C%3A\\x%2Cy.py,line=1,title=FNS001 other-name::Cannot import it: no.\n"
    )
