"""Each rule on a function at fault, and what it lets pass; the page of the rules has an example more of both."""

import functools
import math
import socket
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypedDict

import pytest
from pydantic import BaseModel, Field
from typing_extensions import Unpack

from fnschema import FunctionTool, RunContextWrapper, ToolContext, function_tool
from fnschema.errors import Problem
from fnschema.lint import RULES, Finding, Place, Selection, UnreadableModule, findings
from fnschema.lint.subjects import LintedTool, Request

Lint = Callable[..., list[Finding]]


def pay(amount: float) -> None:
    """Pay the bill.

    Args:
        amount: In euros.
    """


class Till:
    @function_tool
    def pay(self, amount: float) -> None:
        """Pay the bill.

        Args:
            amount: In euros.
        """


class Extras(TypedDict, total=False):
    tip: float


async def _by_hand(context: ToolContext[Any], arguments: str) -> str:
    return arguments


def messages(found: list[Finding]) -> list[str]:
    return [finding.message for finding in found]


def test_ids_are_unique_and_in_order() -> None:
    ids = [rule.id for rule in RULES]

    assert ids == sorted(set(ids))


def test_a_good_tool_has_no_finding(lint: Lint) -> None:
    assert lint(pay) == []


def test_a_module_that_cannot_be_imported() -> None:
    module = UnreadableModule(Place("shop.py", 3), "Cannot import shop.py: NameError.")

    assert list(findings([module], Selection())) == [
        Finding(Place("shop.py", 3), "FNS001", "module-cannot-be-imported", "error", None, module.reason, None)
    ]


def test_a_function_that_cannot_be_a_tool_has_a_finding_for_each_reason(lint: Lint) -> None:
    def send(wire: socket.socket, other: socket.socket) -> None:
        """Send it."""

    found = lint(send)

    assert [(finding.rule, finding.severity, finding.tool) for finding in found] == [("FNS002", "error", "send")] * 2
    assert [finding.message[:33] for finding in found] == [
        "Cannot describe parameter 'wire' ",
        "Cannot describe parameter 'other'",
    ]
    assert str(found[0].remedy).startswith("Use a type that JSON can hold, ")


def test_a_generator_cannot_be_a_tool(lint: Lint) -> None:
    def read_lines() -> Iterator[str]:
        """Read lines."""
        yield ""

    (found,) = lint(read_lines)

    assert (found.rule, found.remedy) == ("FNS002", "Return a list.")
    assert found.message.endswith("it is a generator function, whose call runs nothing.")


def test_a_name_that_no_provider_takes(lint: Lint) -> None:
    def prüfe() -> None:
        """Check it."""

    (found,) = lint(prüfe)

    assert found.rule == "FNS002"


def test_a_method_tool_without_its_object_cannot_be_a_tool(lint: Lint) -> None:
    assert [finding.rule for finding in lint(Till.pay)] == ["FNS002"]
    assert lint(Till().pay) == []


def test_no_description(lint: Lint) -> None:
    def brew(cups: int) -> None:
        """
        :param cups: How many.
        """

    (found,) = lint(brew)

    assert (found.rule, found.severity, found.remedy) == (
        "FNS101",
        "warning",
        "Write a docstring that says what it does.",
    )


def test_parameters_without_description_are_one_finding(lint: Lint) -> None:
    def brew(cups: int, strength: int, milk: bool) -> None:
        """Brew coffee.

        Args:
            cups: How many.
        """

    (found,) = lint(brew)

    assert found.rule == "FNS102"
    assert found.message.endswith(".brew does not describe parameters 'strength' and 'milk'.")
    assert found.remedy == "Describe them in the docstring."


def test_one_parameter_without_description(lint: Lint) -> None:
    def brew(cups: int) -> None:
        """Brew coffee."""

    (found,) = lint(brew)

    assert found.message.endswith(".brew does not describe parameter 'cups'.")
    assert found.remedy == "Describe it in the docstring."


class Blend(BaseModel):
    """What is brewed."""

    beans: str = Field(description="Where they grew.")


@pytest.mark.parametrize("strict", [True, False])
def test_a_description_in_the_words_of_the_class_is_one(lint: Lint, strict: bool) -> None:
    @function_tool(strict_mode=strict)
    def brew(blend: Blend) -> None:
        """Brew coffee.

        Args:
            blend: What is brewed.
        """

    assert not [found for found in lint(brew) if found.rule == "FNS102"]


def test_keys_of_an_unpacked_typed_dict_are_parameters(lint: Lint) -> None:
    def brew(**extras: Unpack[Extras]) -> None:
        """Brew coffee.

        Args:
            tip: In euros.
        """

    assert lint(brew) == []


