"""Docstrings of four styles, well-formed and not."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docstring_strategies import STYLES, Written, docstring, written
from fnschema._documentation import (
    DocstringStyle,
    Documentation,
    FuncDocumentation,
    generate_func_documentation,
    parse_docstring,
)

styles = st.sampled_from(STYLES)


# ---------------------------------------------------------------------------------------------------- laws
@given(written(), styles)
def test_documentation_reads_back_in_every_style(facts: Written, style: DocstringStyle) -> None:
    assert parse_docstring(docstring(facts, style), facts.names) == Documentation(facts.description, facts.described)


@given(written(), styles)
def test_a_forced_style_reads_the_same(facts: Written, style: DocstringStyle) -> None:
    text = docstring(facts, style)
    assert parse_docstring(text, facts.names, style) == parse_docstring(text, facts.names)


@given(written(), styles, st.sampled_from(["\r\n", "\r"]))
def test_line_ends_make_no_difference(facts: Written, style: DocstringStyle, line_end: str) -> None:
    text = docstring(facts, style)
    assert parse_docstring(text.replace("\n", line_end), facts.names) == parse_docstring(text, facts.names)


_MARKS = "Args: Returns: Parameters ---- === ~~~ ``` ```py :param :type :returns: @param @return :: >>> Note: .. code::"
_WORDS = "a b a: a:: (int) '\\d' text. * \\*a - , [ ( ) # _ ` none :"
_BLANKS = ["\n", "\n\n", "\r\n", "\r", "\t", " ", "    ", "\0", "\ud800", "\x0c", "\u2028", "\ue000", "\u3000"]
_pieces = st.sampled_from(_MARKS.split() + _WORDS.split() + _BLANKS * 2)


@given(st.text() | st.lists(_pieces, max_size=60).map("".join), st.none() | styles)
def test_any_text_gives_clean_documentation(text: str, style: DocstringStyle | None) -> None:
    read = parse_docstring(text, ["a", "b", "args"], style)
    assert read.description is None or read.description.strip()
    assert all(words.strip() for words in read.parameters.values())
    assert not set(map(chr, range(0xE000, 0xE004))) - set(text) & set(
        "".join([read.description or "", *read.parameters])
    )


# ---------------------------------------------------------------------------------------------------- parameters
FIRST_AND_SECOND = {
    "google": """Add.

        Args:
            a: First.
            b: Second.
        """,
    "blank line below the heading": """Add.

        Args:

            a: First.

            b: Second.
        """,
    "no blank line above the heading": """Add.
        Args:
            a: First.
            b: Second.
        Returns:
            The sum.
        """,
    "heading right behind the quotes": """Args:
            a: First.
            b: Second.
        """,
    "heading behind the quotes, items below it": """Args:
        a: First.
        b: Second.
        """,
    "below the body of a section that goes": """Add.

        Raises:
            ValueError: No.
        Args:
            a: First.
            b: Second.
        """,
    "below the body of a section that stays": """Add.

        Note:
            Slow.
        Args:
            a: First.
            b: Second.
        """,
    "two sections": """Add.

        Args:
            a: First.
        Keyword Args:
            b: Second.
        """,
    "type in parentheses": """Add.

        Args:
            a (int): First.
            b (Callable[[int], dict[str, int]], optional) : Second.
        """,
    "white space before the colon": """Add.

        Args:
            a : First.
            b : Second.
        """,
    "numpy items in a google section": """Add.

        Args:
            a : int
                First.
            b : list[int], optional
                Second.
        """,
    "description on the next line": """Add.

        Args:
            a:
                First.
            b (int):
                Second.
        """,
    "marked-up names": """Add.

        Args:
            `a`: First.
            **b** (`int`): Second.
        """,
    "bullets": """Add.

        Args:
            - a: First.
            * b (int): Second.
        """,
    "dashes": """Add.

        Args:
            a - First.
            b (int) -- Second.
        """,
    "markdown headings": """Add.

        ## Parameters
        - `a` (int): First.
        - **b:** Second.

        ## Returns
        The sum.
        """,
    "first item beside the heading": """Add.

        Args: a: First.
            b: Second.
        """,
    "title beside the heading": """Add.

        Args: (both needed)
            a: First.
            b: Second.
        """,
    "items at the level of the heading": """Add.

        Args:
        a: First.
        b: Second.

        Returns:
        The sum.
        """,
    "second item less indented": """Add.

        Args:
              a: First.
            b: Second.
        """,
    "second item slightly deeper": """Add.

        Args:
            a: First.
              b: Second.
        """,
    "last item slipped to the margin": """Add.

        Args:
            a: First.
        b: Second.
        """,
    "whole section indented": """Add.

          More.

            Args:
                a: First.
                b: Second.

            Returns:
                The sum.
        """,
    "tabs": "Add.\n\n\tArgs:\n\t\ta: First.\n\t\tb:\tSecond.\n",
    "windows line ends": "Add.\r\n\r\nArgs:\r\n    a: First.\r\n    b: Second.\r\n",
    "fields in a google section": """Add.

        Args:
            :param a: First.
            :type a: int
            :param int b: Second.
        """,
    "google with a stray field": """Add.

        Args:
            a: First.
            b: Second.

        :type a: int
        """,
    "google with a sphinx tail": """Add.

        Args:
            a: First.

        :param b: Second.
        :rtype: int
        """,
    "numpy": """Add.

        Parameters
        ----------
        a : int
            First.
        b : int, optional
            Second.
        """,
    "numpy without blank lines": """Add.
        Parameters
        ----------
        a
            First.
        Other Parameters
        ----------------
        b : {1, 2}
            Second.
        Returns
        -------
        int
        """,
    "numpy with indented items": """Add.

        Parameters
        ----------
            a : int
                First.
            b : int
                Second.
        """,
    "numpy with the description beside the name": """Add.

        Parameters
        ----------
        a: First.
        b : Second.
        """,
    "numpy with the description at the margin": """Add.

        Parameters
        ----------
        a : int
        First.
        b : int
        Second.
        """,
    "numpy with a colon in the heading": """Add.

        Parameters:
        ===========
        a: int
            First.
        b int
            Second.
        """,
    "numpy with a sphinx tail": """Add.

        Parameters
        ----------
        a : int
            First.

        :param b: Second.
        """,
    "sphinx": """Add.

        :param a: First.
        :param int b: Second.
        :returns: the sum
        """,
    "sphinx, other words": """Add.
        :arg a: First.
        :type a: int
        :keyword dict[str, int] b: Second.
        """,
    "sphinx, yet other words": """Add.

        :Argument a:
            First.

        :key b : Second.
        """,
    "sphinx, uneven": """Add.

        :parameter a:First.
          :param str or None b: Second.
        """,
    "epydoc": """Add.

        @param a: First.
        @type a: int
        @keyword b: Second.
        @return: the sum
        """,
    "epydoc without colons": """Add.

        @arg a First.
        @param b Second.
        @return the sum
        """,
}


@pytest.mark.parametrize("text", FIRST_AND_SECOND.values(), ids=FIRST_AND_SECOND)
def test_no_parameter_is_lost(text: str) -> None:
    assert parse_docstring(text, ["a", "b"]).parameters == {"a": "First.", "b": "Second."}


@pytest.mark.parametrize("text", FIRST_AND_SECOND.values(), ids=FIRST_AND_SECOND)
def test_nothing_of_the_sections_leaks(text: str) -> None:
    description = parse_docstring(text, ["a", "b"]).description
    assert description in (None, "Add.", "Add.\n\nMore.", "Add.\n\nNote:\n    Slow.")


HEADINGS = ["Args", "args", "ARGUMENTS", "Arg", "Params", "Parameters", "Keyword Args", "Keyword Arguments", "Kwargs"]
HEADINGS += ["Other Parameters", "Other Args", "other params", "Optional Arguments", "keyword-arguments"]


@pytest.mark.parametrize("heading", HEADINGS)
def test_headings_of_parameters(heading: str) -> None:
    text = f"Add.\n\n{heading}:\n    a: First.\n"
    assert parse_docstring(text, ["a"]) == Documentation("Add.", {"a": "First."})


@pytest.mark.parametrize(
    "shape", ["{} :", "**{}:**", "**{}**:", "__{}__:", "{}::", "# {}:", "### {}", "**{}**", "{}\n-----"]
)
def test_shapes_of_headings(shape: str) -> None:
    text = f"Add.\n\n{shape.format('Args')}\n    a: First.\n"
    assert parse_docstring(text, ["a"]) == Documentation("Add.", {"a": "First."})


@pytest.mark.parametrize("written_name", ["kw", "*kw", "**kw", r"\*kw", r"\*\*kw", "`**kw`", "**kw**", "``kw``"])
@pytest.mark.parametrize(
    "item",
    ["Args:\n    {}: Text.", "Parameters\n----------\n{} : int\n    Text.", ":param {}: Text.", "@param {}: Text."],
    ids=STYLES,
)
def test_stars_and_markup_are_no_part_of_a_name(item: str, written_name: str) -> None:
    assert parse_docstring(item.format(written_name), ["kw"]) == Documentation(None, {"kw": "Text."})


@pytest.mark.parametrize(
    "item",
    [
        "Args:\n    a, b: Text.",
        "Args:\n    a, *b (int): Text.",
        "Parameters\n---\na, b : int\n    Text.",
        ":param a, b: Text.",
    ],
)
def test_names_that_share_a_description(item: str) -> None:
    assert parse_docstring(item, ["a", "b"]).parameters == {"a": "Text.", "b": "Text."}


def test_the_name_in_a_field_is_one_of_the_function() -> None:
    assert parse_docstring(":param path target: Text.", ["path", "target"]).parameters == {"target": "Text."}
    assert parse_docstring(":param path (str): Text.", ["path"]).parameters == {"path": "Text."}


DESCRIPTIONS = {
    "continuation lines with colons": (
        "How, in the form\n    days: Mon-Fri\n    tone: soft",
        "days: Mon-Fri\ntone: soft",
    ),
    "a list": ("One of\n    - x\n      more of x\n    - y", "- x\n  more of x\n- y"),
    "paragraphs": ("One.\n\n    Two.", "\nTwo."),
    "a fence": ("As in\n    ```py\n    Args:\n\n      x = 1   \n    ```", "```py\nArgs:\n\n  x = 1   \n```"),
    "a doctest": ("As in\n    >>> print(1)\n    Args: 1", ">>> print(1)\nArgs: 1"),
    "a literal block": ("As\n    in::\n\n        :param c: no", "in::\n\n    :param c: no"),
}


@pytest.mark.parametrize(
    "shape", ["Args:\n    a: {}\n    b: Second.", ":param a: {}\n:param b: Second."], ids=["google", "sphinx"]
)
@pytest.mark.parametrize(("text", "end"), DESCRIPTIONS.values(), ids=DESCRIPTIONS)
def test_descriptions_keep_their_lines(shape: str, text: str, end: str) -> None:
    indent = "    " if shape.startswith("Args") else ""
    text = text.replace("\n    ", f"\n    {indent}")
    read = parse_docstring(shape.format(text), ["a", "b"])
    assert read.parameters["a"].endswith(f"\n{end}")
    assert read.parameters["b"] == "Second."


def test_lines_wrapped_without_indentation_belong_to_the_item_above() -> None:
    assert parse_docstring("Args:\n    a: one\n    two\n    b: three", ["a", "b"]).parameters == {
        "a": "one\ntwo",
        "b": "three",
    }
    assert parse_docstring(":param a: one\n  two\nthree", ["a"]).parameters == {"a": "one\ntwo\nthree"}


def test_a_wrapped_link_is_no_item() -> None:
    assert parse_docstring("Args:\n    a: see\n    https://x.org: all\n", ["a"]).parameters == {
        "a": "see\nhttps://x.org: all"
    }


def test_an_item_without_a_description_is_absent() -> None:
    assert parse_docstring("Args:\n    a:\n    b (int):\n", ["a", "b"]).parameters == {}


def test_a_name_that_is_no_parameter_stays_apart() -> None:
    assert parse_docstring("Args:\n    a: First.\n    z: Other.\n", ["a"]).parameters == {"a": "First.", "z": "Other."}


def test_the_first_description_of_a_name_counts() -> None:
    assert parse_docstring("Args:\n    a: One.\n\nOther Args:\n    a: Two.\n", ["a"]).parameters == {"a": "One."}


# ---------------------------------------------------------------------------------------------------- style
TWO_STYLES = """Add.

