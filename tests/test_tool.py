"""Tools: made of functions and methods, made by hand, called, and answering for a model."""

import abc
import asyncio
import copy
import dataclasses
import functools
import inspect
import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fnschema import (
    ArgumentsError,
    FunctionTool,
    RunContextWrapper,
    SchemaError,
    SignatureError,
    ToolContext,
    ToolTimeoutError,
    UserError,
    default_tool_error_function,
    function_tool,
)
from fnschema._invoke import run
from fnschema._tool import tool_of


@function_tool
def book(city: str, nights: int = 1) -> str:
    """Book a room.

    Args:
        city: Where to sleep.
    """
    return f"{nights} in {city}"


@function_tool
async def book_later(city: str, nights: int = 1) -> str:
    """Book a room."""
    await asyncio.sleep(0)
    return f"{nights} in {city}"


def acall(tool: FunctionTool[..., Any], arguments: Any, context: Any = None) -> Any:
    return asyncio.run(tool.acall(arguments, context))


def answer(tool: FunctionTool[..., Any], text: str, context: RunContextWrapper[Any] | None = None) -> Any:
    """What the model is told."""
    return asyncio.run(tool.on_invoke_tool(context or ToolContext(None, tool.name), text))


WAYS: dict[str, Callable[..., Any]] = {"call": lambda tool, arguments: tool.call(arguments), "acall": acall}
in_both = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


# Making


def test_bare():
    assert (book.name, book.description, list(book.params_json_schema["properties"])) == (
        "book",
        "Book a room.",
        ["city", "nights"],
    )


def test_configured():
    @function_tool(name_override="stay", description_override="Stay.", strict_mode=False, hide=["nights"], timeout=5)
    def sleep(city: str, nights: int = 1) -> str:
        return city

    assert (sleep.name, sleep.description, list(sleep.params_json_schema["properties"])) == ("stay", "Stay.", ["city"])
    assert (sleep.strict_json_schema, sleep.timeout) == (False, 5)


def test_a_function_without_a_docstring_has_an_empty_description():
    assert function_tool(lambda city: city, name_override="find").description == ""


def test_a_tool_of_a_tool_is_refused():
    with pytest.raises(
        UserError, match=r"^Cannot make a tool of tool 'book': it is one. Use dataclasses.replace\(\).$"
    ):
        function_tool(book)


BAD_NAMES = {"empty": "", "space": "a b", "umlaut": "größe", "line end": "book\n", "65 letters": "n" * 65, "dot": "a.b"}


@pytest.mark.parametrize("name", BAD_NAMES.values(), ids=BAD_NAMES)
def test_a_name_that_no_provider_takes_is_refused(name):
    with pytest.raises(UserError, match="a name is 1 to 64 of the letters"):
        function_tool(book.__wrapped__, name_override=name or " ")


def test_the_error_of_a_name_says_which_function():
    with pytest.raises(UserError) as caught:
        function_tool(book.__wrapped__, name_override="a b")
    assert str(caught.value) == (
        f"Cannot make tool 'a b' of {__name__}.book: a name is 1 to 64 of the letters a-z, A-Z, 0-9, _ and -. "
        "Give it a name_override."
    )


@pytest.mark.parametrize("timeout", [0, -1, float("inf"), float("nan"), True, "1"])
def test_a_timeout_is_a_positive_finite_number(timeout):
    with pytest.raises(UserError, match=r"its timeout .* is no number of seconds above zero.$"):
        function_tool(book.__wrapped__, timeout=timeout)


def test_is_enabled_is_a_bool_or_a_function():
    with pytest.raises(UserError, match=r"is_enabled is neither a bool nor a function of \(context, agent\).$"):
        function_tool(book.__wrapped__, is_enabled="yes")


def test_the_repr_names_the_parameters():
    assert repr(book) == "FunctionTool(name='book', parameters=('city', 'nights'))"


def test_a_tool_is_hashable():
    assert {book: 1}[book] == 1


