"""What all commands have in common: help, version, wrong use, the missing extra."""

import subprocess
import sys

import pytest

import fnschema
from fnschema.cli import commands
from terminal import Ran, Run

SCREEN = (80, 24)  # columns, rows


@pytest.mark.parametrize("command", [(), *((name,) for name in commands.commands)], ids=" ".join)
def test_help_fits_one_screen(command: tuple[str, ...], run: Run) -> None:
    lines = run(*command, "--help").out.splitlines()

    assert len(lines) <= SCREEN[1]
    assert max(map(len, lines)) <= SCREEN[0]


def test_the_version(run: Run) -> None:
    assert run("--version") == Ran(0, f"fnschema {fnschema.__version__}\n", "")


def test_without_a_command_the_help_is_shown(run: Run) -> None:
    ran = run()

    assert ran.code == 2
    assert ran.err == run("--help").out


WRONG = {
    "an unknown command": (("shw",), "No such command 'shw'."),
    "an unknown option": (("show", "shop.py", "--xml"), "No such option"),
    "a missing target": (("show",), "Missing argument 'TARGET'."),
    "one argument too many": (("call", "shop.py", "{}", "{}"), "Got unexpected extra argument ({})"),
}


@pytest.mark.parametrize(("arguments", "reason"), WRONG.values(), ids=WRONG)
def test_wrong_use_is_one_line_and_exit_2(arguments: tuple[str, ...], reason: str, run: Run) -> None:
    ran = run(*arguments)

    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"Error: {reason}")


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "fnschema", "--version"], capture_output=True, text=True, check=True)

    assert done.stdout == f"fnschema {fnschema.__version__}\n"


def test_without_the_extra_one_line_says_how_to_get_it() -> None:
    without_click = "import sys; sys.modules['click'] = None; from fnschema.__main__ import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", without_click], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == 'Error: the command line needs one more package: python -m pip install "fnschema[cli]"\n'