Args:
    a: google
    b: google

:param a: sphinx
"""


def test_the_style_that_describes_most_parameters_wins() -> None:
    assert parse_docstring(TWO_STYLES, ["a", "b"]).parameters == {"a": "google", "b": "google"}


def test_only_the_functions_own_parameters_are_evidence() -> None:
    assert parse_docstring(TWO_STYLES, ["a"]).parameters["a"] == "sphinx"  # one each, and sphinx wins a tie


def test_a_forced_style_takes_the_others_for_text() -> None:
    assert parse_docstring(TWO_STYLES, ["a"], "sphinx") == Documentation(
        "Add.\n\nArgs:\n    a: google\n    b: google", {"a": "sphinx"}
    )


# ---------------------------------------------------------------------------------------------------- description
GONE = {
    "google results": "Returns:\n    The sum.\n\n    And more.",
    "google errors": "Raises:\n    ValueError: Never.",
    "no blank line between": "Returns:\n    The sum.\nRaises:\n    ValueError: Never.",
    "google, flush": "Returns:\nThe sum.",
    "one line": "Returns: the sum,\n    wrapped",
    "one paragraph": "Returns: the sum,\nwrapped",
    "yields": "Yields:\n    Lines.",
    "receives, warns": "Receives:\n    x: y\n\nWarns:\n    UserWarning: Maybe.",
    "attributes": "Attributes:\n    size: How big.",
    "type parameters": "Type Parameters:\n    T: Any.",
    "numpy results": "Returns\n-------\nint\n    The sum.\n\nstr\n    A name.",
    "numpy results as prose": "Returns\n-------\nThe sum.\n\nOr nothing.",
    "numpy errors": "Raises\n------\nValueError\n    Never.",
    "sphinx": ":returns: the sum\n:rtype: int\n:raises ValueError: never,\n  never",
    "epydoc": "@return: the sum\n@rtype: int\n@raise ValueError: never",
    "stray types": ":type a: int",
    "no parameters": "Args: none",
    "no parameters, in a body": "Args:\n    None",
}


@pytest.mark.parametrize("section", GONE.values(), ids=GONE)
def test_what_goes(section: str) -> None:
    assert parse_docstring(f"Add.\n\n{section}\n", []) == Documentation("Add.", {})


@pytest.mark.parametrize("section", GONE.values(), ids=GONE)
def test_what_goes_needs_no_blank_line_above(section: str) -> None:
    assert parse_docstring(f"Add.\n{section}\n", []) == Documentation("Add.", {})


STAYS = {
    "note": "Note:\n    Slow.",
    "warnings": "Warnings:\n    Costs money.\n\n    Much.",
    "examples": "Examples:\n    >>> add(1, 2)\n    3",
    "numpy notes": "Notes\n-----\nSlow.",
    "see also": "See Also:\n    subtract",
    "directive": ".. deprecated:: 2.0\n    Use total.",
    "unknown field": ":Example: add(1, 2)\n@note: slow",
    "field that is not closed": ":param a\n:returns",
    "role": ":class:`Adder` does it.",
    "a word and a colon": "Parameters: see the manual",
    "heading in a sentence": "It returns: nothing.\nThe args: are kept.",
    "indented example": "Example:\n    Say:\n\n    Args:\n        a: 1",
    "a table": "a    b\n---- ----\n1    2",
    "list with colons": "- one: 1\n- two: 2",
    "nested example": "Example:\n    def f():\n        '''Do.\n\n        Args:\n            x: 1\n        '''",
    "fence": "```text\nArgs:\n    x: 1   \n\n:param y: 2\n\nReturns\n-------\n```",
    "fence of tildes": "~~~~ py\n```\n@param y: 2\n~~~\n~~~~",
    "literal block": "Like::\n\n    Args:\n        x: 1\n\n    :param y: 2",
    "code directive": ".. code-block:: python\n\n    :param y: 2\n    :type y: int",
    "doctest": ">>> help(f)\nArgs:\n    x: 1\n:param y: 2",
    "a fence that is not closed": "```\nx = 1",
}


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_what_stays(text: str) -> None:
    assert parse_docstring(f"Add.\n\n{text}\n", ["a"]) == Documentation(f"Add.\n\n{text}", {})


TAILS = {
    "google": "Args:\n    a: First.",
    "google, flush": "Args:\na: First.",
    "google with flush results": "Args:\n    a: First.\n\nReturns:\nThe sum.",
    "numpy": "Parameters\n----------\na : int\n    First.",
    "numpy with results": "Parameters\n----------\na : int\n    First.\n\nReturns\n-------\nint\n    The sum.",
    "sphinx": ":param a: First.",
    "sphinx with results": ":param a: First.\n:returns: the sum",
    "epydoc": "@param a: First.",
}


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
@pytest.mark.parametrize("section", TAILS.values(), ids=TAILS)
def test_text_below_the_parameters_stays(section: str, text: str) -> None:
    read = parse_docstring(f"Add.\n\n{section}\n\n{text}\n", ["a"])
    assert read == Documentation(f"Add.\n\n{text}", {"a": "First."})


@pytest.mark.parametrize("section", TAILS.values(), ids=TAILS)
def test_a_paragraph_below_the_parameters_stays(section: str) -> None:
    read = parse_docstring(f"Add.\n\n{section}\n\nAsk before calling.\n\nWarning: slow.\n", ["a"])
    assert read == Documentation("Add.\n\nAsk before calling.\n\nWarning: slow.", {"a": "First."})


def test_a_heading_without_a_body_goes_alone() -> None:
    assert parse_docstring("Add.\n\nArgs:\n\nNever twice.", ["a"]) == Documentation("Add.\n\nNever twice.", {})


def test_the_whole_purpose_may_be_a_result() -> None:
    assert parse_docstring("Returns: the sum.", []) == Documentation("Returns: the sum.", {})


@pytest.mark.parametrize("text", [None, "", "  \n\t\n", "Args:\n", ":returns: x"])
def test_no_description(text: str | None) -> None:
    assert parse_docstring(text, []) == Documentation(None, {})


def test_white_space_around_the_description_is_cleaned() -> None:
    assert parse_docstring("\n\n   Add.  \n\n     Indented.\t\n\n\n   ", []).description == "Add.\n\n  Indented."


def test_a_fence_at_the_margin_keeps_its_own_lines() -> None:
    text = "Add.\n\n        ```py\nif x:\n\ty = 1  \n        ```\n\n        Args:\n            a: First.\n        "
    assert parse_docstring(text, ["a"]) == Documentation("Add.\n\n```py\nif x:\n\ty = 1  \n```", {"a": "First."})


def test_underlines_of_tildes_are_no_fence() -> None:
    text = "Add.\n\nUsage\n~~~~~\nText.\n\nArgs\n~~~~\na: First.\n\nNotes\n~~~~~\nSlow.\n"
    assert parse_docstring(text, ["a"]).parameters == {"a": "First."}


# ---------------------------------------------------------------------------------------------------- robustness
LARGE = {
    "blanks": "Args:\n    a:" + " " * 300_000 + "x",
    "names": "Args:\n    " + "a, " * 100_000,
    "parentheses": "Args:\n    a (" + ")(" * 150_000,
    "items": "Args:\n" + "    a: x\n" * 30_000,
    "headings": "Args:\n" * 50_000,
    "fields": ":param a: x\n" * 20_000,
    "open fences": "".join("`" * length + "\n" for length in range(700, 3, -1)),
    "blank lines": "Parameters\n----\n" + "a : int\n\n\n" * 30_000,
}


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_large_texts_are_read_in_linear_time(text: str) -> None:
    assert isinstance(parse_docstring(text, ["a"]), Documentation)  # a second scan of each line would take minutes


def test_types_that_do_not_compile_are_never_compiled() -> None:
    text = "Args:\n    a (1 is 1): One.\n    b ('\\d'): Two.\n\nReturns:\n    (1 is 1): x\n"
    assert parse_docstring(text, ["a", "b"]).parameters == {"a": "One.", "b": "Two."}


def test_griffes_logger_hears_nothing(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("griffe")
    before = (logger.level, logger.disabled, logger.propagate, list(logger.filters), list(logger.handlers))
    with caplog.at_level(logging.DEBUG):
        parse_docstring("Args:\n    a: x\n     odd\n    nameless\n    z: not a parameter\n", ["a"])
    assert caplog.records == []
    assert (logger.level, logger.disabled, logger.propagate, logger.filters, logger.handlers) == before


def _loads_griffe(text: str) -> bool:
    code = (
        "import sys; from fnschema._documentation import parse_docstring\n"
        f"parse_docstring({text!r}, ['a']); print('griffe' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout == "True\n"


def test_griffe_is_loaded_only_to_read_parameters() -> None:
    assert not _loads_griffe("Add.\n\nNote: slow.\n\nReturns:\n    x\n\n:rtype: int\n\nArgs:\n    None\n")
    assert not _loads_griffe("Args:\n    a: First.")
    assert _loads_griffe("Args:\n    a: First.\n\n        Second paragraph.")


# ---------------------------------------------------------------------------------------------------- functions
def add(a: int, *rest: int) -> int:
    """Add.

    Args:
        a: First.
        *rest: More.
    """
    return a + sum(rest)


def undocumented(a: int) -> int:
    return a


class Adder:
    """Add to a total.

    Args:
        total: Where to begin.
    """

    def __init__(self, total: int) -> None:
        self.total = total

    def __call__(self, a: int) -> int:
        """Unused text.

        Args:
            a: First.
        """
        return self.total + a


FUNCTIONS: dict[str, tuple[Callable[..., int], FuncDocumentation]] = {
    "function": (add, FuncDocumentation("add", "Add.", {"a": "First.", "rest": "More."})),
    "undocumented": (undocumented, FuncDocumentation("undocumented", None, None)),
    "partial": (partial(add, 1), FuncDocumentation("add", "Add.", {"a": "First.", "rest": "More."})),
    "lambda": (lambda a: a, FuncDocumentation("<lambda>", None, None)),
}


@pytest.mark.parametrize(("function", "expected"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_documentation_of_functions(function: Callable[..., int], expected: FuncDocumentation) -> None:
    assert generate_func_documentation(function) == expected


def test_an_object_is_described_by_its_class_and_its_call() -> None:
    read = generate_func_documentation(Adder(1))
    assert read.description == "Add to a total."
    assert read.param_descriptions == {"total": "Where to begin.", "a": "First."}


def test_a_style_can_be_forced() -> None:
    assert generate_func_documentation(add, style="numpy").param_descriptions is None


def test_a_forced_style_is_that_of_an_objects_call_too() -> None:
    assert generate_func_documentation(Adder(1), style="numpy").param_descriptions is None
    assert generate_func_documentation(Adder(1), style="google").param_descriptions == {
        "total": "Where to begin.",
        "a": "First.",
    }


def test_the_letters_at_both_ends_of_a_description_are_kept() -> None:
    def mark(a: int) -> None:
        """X marks the spot.

        Args:
            a: First.

        End with X
        """

    assert generate_func_documentation(mark).description == "X marks the spot.\n\nEnd with X"


def test_what_has_no_name_is_called_as_its_class() -> None:
    assert generate_func_documentation(partial(lambda a: a, 1)).name == "partial"
