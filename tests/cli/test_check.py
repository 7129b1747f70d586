"""`fnschema check`: findings on stdout, in three forms, and an exit code."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from pages import PROJECT
from terminal import Ran, Run, Write

SHOP = '''
    """Line 2 of the file is this."""

    def pay(amount: float):
        """Pay the bill."""

    def refund(amount: float, *, line: open):
        """Give money back.

        Args:
            amount: In euros.
        """
'''

WARNING = "FNS102 warned_shop.pay does not describe parameter 'amount'. Describe it in the docstring.\n"


@pytest.fixture
def warned(write: Write) -> str:
    return str(write("warned_shop.py", 'def pay(amount: float):\n    """Pay the bill."""\n'))


@pytest.fixture
def broken(write: Write) -> str:
    return str(write("broken_shop.py", "import json\n\n1 / 0\ndef pay(): ...\n"))


def rules(ran: Ran) -> list[str]:
    return [finding["rule"] for finding in json.loads(ran.out)]


def test_a_warning_is_a_line_and_exit_0(warned: str, run: Run) -> None:
    assert run("check", warned) == Ran(
        0, f"warned_shop.py:1: {WARNING}", "0 errors and 1 warning in 1 tool of 1 module.\n"
    )


def test_an_error_is_exit_1(write: Write, run: Run) -> None:
    write("bad_shop.py", SHOP)
    ran = run("check", "bad_shop.py")

    assert ran.code == 1
    assert ran.err == "1 error and 1 warning in 2 tools of 1 module.\n"
    assert [line[:24] for line in ran.out.splitlines()] == ["bad_shop.py:4: FNS102 ba", "bad_shop.py:7: FNS002 Ca"]


@pytest.mark.parametrize("arguments", [("--json",), ("--format", "json")], ids=" ".join)
def test_json_is_all_that_goes_to_stdout(arguments: tuple[str, ...], warned: str, run: Run) -> None:
    ran = run("check", warned, *arguments)

    assert (ran.code, ran.err) == (0, "")
    assert [(finding["file"], finding["line"], finding["tool"]) for finding in json.loads(ran.out)] == [
        ("warned_shop.py", 1, "pay")
    ]


def test_json_of_a_noisy_module(write: Write, run: Run) -> None:
    write("noisy_shop.py", "print('hello')")

    assert run("check", "noisy_shop.py", "--json") == Ran(0, "[]\n", "hello\n")


def test_github_annotations(warned: str, run: Run) -> None:
    assert run("check", warned, "--format", "github").out == (
        "::warning file=warned_shop.py,line=1,title=FNS102 parameter-without-description::"
        "warned_shop.pay does not describe parameter 'amount'. Describe it in the docstring.\n"
    )


def test_a_module_that_cannot_be_imported_is_a_finding(broken: str, run: Run) -> None:
    ran = run("check", broken)

    assert ran.code == 1
    assert ran.out.startswith("broken_shop.py:3: FNS001 Cannot import ")
    assert ran.out.endswith("broken_shop.py: ZeroDivisionError: division by zero\n")


def test_a_fault_of_syntax_has_its_line(write: Write, run: Run) -> None:
    write("wrong_shop.py", "def pay(): ...\n\ndef refund(:\n")

    assert run("check", "wrong_shop.py").out.startswith("wrong_shop.py:3: FNS001 Cannot import ")


def test_the_other_modules_are_checked_all_the_same(broken: str, warned: str, run: Run) -> None:
    assert rules(run("check", broken, warned, "--json")) == ["FNS001", "FNS102"]


def test_a_package_that_fails_is_one_finding(write: Write, run: Run) -> None:
    write("failed/__init__.py", "1 / 0")
    write("failed/till.py", "def pay(amount): ...")
    write("failed/deep/till.py", "def pay(amount): ...")

    assert rules(run("check", "failed", "--json")) == ["FNS001"]


def test_a_module_without_tools_has_no_findings(write: Write, run: Run) -> None:
    write("empty_shop.py", "TEA = 3")

    assert run("check", "empty_shop.py") == Ran(0, "", "0 errors and 0 warnings in 0 tools of 1 module.\n")


def test_one_function(write: Write, run: Run) -> None:
    write("some_shop.py", SHOP)

    assert rules(run("check", "some_shop.py:pay", "--json")) == ["FNS102"]


def test_a_name_that_is_not_there_is_exit_2(warned: str, run: Run) -> None:
    assert run("check", f"{warned}:buy") == Ran(2, "", "Error: Cannot find 'buy' in warned_shop.py. It has pay.\n")


def test_a_target_that_is_not_there_is_exit_2(run: Run) -> None:
    assert run("check", "no_such_shop.py") == Ran(
        2, "", "Error: Cannot check no_such_shop.py: there is no such file or folder.\n"
    )


def test_a_tool_that_a_package_shows_again_is_told_once(write: Write, run: Run) -> None:
    write("twice/__init__.py", "from .till import pay")
    write("twice/till.py", "import fnschema\n@fnschema.function_tool\ndef pay(amount: float): 'Pay.'")

    assert rules(run("check", "twice", "--json")) == ["FNS102"]


def test_functions_of_agents_are_tools(write: Write, run: Run) -> None:
    write(
        "agent_shop.py",
        """
        from fnschema import Agent
        def pay(amount: float): "Pay."
        def plain(amount: float): "Not a tool."
        clerk, chief = Agent(functions=[pay]), Agent(functions=[pay])
        """,
    )

    assert [finding["tool"] for finding in json.loads(run("check", "agent_shop.py", "--json").out)] == ["pay"]


def test_agents_may_have_tools_of_the_same_name(write: Write, run: Run) -> None:
    write(
        "two_agents.py",
        """
        from fnschema import Agent, function_tool
        @function_tool(name_override="pay")
        def pay_bill(): "Pay the bill."
        @function_tool(name_override="pay")
        def pay_wages(): "Pay the wages."
        clerk, chief = Agent(functions=[pay_bill]), Agent(functions=[pay_wages])
        """,
    )

    assert run("check", "two_agents.py", "--json").out == "[]\n"


def test_select_and_ignore(write: Write, run: Run) -> None:
    write("bare_shop.py", "def run(amount): ...")

    assert rules(run("check", "bare_shop.py", "--json")) == ["FNS101", "FNS102", "FNS103", "FNS106"]
    assert rules(run("check", "bare_shop.py", "--json", "--select", "FNS101, FNS106", "--select", "FNS103")) == [
        "FNS101",
        "FNS103",
        "FNS106",
    ]
    assert rules(run("check", "bare_shop.py", "--json", "--ignore", "FNS10")) == []


def test_a_rule_that_is_not_there_is_exit_2(warned: str, run: Run) -> None:
    ran = run("check", warned, "--select", "FNS7")

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Error: There is no rule 'FNS7'. The rules are FNS001, ")


def test_settings_of_the_project(warned: str, run: Run) -> None:
    Path("pyproject.toml").write_text('[tool.fnschema]\nignore = ["FNS102"]')

    assert rules(run("check", warned, "--json")) == []


def test_the_command_line_replaces_the_settings(warned: str, run: Run) -> None:
    Path("pyproject.toml").write_text('[tool.fnschema]\nignore = ["FNS102"]\nselect = ["FNS2"]')

    assert rules(run("check", warned, "--json", "--ignore", "FNS101", "--select", "FNS1")) == ["FNS102"]


def test_a_fault_in_the_settings_is_exit_2(warned: str, run: Run) -> None:
    Path("pyproject.toml").write_text("[tool.fnschema]\nmood = 1")
    ran = run("check", warned)

    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "there is no key 'mood'" in ran.err


def test_the_dialect_of_the_command_line_and_of_the_settings(write: Write, run: Run) -> None:
    write("any_shop.py", "from fnschema import *\n@function_tool\ndef pay(what: object): 'Pay.\\n\\n:param what: It.'")

    assert rules(run("check", "any_shop.py", "--json")) == ["FNS201"]
    assert rules(run("check", "any_shop.py", "--json", "--dialect", "mcp")) == []

    Path("pyproject.toml").write_text('[tool.fnschema]\ndialect = "mcp"')

    assert rules(run("check", "any_shop.py", "--json")) == []


RECURSIVE = """
    from pydantic import BaseModel
    class Folder(BaseModel):
        inside: "list[Folder]" = []
    def count(folder: Folder):
        "Count.\\n\\n:param folder: Where."
