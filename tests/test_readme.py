"""The first page: what it promises besides code that runs (which `test_docs.py` tries)."""

from pages import PROJECT, blocks

README = PROJECT / "README.md"


def test_it_fits_two_screens() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 150


def test_the_gate_of_every_change_runs_the_test_command() -> None:
    (command,) = [block for block in blocks(README) if block.text.strip().endswith("python -m pytest")]
    gate = (PROJECT / ".ci" / "run").read_text(encoding="utf-8")
    steps = [step.replace("pip install", "pip install --quiet") for step in command.commands]

    assert [step for step in steps if step not in gate] == []
