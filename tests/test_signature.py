"""Any callable is read, or a `SignatureError` says why not."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import functools
import inspect
import json
import math
import operator
import shutil
import statistics
import subprocess
import types
import unittest.mock
from typing import Any, Generic, NamedTuple, TypeVar

import pytest
from pydantic import BaseModel
from typing_extensions import TypeAliasType

from calls import call_of, module_of, properties, table
from fnschema import (
    FunctionTool,
    RunContextWrapper,
    SignatureError,
    ToolContext,
    UserError,
    function_schema,
    function_tool,
)
from fnschema._deferred import Deferred
from fnschema._inspection import EMPTY, inspected
from fnschema._signature import read_signature, takes_context

T = TypeVar("T")


def ship(order: int, carrier: str = "post", *stops: float, express: bool = False, **notes: int) -> None:
    """Ship an order."""


def passed_on(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)

    return inner


@passed_on
@passed_on
def twice_wrapped(shelf: int, row: int = 2) -> None: ...


@functools.lru_cache
def cached(shelf: int, row: int = 2) -> None: ...


@functools.singledispatch
def dispatched(shelf: int, row: int = 2) -> None: ...


async def later(shelf: int, row: int = 2) -> None: ...


class Depot:
    """Where parcels wait."""

    def __init__(self, city: str = "Rome") -> None: ...

    def store(self, shelf: int, row: int = 2) -> None: ...

    @classmethod
    def close(cls, shelf: int, row: int = 2) -> None: ...

    @staticmethod
    def weigh(shelf: int, row: int = 2) -> None: ...

    @functools.lru_cache  # noqa: B019 - what is tested
    def cached(self, shelf: int, row: int = 2) -> None: ...

    @passed_on
    def wrapped(self, shelf: int, row: int = 2) -> None: ...

    @passed_on
    def lines(self, shelf: int):
        yield shelf

    top = functools.partialmethod(store, row=9)

    class Annex:
        def store(self, shelf: int, row: int = 2) -> None: ...


class Scale:
    """Weighs."""

    __slots__ = ()

    def __call__(self, shelf: int, row: int = 2) -> None: ...


class HeirOfScale(Scale): ...


class AsyncScale:
    async def __call__(self, shelf: int, row: int = 2) -> None: ...


class WrappedScale:
    @passed_on
    def __call__(self, shelf: int, row: int = 2) -> None: ...


class StaticScale:
    @staticmethod
    def __call__(shelf: int, row: int = 2) -> None: ...


class ClassScale:
    @classmethod
    def __call__(cls, shelf: int, row: int = 2) -> None: ...


class SignedScale:
    def __init__(self) -> None:
        self.__signature__ = inspect.signature(cached)

    def __call__(self, *args, **kwargs) -> None: ...


READ_ALIKE = {
    "function": twice_wrapped.__wrapped__,
    "wrapped twice": twice_wrapped,
    "cached": cached,
    "partial of cached": functools.partial(cached),
    "singledispatch": dispatched,
    "async function": later,
    "method": Depot().store,
    "classmethod": Depot.close,
    "classmethod of an object": Depot().close,
    "staticmethod": Depot.weigh,
    "staticmethod object": Depot.__dict__["weigh"],
    "cached method": Depot().cached,
    "wrapped method": Depot().wrapped,
    "method of a nested class": Depot.Annex().store,
    "method given its object": functools.partial(Depot.store, Depot()),
    "object": Scale(),
    "object of a subclass": HeirOfScale(),
    "async object": AsyncScale(),
    "object with a wrapped call": WrappedScale(),
    "object with a static call": StaticScale(),
    "object with a class call": ClassScale(),
    "object with a signature": SignedScale(),
    "bound __call__": Scale().__call__,
    "partial of an object": functools.partial(Scale()),
}


@table(READ_ALIKE)
def test_every_kind_of_callable_has_its_parameters(function: Any) -> None:
    assert [(p.name, p.annotation, p.default) for p in read_signature(function).parameters] == [
        ("shelf", int, EMPTY),
        ("row", int, 2),
    ]


@table(READ_ALIKE)
def test_every_kind_of_callable_is_called_with_its_arguments(function: Any) -> None:
    assert call_of(function, {"shelf": 1, "row": 5}) == ([1, 5], {})


def by_position(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args)

    return inner


def by_name(function):
    @functools.wraps(function)
    def inner(**kwargs):
        return function(**kwargs)

    return inner


def the_first_by_position(function):
    @functools.wraps(function)
    def inner(first, **kwargs):
        return function(first, **kwargs)

    return inner


def method_by_name(function):
    @functools.wraps(function)
    def inner(self, **kwargs):
        return function(self, **kwargs)

    return inner


def placed(shelf: int, row: int = 2) -> Any:
    return shelf, row


class Wrapped:
    by_position = by_position(lambda self, shelf, row=2: (shelf, row))
    by_name = method_by_name(lambda self, shelf, row=2: (shelf, row))


class WrappedObject:
    def __init__(self) -> None:
        functools.update_wrapper(self, placed)

    def __call__(self, *args):
        return placed(*args)


class WrappedMaking:
    @by_position
    def __init__(self, shelf: int, row: int = 2) -> None:
        self.place = shelf, row

    def __eq__(self, other: object) -> bool:
        return self.place == other


class WrappedNew:
    place: tuple[int, int]

    @by_position
    def __new__(cls, shelf: int, row: int = 2) -> WrappedNew:
        made = super().__new__(cls)
        made.place = shelf, row
        return made

    def __eq__(self, other: object) -> bool:
        return self.place == other


class WrappedNewByName(WrappedNew):
    __new__ = method_by_name(WrappedNew.__new__.__wrapped__)


NARROW_WRAPPERS = {
    "__new__, *args": WrappedNew,
    "__new__, **kwargs": WrappedNewByName,
    "*args": by_position(placed),
    "**kwargs": by_name(placed),
    "one and **kwargs": the_first_by_position(placed),
    "*args round **kwargs": passed_on(by_name(placed)),
    "**kwargs round any": by_name(passed_on(placed)),
    "singledispatch": functools.singledispatch(placed),
    "cached": functools.cache(by_position(placed)),
    "method, *args": Wrapped().by_position,
    "method, **kwargs": Wrapped().by_name,
    "object, *args": WrappedObject(),
    "class, *args": WrappedMaking,
}


@table(NARROW_WRAPPERS)
def test_a_wrapper_is_called_in_the_way_that_it_takes(function: Any) -> None:
    tool = function_tool(function, name_override="place")
    assert (tool.call({"shelf": 1}), tool.call({"shelf": 1, "row": 5})) == ((1, 2), (1, 5))


@table(
    {
        "*args": (functools.partial(by_position(placed), 1), {"row": 5}),
        "one and **kwargs": (functools.partial(the_first_by_position(placed), 1), {"row": 5}),
        "**kwargs": (functools.partial(by_name(placed), row=5), {"shelf": 1}),
    }
)
def test_a_wrapper_in_a_partial_is_called_in_the_way_that_it_takes(function: Any, arguments: Any) -> None:
    assert function_tool(function).call(arguments) == (1, 5)


def test_a_wrapped_method_in_its_class_body_is_called_in_the_way_that_it_takes() -> None:
    class Warehouse:
        @function_tool
        @method_by_name
        def place(self, shelf: int, row: int = 2) -> Any:
            return shelf, row

    assert Warehouse().place.call({"shelf": 1}) == (1, 2)


CALLS_OF_SHIP = {
    "only what must be": ({"order": 1}, [1, "post"], {"express": False}),
    "by position": ({"order": 1, "carrier": "van"}, [1, "van"], {"express": False}),
    "an omitted default before *stops": ({"order": 1, "stops": [2, 3.5]}, [1, "post", 2.0, 3.5], {"express": False}),
    "keyword-only": ({"order": 1, "express": True}, [1, "post"], {"express": True}),
    "**notes": ({"order": 1, "notes": {"gift": 1}}, [1, "post"], {"express": False, "gift": 1}),
    "null for the variadic ones": ({"order": 1, "stops": None, "notes": None}, [1, "post"], {"express": False}),
}


@table(CALLS_OF_SHIP)
def test_arguments_go_where_python_would_put_them(arguments: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
    assert call_of(ship, arguments) == (args, kwargs)


def told(order: int, carrier: str = "post", *stops: float, express: bool = False, **notes: int) -> Any:
    """What it was called with."""
    return order, carrier, stops, express, notes


class Teller:
    def tell(self, order: int, carrier: str = "post") -> Any:
        return order, carrier


PARTIALS = {
    "positional": (functools.partial(told, 1), {"carrier": "van"}, (1, "van", (), False, {})),
    "two positional": (functools.partial(told, 1, "van"), {"stops": [2]}, (1, "van", (2.0,), False, {})),
    "keyword": (functools.partial(told, express=True), {"order": 1}, (1, "post", (), True, {})),
    "the first by keyword": (functools.partial(told, order=1), {"express": True}, (1, "post", (), True, {})),
    "the second by keyword": (functools.partial(told, carrier="van"), {"order": 1}, (1, "van", (), False, {})),
    "a partial of a partial": (
        functools.partial(functools.partial(told, 1), express=True),
        {"carrier": "van"},
        (1, "van", (), True, {}),
    ),
    "a keyword of **notes": (
        functools.partial(told, gift=1),
        {"order": 1, "notes": {"card": 2}},
        (1, "post", (), False, {"gift": 1, "card": 2}),
    ),
    "a wrapped partial": (passed_on(functools.partial(told, 1)), {"carrier": "van"}, (1, "van", (), False, {})),
    "a wrapped partial by keyword": (
        passed_on(functools.partial(told, express=True)),
        {"order": 1},
        (1, "post", (), True, {}),
    ),
    "one that looks like its function": (
        functools.update_wrapper(functools.partial(told, 1), told),
        {"carrier": "van"},
        (1, "van", (), False, {}),
    ),
    "a wrapped one that looks like its function": (
        passed_on(functools.update_wrapper(functools.partial(told, 1), told)),
        {"carrier": "van"},
        (1, "van", (), False, {}),
    ),
    "a partial of one that looks like its function": (
        functools.partial(functools.update_wrapper(functools.partial(told, 1), told), express=True),
        {"carrier": "van"},
        (1, "van", (), True, {}),
    ),
    "a method's that looks like it": (
        functools.update_wrapper(functools.partial(Teller.tell, Teller()), Teller.tell),
        {"order": 1},
        (1, "post"),
    ),
}


@table(PARTIALS)
def test_what_a_partial_applies_is_not_the_models(partial: Any, arguments: Any, expected: Any) -> None:
    args, kwargs = call_of(partial, arguments)
    assert partial(*args, **kwargs) == expected


def test_a_partial_may_have_a_name_and_a_docstring_of_its_own() -> None:
    urgent = functools.partial(ship, express=True)
    urgent.__name__ = "ship_at_once"  # type: ignore[attr-defined]
    urgent.__doc__ = """Ship an order today.

    Args:
        order: Which one.
    """
    schema = function_schema(functools.partial(urgent, carrier="van"), strict_json_schema=False)
    assert (schema.name, schema.description) == ("ship_at_once", "Ship an order today.")
    assert schema.params_json_schema["properties"]["order"]["description"] == "Which one."


def test_a_keyword_that_a_partial_applied_is_not_the_models_to_send() -> None:
    with pytest.raises(ValueError, match="'gift' is a parameter of its own or not yours to fill"):
        call_of(functools.partial(ship, gift=1), {"order": 1, "notes": {"gift": 2}})


class Parcel:
    """A parcel."""

    def __init__(self, shelf: int, row: int = 2) -> None: ...


class MadeByNew:
    def __new__(cls, shelf: int, row: int = 2) -> MadeByNew:
        return super().__new__(cls)


class Meta(type):
    def __call__(cls, shelf: int, row: int = 2) -> object:
        return shelf


class OfMeta(metaclass=Meta):
    def __init__(self, other: str) -> None: ...


@dataclasses.dataclass
class ParcelData:
    shelf: int
    row: int = 2


class ParcelTuple(NamedTuple):
    shelf: int
    row: int = 2


class GenericParcel(Generic[T]):
    def __init__(self, shelf: int, row: int = 2) -> None: ...


@table({c.__name__: c for c in (Parcel, MadeByNew, OfMeta, ParcelData, ParcelTuple, GenericParcel)})
def test_a_class_is_called_as_its_constructor(cls: Any) -> None:
    assert call_of(cls, {"shelf": 1, "row": 5}) == ([1, 5], {})


def test_a_pydantic_model_is_called_by_keyword() -> None:
    class Box(BaseModel):
        shelf: int
        row: int = 2

    assert call_of(Box, {"shelf": 1}) == ([], {"shelf": 1, "row": 2})


def generate(shelf: int):
    yield shelf


async def generate_later(shelf: int):
    yield shelf


class Generating:
    def __call__(self, shelf: int):
        yield shelf


METHOD = "it is a method without its object. Pass the method of an object: object.method."
GENERATOR = "it is a generator function, whose call runs nothing. Return a list."
NO_TOOLS = {
    "method": (Depot.store, METHOD),
    "method of a nested class": (Depot.Annex.store, METHOD),
    "cached method": (Depot.cached, METHOD),
    "wrapped method": (Depot.wrapped, METHOD),
    "partial method": (Depot.top, METHOD),
    "partial of a method without its object": (functools.partial(Depot.store, row=1), METHOD),
    "method of a builtin": (str.join, METHOD),
    "slot of a builtin": (object.__init__, METHOD),
    "classmethod object": (
        Depot.__dict__["close"],
        "it is a classmethod object without its class. Take the method from its class.",
    ),
    "generator": (generate, GENERATOR),
    "async generator": (generate_later, GENERATOR),
    "wrapped generator": (passed_on(generate), GENERATOR),
    "contextmanager": (contextlib.contextmanager(generate), GENERATOR),
    "method that is a wrapped generator": (Depot().lines, GENERATOR),
    "partial of a generator": (functools.partial(generate), GENERATOR),
    "generating object": (Generating(), GENERATOR),
    "number": (5, "it is not callable. Pass a function."),
    "nothing": (None, "it is not callable. Pass a function."),
    "module": (math, "it is not callable. Pass a function."),
    "class with type arguments": (
        GenericParcel[int],
        "a type with arguments has no signature of its own. Pass the class itself.",
    ),
}


@table(NO_TOOLS)
def test_what_is_no_tool_says_why(function: Any, reason: str) -> None:
    with pytest.raises(SignatureError) as caught:
        read_signature(function)
    assert [problem.path for problem in caught.value.problems] == [""]
    assert str(caught.value).startswith("Cannot read the signature of ")
    assert str(caught.value).endswith(": " + reason)


def test_a_wrapper_without_end_is_refused() -> None:
    with pytest.raises(SignatureError, match="it has no signature that Python can read"):
        read_signature(unittest.mock.call)


def test_a_method_of_a_local_class_is_found_without_its_object() -> None:
    class Local:
        def store(this, shelf: int) -> None: ...

        @staticmethod
        def weigh(shelf: int) -> None: ...

    with pytest.raises(SignatureError, match=r"Local\.store: it is a method without its object"):
        read_signature(Local.store)
    assert call_of(Local.weigh, {"shelf": 1}) == ([1], {})


def class_out_of_sight() -> Any:
    class Hidden:
        def store(self, shelf: int) -> None: ...

        def close(cls, shelf: int) -> None: ...

        def weigh(self: int) -> None: ...

    return Hidden


def test_without_its_class_a_method_is_known_by_the_name_of_its_first_parameter() -> None:
    hidden = class_out_of_sight()

    for method in (hidden.store, hidden.close):
        with pytest.raises(SignatureError, match=r"it is a method without its object. Pass the method of an object"):
            read_signature(method)
    assert call_of(hidden.weigh, {"self": 1}) == ([1], {})


def test_a_signature_names_its_function_with_module() -> None:
    assert read_signature(Depot().store).qualified_name == f"{__name__}.Depot.store"


def weighed(parcel: int, scale: str = "kg") -> None: ...


class Scales:
    @functools.wraps(weighed)
    def weigh(self, *args: Any, **kwargs: Any) -> None: ...


def test_a_method_that_wraps_a_plain_function_has_all_its_parameters() -> None:
    assert [p.name for p in read_signature(Scales().weigh).parameters] == ["parcel", "scale"]


def by_keyword_only(*, shelf: int) -> None: ...


@table({"nothing": lambda: None, "keyword-only": by_keyword_only, "stars": lambda *shelves: None})
def test_a_method_needs_a_parameter_for_its_object(function: Any) -> None:
    with pytest.raises(SignatureError) as caught:
        read_signature(function, bound_first=True)
    assert str(caught.value).endswith(": a method needs a first parameter for its object. Add self.")


U = TypeVar("U")


class Stock(Generic[T]):
    def find(self, wanted: T, others: list[T | None], rest: dict[str, T]) -> T: ...

    @classmethod
    def make(cls, wanted: T) -> None: ...

    def __call__(self, wanted: T) -> None: ...


class NumberedStock(Stock[int]): ...


class PairStock(Stock[tuple[T, U]], Generic[U, T]): ...


class MixedStock(PairStock[str, int]): ...


class PlannedStock(Stock["Parcel"]): ...


class ModelStock(BaseModel, Generic[T]):
    def find(self, wanted: T) -> None: ...


TYPES_OF_WANTED = {
    "method of an heir": (NumberedStock().find, int),
    "method of an alias": (Stock[int]().find, int),
    "method of an heir's heir": (MixedStock().find, tuple[int, str]),
    "method of an heir's alias": (PairStock[str, int]().find, tuple[int, str]),
    "class method": (NumberedStock.make, int),
    "callable object": (NumberedStock(), int),
    "partial": (functools.partial(NumberedStock().find, rest={}), int),
    "written as a string": (PlannedStock().find, Parcel),
    "pydantic model": (ModelStock[int]().find, int),
    "nothing known": (Stock().find, T),
}


@table(TYPES_OF_WANTED)
def test_type_variables_of_a_class_are_what_the_object_makes_of_them(function: Any, expected: Any) -> None:
    assert read_signature(function).parameters[0].annotation == expected


def test_type_variables_are_found_inside_of_other_types() -> None:
    signature = read_signature(NumberedStock().find)
    assert [p.annotation for p in signature.parameters[1:]] == [list[int | None], dict[str, int]]
    assert signature.return_annotation is int


def test_self_of_a_plain_function_is_a_parameter() -> None:
    def rate(self: int, cls: int) -> None: ...

    def bare(self, rows: int) -> None: ...

    assert call_of(rate, {"self": 1, "cls": 2}) == ([1, 2], {})
    assert call_of(bare, {"self": 1, "rows": 2}) == ([1, 2], {})


WITHOUT_SIGNATURE = [max, getattr, iter, vars, dict, int.__class__, str, range]


@pytest.mark.parametrize("function", WITHOUT_SIGNATURE, ids=repr)
def test_a_builtin_without_a_signature_is_refused_by_name(function: Any) -> None:
    with pytest.raises(SignatureError, match="Wrap it in a function whose parameters are annotated"):
        read_signature(function)


@pytest.mark.parametrize("function", [len, math.sqrt, math.gcd, json.dumps, sorted, operator.add, [].append], ids=repr)
def test_a_builtin_with_a_signature_is_read(function: Any) -> None:
    names = [p.name for p in read_signature(function).parameters]
    assert names == list(inspect.signature(function).parameters)


def test_a_signature_that_a_decorator_set_is_believed() -> None:
    def inner(*args: Any, **kwargs: Any) -> None: ...

    inner.__signature__ = inspect.Signature(
        [inspect.Parameter("city", inspect.Parameter.KEYWORD_ONLY, annotation="str")]
    )  # type: ignore[attr-defined]
    assert call_of(inner, {"city": "Rome"}) == ([], {"city": "Rome"})


def test_a_lambda_needs_a_name() -> None:
    with pytest.raises(SignatureError, match="a lambda has no name"):
        function_schema(lambda x: x)
    assert function_schema(lambda x: x, name_override="same").name == "same"


# The context: found where it may stand, and refused elsewhere.
def first(ctx: RunContextWrapper[int], x: int) -> None: ...
def first_tool_context(ctx: ToolContext, x: int) -> None: ...
def optional(ctx: RunContextWrapper[int] | None, x: int) -> None: ...
def quoted(ctx: "RunContextWrapper[int] | None", x: int) -> None: ...  # noqa: UP037 - twice a string
def keyword_only(x: int, *, ctx: RunContextWrapper[int]) -> None: ...
def keyword_first(*, ctx: RunContextWrapper[int] = None, x: int) -> None: ...
def positional_only(ctx: RunContextWrapper[int], /, x: int) -> None: ...


class Service:
    def method(self, ctx: ToolContext, x: int) -> None: ...


CONTEXTS = {
    f.__name__: f for f in (first, first_tool_context, optional, quoted, keyword_only, keyword_first, positional_only)
}
CONTEXTS |= {"method": Service().method, "partial": functools.partial(first)}


@table(CONTEXTS)
def test_the_context_is_found_and_hidden(function: Any) -> None:
    schema = function_schema(function)
    assert schema.takes_context
    assert list(schema.params_json_schema["properties"]) == ["x"]


@table(CONTEXTS)
def test_the_context_is_passed_by_its_kind(function: Any) -> None:
    wrapper = ToolContext(7)
    args, kwargs = function_schema(function, strict_json_schema=False).bind('{"x": 1}', wrapper)
    bound = inspect.signature(function).bind(*args, **kwargs)
    assert bound.arguments == {"ctx": wrapper, "x": 1}


@pytest.mark.parametrize(
    "annotation",
    ["RunContextWrapper[Missing]", "Optional[RunContextWrapper[Missing]]", "RunContextWrapper[Missing] | None",
     "'RunContextWrapper[Missing]'", "Annotated[RunContextWrapper[Missing], 'c']", "ToolContext[missing.Missing]",
     "fnschema.RunContextWrapper[dict[str, Missing]]", "None | ToolContext[Missing[int]]"],
)  # fmt: skip
def test_a_context_of_a_type_that_is_not_there_at_run_time(annotation: str) -> None:
    module = module_of(
        "from __future__ import annotations\nimport fnschema\nfrom typing import Annotated, Optional\n"
        "from fnschema import RunContextWrapper, ToolContext\n"
        f"def f(c: {annotation}, x: int): ..."
    )
    assert list(properties(module.f)) == ["x"]


Aliased = TypeAliasType("Aliased", RunContextWrapper[int])


def test_a_context_by_another_name_is_one() -> None:
    def f(ctx: Aliased, x: int) -> None: ...

    assert list(properties(f)) == ["x"]


def second(x: int, ctx: RunContextWrapper[int]) -> None: ...
def two(ctx: RunContextWrapper[int], *, other: ToolContext) -> None: ...
def star(*ctx: RunContextWrapper[int]) -> None: ...


@table({"second": (second, "'ctx'"), "two": (two, "'ctx', 'other'"), "star": (star, "'ctx'")})
def test_a_context_elsewhere_is_the_authors_mistake(function: Any, names: str) -> None:
    with pytest.raises(UserError) as caught:
        function_schema(function)
    assert str(caught.value) == (
        f"Cannot inject the context into parameter {names} of {function.__module__}.{function.__qualname__}: "
        "a RunContextWrapper or ToolContext is the first parameter or keyword-only, and there is one. Move it."
    )


def test_a_context_in_a_string_is_looked_for_where_the_function_was_written() -> None:
    wrapper = RunContextWrapper

    def instructions(ctx: wrapper[int], other: dict[str, int]) -> str:  # type: ignore[valid-type]
        return str(wrapper)

    ctx, other = inspect.signature(instructions).parameters.values()
    assert takes_context(instructions, ctx)
    assert not takes_context(instructions, other)


def test_a_union_of_the_context_and_a_type_is_no_context() -> None:
    def f(ctx: RunContextWrapper[int] | int) -> None: ...

    assert not read_signature(f).context


def test_a_method_in_its_class_body_is_bound_later() -> None:
    class Shop:
        @function_tool
        def pay(self, amount: int) -> int:
            """Pay."""
            return amount

    tool = Shop().pay
    assert isinstance(tool, FunctionTool)
    assert tool.call({"amount": 3}) == 3


def every_kind(
    a: int, b: str = "b", /, c: float = 1.0, *args: bool, d: list[int], e: None = None, **kwargs: int
) -> None: ...
def by_name_only(*, d, e=2): ...  # type: ignore[no-untyped-def]
def stars(*args, **kwargs): ...  # type: ignore[no-untyped-def]
def nothing() -> int: ...  # type: ignore[empty-body]


PLAIN = {
    f.__qualname__: f
    for f in (
        *(every_kind, by_name_only, stars, nothing, ship, later, lambda x, y=1: x),
        *(f for module in (shutil, statistics, subprocess, argparse) for f in vars(module).values()),
    )
    if type(f) is types.FunctionType and not vars(f) and not inspect.isgeneratorfunction(f)
}


@table(PLAIN)
def test_a_plain_function_is_read_from_its_code_as_python_reads_it(function: Any) -> None:
    parameters = inspect.signature(function).parameters.values()
    found = inspected(function)
    assert [tuple(p) for p in found.parameters] == [(p.name, p.kind, p.annotation, p.default) for p in parameters]
    assert found.return_annotation is inspect.signature(function).return_annotation
    assert isinstance(found.signature, Deferred)
    assert found.signature.value() == inspect.signature(function)
