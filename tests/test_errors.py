"""The tree, and the sentence that each error makes of its facts."""

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calls import table
from fnschema import (
    ArgumentsError,
    FnSchemaError,
    MaxTurnsExceeded,
    ModelBehaviorError,
    Problem,
    RunError,
    SchemaError,
    SignatureError,
    ToolTimeoutError,
    UnknownToolError,
    UserError,
)
from fnschema.errors import pointer, quoted

TREE = {
    UserError: FnSchemaError,
    SignatureError: (UserError, TypeError),
    SchemaError: (UserError, ValueError),
    ModelBehaviorError: FnSchemaError,
    ArgumentsError: (ModelBehaviorError, ValueError),
    UnknownToolError: (ModelBehaviorError, LookupError),
    RunError: FnSchemaError,
    MaxTurnsExceeded: RunError,
    ToolTimeoutError: (RunError, TimeoutError),
}


@pytest.mark.parametrize(("error", "bases"), TREE.items(), ids=lambda v: getattr(v, "__name__", ""))
def test_the_tree(error: type[Exception], bases: Any) -> None:
    assert all(issubclass(error, base) for base in (bases if isinstance(bases, tuple) else (bases,)))


def test_an_author_reads_one_sentence_a_problem() -> None:
    problems = [Problem("/properties/a~1b", "it is odd", "Mend it."), Problem("", "it is empty")]
    assert str(SchemaError("describe parameter", "shop.pay", problems)) == (
        "Cannot describe parameter 'a/b' of shop.pay: it is odd. Mend it.\n"
        "Cannot describe parameter shop.pay: it is empty."
    )


def test_a_model_reads_one_line() -> None:
    problems = [Problem("/a", "is missing"), Problem("", "is odd", "try again")]
    assert str(ArgumentsError("pay", problems)) == "Invalid JSON input for tool pay: /a: is missing; is odd (try again)"


def test_a_problem_that_is_too_long_for_the_text_is_shown_cut() -> None:
    path = "".join(f"/{i:02}{'é' * 64}" for i in range(15))
    text = str(ArgumentsError("pay", [Problem(path + "/cents", "should be \nan integer"), Problem("/b", "is odd")]))
    assert text.startswith("Invalid JSON input for tool pay: /00é")
    assert text.endswith(r"é/cents: should be \nan integer; and 1 more")
    assert len(text.encode()) < 1024


UNKNOWN_TOOLS = {
    "a near name": ("get_wether", ["get_weather", "pay"], "There is no tool 'get_wether'. Did you mean get_weather?"),
    "no near name": ("zzz", ["get_weather", "pay"], "There is no tool 'zzz'. The tools are: get_weather, pay."),
    "no tools": ("pay", [], "There is no tool 'pay'."),
    "a name with a line end": ("a\nb", [], "There is no tool 'a\\nb'."),
}


@table(UNKNOWN_TOOLS)
def test_an_unknown_tool_names_the_close_matches(name: str, known: list[str], text: str) -> None:
    assert str(UnknownToolError(name, known)) == text


def test_a_timeout_says_how_long() -> None:
    assert str(ToolTimeoutError("pay", 0.5)) == "The tool pay did not answer within 0.5 seconds."
    assert ToolTimeoutError("pay", 0.5).response is None


ERRORS = {
    "SchemaError": SchemaError("describe", "shop.pay", [Problem("/a", "is odd")]),
    "SignatureError": SignatureError("read", "shop.pay", [Problem("", "is odd")]),
    "ArgumentsError": ArgumentsError("pay", [Problem("/a", "is odd")]),
    "UnknownToolError": UnknownToolError("pay", ["play"]),
    "RunError": RunError("lost"),
}


@table(ERRORS)
def test_an_error_survives_copy_and_pickle(error: Exception) -> None:
    for other in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (type(other), str(other), other.args) == (type(error), str(error), error.args)


def test_a_timeout_survives_pickle() -> None:
    other = pickle.loads(pickle.dumps(ToolTimeoutError("pay", 2)))
    assert (other.tool, other.timeout, str(other)) == ("pay", 2, str(ToolTimeoutError("pay", 2)))


def test_at_most_a_hundred_problems_are_kept() -> None:
    assert len(ArgumentsError("pay", [Problem(f"/{i}", "is odd") for i in range(1000)]).problems) == 100


def test_what_is_left_out_is_counted() -> None:
    text = str(ArgumentsError("pay", [Problem(f"/{'x' * 50}{i}", "is odd") for i in range(50)]))
    shown = text.count("is odd")
    assert text.endswith(f"and {50 - shown} more")


@given(st.text(), st.lists(st.tuples(st.text(), st.text(), st.none() | st.text()), max_size=150))
def test_the_text_for_a_model_is_short_whatever_is_in_it(
    tool: str, problems: list[tuple[str, str, str | None]]
) -> None:
    error = ArgumentsError(tool, [Problem(*problem) for problem in problems])
    assert len(str(error).encode(errors="replace")) < 1024 + 64 * 4


@given(st.text())
def test_a_quoted_name_is_short_and_printable(name: str) -> None:
    assert len(quoted(name)) <= 64 * 10 + 3
    assert "\n" not in quoted(name)
    quoted(name).encode()


POINTERS = {
    "nothing": ((), ""),
    "a key": (("a",), "/a"),
    "an index": (("a", 0), "/a/0"),
    "escapes": (("~/", ""), "/~0~1/"),
}


@table(POINTERS)
def test_pointer(path: Any, expected: str) -> None:
    assert pointer(path) == expected