def test_parameter_without_annotation(lint: Lint) -> None:
    def brew(cups, milk=False) -> None:
        """Brew coffee.

        Args:
            cups: How many.
            milk: Whether to add some.
        """

    (found,) = lint(brew)

    assert found.rule == "FNS103"
    assert found.message.endswith(".brew gives no type to parameters 'cups' and 'milk'.")


def test_parameter_hidden(lint: Lint) -> None:
    def brew(line: socket.socket | None = None, *others: socket.socket) -> None:
        """Brew coffee."""

    (found,) = lint(brew)

    assert found.rule == "FNS104"
    assert "hides parameters 'line' and 'others' from the model" in found.message


def test_a_parameter_that_the_author_hides_is_no_finding(lint: Lint) -> None:
    @function_tool(hide=["line", "cups"])
    def brew(line: socket.socket | None = None, cups: int = 1) -> None:
        """Brew coffee."""

    assert lint(brew) == []


def test_context_and_context_variables_are_no_findings(lint: Lint) -> None:
    def brew(context: RunContextWrapper[None], context_variables: dict[str, Any]) -> None:
        """Brew coffee."""

    assert lint(brew) == []


def test_parameter_documented_in_vain(lint: Lint) -> None:
    def brew(cups: int) -> None:
        """Brew coffee.

        Args:
            cups: How many.
            cup: How large.
            sugar: How sweet.
        """

    found = lint(brew)

    assert [(finding.rule, finding.remedy) for finding in found] == [
        ("FNS105", "Did you mean 'cups'?"),
        ("FNS105", "Remove it, or add the parameter."),
    ]
    assert found[0].message.endswith(".brew describes parameter 'cup', which is not there.")


def test_the_docstring_may_describe_what_the_model_does_not_see(lint: Lint) -> None:
    def brew(context: RunContextWrapper[None], line: socket.socket | None = None, cups: int = 1) -> None:
        """Brew coffee.

        Args:
            context: Of the run.
            line: To the kitchen.
            cups: How many.
        """

    assert lint(functools.partial(brew, cups=2), select="FNS105") == []


def test_the_docstring_may_describe_the_keywords_that_are_taken(lint: Lint) -> None:
    def brew(**extras: int) -> None:
        """Brew coffee.

        Args:
            sugar: How sweet.
        """

    assert lint(brew, select="FNS105") == []


def test_a_docstring_that_is_not_read_describes_nothing_in_vain(lint: Lint) -> None:
    @function_tool(use_docstring_info=False, description_override="Brew coffee.")
    def brew(cups: int) -> None:
        """For people.

        Args:
            sugar: How sweet.
        """

    assert lint(brew, select="FNS105") == []


def test_a_docstring_is_read_in_the_style_that_its_author_forces(lint: Lint) -> None:
    @function_tool(docstring_style="sphinx")
    def brew(cups: int) -> None:
        """Brew coffee.

        :param cups: How many.

        Args:
            sugar: How sweet.
        """

    assert lint(brew, select="FNS105") == []


def test_vague_name(lint: Lint) -> None:
    def handle_data() -> None:
        """Brew coffee."""

    (found,) = lint(handle_data)

    assert found.rule == "FNS106"
    assert found.message.startswith("The name 'handle_data' of ")


def test_a_name_override_is_the_name(lint: Lint) -> None:
    assert messages(lint(function_tool(pay, name_override="run")))[0].startswith("The name 'run' of ")


def test_placeholders_left_are_told_once_each(lint: Lint) -> None:
    def brew(cups: int, milk: bool) -> None:
        """_summary_

        Args:
            cups (int): _description_
            milk (bool): _description_
        """

    found = lint(brew)

    assert [finding.rule for finding in found] == ["FNS107", "FNS107"]
    assert "has '_summary_' where" in found[0].message
    assert "has '_description_' where" in found[1].message


CONCEALED = {
    "a number that JSON lacks": math.inf,
    "any object": object(),
    "a factory": Field(default_factory=lambda: 3.0),
}


@pytest.mark.parametrize("default", CONCEALED.values(), ids=CONCEALED)
def test_default_concealed(default: Any, lint: Lint) -> None:
    def brew(cups: float = default) -> None:
        """Brew coffee.

        :param cups: How many.
        """

    assert [finding.rule for finding in lint(brew)] == ["FNS108"]


TOLD = {"none": None, "a number": 1.5, "one in a field": Field(default=1.5), "none in a field": Field()}


@pytest.mark.parametrize("default", TOLD.values(), ids=TOLD)
def test_a_default_that_is_told_is_no_finding(default: Any, lint: Lint) -> None:
    def brew(cups: float = default) -> None:
        """Brew coffee.

        :param cups: How many.
        """

    assert lint(brew) == []