# As the function


def test_a_direct_call_is_that_of_the_function():
    assert book("Rome", nights=2) == "2 in Rome"


def test_a_direct_call_of_an_async_function_gives_its_coroutine():
    assert asyncio.run(book_later("Rome")) == "1 in Rome"


def test_a_tool_looks_like_its_function():
    assert (book.__name__, book.__module__, book.__doc__) == ("book", __name__, book.__wrapped__.__doc__)
    assert inspect.signature(book) == inspect.signature(book.__wrapped__)


def test_the_function_is_left_as_it_was():
    def plain(city: str) -> str:
        return city

    before = dict(vars(plain))
    assert function_tool(plain).__wrapped__ is plain
    assert vars(plain) == before


# call and acall

GIVEN = {
    "text": '{"city": "Rome", "nights": 2}',
    "bytes": b'{"city": "Rome", "nights": 2}',
    "mapping": {"city": "Rome", "nights": 2},
}


@in_both
@pytest.mark.parametrize("tool", [book, book_later], ids=["sync", "async"])
@pytest.mark.parametrize("arguments", GIVEN.values(), ids=GIVEN)
def test_call(way, tool, arguments):
    assert way(tool, arguments) == "2 in Rome"


@given(city=st.text(), nights=st.integers())
def test_every_way_calls_with_the_same_arguments(city, nights):
    direct = book(city, nights)
    sent = {"city": city, "nights": nights}
    assert {way(tool, sent) for way in WAYS.values() for tool in (book, book_later)} == {direct}


@in_both
@pytest.mark.parametrize("tool", [book, book_later], ids=["sync", "async"])
def test_bad_arguments_are_an_error_before_the_function_runs(way, tool):
    with pytest.raises(ArgumentsError, match="/city: is missing"):
        way(tool, "{}")


@in_both
def test_the_error_of_the_function_is_the_very_object(way):
    error = KeyError("the database")

    @function_tool
    def fail() -> None:
        raise error

    with pytest.raises(KeyError) as caught:
        way(fail, None)
    assert caught.value is error


def test_call_runs_a_sync_function_in_the_calling_thread():
    assert function_tool(lambda: threading.get_ident(), name_override="f").call("") == threading.get_ident()


def test_acall_does_not():
    assert acall(function_tool(lambda: threading.get_ident(), name_override="f"), "") != threading.get_ident()


@in_both
def test_a_timeout(way):
    released = threading.Event()

    @function_tool(timeout=0.01)
    def wait() -> None:
        released.wait(60)

    with pytest.raises(ToolTimeoutError, match=r"^The tool wait did not answer within 0.01 seconds.$") as caught:
        way(wait, None)
    released.set()
    assert (caught.value.tool, caught.value.timeout, caught.value.response) == ("wait", 0.01, None)


def test_a_thousand_at_once():
    async def main() -> list[str]:
        tools = [book, book_later] * 500
        return await asyncio.gather(*(t.acall({"city": "Rome", "nights": n}) for n, t in enumerate(tools)))

    assert asyncio.run(main()) == [f"{n} in Rome" for n in range(1000)]


# The context


@function_tool
def whoami(ctx: RunContextWrapper[Any], note: str = "") -> Any:
    """Say who."""
    return ctx


def test_an_object_is_wrapped():
    ctx = whoami.call("{}", context="ann")
    assert ctx == ToolContext(context="ann", tool_name="whoami", tool_arguments="{}")


@pytest.mark.parametrize("context", [RunContextWrapper("ann"), ToolContext("ann", "whoami", "call_1", "{}")])
def test_a_wrapper_is_passed_as_it_is(context):
    assert whoami.call({}, context) is context


def test_the_context_of_the_entry_reaches_the_function():
    context = ToolContext("ann", "whoami", "call_1", "{}")
    assert answer(whoami, "{}", context) is context


# context_variables


