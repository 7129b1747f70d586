"""What a TARGET means, and one line for whatever is wrong with it."""

import sys
from pathlib import Path

import pytest

from fnschema import SignatureError
from fnschema.cli.target import Target, TargetError, find_tools, only_tool
from terminal import Write

PARSED = {
    "a module": ("shop.tools", Target("shop.tools")),
    "a name in a module": ("shop.tools:pay", Target("shop.tools", "pay")),
    "a name in a class": ("shop.tools:Till.pay", Target("shop.tools", "Till.pay")),
    "a file": ("shop/tools.py", Target("shop/tools.py")),
    "a name in a file": ("shop/tools.py:pay", Target("shop/tools.py", "pay")),
    "a file on a drive": (r"C:\shop\tools.py", Target(r"C:\shop\tools.py")),
    "a name in a file on a drive": (r"C:\shop\tools.py:pay", Target(r"C:\shop\tools.py", "pay")),
    "an empty name": ("shop.tools:", Target("shop.tools")),
}


def names(text: str) -> list[str]:
    return [tool.name for tool in find_tools(Target.parse(text)).tools]


def refusal(text: str) -> str:
    with pytest.raises(TargetError) as caught:
        find_tools(Target.parse(text))
    return str(caught.value)


@pytest.mark.parametrize(("text", "target"), PARSED.values(), ids=PARSED)
def test_a_target_is_a_place_and_perhaps_a_name(text: str, target: Target) -> None:
    assert Target.parse(text) == target


@pytest.mark.parametrize("text", ["shop.tools", "shop/tools.py:Till.pay"])
def test_a_target_reads_as_it_was_written(text: str) -> None:
    assert str(Target.parse(text)) == text


def test_a_module_offers_its_public_functions(write: Write) -> None:
    write("plain_shop.py", "def pay(): ...\ndef _audit(): ...\nasync def refund(): ...")

    assert names("plain_shop") == ["pay", "refund"]


def test_a_module_does_not_offer_what_it_imports(write: Write) -> None:
    write("importing_shop.py", "from json import dumps\nfrom math import sqrt\ndef pay(): ...")

    assert names("importing_shop.py") == ["pay"]


def test_a_module_does_not_offer_its_main(write: Write) -> None:
    write("program_shop.py", "def pay(): ...\ndef main(): ...")

    assert names("program_shop.py") == ["pay"]


def test_a_module_with_agents_offers_their_functions_once(write: Write) -> None:
    text = """
        from fnschema import Agent
        def pay(): ...
        def refund(): ...
        def audit(): ...
        clerk, chief = Agent(functions=[pay]), Agent(functions=[refund, pay])
    """
    write("agents_shop.py", text)

    assert names("agents_shop.py") == ["pay", "refund"]


def test_a_module_offers_tools_that_no_agent_has(write: Write) -> None:
    text = """
        from fnschema import Agent, function_tool
        def pay(): ...
        @function_tool
        def refund(): ...
        clerk = Agent(functions=[pay, refund])
        @function_tool
        def audit(): ...
    """
    write("mixed_agents.py", text)

    assert names("mixed_agents.py") == ["pay", "refund", "audit"]


def test_an_agent_is_its_functions(write: Write) -> None:
    write("agent_shop.py", "from fnschema import Agent\ndef pay(): ...\nclerk = Agent(functions=[pay])")

    assert names("agent_shop.py:clerk") == ["pay"]
    assert not find_tools(Target("agent_shop.py", "clerk")).is_one


def test_a_tool_of_two_names_is_offered_once(write: Write) -> None:
    write("twin_shop.py", "from fnschema import function_tool\n@function_tool\ndef pay(): ...\nsettle = pay")

    assert names("twin_shop.py") == ["pay"]


def test_a_module_does_not_offer_its_classes(write: Write) -> None:
    write(
        "classy_shop.py", "from typing import NewType\nclass Till: ...\nPrice = NewType('Price', int)\ndef pay(): ..."
    )

    assert names("classy_shop.py") == ["pay"]


def test_a_module_with_tools_offers_only_these(write: Write) -> None:
    text = "from fnschema import function_tool\n@function_tool\ndef pay(): ...\ndef refund(): ..."
    write("tool_shop.py", text)

    assert names("tool_shop.py") == ["pay"]


def test_a_name_finds_a_function_however_private(write: Write) -> None:
    write("private_shop.py", "def pay(): ...\ndef _audit(): ...")

    assert names("private_shop.py:_audit") == ["_audit"]


def test_a_name_finds_a_bound_method(write: Write) -> None:
    write("method_shop.py", "class Till:\n    def pay(self, amount: int): ...\ntill = Till()")

    assert names("method_shop.py:till.pay") == ["pay"]