def test_description_too_long(lint: Lint) -> None:
    (found,) = lint(function_tool(pay, description_override="x" * 1025))

    assert found.rule == "FNS109"
    assert found.message.endswith(" has 1,025 characters, and some providers refuse more than 1,024.")


def test_a_description_may_be_as_long_as_all_take(lint: Lint) -> None:
    assert lint(function_tool(pay, description_override="x" * 1024)) == []


def test_secret_asked_of_the_model(lint: Lint) -> None:
    def brew(api_key: str) -> None:
        """Brew coffee.

        :param api_key: Of the kitchen.
        """

    (found,) = lint(brew)

    assert found.rule == "FNS110"
    assert found.message.endswith(".brew asks the model for a secret in parameter 'api_key'.")


def test_what_the_dialect_refuses_is_an_error(lint: Lint) -> None:
    @function_tool
    def brew(sort: Any) -> None:
        """Brew coffee.

        :param sort: Which.
        """

    (found,) = lint(brew)

    assert (found.rule, found.severity, found.tool) == ("FNS201", "error", "brew")
    assert found.message.startswith("Cannot define for openai 'sort' of ")
    assert found.remedy == "Annotate it with a type that says what it holds, or use strict_mode=False."


def test_another_dialect_may_take_it(lint: Lint) -> None:
    @function_tool
    def brew(sort: Any) -> None:
        """Brew coffee.

        :param sort: Which.
        """

    assert lint(brew, dialect="mcp") == []


def test_a_plain_function_that_cannot_be_strict_is_a_warning(lint: Lint) -> None:
    def brew(counts: dict[str, int]) -> None:
        """Brew coffee.

        :param counts: By sort.
        """

    (found,) = lint(brew)

    assert (found.rule, found.severity) == ("FNS202", "warning")
    assert found.message.startswith("Cannot make strict for openai 'counts' of ")


def test_strict_does_not_matter_where_it_is_only_on_request(lint: Lint) -> None:
    def brew(counts: dict[str, int]) -> None:
        """Brew coffee.

        :param counts: By sort.
        """

    assert lint(brew, dialect="anthropic") == []


def test_an_author_who_asks_for_lax_is_not_warned(lint: Lint) -> None:
    @function_tool(strict_mode=False)
    def brew(counts: dict[str, int]) -> None:
        """Brew coffee.

        :param counts: By sort.
        """

    assert lint(brew) == []


def test_duplicate_name(lint: Lint) -> None:
    @function_tool(name_override="pay")
    def settle() -> None:
        """Settle the account."""

    (found,) = lint(pay, settle)

    assert (found.rule, found.severity, found.tool) == ("FNS203", "error", "pay")
    assert found.message.endswith("test_rules.pay has.")
    assert found.remedy == "Set name_override."


def test_too_many_tools(lint: Lint) -> None:
    tools = [function_tool(pay, name_override=f"pay_{number}") for number in range(129)]

    assert lint(*tools) == [
        Finding(
            Place("shop.py", 1),
            "FNS204",
            "too-many-tools",
            "error",
            None,
            "129 tools are in the request, and openai takes 128.",
            "Send fewer.",
        )
    ]


def test_a_cap_on_strict_tools_counts_where_they_are_requested(lint: Lint) -> None:
    tools = [function_tool(pay, name_override=f"pay_{number}") for number in range(21)]

    (found,) = lint(*tools, dialect="anthropic", strict="if possible")

    assert (found.rule, found.severity) == ("FNS204", "error")
    assert found.message == "21 strict tools are in the request, and anthropic takes 20."
    assert lint(*tools, dialect="anthropic") == []


def test_a_tool_made_by_hand(lint: Lint) -> None:
    properties = {"cups": {"type": "integer", "description": "How many."}, "milk": {"type": "boolean"}}
    tool = FunctionTool("brew", "Brew coffee.", {"type": "object", "properties": properties}, _by_hand)

    assert messages(lint(tool)) == ["brew does not describe parameter 'milk'."]


def test_a_constant_of_the_schema_is_annotated(lint: Lint) -> None:
    def brew(sort: Literal["tea", "coffee"] = "tea") -> None:
        """Brew something.

        :param sort: Which.
        """

    assert lint(brew) == []


def test_a_rule_is_silent_about_other_facts() -> None:
    problem = Problem("", "too many")
    request = Request(Place("shop.py"), (), (problem,))

    assert [finding.rule for finding in findings([request], Selection())] == ["FNS204"]


def test_facts_alone_are_enough_for_a_rule() -> None:
    tool = LintedTool(Place("shop.py", 7), "pay", "shop.pay", "openai", description=" ")

    assert messages(list(findings([tool], Selection()))) == ["shop.pay has no description."]
