"""`FuncSchema`: what it says of a function, made by `function_schema` or by hand."""

from __future__ import annotations

import copy
import dataclasses
import enum
import inspect
import json
import pickle
import re
from typing import Annotated, Any, Generic, Optional, TypeVar

import pydantic
import pytest
from pydantic import BaseModel, Field

from calls import call_of, table
from fnschema import ArgumentsError, FuncSchema, RunContextWrapper, SignatureError, UserError, function_schema
from fnschema._function_schema import build_function_schema

T = TypeVar("T")


def book(city: str, nights: int = 1, *guests: str, quiet: bool = False) -> str:
    """Book a room.

    Args:
        city: Where to sleep.
    """
    return city


def test_what_it_says() -> None:
    schema = function_schema(book, strict_json_schema=False)
    assert dataclasses.asdict(dataclasses.replace(schema, params_pydantic_model=BaseModel)) | {"policy": None} == {
        "name": "book",
        "description": "Book a room.",
        "params_pydantic_model": BaseModel,
        "params_json_schema": {
            "properties": {
                "city": {"description": "Where to sleep.", "title": "City", "type": "string"},
                "nights": {"default": 1, "title": "Nights", "type": "integer"},
                "guests": {"items": {"type": "string"}, "title": "Guests", "type": "array"},
                "quiet": {"default": False, "title": "Quiet", "type": "boolean"},
            },
            "required": ["city"],
            "title": "book_args",
            "type": "object",
        },
        "signature": inspect.signature(book),
        "takes_context": False,
        "strict_json_schema": False,
        "return_annotation": str,
        "hidden": (),
        "policy": None,
    }


def test_name_and_description_may_be_given() -> None:
    schema = function_schema(book, name_override="reserve", description_override="Reserve.")
    assert (schema.name, schema.description) == ("reserve", "Reserve.")
    assert schema.params_json_schema["title"] == "reserve_args"
    assert schema.params_json_schema["properties"]["city"]["description"] == "Where to sleep."


def test_the_docstring_may_be_left_out() -> None:
    schema = function_schema(book, use_docstring_info=False)
    assert schema.description is None
    assert "description" not in schema.params_json_schema["properties"]["city"]


def test_a_strict_schema_requires_everything_and_is_closed() -> None:
    schema = function_schema(book).params_json_schema
    assert sorted(schema["required"]) == ["city", "guests", "nights", "quiet"]
    assert schema["additionalProperties"] is False


class BookArgs(BaseModel):
    city: str
    nights: int = 1
    guests: list[str] = []
    quiet: bool = False


def by_hand(function: Any = book, model: type[BaseModel] = BookArgs, **more: Any) -> FuncSchema:
    return FuncSchema(
        name="book",
        description=None,
        params_pydantic_model=model,
        params_json_schema=model.model_json_schema(),
        signature=inspect.signature(function),
        **more,
    )


def test_one_made_by_hand_validates_and_binds() -> None:
    schema = by_hand()
    assert schema.to_call_args(schema.validate('{"city": "Rome", "guests": ["a"]}')) == (
        ["Rome", 1, "a"],
        {"quiet": False},
    )


INSTANCES = {
    "made": BookArgs(city="Rome", quiet=True),
    "validated": BookArgs.model_validate({"city": "Rome", "quiet": True}),
    "constructed": BookArgs.model_construct(city="Rome", quiet=True),
    "copied": BookArgs(city="Oslo").model_copy(update={"city": "Rome", "quiet": True}),
}


@table(INSTANCES)
def test_any_instance_of_the_model_binds(data: BaseModel) -> None:
    assert by_hand().to_call_args(data) == (["Rome", 1], {"quiet": True})


class NoCity(BaseModel):
    nights: int = 1


@table({"no such field": NoCity(), "constructed without it": BookArgs.model_construct(nights=2)})
def test_an_instance_that_does_not_fill_a_parameter_is_refused(data: BaseModel) -> None:
    with pytest.raises(ArgumentsError, match=r"^Invalid JSON input for tool book: /city: is missing$"):
        by_hand(model=type(data)).to_call_args(data)


def test_one_made_by_hand_may_take_the_context() -> None:
    def with_context(ctx: RunContextWrapper[Any], city: str, *, quiet: bool = False) -> None: ...

    schema = by_hand(with_context, takes_context=True)
    assert schema.to_call_args(BookArgs(city="Rome")) == (["Rome"], {"quiet": False})
    args, kwargs = schema.bind('{"city": "Rome"}', "ctx")
    assert inspect.signature(with_context).bind(*args, **kwargs).arguments == {
        "ctx": "ctx",
        "city": "Rome",
        "quiet": False,
    }


def test_instances_of_a_built_model_bind_too() -> None:
    schema = function_schema(book, strict_json_schema=False)
    model = schema.params_pydantic_model
    for data in (model(city="Rome"), model.model_validate({"city": "Rome"}), model.model_construct(city="Rome")):
        assert schema.to_call_args(data) == (["Rome", 1], {"quiet": False})