def test_context_variables_are_hidden():
    @function_tool
    def greet(context_variables: dict[str, Any], name: str) -> Any:
        return context_variables, name

    assert list(greet.params_json_schema["properties"]) == ["name"]
    assert greet.call({"name": "Ann"}) == ({}, "Ann")


def test_context_variables_keep_their_default():
    default = {"shared": True}

    @function_tool
    def greet(name: str, context_variables: Any = default) -> Any:
        return context_variables

    assert greet.call({"name": "Ann"}) == default


def test_context_variables_are_passed_as_the_very_object():
    @function_tool
    def greet(*, context_variables: dict[str, Any]) -> None:
        context_variables["seen"] = True

    given: dict[str, Any] = {}
    call = greet.prepare("", None, given)
    assert call.kwargs["context_variables"] is given


def test_context_variables_of_a_partial_are_its_own():
    def greet(name: str, context_variables: dict[str, Any]) -> Any:
        return context_variables

    tool = function_tool(functools.partial(greet, context_variables={"mine": 1}))
    call = tool.prepare({"name": "Ann"}, None, {"other": 2})
    assert call.function(*call.args, **call.kwargs) == {"mine": 1}


# The entry: on_invoke_tool


@function_tool
def leak() -> None:
    """Fail."""
    raise RuntimeError("password=hunter2")


def test_the_entry_gives_the_value():
    assert answer(book, '{"city": "Rome"}') == "1 in Rome"


def test_the_model_is_told_which_argument_is_wrong():
    assert answer(book, '{"town": "Rome"}') == (
        "Invalid JSON input for tool book: /city: is missing; /town: 'town' is unknown"
    )


def test_the_model_is_told_nothing_of_an_error_of_the_function():
    assert answer(leak, "") == "The tool leak failed."


def test_the_model_is_told_of_the_time():
    released = threading.Event()

    @function_tool(timeout=0.01)
    def wait() -> None:
        released.wait(60)

    assert answer(wait, "") == "The tool wait did not answer within 0.01 seconds."
    released.set()


def test_the_model_is_told_nothing_of_a_tool_that_the_function_calls():
    @function_tool
    def plan() -> str:
        return book.call({})

    assert answer(plan, "") == "The tool plan failed."


def test_without_a_name_in_the_context_the_text_has_none():
    assert default_tool_error_function(RunContextWrapper(None), ValueError("x")) == "The tool failed."


def explain(ctx: RunContextWrapper[Any], error: Exception) -> str:
    return f"{ctx.context}: {type(error).__name__}"


async def explain_later(ctx: RunContextWrapper[Any], error: Exception) -> str:
    return explain(ctx, error)


@pytest.mark.parametrize("function", [explain, explain_later], ids=["sync", "async"])
def test_a_failure_error_function_of_ones_own(function):
    tool = function_tool(leak.__wrapped__, failure_error_function=function)
    assert answer(tool, "", ToolContext("ann", "leak")) == "ann: RuntimeError"


def test_without_a_failure_error_function_the_error_is_raised():
    with pytest.raises(RuntimeError, match="hunter2"):
        answer(function_tool(leak.__wrapped__, failure_error_function=None), "")


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, asyncio.CancelledError])
def test_what_ends_the_program_is_no_answer(error):
    @function_tool
    def stop() -> None:
        raise error

    with pytest.raises(error):
        answer(stop, "")


# replace, copies, subclasses


def test_a_replaced_timeout_holds_in_the_entry():
    released = threading.Event()
    wait = function_tool(lambda: released.wait(60), name_override="wait")
    assert answer(dataclasses.replace(wait, timeout=0.01), "") == "The tool wait did not answer within 0.01 seconds."
    released.set()


def test_a_replaced_name_is_that_of_the_errors():
    with pytest.raises(ArgumentsError, match=r"^Invalid JSON input for tool stay:"):
        dataclasses.replace(book, name="stay").call("{}")