"""


def test_several_dialects_are_named_in_what_they_find(write: Write, run: Run) -> None:
    write("folders.py", RECURSIVE)
    ran = run("check", "folders.py", "--dialect", "xai", "--dialect", "mistral", "--dialect", "openai")

    assert [line.split("Folder")[0] for line in ran.out.splitlines()] == [
        "folders.py:5: FNS201 Cannot define for xai '",
        "folders.py:5: FNS202 Cannot make strict for mistral '",
    ]
    assert ran.err == "1 error and 1 warning in 1 tool of 1 module.\n"


def test_what_no_dialect_has_to_do_with_is_told_once(warned: str, run: Run) -> None:
    assert rules(run("check", warned, "--json", "--dialect", "xai", "--dialect", "groq")) == ["FNS102"]


def test_several_dialects_of_the_settings(write: Write, run: Run) -> None:
    write("folders.py", RECURSIVE)
    Path("pyproject.toml").write_text('[tool.fnschema]\ndialect = ["xai", "mistral"]')

    assert rules(run("check", "folders.py", "--json")) == ["FNS201", "FNS202"]


def test_a_tool_is_checked_as_strict_or_not(write: Write, run: Run) -> None:
    write("folders.py", RECURSIVE)

    assert rules(run("check", "folders.py", "--json", "--dialect", "anthropic")) == []
    assert rules(run("check", "folders.py", "--json", "--dialect", "anthropic", "--strict")) == ["FNS201"]
    assert rules(run("check", "folders.py", "--json", "--dialect", "mistral")) == ["FNS202"]
    assert rules(run("check", "folders.py", "--json", "--dialect", "mistral", "--no-strict")) == []
    assert rules(run("check", "folders.py", "--json", "--dialect", "gemini-openapi", "--strict")) == ["FNS201"]
    assert rules(run("check", "folders.py", "--json", "--dialect", "mcp", "--strict")) == []
    assert rules(run("check", "folders.py", "--json", "--dialect", "anthropic", "--strict-if-possible")) == []


def test_strict_of_the_settings_is_replaced_by_the_options(write: Write, run: Run) -> None:
    write("folders.py", RECURSIVE)
    Path("pyproject.toml").write_text('[tool.fnschema]\ndialect = "anthropic"\nstrict = true')

    assert rules(run("check", "folders.py", "--json")) == ["FNS201"]
    assert rules(run("check", "folders.py", "--json", "--no-strict")) == []
    assert rules(run("check", "folders.py", "--json", "--strict-if-possible")) == []


def test_an_unknown_dialect_in_the_settings_is_exit_2(warned: str, run: Run) -> None:
    Path("pyproject.toml").write_text('[tool.fnschema]\ndialect = "opnai"')

    assert run("check", warned).err.startswith("Error: There is no dialect 'opnai'. Did you mean 'openai'")


def test_a_file_elsewhere_keeps_its_whole_path(
    warned: str, run: Run, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))

    assert run("check", tmp_path / warned).out.startswith(f"{tmp_path / warned}:1: FNS102 ")


def test_the_examples_of_the_project_have_no_findings(run: Run) -> None:
    assert rules(run("check", PROJECT / "examples", "--json")) == []


def on_a_terminal(*arguments: str) -> str:
    """What a person sees of a command."""
    master, slave = pty.openpty()
    with subprocess.Popen([sys.executable, "-m", "fnschema", *arguments], stdout=slave, stderr=slave) as command:
        os.close(slave)
        seen = b""
        while piece := _read(master):
            seen += piece
        command.wait()
    os.close(master)
    return seen.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1024)
    except OSError:  # how Linux says that the other end is closed
        return b""


def test_a_terminal_gets_colour(warned: str) -> None:
    assert "warned_shop.py:1: \x1b[33mFNS102\x1b[0m warned_shop.pay" in on_a_terminal("check", warned)


def test_many_modules_get_a_progress_bar(write: Write) -> None:
    for number in range(10):
        write(f"large/till_{number}.py", "")

    seen = on_a_terminal("check", "large")

    assert "Checking  [####" in seen
    assert "100%" in seen


def test_many_modules_get_no_progress_bar_without_a_terminal(write: Write, run: Run) -> None:
    for number in range(10):
        write(f"bulk/till_{number}.py", "")

    assert run("check", "bulk") == Ran(0, "", "0 errors and 0 warnings in 0 tools of 10 modules.\n")