def test_the_built_model_is_an_ordinary_model() -> None:
    model = function_schema(book, strict_json_schema=False).params_pydantic_model
    assert issubclass(model, BaseModel)
    assert model.__name__ == "book_args"
    assert model(city="a").model_dump() == {"city": "a", "nights": 1, "guests": [], "quiet": False}
    with pytest.raises(pydantic.ValidationError):
        model(city=1)


class Counted(BaseModel):
    n: int = 0

    def model_post_init(self, context: Any, /) -> None:
        if self.n < 0:
            raise ValueError("count upwards")
        self.n += 1


class Doubled(BaseModel):
    n: int = 0

    def __init__(self, n: int) -> None:
        super().__init__(n=2 * n)


@table({"model_post_init": (Counted, 4), "__init__": (Doubled, 6)})
def test_a_model_given_by_hand_is_made_as_it_says(model: type[BaseModel], expected: int) -> None:
    def count(n: int = 0) -> None: ...

    for schema in (
        by_hand(count, model),
        dataclasses.replace(function_schema(count), params_pydantic_model=model),
    ):
        assert schema.to_call_args(schema.validate({"n": 3})) == ([expected], {})
        assert inspect.signature(count).bind(*schema.bind({"n": 3})[0], **schema.bind({"n": 3})[1]).arguments == {
            "n": expected
        }


def test_what_model_post_init_refuses_is_refused() -> None:
    def count(n: int = 0) -> None: ...

    with pytest.raises(ArgumentsError, match="count upwards"):
        by_hand(count, Counted).bind({"n": -1})


def test_replace_keeps_what_was_not_replaced() -> None:
    schema = function_schema(book, strict_json_schema=False, unknown_arguments="ignore")
    other = dataclasses.replace(schema, name="reserve")
    assert (schema.name, other.name) == ("book", "reserve")
    assert other.to_call_args(other.validate('{"city": "Rome", "x": 1}')) == (["Rome", 1], {"quiet": False})


def test_replace_after_use_names_the_new_tool_in_errors() -> None:
    schema = function_schema(book, strict_json_schema=False)
    schema.validate({"city": "Rome"})
    with pytest.raises(ValueError, match="for tool reserve: /city"):
        dataclasses.replace(schema, name="reserve").validate("{}")


def find(pattern: re.Pattern[str], after: int = 0) -> None: ...


@table({"written without a model": (book, {"city": "a"}), "written by pydantic": (find, {"pattern": "a", "after": 1})})
def test_a_schema_travels_before_its_first_call_and_after(function: Any, arguments: dict[str, Any]) -> None:
    schema = function_schema(function)
    unused = pickle.loads(pickle.dumps(schema))
    called = schema.bind(arguments)
    assert schema.definition_schema["properties"].keys() == schema.params_json_schema["properties"].keys()
    for travelled in (unused, pickle.loads(pickle.dumps(schema))):
        assert travelled.params_json_schema == schema.params_json_schema
        assert travelled.bind(arguments) == called
        assert travelled.validate(arguments).model_dump() == schema.validate(arguments).model_dump()


def test_a_schema_travels_without_its_function() -> None:
    def reserve(city: str, nights: int = 1) -> None: ...

    travelled = pickle.loads(pickle.dumps(function_schema(reserve)))
    assert travelled.signature == inspect.signature(reserve)
    assert travelled.bind({"city": "a"}) == ((), {"city": "a"})


def test_a_copy_works() -> None:
    schema = function_schema(book, strict_json_schema=False)
    assert copy.copy(schema).to_call_args(schema.validate({"city": "a"})) == (["a", 1], {"quiet": False})


def with_client(query: str, client: Any = None, limit: int = 3, *, debug: bool = False, **rest: int) -> None: ...


HIDDEN = {
    "one": (["client"], ["query", "limit", "debug", "rest"], (["a", None, 3], {"debug": False})),
    "keyword-only": (["debug"], ["query", "client", "limit", "rest"], (["a", None, 3], {"debug": False})),
    "several": (["client", "limit", "rest"], ["query", "debug"], (["a", None, 3], {"debug": False})),
}


@table(HIDDEN)
def test_hidden_parameters_take_their_default(hide: list[str], shown: list[str], call: Any) -> None:
    schema = function_schema(with_client, strict_json_schema=False, hide=hide)
    assert list(schema.params_json_schema["properties"]) == shown
    assert schema.hidden == tuple(hide)
    assert call_of(with_client, {"query": "a"}, hide=hide) == call


WRONGLY_HIDDEN = {
    "unknown": (["nobody"], "it is to be hidden and there is no such parameter"),
    "required": (["query"], "it is to be hidden and has no default"),
}


@table(WRONGLY_HIDDEN)
def test_what_cannot_be_hidden_is_the_authors_mistake(hide: list[str], reason: str) -> None:
    with pytest.raises(UserError, match=reason):
        function_schema(with_client, hide=hide, strict_json_schema=False)