@pytest.mark.parametrize("renamed", [lambda tool: tool, copy.copy, copy.deepcopy], ids=["itself", "copy", "deepcopy"])
def test_a_name_given_later_is_that_of_the_errors(renamed: Any) -> None:
    tool = renamed(function_tool(book.__wrapped__))
    tool.name = "stay"
    with pytest.raises(ArgumentsError, match=r"^Invalid JSON input for tool stay:"):
        tool.call("{}")


def test_a_replaced_entry_is_called():
    async def say(context: ToolContext[Any], text: str) -> str:
        return f"{context.tool_name} {text}"

    assert dataclasses.replace(book, on_invoke_tool=say).call({"city": "Rome"}) == 'book {"city":"Rome"}'


def test_an_entry_may_wrap_the_one_it_replaces():
    async def shout(context: ToolContext[Any], text: str) -> str:
        return str(await book.on_invoke_tool(context, text)).upper()

    assert answer(dataclasses.replace(book, on_invoke_tool=shout), '{"city": "Rome"}') == "1 IN ROME"


def test_the_schema_of_a_replaced_tool_is_the_same():
    assert dataclasses.replace(book, timeout=1).params_json_schema == book.params_json_schema


def test_a_tool_made_strict_has_a_strict_schema():
    loose = function_tool(book.__wrapped__, strict_mode=False)
    assert loose.params_json_schema["required"] == ["city"]
    strict = dataclasses.replace(loose, strict_json_schema=True)
    assert strict.params_json_schema["required"] == ["city", "nights"]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_stands_alone(copied):
    released = threading.Event()
    tool = copied(function_tool(lambda: None, name_override="wait"))
    tool.function = functools.partial(released.wait, 60)
    tool.timeout = 0.01
    assert answer(tool, "") == "The tool wait did not answer within 0.01 seconds."
    released.set()


def test_what_is_edited_in_a_tool_is_not_in_its_schema():
    tool = function_tool(book.__wrapped__)
    tool.params_json_schema["properties"].clear()
    assert list(tool.schema.params_json_schema["properties"]) == ["city", "nights"]


def test_a_subclass_may_add_a_field():
    @dataclasses.dataclass(repr=False, eq=False)
    class Priced(FunctionTool):
        price: int = 0

    fields = {f.name: getattr(book, f.name) for f in dataclasses.fields(FunctionTool)}
    tool = dataclasses.replace(Priced(**fields, price=3), price=4)
    assert (tool.price, tool.call({"city": "Rome"})) == (4, "1 in Rome")


# By hand

OPEN = {"type": "object", "properties": {"city": {"type": "string"}}}


async def echo(context: ToolContext[Any], text: str) -> str:
    return f"{context.context} {text}"


def by_hand(**changes: Any) -> FunctionTool[..., Any]:
    fields = {"name": "echo", "description": "Echo.", "params_json_schema": OPEN, "on_invoke_tool": echo}
    return FunctionTool(**fields | changes)


def test_a_schema_given_by_hand_is_made_strict():
    assert by_hand().params_json_schema == {**OPEN, "additionalProperties": False, "required": ["city"]}


def test_the_given_schema_stays_as_it_was():
    schema = copy.deepcopy(OPEN)
    by_hand(params_json_schema=schema)
    assert schema == OPEN


def test_without_strict_mode_it_is_taken_as_it_is():
    assert by_hand(strict_json_schema=False).params_json_schema is OPEN


def test_a_replaced_tool_made_by_hand_is_strict_once():
    tool = by_hand()
    assert dataclasses.replace(tool, name="again").params_json_schema == tool.params_json_schema


@in_both
@pytest.mark.parametrize(
    ("arguments", "text"), [("{}", "{}"), (b"{}", "{}"), ({"a": 1}, '{"a":1}'), (None, "")], ids=repr
)
def test_a_tool_made_by_hand_is_called_by_its_entry(way, arguments, text):
    assert way(by_hand(), arguments) == f"None {text}"


