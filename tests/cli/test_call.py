"""`fnschema call`: the result on stdout, or one line on stderr and an exit code."""

import io
import sys

import pytest

from terminal import Ran, Run, Write

TILL = """
    from dataclasses import dataclass

    @dataclass
    class Receipt:
        amount: float
        shop: str = "Café"

    def pay(amount: float) -> str:
        return f"paid {amount:.2f} €"

    def receipt(amount: float) -> Receipt:
        return Receipt(amount)

    def receipts(amounts: list[float]) -> list[Receipt]:
        return [Receipt(amount) for amount in amounts]

    async def refund(amount: float) -> dict[str, float]:
        return {"refunded": amount}

    def close() -> None:
        print("Good night.")

    def break_down(reason: str):
        raise RuntimeError(f"Out of paper: {reason}")

    def strike():
        raise SystemExit(7)

    def interrupt():
        raise KeyboardInterrupt

    def opaque():
        return object()
"""


@pytest.fixture
def till(write: Write) -> str:
    return str(write("till.py", TILL))


RESULTS = {
    "text as it is": ("pay", '{"amount": 3}', "paid 3.00 €\n"),
    "a dataclass as JSON": ("receipt", '{"amount": 3}', '{"amount":3.0,"shop":"Café"}\n'),
    "a list of dataclasses": ("receipts", '{"amounts": [1]}', '[{"amount":1.0,"shop":"Café"}]\n'),
    "an async function's": ("refund", '{"amount": 0.5}', '{"refunded":0.5}\n'),
    "nothing": ("close", "{}", "null\n"),
}


@pytest.mark.parametrize(("name", "arguments", "printed"), RESULTS.values(), ids=RESULTS)
def test_the_result_is_printed(name: str, arguments: str, printed: str, till: str, run: Run) -> None:
    ran = run("call", f"{till}:{name}", arguments)

    assert (ran.code, ran.out) == (0, printed)


def test_what_the_function_prints_is_not_the_result(till: str, run: Run) -> None:
    assert run("call", f"{till}:close", "{}") == Ran(0, "null\n", "Good night.\n")


def test_a_dash_reads_stdin(till: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"amount": 4}')))

    assert run("call", f"{till}:pay", "-").out == "paid 4.00 €\n"


def test_refused_arguments_exit_with_1(till: str, run: Run) -> None:
    ran = run("call", f"{till}:pay", '{"amount": "three"}')

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("Error: Invalid JSON input for tool pay: /amount: ")


def test_text_that_is_no_json_exits_with_1(till: str, run: Run) -> None:
    ran = run("call", f"{till}:pay", "{amount: 3")

    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert ran.err.startswith("Error: Invalid JSON input for tool pay")


def test_a_function_that_raises_exits_with_1(till: str, run: Run, tmp_path: object) -> None:
    ran = run("call", f"{till}:break_down", '{"reason": "a long day"}')

    assert ran == Ran(
        1, "", f"Error: break_down raised RuntimeError: Out of paper: a long day ({tmp_path}/till.py, line 25)\n"
    )


def test_a_result_that_json_cannot_hold_exits_with_1(till: str, run: Run) -> None:
    ran = run("call", f"{till}:opaque", "{}")

    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)


def test_an_interrupt_exits_as_in_a_shell(till: str, run: Run) -> None:
    ran = run("call", f"{till}:interrupt", "{}")

    assert (ran.code, ran.out) == (130, "")


def test_a_choice_of_tools_exits_with_2(till: str, run: Run) -> None:
    assert run("call", till, "{}").code == 2


def test_a_wrong_target_exits_with_2(till: str, run: Run) -> None:
    assert run("call", "no_such_till.py", "{}") == Ran(
        2, "", "Error: Cannot import no_such_till.py: there is no such file.\n"
    )


def test_missing_arguments_exit_with_2(till: str, run: Run) -> None:
    assert run("call", f"{till}:pay") == Ran(2, "", "Error: Missing argument 'JSON'. See fnschema call --help.\n")