UNKNOWN_OPTIONS = {
    "docstring_style": (
        {"docstring_style": "latex"},
        "'latex' is unknown. Use one of None, 'google', 'numpy', 'sphinx', ",
    ),
    "open_objects": ({"open_objects": "entry"}, "'entry' is unknown. Use one of 'reject', 'entries'."),
    "unknown_arguments": ({"unknown_arguments": "ignored"}, "'ignored' is unknown. Use one of 'refuse', 'ignore'."),
    "hide": ({"hide": "client"}, "'client' is one text. Write hide=['client']."),
}


@table(UNKNOWN_OPTIONS)
def test_an_option_that_is_unknown_is_the_authors_mistake(options: dict[str, str], reason: str) -> None:
    (name,) = options
    with pytest.raises(UserError) as caught:
        function_schema(with_client, **options)  # type: ignore[arg-type]
    assert str(caught.value).startswith(f"Cannot describe {__name__}.with_client: {name}={reason}")


def test_the_name_of_a_hidden_parameter_is_unknown() -> None:
    with pytest.raises(ValueError, match="'client' is unknown"):
        call_of(with_client, {"query": "a", "client": 1}, hide=["client"])


def injected(a: int, context_variables: dict[str, Any], b: int = 2, *rest: int) -> None: ...


def built(function: Any) -> FuncSchema:
    return build_function_schema(
        function,
        docstring_style=None,
        name_override=None,
        description_override=None,
        use_docstring_info=True,
        strict_json_schema=False,
        open_objects="reject",
        hide=(),
        unknown_arguments="refuse",
        max_bytes=10_000,
        injected=("context_variables",),
    )


def test_injected_parameters_need_no_default_and_are_passed_as_the_object() -> None:
    mine: dict[str, Any] = {"x": []}
    args, kwargs = built(injected).bind('{"a": 1, "rest": [3]}', injected={"context_variables": mine})
    bound = inspect.signature(injected).bind(*args, **kwargs)
    assert bound.arguments["context_variables"] is mine
    assert dict(bound.arguments) == {"a": 1, "context_variables": mine, "b": 2, "rest": (3,)}


def test_a_name_to_inject_that_no_parameter_has_is_passed_over() -> None:
    assert built(book).policy.injected == ()


def test_every_schema_is_a_new_dict() -> None:
    first, second = (function_schema(book, strict_json_schema=False).params_json_schema for _ in range(2))
    first["properties"]["city"]["type"] = "spoiled"
    assert second["properties"]["city"]["type"] == "string"
    assert function_schema(book, strict_json_schema=False).params_json_schema == second


class Level(enum.Enum):
    LOW = 1


class Node(BaseModel):
    level: Level = Level.LOW
    children: list[Node] = []


def tree(node: Node, levels: list[Level]) -> None: ...


def test_the_definitions_of_a_schema_are_its_own() -> None:
    first = function_schema(tree, strict_json_schema=False).params_json_schema
    before = json.dumps(first)
    first["$defs"]["Node"]["properties"].clear()
    first["$defs"]["Level"]["enum"].append(2)
    assert json.dumps(function_schema(tree, strict_json_schema=False).params_json_schema) == before


@pytest.mark.parametrize("levels", [110, 400, 5000])
def test_a_type_nested_too_deeply_is_the_authors_mistake(levels: int) -> None:
    annotation: Any = int
    for _ in range(levels):
        annotation = list[annotation]

    def deep(x): ...  # type: ignore[no-untyped-def]

    deep.__annotations__ = {"x": annotation}
    with pytest.raises(UserError, match="too deeply nested"):
        function_schema(deep)


def test_two_classes_of_one_name_stay_two() -> None:
    def made(field: str) -> type[BaseModel]:
        return pydantic.create_model("Same", **{field: (int, ...)})  # type: ignore[call-overload,no-any-return]

    one, two = made("a"), made("b")

    def f(x, y): ...  # type: ignore[no-untyped-def]

    f.__annotations__ = {"x": one, "y": two}
    assert call_of(f, {"x": {"a": 1}, "y": {"b": 2}}) == ([one(a=1), two(b=2)], {})
    assert len(function_schema(f, strict_json_schema=False).params_json_schema["$defs"]) == 2


def test_generic_models_keep_their_arguments() -> None:
    class Box(BaseModel, Generic[T]):
        held: T

    def f(a: Box[int], b: Box[str]) -> None: ...

    f.__annotations__ = {"a": Box[int], "b": Box[str]}
    assert call_of(f, {"a": {"held": "1"}, "b": {"held": "1"}}) == ([Box[int](held=1), Box[str](held="1")], {})


def test_problems_of_several_parameters_come_at_once() -> None:
    def f(a: Missing, b: Any = Field(alias="c"), c: int = 1) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(SignatureError) as caught:
        function_schema(f)
    assert [p.path for p in caught.value.problems] == ["/properties/a", "/properties/b"]


def test_an_optional_with_a_bound_keeps_both() -> None:
    def f(a: Optional[Annotated[int, Field(ge=1)]] = None) -> None: ...

    schema = function_schema(f, strict_json_schema=False).params_json_schema
    assert schema["properties"]["a"]["anyOf"] == [{"minimum": 1, "type": "integer"}, {"type": "null"}]