@pytest.mark.parametrize("arguments", [b"\xff", {"a": object()}, {"a": "\ud800"}], ids=["bytes", "object", "surrogate"])
def test_what_json_cannot_hold_is_an_arguments_error(arguments):
    with pytest.raises(ArgumentsError, match=r"cannot be written as JSON in UTF-8$"):
        by_hand().call(arguments)


def test_a_direct_call_of_a_tool_made_by_hand_is_refused():
    with pytest.raises(UserError, match=r"^Cannot call tool 'echo': it has no function. Use its call\(arguments\).$"):
        by_hand()("x")


def test_a_tool_made_by_hand_wraps_nothing():
    assert not hasattr(by_hand(), "__wrapped__")


def test_the_name_of_a_tool_made_by_hand_is_checked():
    with pytest.raises(UserError, match=r"^Cannot make tool 'a b': .* Give it another name.$"):
        by_hand(name="a b")


# Definitions


def published(tool: FunctionTool[..., Any], **options: Any) -> dict[str, Any]:
    return tool.definition(**options)["function"]


def test_a_strict_tool_has_a_strict_definition():
    definition = published(book)
    assert (definition["strict"], definition["parameters"]["required"]) == (True, ["city", "nights"])


def test_a_strict_tool_has_a_loose_definition_on_request():
    assert published(book, strict=False)["parameters"]["required"] == ["city"]


def test_a_tool_that_is_no_longer_strict_has_a_loose_definition():
    assert published(dataclasses.replace(book, strict_json_schema=False))["parameters"]["required"] == ["city"]


def test_the_definition_has_the_name_and_description_of_the_tool():
    definition = published(dataclasses.replace(book, name="stay", description="Stay."))
    assert (definition["name"], definition["description"]) == ("stay", "Stay.")


def test_an_edited_schema_is_what_is_published():
    tool = function_tool(book.__wrapped__)
    tool.params_json_schema["properties"]["city"]["description"] = "A capital."
    assert published(tool)["parameters"]["properties"]["city"]["description"] == "A capital."


def test_the_schema_of_a_tool_made_by_hand_is_published():
    tool = by_hand(strict_json_schema=False, params_json_schema={**OPEN, "additionalProperties": {"type": "string"}})
    assert published(tool)["parameters"]["additionalProperties"] == {"type": "string"}


