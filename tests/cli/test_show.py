"""`fnschema show`: tools as a person reads them, and as a provider does."""

import json

import pytest

from fnschema import function_tool
from terminal import Ran, Run, Write

SHOP = '''
    from dataclasses import dataclass
    from enum import Enum
    from typing import Annotated, Literal

    from pydantic import Field

    class Size(Enum):
        SMALL = "small"
        LARGE = "large"

    @dataclass
    class Order:
        """What the customer wants."""

        drink: Literal["tea", "coffee"]
        size: Size = Size.SMALL

    def brew(
        orders: list[Order], table: int | None = None, price: float = 2.5, note: Annotated[str, Field(description="A "
        "word to the cook, which is long enough to need more than a single line of the terminal.")] = "danke schön",
    ) -> None:
        """Make drinks.

        The kitchen closes at five.
        """

    def close():
        pass
'''

BREW = """\
brew
  Make drinks.

  The kitchen closes at five.

  orders: array of Order            What the customer wants.
    drink: "tea" | "coffee"
    size: "small" | "large" = "small"
  table: integer | null
  price: number = 2.5
  note: string = "danke schön"      A word to the cook, which is long enough
                                    to need more than a single line of the
                                    terminal.
"""


@pytest.fixture
def shop(write: Write) -> str:
    return str(write("tea_shop.py", SHOP))


def test_one_tool(shop: str, run: Run) -> None:
    assert run("show", f"{shop}:brew") == Ran(0, BREW, "")


def test_all_tools_of_a_module(shop: str, run: Run) -> None:
    assert run("show", shop) == Ran(0, f"{BREW}\nclose\n", "")


def test_a_tool_that_cannot_be_strict_says_so(write: Write, run: Run) -> None:
    write("open_shop.py", "def brew(sugar: dict[str, int]): ...")

    assert run("show", "open_shop.py").out == "brew (not strict)\n\n  sugar: object of integer\n"


def test_json_of_one_tool_is_its_definition(shop: str, run: Run) -> None:
    def close() -> None: ...

    assert json.loads(run("show", f"{shop}:close", "--json").out) == function_tool(close).definition()


def test_json_of_a_module_is_an_array(shop: str, run: Run) -> None:
    shown = json.loads(run("show", shop, "--json").out)

    assert [definition["function"]["name"] for definition in shown] == ["brew", "close"]


def test_functions_that_cannot_be_tools_are_told_after_those_that_can(write: Write, run: Run) -> None:
    write("mixed_shop.py", "import socket\ndef brew(line: socket.socket): ...\ndef close(): ...")
    ran = run("show", "mixed_shop.py")

    assert (ran.code, ran.out) == (1, "close\n")
    assert ran.err.startswith("Error: Cannot describe parameter 'line' of mixed_shop.brew: ")
    assert ran.err.endswith("\nWhat is refused is missing from the output.\n")


def test_one_function_that_cannot_be_a_tool_is_no_wrong_use(write: Write, run: Run) -> None:
    write("line_shop.py", "import socket\ndef brew(line: socket.socket): ...\ndef close(): ...")
    ran = run("show", "line_shop.py:brew")

    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert run("show", "line_shop.py:cook").code == 2


def test_long_types_are_wrapped(write: Write, run: Run) -> None:
    write(
        "wide_shop.py",
        """
        from typing import Annotated, Literal, TypedDict
        from pydantic import Field
        class Order(TypedDict):
            "What to bring."
            drink: Annotated[Literal["black tea", "green tea", "white tea", "filter coffee", "hot chocolate", "water"],
                Field(description="What to drink.")]
            code: Annotated[str, Field(pattern="^[A-Z]{3}$")]
        def brew(order: Order): ...
        """,
    )

    assert (
        run("show", "wide_shop.py:brew").out
        == """\
brew

  order: Order                      What to bring.
    drink: "black tea" | "green tea" | "white tea" | "filter coffee" | "hot
        chocolate" | "water"
                                    What to drink.
    code: string /^[A-Z]{3}$/
"""
    )


def test_colour_is_for_terminals_only(shop: str, run: Run) -> None:
    assert "\x1b" not in run("show", shop).out


def test_json_for_a_dialect(shop: str, run: Run) -> None:
    def close() -> None: ...

    shown = json.loads(run("show", f"{shop}:close", "--json", "--dialect", "anthropic").out)

    assert shown == function_tool(close).definition("anthropic")


@pytest.fixture
def bar(write: Write) -> str:
    text = """
        from typing import Annotated, TypedDict
        from pydantic import BaseModel
        class Extra(BaseModel):
            sugar: int = 0
        def brew(drink: str, extra: Extra, sugar: Annotated[int, "How much."] = 0):
            "Make tea."
    """
    return str(write("tea_bar.py", text))


