"""The page of the rules: a section for each, whose bad example breaks the rule, and whose good one breaks none."""

import json
import re

import pytest

from fnschema.lint import RULES
from fnschema.lint.rules import Rule
from pages import PROJECT
from terminal import Run, Write

PAGE = (PROJECT / "docs" / "reference" / "check-rules.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (FNS\d+ \S+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def _heading(rule: Rule[object]) -> str:
    return f"{rule.id} {rule.name}"


def _examples(rule: Rule[object]) -> list[str]:
    return re.findall(r"^```py(?:thon)?\n(.*?)^```$", SECTIONS[_heading(rule)], re.MULTILINE | re.DOTALL)


def test_every_rule_has_a_section() -> None:
    assert list(SECTIONS) == list(map(_heading, RULES))


@pytest.mark.parametrize("rule", RULES, ids=_heading)
def test_the_table_tells_its_severity(rule: Rule[object]) -> None:
    assert re.search(rf"^\| \[{rule.id}\]\(\S+\) \| {rule.name} \| {rule.severity} \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("rule", RULES, ids=_heading)
def test_the_bad_example_breaks_the_rule(rule: Rule[object], run: Run, write: Write) -> None:
    bad, _ = _examples(rule)
    write("bad_example.py", bad)
    found = json.loads(run("check", "bad_example.py", "--json").out)

    assert {finding["rule"] for finding in found} == {rule.id}


@pytest.mark.parametrize("rule", RULES, ids=_heading)
def test_the_good_example_breaks_none(rule: Rule[object], run: Run, write: Write) -> None:
    _, good = _examples(rule)
    write("good_example.py", good)

    assert run("check", "good_example.py", "--json").out == "[]\n"