EDITS: dict[str, Callable[[FunctionTool[..., Any]], object]] = {
    "name": lambda tool: setattr(tool, "name", "stay"),
    "description": lambda tool: setattr(tool, "description", "Stay."),
    "strictness": lambda tool: setattr(tool, "strict_json_schema", False),
    "a property": lambda tool: tool.params_json_schema["properties"].pop("city"),
    "1 to true": lambda tool: tool.params_json_schema["properties"]["city"].update(enum=[True]),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
@pytest.mark.parametrize("is_made_by_hand", [False, True])
def test_a_definition_is_of_the_tool_as_it_is_now(edit: Callable[[FunctionTool[..., Any]], object], is_made_by_hand):
    def edited(tool: FunctionTool[..., Any]) -> FunctionTool[..., Any]:
        edit(tool)
        return tool

    def fresh() -> FunctionTool[..., Any]:
        schema = {"type": "object", "properties": {"city": {"enum": [1]}}}
        return by_hand(params_json_schema=schema) if is_made_by_hand else function_tool(book.__wrapped__)

    tool = fresh()
    tool.definition()

    assert repr(edited(tool).definition()) == repr(edited(fresh()).definition())


def test_a_definition_is_the_callers_own():
    tool = function_tool(book.__wrapped__)
    published(tool)["parameters"]["properties"].clear()
    assert list(published(tool)["parameters"]["properties"]) == ["city", "nights"]


def test_a_copy_has_a_definition_of_its_own():
    tool = function_tool(book.__wrapped__)
    copied = copy.copy(tool)
    copied.name = "stay"
    assert [published(tool)["name"], published(copied)["name"], published(tool)["name"]] == ["book", "stay", "book"]


def test_a_tool_is_taken_as_it_is():
    assert tool_of(book, "openai") == (book, None)


def test_a_function_becomes_a_strict_tool_where_it_can():
    tool, reason = tool_of(book.__wrapped__, "openai")
    assert (tool.strict_json_schema, reason) == (True, None)


def test_a_function_that_only_a_dialect_refuses_as_strict():
    def store(thing: Any) -> None: ...

    assert tool_of(store)[0].strict_json_schema
    tool, reason = tool_of(store, "openai")
    assert not tool.strict_json_schema
    assert str(reason).startswith("Cannot define for openai 'thing' of ")


def test_the_problems_of_a_tool_are_those_of_its_definition():
    tool = function_tool(book.__wrapped__, description_override="x" * 2000)
    assert [problem.severity for problem in tool.problems("openai")] == ["warning"]


def test_an_error_of_a_definition_names_the_function():
    @function_tool
    def store(thing: Any) -> None:
        """Store."""

    with pytest.raises(SchemaError, match=f"{__name__}.*store: "):
        store.definition()


# Methods


class Desk:
    prefix = "T"

    @function_tool
    def open_ticket(self, title: str) -> str:
        """Open a ticket."""
        return self.prefix + title

    @function_tool(name_override="close", timeout=60)
    async def close_ticket(self, number: int) -> str:
        return self.prefix + str(number)

    @function_tool
    @classmethod
    def ping(cls, host: str) -> str:
        return cls.__name__ + host

    @function_tool
    @staticmethod
    def size(title: str) -> int:
        return len(title)

    @staticmethod
    @function_tool
    def width(title: str) -> int:
        return len(title)

    @staticmethod
    @function_tool
    def total(*numbers: int) -> int:
        return sum(numbers)

    @staticmethod
    @function_tool
    def today() -> str:
        return "Monday"


class Counter(Desk):
    prefix = "C"

    def open_ticket(self, title: str) -> str:
        return super().open_ticket(title) + "!"


BOUND: dict[str, tuple[FunctionTool[..., Any], dict[str, Any], Any]] = {
    "method": (Desk().open_ticket, {"title": "x"}, "Tx"),
    "async method": (Desk().close_ticket, {"number": 1}, "T1"),
    "inherited method": (Counter().close_ticket, {"number": 1}, "C1"),
    "classmethod of the class": (Desk.ping, {"host": "h"}, "Deskh"),
    "classmethod of an object": (Desk().ping, {"host": "h"}, "Deskh"),
    "classmethod of a subclass": (Counter.ping, {"host": "h"}, "Counterh"),
    "staticmethod of the class": (Desk.size, {"title": "abc"}, 3),
    "staticmethod of an object": (Desk().size, {"title": "abc"}, 3),
    "function under staticmethod": (Desk().width, {"title": "abc"}, 3),
    "star args under staticmethod": (Desk().total, {"numbers": [1, 2]}, 3),
    "no parameter under staticmethod": (Desk().today, {}, "Monday"),
}


@in_both
@pytest.mark.parametrize(("tool", "arguments", "value"), BOUND.values(), ids=BOUND)
def test_a_method_is_a_tool(way, tool, arguments, value):
    assert list(tool.params_json_schema["properties"]) == list(arguments)
    assert way(tool, arguments) == value


def test_a_bound_tool_is_called_directly():
    assert Desk().open_ticket("x") == "Tx"


def test_an_overriding_method_calls_the_tool_of_its_parent():
    assert Counter().open_ticket("x") == "Cx!"


def test_a_bound_tool_keeps_its_options():
    tool = Desk().close_ticket
    assert (type(tool), tool.name, tool.timeout) == (FunctionTool, "close", 60)


def test_the_schema_of_a_method_is_built_once():
    assert Desk().open_ticket.schema is Desk().open_ticket.schema


def test_a_method_of_the_class_is_called_with_its_object():
    assert Desk.open_ticket(Desk(), "x") == "Tx"


def test_a_method_without_its_object_is_no_tool():
    with pytest.raises(SignatureError) as caught:
        Desk.open_ticket.call({"title": "x"})
    assert str(caught.value) == (
        f"Cannot use the tool {__name__}.Desk.open_ticket: it is a method without its object. "
        "Take the tool from an object, as you would the method."
    )


def test_a_method_without_its_object_has_no_definition():
    with pytest.raises(SignatureError, match="it is a method without its object"):
        Desk.open_ticket.definition()


def test_an_abstract_method_stays_abstract():
    class Base(abc.ABC):
        @function_tool
        @abc.abstractmethod
        def ask(self, question: str) -> str: ...

    with pytest.raises(TypeError, match="abstract"):
        Base()  # type: ignore[abstract]


def test_a_class_in_a_function():
    class Local:
        @function_tool
        def double(self, n: int) -> int:
            return 2 * n

    assert Local().double.call({"n": 2}) == 4


def test_a_decorated_method():
    def traced(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def inner(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        return inner

    class Local:
        @function_tool
        @traced
        def double(self, n: int) -> int:
            return 2 * n

    assert Local().double.call({"n": 2}) == 4


def test_a_function_that_is_put_into_a_class_stays_a_function():
    def shout(text: str) -> str:
        return text.upper()

    class Local:
        tool = function_tool(shout)

    assert Local().tool.call({"text": "a"}) == "A"


def test_a_plain_function_may_have_a_parameter_named_self():
    def shout(self: str) -> str:
        return self.upper()

    tool = function_tool(shout)
    assert tool.call({"self": "a"}) == tool(self="a") == "A"
    assert asyncio.run(tool.acall({"self": "a"})) == "A"


class Plain:
    def open_ticket(self, title: str) -> str:
        return title

    @classmethod
    def ping(cls, host: str) -> str:
        return host


@pytest.mark.parametrize("method", [Plain.open_ticket, Plain.__dict__["ping"]], ids=["method", "classmethod object"])
def test_a_method_from_its_class_is_refused(method):
    with pytest.raises(SignatureError, match=r"Plain\.(open_ticket|ping): "):
        function_tool(method)


def test_under_staticmethod_a_first_parameter_without_annotation_is_refused():
    class Local:
        @staticmethod
        @function_tool
        def double(n) -> int:
            return 2 * n

    with pytest.raises(SignatureError) as caught:
        Local.double.call({})
    assert str(caught.value) == (
        f"Cannot use the tool {__name__}.{Local.double.__qualname__}: its class does not hold the tool itself, "
        "so that nothing can bind it. Write @function_tool above @staticmethod or @classmethod."
    )


def test_under_classmethod_a_tool_is_refused():
    class Local:
        @classmethod
        @function_tool
        def double(cls, n: int) -> int:
            return 2 * n

    with pytest.raises(SignatureError, match="Write @function_tool above"):
        Local.double.call({"n": 1})


# Other processes


def test_tools_run_in_another_process():
    calls = [
        book.prepare({"city": "Rome"}),
        Desk().open_ticket.prepare({"title": "x"}),
        Desk.ping.prepare({"host": "h"}),
    ]
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        assert [run(call, executor) for call in calls] == ["1 in Rome", "Tx", "Deskh"]


@pytest.mark.parametrize("annotations", [{"readonly": True}, {"readOnly": "yes"}, {"title": 1}], ids=str)
def test_annotations_that_mean_nothing_are_refused(annotations: Any) -> None:
    ((name, value),) = annotations.items()

    with pytest.raises(UserError) as caught:
        function_tool(lambda: 1, name_override="one", annotations=annotations)

    assert f"its annotations have {name!r}: {value!r}. They may have title (str), readOnly (bool)," in str(caught.value)


def test_annotations_are_kept() -> None:
    tool = function_tool(lambda: 1, name_override="one", annotations={"readOnly": True})

    assert tool.annotations == {"readOnly": True}
