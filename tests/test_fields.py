"""What each kind of parameter becomes in the arguments model, and how it finds its way back."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import functools
import inspect
import math
import re
import threading
import warnings
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Final, Literal, NotRequired, Optional, Required, TypeVar

import pytest
from pydantic import AliasChoices, AliasPath, BaseModel, Field, SecretStr, ValidationError
from typing_extensions import Doc, TypeAliasType, TypedDict, Unpack

from calls import call_of, module_of, properties, refusal, table
from fnschema import RunContextWrapper, SignatureError, function_schema
from fnschema._fields import admits_none, json_can_hold

T = TypeVar("T")
Age = TypeAliasType("Age", Annotated[int, Field(ge=0, description="Years.")])
Maybe = TypeAliasType("Maybe", int | None)


class Shade(enum.Enum):
    DARK = "dark"


class Client:
    """A thing that JSON cannot hold."""


CLIENT = Client()


def hostile(
    _x: int, __y: int = 2, model_config: int = 3, schema: int = 4, json: int = 5, copy: int = 6, self: int = 7,
    args: int = 8, model_dump: int = 9, parameter_x: int = 10, _: int = 11, model_fields: int = 12, größe: int = 13,
) -> None: ...  # fmt: skip


def test_any_legal_name_is_a_property() -> None:
    assert list(properties(hostile)) == list(hostile.__code__.co_varnames)


def test_any_legal_name_reaches_its_parameter() -> None:
    sent = {name: -i for i, name in enumerate(hostile.__code__.co_varnames)}
    assert call_of(hostile, sent) == ([-i for i in range(13)], {})


def test_defaults_of_renamed_fields_reach_their_parameters() -> None:
    assert call_of(hostile, {"_x": 1}) == ([1, *range(2, 14)], {})


def test_names_cause_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _ = function_schema(hostile, strict_json_schema=False).params_pydantic_model


def test_a_name_that_begins_like_a_method_of_pydantics_causes_no_warning() -> None:
    def export(model_dump_all: bool, model_validate_first: bool = True) -> None: ...

    assert call_of(export, {"model_dump_all": True}) == ([True, True], {})


def test_flat_keywords_do_not_vanish_beside_the_object_that_holds_them() -> None:
    def order(**amounts: int) -> None: ...

    model = function_schema(order, strict_json_schema=False).params_pydantic_model
    with pytest.raises(ValidationError, match="extra_forbidden"):
        model(amounts={"nails": 1}, screws=2)


def test_the_name_of_a_renamed_field_is_no_argument() -> None:
    def deploy(model_config: str = "a") -> None: ...

    assert "'parameter_model_config' is unknown" in refusal(deploy, {"parameter_model_config": "b"})


def test_the_model_can_be_made_by_keyword() -> None:
    schema = function_schema(hostile, strict_json_schema=False)
    assert schema.to_call_args(schema.params_pydantic_model(_x=1, json=0))[0][:6] == [1, 2, 3, 4, 0, 6]


def on_default(a: int = Field(alias="x")) -> None: ...
def on_default_with_default(a: int = Field(3, alias="x")) -> None: ...
def annotated(a: Annotated[int, Field(alias="x")]) -> None: ...
def validation_alias(a: int = Field(validation_alias="x")) -> None: ...
def choices(a: int = Field(validation_alias=AliasChoices("x", "y"))) -> None: ...
def path_first(a: int = Field(validation_alias=AliasChoices(AliasPath("deep", "er"), "x"))) -> None: ...
def path_of_one_first(a: int = Field(validation_alias=AliasChoices(AliasPath("x"), "y"))) -> None: ...
def none_as_default(a: Annotated[int, Field(alias="x")] = None) -> None: ...  # noqa: RUF013 - what is tested
def hostile_alias(schema: int = Field(alias="x")) -> None: ...


ALIASED = {
    f.__name__: f
    for f in (
        on_default,
        on_default_with_default,
        annotated,
        validation_alias,
        choices,
        path_first,
        path_of_one_first,
        none_as_default,
        hostile_alias,
    )
}


@table(ALIASED)
def test_the_model_sees_the_alias(function: Any) -> None:
    assert list(properties(function)) == ["x"]


@table(ALIASED)
def test_the_function_gets_what_came_under_the_alias(function: Any) -> None:
    assert call_of(function, {"x": 7}) == ([7], {})


@table(ALIASED)
def test_the_python_name_of_an_aliased_parameter_is_unknown(function: Any) -> None:
    name = next(iter(function.__annotations__))
    assert f"'{name}' is unknown" in refusal(function, {name: 7})


def test_every_alias_of_several_is_taken() -> None:
    assert call_of(choices, {"y": 7}) == ([7], {})


@pytest.mark.parametrize("path", [("deep", "er"), ("deep",)])
def test_an_alias_that_is_a_path_is_taken_beside_the_published_name(path: tuple[str, ...]) -> None:
    def f(a=Field(validation_alias=AliasPath(*path))): ...  # type: ignore[no-untyped-def]

    assert list(properties(f)) == ["a"]
    assert call_of(f, {"a": 1}) == call_of(f, {"deep": {"er": 1} if path[1:] else 1}) == ([1], {})


CLASHES = {
    "an alias and a name": ("def f(src: Annotated[str, Field(alias='dst')], dst: str): ...", "'src' and 'dst'"),
    "a path of one key among choices, and a name": (
        "def f(a: int = Field(validation_alias=AliasChoices(AliasPath('x'), 'y')), x: int = 1): ...",
        "'a' and 'x'",
    ),
    "two aliases": ("def f(a: int = Field(alias='x'), b: int = Field(alias='x')): ...", "'a' and 'b'"),
}


@table(CLASHES)
def test_two_parameters_under_one_name_are_refused(source: str, names: str) -> None:
    namespace: dict[str, Any] = {}
    exec(source, globals(), namespace)
    with pytest.raises(SignatureError, match=f"the model would see {names} under the same name"):
        function_schema(namespace["f"])


def test_a_field_as_default_gives_its_default() -> None:
    def f(a: int = Field(3, ge=1), b: list[int] = Field(default_factory=lambda: [1])) -> None: ...

    assert call_of(f, {}) == ([3, [1]], {})


def test_a_field_as_default_gives_its_default_to_a_hidden_parameter() -> None:
    def f(
        a: int = 1, b: int = Field(5), *, c: list[int] = Field(default_factory=list), d: object = Field(7)
    ) -> None: ...

    call = ([1, 5], {"c": [], "d": 7})
    assert call_of(f, {}, hide=["b", "c", "d"]) == call
    schema = function_schema(f, strict_json_schema=False, hide=["b", "c"])
    first, second = (schema.bind({})[1]["c"] for _ in range(2))
    assert first is not second


def test_a_field_as_default_gives_its_default_to_what_nothing_describes() -> None:
    lock = threading.Lock()

    def f(a: int, b: threading.Lock = Field(lock)) -> None: ...  # type: ignore[valid-type]

    assert call_of(f, {"a": 1}) == ([1, lock], {})


def test_a_field_without_a_default_cannot_be_hidden() -> None:
    def f(a: int = Field(gt=3)) -> None: ...

    with pytest.raises(SignatureError, match=r"'a' of .+: it is to be hidden and has no default"):
        function_schema(f, hide=["a"])


def test_a_default_in_annotated_reaches_the_function() -> None:
    def f(a: Annotated[int, Field(default=7)], *, b: Annotated[list[int], Field(default_factory=list)]) -> None: ...

    assert call_of(f, {}) == ([7], {"b": []})


def test_the_default_of_python_beats_the_one_in_annotated() -> None:
    def f(a: Annotated[int, Field(default=7)] = 8) -> None: ...

    assert call_of(f, {}) == ([8], {})


KEPT = {
    "object": object(),
    "not a number": math.nan,
    "infinite": -math.inf,
    "infinite inside": (1.0, math.inf),
    "bytes that are no text": b"\xff",
    "lock": threading.Lock(),
    "iterator": iter([1]),
    "class": int,
    "function": len,
    "secret": SecretStr("hunter2"),
    "ellipsis": ...,
}


@table(KEPT)
def test_a_default_that_json_cannot_hold_is_not_published(default: Any) -> None:
    def f(a: Any = default) -> None: ...

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "default" not in properties(f)["a"]


@table(KEPT | {"date": datetime.date(2026, 1, 2), "member": Shade.DARK, "tuple": (1, 2), "frozen set": frozenset({1})})
def test_a_default_reaches_the_function_as_the_same_object(default: Any) -> None:
    def f(a: Any = default, *, b: Any = default) -> None: ...

    schema = function_schema(f, strict_json_schema=False)
    args, kwargs = schema.to_call_args(schema.validate("{}"))
    assert args[0] is kwargs["b"] is default


@pytest.mark.parametrize("default", [[1], {"a": [1]}, {1}], ids=repr)
def test_a_mutable_default_is_fresh_for_every_call(default: Any) -> None:
    def f(a: Any = default) -> None: ...

    schema = function_schema(f, strict_json_schema=False)
    first, second = (schema.to_call_args(schema.validate("{}"))[0][0] for _ in range(2))
    assert first == second == default
    assert first is not second
    assert first is not default


def test_a_list_of_what_cannot_be_copied_is_still_a_new_list() -> None:
    lock = threading.Lock()

    def f(a: Any = [lock]) -> None: ...  # noqa: B006

    schema = function_schema(f, strict_json_schema=False)
    first, second = (schema.to_call_args(schema.validate("{}"))[0][0] for _ in range(2))
    assert first is not second
    assert first[0] is second[0] is lock


def test_a_subclass_of_list_is_kept_uncopied() -> None:
    class Bag(list[int]): ...

    bag = Bag([1])

    def f(a: list[int] = bag) -> None: ...

    schema = function_schema(f, strict_json_schema=False)
    assert schema.to_call_args(schema.validate("{}"))[0][0] is bag


@dataclasses.dataclass(frozen=True)
class Depends:
    """As FastAPI 0.121 has it: JSON could hold one."""

    dependency: Any = None
    use_cache: bool = True


@dataclasses.dataclass
class Page:
    size: int = 10


class Options(TypedDict):
    size: int


MARKERS: dict[str, tuple[Any, Any, bool]] = {
    "another type": (str, Depends(), False),
    "another class": (Page, Depends(), False),
    "another class, optional": (Optional[Page], Depends(), False),
    "another class, annotated": (Annotated[Page, "Of a list."], Depends(), False),
    "another class than the items": (list[Page], Depends(), False),
    "another class than a typed dict": (Options, Depends(), False),
    "another class than an optional typed dict": (Optional[Options], Depends(), False),
    "its own class": (Page, Page(5), True),
    "its own class, optional": (Optional[Page], Page(5), True),
    "any": (Any, Page(5), True),
    "no annotation": (inspect.Parameter.empty, Page(5), True),
}


@table(MARKERS)
def test_an_object_of_another_type_is_no_default_to_be_told(annotation: Any, default: Any, told: bool) -> None:
    def look(page=default): ...

    look.__annotations__ = {} if annotation is inspect.Parameter.empty else {"page": annotation}

    assert ("default" in properties(look)["page"]) is told
    assert call_of(look, {}) == ([default], {})


def test_json_can_hold_what_pydantic_can_write() -> None:
    assert [json_can_hold(d) for d in (1, "a", None, [1], Shade.DARK, datetime.date(2026, 1, 2), Decimal(1))] == [
        True
    ] * 7
    assert [json_can_hold(d) for d in (math.nan, object(), iter([]), b"\xff", SecretStr("a"))] == [False] * 5


ADMITTING = [
    None,
    type(None),
    Any,
    object,
    Optional[int],
    int | None,
    Literal["a", None],
    Annotated[int | None, "x"],
    Maybe,
    T,
]
NOT_ADMITTING = [int, str, list[None], Literal["a"], Annotated[int, "x"], Age, int | str, tuple[()]]


@pytest.mark.parametrize("annotation", ADMITTING, ids=repr)
def test_admits_none(annotation: Any) -> None:
    assert admits_none(annotation)


@pytest.mark.parametrize("annotation", NOT_ADMITTING, ids=repr)
def test_does_not_admit_none(annotation: Any) -> None:
    assert not admits_none(annotation)


@pytest.mark.parametrize("annotation", [int, Annotated[int, Field(ge=1)], list[int], Age, "int"], ids=repr)
def test_none_as_default_makes_the_type_optional(annotation: Any) -> None:
    def f(a=None): ...  # type: ignore[no-untyped-def]

    f.__annotations__ = {"a": annotation}
    assert {"type": "null"} in properties(f)["a"]["anyOf"]
    assert call_of(f, {"a": None}) == ([None], {})


DESCRIBED = {
    "text": Annotated[int, "Years."],
    "Doc": Annotated[int, Doc("Years.")],
    "Field": Annotated[int, Field(description="Years.")],
    "Optional outside": Optional[Annotated[int, "Years."]],
    "Optional inside": Annotated[int | None, "Years."],
    "alias": Age,
    "Optional alias": Optional[Age],
    "the first of two": Annotated[int, "Years.", "Days."],
    "beside a bound": Annotated[int, Field(ge=1), "Years."],
    "alias with a bound": Annotated[Age, Field(ge=1)],
}


@table(DESCRIBED)
def test_the_text_of_an_annotation_describes_the_parameter(annotation: Any) -> None:
    def f(a): ...  # type: ignore[no-untyped-def]

    f.__annotations__ = {"a": annotation}
    schema = function_schema(f, strict_json_schema=False).params_json_schema
    described = schema["properties"]["a"]
    target = schema.get("$defs", {}).get(described.get("$ref", "").rpartition("/")[2], {})
    text = described.get("description") or target.get("description")
    assert text == "Years."


def test_the_docstring_beats_the_annotation() -> None:
    def f(a: Annotated[int, "From the annotation."], b: int = Field(description="From the field.")) -> None:
        """F.

        Args:
            a: From the docstring.
        """

    assert [p["description"] for p in properties(f).values()] == ["From the docstring.", "From the field."]


class Options(TypedDict, total=False):
    count: Required[Annotated[int, Field(ge=1)]]
    label: str
    model_config: int


def unpacked(**options: Unpack[Options]) -> None: ...


def test_the_keys_of_an_unpacked_typed_dict_are_parameters() -> None:
    assert list(properties(unpacked)) == ["count", "label", "model_config"]
    assert function_schema(unpacked, strict_json_schema=False).params_json_schema["required"] == ["count"]


UNPACKED = {
    "all": ({"count": 1, "label": "a", "model_config": 2}, {"count": 1, "label": "a", "model_config": 2}),
    "a key that may be absent": ({"count": 1}, {"count": 1}),
    "null for a key that may be absent": ({"count": 1, "label": None}, {"count": 1}),
}


@table(UNPACKED)
def test_an_unpacked_typed_dict_arrives_as_keywords(arguments: Any, kwargs: Any) -> None:
    assert call_of(unpacked, arguments) == ([], kwargs)


def test_keys_that_are_no_identifiers_arrive_as_keywords() -> None:
    Headers = TypedDict("Headers", {"user-agent": str, "class": NotRequired[int]})

    def f(**headers: Unpack[Headers]) -> None: ...

    f.__annotations__ = {"headers": Unpack[Headers]}
    assert call_of(f, {"user-agent": "x", "class": 1}) == ([], {"user-agent": "x", "class": 1})


def test_constraints_hold_for_each_element_of_variadic_parameters() -> None:
    def f(*a: Annotated[int, Field(ge=3)], **k: Annotated[int, Field(ge=3)]) -> None: ...

    assert call_of(f, {"a": [3], "k": {"x": 4}}) == ([3], {"x": 4})
    assert refusal(f, {"a": [3, 1], "k": {"x": 1}}) == (
        "/a/1: should be greater than or equal to 3; /k/x: should be greater than or equal to 3"
    )


class Lost(TypedDict):
    a: Nowhere  # type: ignore[name-defined]  # noqa: F821


def lost(**options: Unpack[Lost]) -> None: ...


def test_a_typed_dict_whose_keys_do_not_resolve_is_named() -> None:
    with pytest.raises(
        SignatureError, match=r"'options' of .*: its annotation 'Lost' cannot be resolved \(name 'Nowhere'"
    ):
        function_schema(lost)


def test_a_tuple_unpacked_into_args_has_its_length() -> None:
    def f(*pair: *tuple[int, str]) -> None: ...
    def g(*many: *tuple[int, ...]) -> None: ...

    assert call_of(f, {"pair": [1, "a"]}) == ([1, "a"], {})
    assert refusal(f, {}) == "/pair: is missing"
    assert call_of(g, {"many": [1, 2]}) == ([1, 2], {})
    assert call_of(g, {}) == ([], {})


def test_a_tuple_unpacked_where_annotations_are_no_strings_has_its_length() -> None:
    module = module_of("def f(*pair: *tuple[int, str]): ...")

    assert call_of(module.f, {"pair": [1, "a"]}) == ([1, "a"], {})
    assert refusal(module.f, {"pair": ["a", 1]}).startswith("/pair/0: should be a valid integer")


def test_variadic_parameters_of_which_nothing_was_sent_are_empty() -> None:
    def f(*a: int, **k: int) -> None: ...

    assert function_schema(f, strict_json_schema=False).validate("{}").model_dump() == {"a": [], "k": {}}


def undescribable(a: int, client: Client = CLIENT, *more: Client, b: int = 2, **rest: Client) -> None: ...


def test_what_nothing_describes_is_hidden_when_it_has_a_default() -> None:
    schema = function_schema(undescribable, strict_json_schema=False)
    assert schema.hidden == ("client", "more", "rest")
    assert call_of(undescribable, {"a": 1}) == ([1, CLIENT], {"b": 2})


HIDDEN_BY_TYPE = {
    "class": Client,
    "callback": Callable[[int], None],
    "list of them": list[Client],
    "Optional": Optional[Client],
    "union with a string": Client | str,
    "iterator": Iterator[int],
    "class object": type[int],
    "not a type": [int],
}


@table(HIDDEN_BY_TYPE)
def test_a_type_without_a_schema_hides_its_parameter(annotation: Any) -> None:
    def f(a: int, b=None): ...  # type: ignore[no-untyped-def]

    f.__annotations__["b"] = annotation
    assert function_schema(f).hidden == ("b",)


def test_a_pattern_with_look_around_is_checked() -> None:
    def f(a: Annotated[str, Field(pattern=r"^(?!x)\w+$")]) -> None: ...

    assert call_of(f, {"a": "yes"}) == (["yes"], {})
    assert "pattern" in refusal(f, {"a": "xes"})


def test_a_warning_that_is_an_error_is_no_reason_to_hide() -> None:
    def f(a: Optional[Annotated[int, Field(alias="b")]] = None) -> None: ...

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="alias"):
            function_schema(f)


def test_everything_that_cannot_be_described_is_named_at_once() -> None:
    def f(sql: str, database: Client, on_row: Callable[[int], None], limit: Client = CLIENT) -> None: ...

    with pytest.raises(SignatureError) as caught:
        function_schema(f)
    assert [p.path for p in caught.value.problems] == ["/properties/database", "/properties/on_row"]
    assert all("give the parameter a default" in (p.remedy or "") for p in caught.value.problems)


@pytest.mark.parametrize("annotation", [ClassVar[int], Final[int], Final], ids=repr)
def test_what_belongs_into_class_bodies_is_no_type_of_a_parameter(annotation: Any) -> None:
    def f(a): ...  # type: ignore[no-untyped-def]

    f.__annotations__ = {"a": annotation}
    with pytest.raises(SignatureError, match="is for class bodies and is no type of a parameter"):
        function_schema(f)


def test_a_model_of_the_users_may_be_a_default() -> None:
    class Box(BaseModel):
        size: int = 1

    box = Box()

    def f(a: Box = box) -> None: ...

    f.__annotations__ = {"a": Box}
    assert properties(f)["a"]["default"] == {"size": 1}
    schema = function_schema(f, strict_json_schema=False)
    assert schema.to_call_args(schema.validate("{}"))[0][0] is box


class Limits(TypedDict, total=False):
    a: int
    self: int
    rest: int


def limited(a: int = 1, **rest: Unpack[Limits]) -> None: ...
def limited_in_context(a: RunContextWrapper[Any], **others: Unpack[Limits]) -> None: ...
def limited_by_position(a: int, /, **others: Unpack[Limits]) -> None: ...


class Limited:
    def __call__(self, **others: Unpack[Limits]) -> None: ...


SHARED_NAMES: dict[str, tuple[Any, list[str], str]] = {
    "a parameter": (limited, [], "'a' and 'a' under the same name 'a'"),
    "a hidden one": (
        limited,
        ["a"],
        "'a' of {}: a key of the typed dict of 'rest' has the name of a parameter. Rename one",
    ),
    "what a partial fills": (functools.partial(limited, a=7), [], "'a' of {}: a key of the typed dict of 'rest'"),
    "the same by position": (functools.partial(limited, 7), [], "'a' of {}: a key of the typed dict of 'rest'"),
    "the context": (limited_in_context, [], "'a' of {}: a key of the typed dict of 'others'"),
    "a positional-only one": (limited_by_position, [], "'a' and 'a' under the same name 'a'"),
    "the object": (Limited(), [], "'self' of {}: a key of the typed dict of 'others'"),
    "the keywords themselves": (limited, ["a"], "'rest' of {}: a key of the typed dict of 'rest'"),
}


@table(SHARED_NAMES)
def test_a_key_of_a_typed_dict_that_has_the_name_of_a_parameter_is_refused(
    function: Any, hide: list[str], told: str
) -> None:
    with pytest.raises(SignatureError) as caught:
        function_schema(function, hide=hide)

    assert re.search(told.format(".+"), str(caught.value))


def test_hidden_keywords_have_no_keys() -> None:
    assert call_of(limited, {"a": 2}, hide=["rest"]) == ([2], {})