def test_a_file_in_a_package_may_import_its_neighbours(write: Write) -> None:
    write("far/mall/__init__.py", "")
    write("far/mall/prices.py", "TEA = 3")
    write("far/mall/desk.py", "from .prices import TEA\ndef pay(): return TEA")

    assert names("far/mall/desk.py") == ["pay"]


def test_a_lone_file_may_import_its_neighbours(write: Write) -> None:
    write("near/lone_prices.py", "TEA = 3")
    write("near/lone_desk.py", "from lone_prices import TEA\ndef pay(): return TEA")

    assert names("near/lone_desk.py") == ["pay"]


def test_a_package_is_the_file_that_makes_it(write: Write) -> None:
    write("stall/__init__.py", "from .till import TEA\ndef pay(): return TEA")
    write("stall/till.py", "TEA = 3")

    assert names("stall/__init__.py") == ["pay"]


@pytest.mark.parametrize("name", ["json", "time"], ids=["a module of Python", "a built-in module"])
def test_a_file_named_as_a_loaded_module_does_not_replace_it(name: str, write: Write) -> None:
    module = sys.modules[name]
    write(f"{name}.py", "def pay(): ...")

    assert names(f"{name}.py") == ["pay"]
    assert sys.modules[name] is module


def test_what_a_module_prints_is_not_the_answer(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    write("noisy_shop.py", "print('hello')\ndef pay(): ...")
    names("noisy_shop.py")

    assert capsys.readouterr() == ("", "hello\n")


def test_the_only_tool_needs_no_name(write: Write) -> None:
    write("single_shop.py", "def pay(): ...")

    assert only_tool(Target("single_shop.py")).name == "pay"


def test_of_several_tools_one_must_be_named(write: Write) -> None:
    write("double_shop.py", "def pay(): ...\ndef refund(): ...")

    with pytest.raises(TargetError) as caught:
        only_tool(Target("double_shop.py"))

    assert str(caught.value) == (
        "Cannot choose a tool of double_shop.py: it has pay, refund. Name one, as in double_shop.py:pay."
    )


def test_a_missing_file(write: Write) -> None:
    assert refusal("tools/shop.py:pay") == f"Cannot import {Path('tools/shop.py')}: there is no such file."


def test_a_folder_is_no_file(write: Write) -> None:
    write("tools/shop.py", "")

    assert refusal("tools/") == "Cannot import tools: there is no such file."


def test_a_file_of_another_kind(write: Write) -> None:
    write("tools/shop.txt", "def pay(): ...")

    assert refusal("tools/shop.txt") == f"Cannot import {Path('tools/shop.txt')}: it is not a .py file."


def test_a_missing_module(write: Write) -> None:
    assert refusal("no_such_shop") == "Cannot import no_such_shop: there is no module 'no_such_shop'."


def test_a_missing_module_in_a_package(write: Write) -> None:
    write("kiosk/__init__.py", "")

    assert refusal("kiosk.till") == "Cannot import kiosk.till: there is no module 'kiosk.till'."


def test_text_that_is_neither_module_nor_file(write: Write) -> None:
    assert refusal("my-tools") == (
        "Cannot import 'my-tools': it is neither a module's name nor the path of a .py file."
    )


def test_a_missing_name_is_answered_with_the_names_there_are(write: Write) -> None:
    write("named_shop.py", "def pay(): ...\ndef refund(): ...\ndef _audit(): ...")

    assert refusal("named_shop.py:buy") == "Cannot find 'buy' in named_shop.py. It has pay, refund."


def test_a_name_in_an_empty_module(write: Write) -> None:
    write("bare_shop.py", "")

    assert refusal("bare_shop.py:buy") == "Cannot find 'buy' in bare_shop.py."


def test_a_module_without_functions(write: Write) -> None:
    write("empty_shop.py", "TEA = 3")

    assert refusal("empty_shop.py") == "Cannot find a tool in empty_shop.py: it defines no public function."


def test_a_name_that_cannot_be_called(write: Write) -> None:
    write("price_shop.py", "TEA = 3")

    with pytest.raises(SignatureError):
        find_tools(Target.parse("price_shop.py:TEA"))


BROKEN = {
    "a module that raises": ("1 / 0", "ZeroDivisionError: division by zero"),
    "a module with a fault of syntax": ("def pay(:", "SyntaxError: invalid syntax (broken.py, line 1)"),
    "a module that needs another": (
        "import a_library_nobody_has",
        "No module named 'a_library_nobody_has'. Install what it needs first.",
    ),
    "a module that exits": ("raise SystemExit(0)", "it exits when it is imported."),
    "a module that imports a name in vain": ("from json import dump_all", "ImportError: cannot import name 'dump_all'"),
}


@pytest.mark.parametrize(("text", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_module_that_cannot_be_imported(text: str, reason: str, write: Write, tmp_path: Path) -> None:
    write("broken.py", text)

    assert refusal("broken").startswith(f"Cannot import broken: {reason}")