def test_a_dialect_draws_at_the_parameter_what_it_changed_and_why(bar: str, run: Run) -> None:
    tree, _, definition = run("show", bar, "--dialect", "openai").out.partition("{")
    lines = [line for line in tree.splitlines() if "Strict mode" in line]

    assert json.loads("{" + definition)["function"]["name"] == "brew"
    assert tree.startswith("brew for openai (strict)\n  Make tea.\n\n  drink: string\n  extra: Extra")
    assert [line.strip() for line in lines] == ["~ Strict mode requires every property: null stands"] * 2
    assert "title" not in tree


def test_several_dialects_each_draw_the_tool(bar: str, run: Run) -> None:
    shown = run("show", bar, "--dialect", "mcp", "--dialect", "gemini", "--dialect", "mcp").out

    assert [line for line in shown.splitlines() if line.startswith("brew")] == ["brew for mcp", "brew for gemini"]


def test_json_of_several_dialects_is_refused(bar: str, run: Run) -> None:
    ran = run("show", bar, "--json", "--dialect", "mcp", "--dialect", "gemini")

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Error: --json prints the definitions for one provider. Give one --dialect.")


def test_a_tool_is_shown_as_strict_or_not(bar: str, run: Run) -> None:
    def heading(*options: str) -> str:
        return run("show", bar, *options).out.partition("\n")[0]

    assert heading("--strict") == "brew for openai (strict)"
    assert heading("--no-strict") == "brew for openai"
    assert heading("--dialect", "anthropic") == "brew for anthropic"
    assert heading("--dialect", "anthropic", "--strict") == "brew for anthropic (strict)"
    assert json.loads(run("show", f"{bar}:brew", "--json", "--no-strict").out)["function"]["strict"] is False


def test_strict_asks_nothing_of_a_dialect_without_such_a_mode(bar: str, run: Run) -> None:
    both = run("show", bar, "--dialect", "gemini", "--dialect", "anthropic", "--strict")

    assert (both.code, both.err) == (0, "")
    assert [line for line in both.out.splitlines() if line.startswith("brew")] == [
        "brew for gemini",
        "brew for anthropic (strict)",
    ]
    assert run("show", bar, "--dialect", "gemini", "--strict", "--json") == run(
        "show", bar, "--dialect", "gemini", "--json"
    )


def test_a_tool_is_shown_as_strict_if_possible(write: Write, run: Run) -> None:
    write("both_shop.py", "def brew(cups: int): ...\ndef mix(sugar: dict[str, int]): ...")
    shown = run("show", "both_shop.py", "--dialect", "anthropic", "--strict-if-possible")

    assert (shown.code, shown.err) == (0, "")
    assert [line for line in shown.out.splitlines() if " for " in line] == [
        "brew for anthropic (strict)",
        "mix for anthropic",
    ]


def test_strict_and_strict_if_possible_contradict_each_other(bar: str, run: Run) -> None:
    for option in ("--strict", "--no-strict"):
        ran = run("show", bar, option, "--strict-if-possible")

        assert (ran.code, ran.out) == (2, "")
        assert "--strict-if-possible says it alone. Leave out --strict and --no-strict." in ran.err


def test_maps_as_entries_are_told_as_the_dialect_has_it(write: Write, run: Run) -> None:
    write(
        "map_shop.py",
        "from fnschema import *\n@function_tool(open_objects='entries')\ndef brew(cups: dict[str, int]): ...",
    )
    shown = run("show", "map_shop.py", "--dialect", "gemini-openapi").out

    assert "~ Maps are not taken: an array of closed key and" in shown
    assert "Strict mode" not in shown


def test_a_dialect_tells_what_it_warns_of(write: Write, run: Run) -> None:
    write("wordy_shop.py", f"def brew(): {'tea ' * 300!r}")
    ran = run("show", "wordy_shop.py", "--dialect", "openai")
    _, _, warnings = ran.out.partition("\nWarnings:\n")

    assert ran.code == 0
    assert "1,024" in warnings


def test_json_of_a_module_has_all_tools_or_none(write: Write, run: Run) -> None:
    write("vague_shop.py", "from typing import Any\ndef brew(drink: Any): ...\ndef close(): ...")
    ran = run("show", "vague_shop.py", "--dialect", "openai", "--json")

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("Error: Cannot define for openai 'drink' of vague_shop.brew: ")
    assert "Nothing is printed, since an array without what is refused would pass for all tools." in ran.err


def test_what_a_dialect_cannot_express_is_missing(write: Write, run: Run) -> None:
    write("vaguer_shop.py", "from typing import Any\ndef brew(drink: Any): ...\ndef close(): ...")
    ran = run("show", "vaguer_shop.py", "--dialect", "openai")

    assert ran.code == 1
    assert ran.out.startswith("close for openai")
    assert ran.err.endswith("\nWhat is refused is missing from the output.\n")


def test_json_of_what_cannot_be_defined_is_nothing(write: Write, run: Run) -> None:
    write("vaguest_shop.py", "from typing import Any\ndef brew(drink: Any): ...")

    assert run("show", "vaguest_shop.py", "--json").out == ""
