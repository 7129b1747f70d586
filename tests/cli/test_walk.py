"""Which modules a target of `fnschema check` stands for."""

from pathlib import Path

import pytest

from fnschema.cli.target import Target, TargetError
from fnschema.cli.walk import sources
from terminal import Write

FILES = """
    __init__ sub/__init__ sub/till b_first a_last _private test_till conftest setup __main__ _inner/till tests/till
    sub/test_more .hidden/till no-module
"""


@pytest.fixture
def package(write: Write) -> str:
    for name in FILES.split():
        write(f"walked/{name}.py", "")
    return "walked"


def places(text: str) -> list[str]:
    return [source.target.place for source in sources(Target.parse(text))]


def test_a_folder_is_its_public_files(package: str) -> None:
    assert places(package) == [
        "walked/__init__.py",
        "walked/a_last.py",
        "walked/b_first.py",
        "walked/sub/__init__.py",
        "walked/sub/till.py",
    ]


def test_a_package_is_its_public_modules(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path.cwd())
    monkeypatch.chdir("walked/sub")  # where no folder has the package's name

    assert places(package) == ["walked", "walked.a_last", "walked.b_first", "walked.sub", "walked.sub.till"]


def test_a_package_in_a_package(package: str) -> None:
    assert places("walked.sub") == ["walked.sub", "walked.sub.till"]


def test_a_file_is_itself_however_private(package: str) -> None:
    assert places("walked/_private.py") == ["walked/_private.py"]


def test_a_named_function_is_of_one_module(package: str) -> None:
    assert places("walked:pay") == ["walked"]
    assert places("walked/sub/till.py:pay") == ["walked/sub/till.py"]


def test_a_module_of_the_standard_library() -> None:
    assert places("json.decoder") == ["json.decoder"]


MISSING = {
    "a file": ("walked/none.py", "Cannot check walked/none.py: there is no such file or folder."),
    "a folder": ("walked/none/", "Cannot check walked/none/: there is no such file or folder."),
    "a module": ("no_such_walk", "Cannot check 'no_such_walk': there is no module, file or folder of that name."),
    "a module in a package": ("walked.none", "Cannot check 'walked.none': there is no module, file or folder of"),
    "a module in none": ("no_such_walk.till", "Cannot check 'no_such_walk.till': there is no module, file or"),
    "no name at all": ("my-tools", "Cannot check 'my-tools': there is no module, file or folder of that name."),
}


@pytest.mark.parametrize(("text", "reason"), MISSING.values(), ids=MISSING)
def test_what_is_not_there(text: str, reason: str, package: str) -> None:
    with pytest.raises(TargetError) as caught:
        places(text)

    assert str(caught.value).startswith(reason)
