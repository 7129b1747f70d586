"""The rules of what a language model may send hold at every depth, in every container, and in both validators."""

from __future__ import annotations

import collections
import copy
import dataclasses
import datetime
import enum
import logging
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Generic, Literal, NamedTuple, Optional, TypeVar, Union

import pydantic
import pytest
from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Json,
    JsonValue,
    PlainValidator,
    RootModel,
    SecretStr,
    StrictInt,
    Tag,
    WrapValidator,
    conint,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import SchemaValidator
from typing_extensions import NotRequired, TypeAliasType, TypedDict

from calls import call_of, exact, refusal_of, table, taking, value_of
from fnschema import function_schema
from fnschema._argument_rules import with_argument_rules

T = TypeVar("T")


class Leg(BaseModel):
    miles: int = 5
    pace: float = 2.5


@dataclasses.dataclass
class LegData:
    miles: int = 5
    pace: float = 2.5


@pydantic.dataclasses.dataclass
class LegPydantic:
    miles: int = 5
    pace: float = 2.5


class LegTuple(NamedTuple):
    miles: int = 5
    pace: float = 2.5


class LegDict(TypedDict):
    miles: NotRequired[int]
    pace: NotRequired[float]


class Trip(BaseModel):
    leg: Leg = Leg(miles=1)
    more: list[Trip] = []


class Boxed(BaseModel, Generic[T]):
    held: T


class Legs(RootModel[list[Leg]]): ...


Way = TypeAliasType("Way", Union[Leg, list["Way"]])

CLASSES: dict[str, Any] = {
    "model": Leg,
    "dataclass": LegData,
    "pydantic dataclass": LegPydantic,
    "named tuple": LegTuple,
    "typed dict": LegDict,
}

# Where a class may stand, with the JSON around it and the path to it.
PLACES: dict[str, tuple[Any, str, str]] = {
    "parameter": (lambda c: c, "{}", ""),
    "list": (lambda c: list[c], "[{}]", "/0"),
    "tuple": (lambda c: tuple[int, c], "[1, {}]", "/1"),
    "long tuple": (lambda c: tuple[c, ...], "[{}]", "/0"),
    "sequence": (lambda c: Sequence[c], "[{}]", "/0"),
    "iterable": (lambda c: Iterable[c], "[{}]", "/0"),
    "deque": (lambda c: collections.deque[c], "[{}]", "/0"),
    "dict": (lambda c: dict[str, c], '{{"k": {}}}', "/k"),
    "mapping": (lambda c: Mapping[str, c], '{{"k": {}}}', "/k"),
    "Optional": (lambda c: Optional[c], "{}", ""),
    "union": (lambda c: Union[int, c], "{}", ""),
    "Annotated": (lambda c: Annotated[c, "a leg"], "{}", ""),
    "generic model": (lambda c: Boxed[c], '{{"held": {}}}', "/held"),
    "after validator": (lambda c: Annotated[c, AfterValidator(lambda v: v)], "{}", ""),
    "wrap validator": (lambda c: Annotated[c, WrapValidator(lambda v, inner: inner(v))], "{}", ""),
    "before validator": (lambda c: Annotated[c, BeforeValidator(lambda v: v)], "{}", ""),
    "list of dicts of lists": (lambda c: list[dict[str, list[c]]], '[{{"k": [{}]}}]', "/0/k/0"),
}
EVERYWHERE = {
    f"{name} in {place}": (wrap(cls), shape, path)
    for name, cls in CLASSES.items()
    for place, (wrap, shape, path) in PLACES.items()
}


@table(EVERYWHERE)
def test_an_unknown_key_is_refused_everywhere(annotation: Any, shape: str, path: str) -> None:
    text = refusal_of(annotation, shape.format('{"mils": 1}'))
    assert f"/value{path}/mils: 'mils' is unknown" in text
    # A named tuple is published as an array, which has no names that one could have meant.
    assert ("(did you mean 'miles'?)" in text) is ("LegTuple" not in repr(annotation))


@table(EVERYWHERE)
def test_true_is_no_number_everywhere(annotation: Any, shape: str, path: str) -> None:
    assert f"/value{path}/miles: should be a valid integer" in refusal_of(annotation, shape.format('{"miles": true}'))
    assert f"/value{path}/pace: should be a valid number" in refusal_of(annotation, shape.format('{"pace": true}'))


@table(EVERYWHERE)
def test_null_is_the_default_everywhere(annotation: Any, shape: str, path: str) -> None:
    without = value_of(annotation, shape.format("{}"))
    with_null = value_of(annotation, shape.format('{"miles": null, "pace": null}'))
    assert list(with_null) == list(without) if "terable" in repr(annotation) else exact(with_null) == exact(without)


@table(EVERYWHERE)
def test_a_number_without_end_is_refused_everywhere(annotation: Any, shape: str, path: str) -> None:
    for number in ("1e999", "NaN", "-Infinity", '"NaN"', '"Infinity"'):
        assert f"/value{path}/pace: should be a valid number" in refusal_of(
            annotation, shape.format(f'{{"pace": {number}}}')
        )


def test_the_rules_hold_in_recursion() -> None:
    deep = '{"more": [{"more": [{"leg": {"miles": %s}}]}]}'
    assert value_of(Trip, deep % "null").more[0].more[0].leg.miles == 5
    assert refusal_of(Trip, deep % "true") == "/value/more/0/more/0/leg/miles: should be a valid integer"
    assert value_of(Trip, '{"more": [{"leg": null}]}').more[0].leg == Leg(miles=1)
    assert "'legs' is unknown" in refusal_of(Trip, '{"more": [{"legs": null}]}')


def test_the_rules_hold_in_recursive_aliases_and_root_models() -> None:
    assert value_of(Way, '[[{"miles": null}]]') == [[Leg()]]
    assert "/value/0/0/miles: should be a valid integer" in refusal_of(Way, '[[{"miles": true}]]')
    assert value_of(Legs, '[{"miles": null}]') == Legs([Leg()])
    assert refusal_of(Legs, '[{"miles": true}]') == "/value/0/miles: should be a valid integer"


@table(EVERYWHERE)
def test_no_nested_rule_is_left_out_by_a_prebuilt_validator(annotation: Any, shape: str, path: str) -> None:
    """If pydantic put the users' own validators back in place of rewritten schemas, each of these would pass."""
    model = function_schema(taking(annotation), strict_json_schema=False).params_pydantic_model
    rewritten = with_argument_rules(model.__pydantic_core_schema__)
    validator = SchemaValidator(rewritten, _use_prebuilt=False)
    for wrong in ('{"mils": 1}', '{"miles": true}', '{"pace": NaN}'):
        with pytest.raises(pydantic.ValidationError):
            validator.validate_json(f'{{"value": {shape.format(wrong)}}}')


# ---- the listed exceptions are still exceptions


class OwnInit(BaseModel):
    miles: int

    def __init__(self, miles: int = 1, **more: Any) -> None:
        super().__init__(miles=miles, **more)


def test_a_model_with_its_own_init_validates_itself() -> None:
    assert value_of(OwnInit, '{"miles": true, "mils": 2}') == OwnInit(miles=1)


class StrictBill(BaseModel):
    model_config = ConfigDict(strict=True)
    total: Decimal
    day: Optional[datetime.date] = None


def test_a_strict_model_takes_no_json_forms_where_decimals_are_read_exactly() -> None:
    assert value_of(StrictBill, '{"total": "1", "day": "2026-01-02"}').day == datetime.date(2026, 1, 2)
    assert value_of(StrictBill, '{"total": 1.10}').total == Decimal("1.10")
    assert refusal_of(StrictBill, '{"total": 1.10, "day": "2026-01-02"}') == "/value/day: should be a valid date"


# ---- numbers


NUMBERS = {
    "5.0 is an int": (int, "5.0", 5),
    "5e0 is an int": (int, "5e0", 5),
    '"5" is an int': (int, '"5"', 5),
    "-0 is an int": (int, "-0", 0),
    "forty digits": (int, "9" * 40, int("9" * 40)),
    "the last whole float": (int, "9007199254740991.0", 2**53 - 1),
    "5 is a float": (float, "5", 5.0),
    '"5" is a float': (float, '"5.5"', 5.5),
    "a bounded int": (conint(ge=3), '"5"', 5),
    "int before float": (Union[int, float], "5", 5),
    "float before int": (Union[float, int], "5", 5),
    "5.5 in a union": (Union[int, float], "5.5", 5.5),
    "string in a union": (Union[int, str], '"5"', "5"),
    "true in a union with bool": (Union[int, bool], "true", True),
    "1 in a union with bool": (Union[bool, int], "1", 1),
    "true under Any": (Any, "true", True),
    "true for a bool": (bool, "true", True),
    "whole number for a strict int": (StrictInt, "5", 5),
    "complex": (complex, '"1+2j"', 1 + 2j),
    "fraction": (Fraction, '"1/3"', Fraction(1, 3)),
    "date from a number": (datetime.date, "86400", datetime.date(1970, 1, 2)),
}


@table(NUMBERS)
def test_a_number_arrives(annotation: Any, json: str, expected: Any) -> None:
    assert exact(value_of(annotation, json)) == exact(expected)


NO_NUMBERS = {
    "5.5 for an int": (int, "5.5"),
    '"5.5" for an int': (int, '"5.5"'),
    "true for an int": (int, "true"),
    "false for an int": (int, "false"),
    "true for a float": (float, "true"),
    '"true" for an int': (int, '"true"'),
    "true for a Decimal": (Decimal, "true"),
    "true for a Fraction": (Fraction, "true"),
    "true for a complex": (complex, "true"),
    "true in a union of numbers": (Union[int, float, str], "true"),
    "true for a strict int": (StrictInt, "true"),
    "true for a bounded int": (conint(ge=0), "true"),
    "true for a bounded float": (Annotated[float, Field(ge=0)], "true"),
    "true for a date": (datetime.date, "true"),
    "true for a duration": (datetime.timedelta, "true"),
    "an int that lost its last digit as a float": (int, "9007199254740993.0"),
    "a float too large for an int": (int, "1e30"),
    "out of bounds": (conint(ge=3), "2"),
    "out of bounds in a string": (conint(ge=3), '"2"'),
    "NaN for a complex": (complex, '"nan"'),
    "infinite complex": (complex, '"1+infj"'),
    "NaN for a Decimal": (Decimal, '"NaN"'),
    "infinite Decimal": (Decimal, '"Infinity"'),
    "NaN for a Fraction": (Fraction, '"NaN"'),
    "too large an int for a float": (float, "1" + "0" * 400),
}


@table(NO_NUMBERS)
def test_what_is_no_such_number_is_refused(annotation: Any, json: str) -> None:
    assert refusal_of(annotation, json).startswith("/value: ")


@pytest.mark.parametrize(
    "annotation", [Any, object, list, dict, tuple, set, Sequence, Iterable, JsonValue, list[Any], T]
)
@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN"])
def test_nothing_is_a_number_without_end_not_even_under_any(annotation: Any, number: str) -> None:
    shape = '{"k": [%s]}' if annotation in (dict, Any, object, JsonValue, T) else "[%s]"
    assert "finite" in (text := refusal_of(annotation, shape % number)) or "valid number" in text


@pytest.mark.parametrize("json", ['{"NaN": 1}', '"NaN"', '["Infinity"]'])
def test_a_string_may_say_nan_where_no_number_is_meant(json: str) -> None:
    assert value_of(Any, json) is not None


# ---- Decimal


class Bill(BaseModel):
    total: Decimal
    rate: float = 0.5
    count: int = 1
    note: Any = None
    either: Union[str, Decimal] = "x"
    kind: Literal[1, 2] = 1
    parts: list[Decimal] = []
    by_day: dict[str, Decimal] = {}
    maybe: Optional[Decimal] = None
    tree: JsonValue = None
    at: Optional[datetime.datetime] = None


LONG = "12345678901234567890.123456789"
BESIDE_A_DECIMAL = {
    "itself": ("total", LONG, Decimal(LONG)),
    "trailing zeros": ("total", "1.10", Decimal("1.10")),
    "as a string": ("total", '"1.10"', Decimal("1.10")),
    "whole": ("total", "5", Decimal(5)),
    "in a union": ("either", LONG, Decimal(LONG)),
    "string in a union": ("either", '"1.10"', "1.10"),
    "in a list": ("parts", f"[{LONG}]", [Decimal(LONG)]),
    "in a map": ("by_day", f'{{"a": {LONG}}}', {"a": Decimal(LONG)}),
    "Optional": ("maybe", LONG, Decimal(LONG)),
    "a float beside it": ("rate", "0.1", 0.1),
    "an int beside it": ("count", "5.0", 5),
    "a large int beside it": ("count", "1e30", 10**30),
    "Any beside it": ("note", '[1.5, {"a": 2.0}]', [1.5, {"a": 2.0}]),
    "a literal beside it": ("kind", "2.0", 2),
    "a JSON value beside it": ("tree", "[1.5]", [1.5]),
    "a date beside it": ("at", "1.5", datetime.datetime(1970, 1, 1, 0, 0, 1, 500000, tzinfo=datetime.UTC)),
    "null beside it": ("rate", "null", 0.5),
}


@table(BESIDE_A_DECIMAL)
def test_a_decimal_keeps_its_digits_and_others_stay_what_they_are(field: str, json: str, expected: Any) -> None:
    text = f'{{"{field}": {json}, "total": 0.5}}' if field != "total" else f'{{"total": {json}}}'
    value = getattr(value_of(Bill, text), field)
    assert type(value) is type(expected)
    assert value == expected
    assert str(value) == str(expected) or isinstance(expected, datetime.datetime)


EXACT_REFUSALS = {
    "true": ('"count": true', "/value/count: should be a valid integer"),
    "fraction": ('"count": 5.5', "/value/count: should be a valid integer"),
    "an exponent that fills the memory": ('"count": 1e999999999', "/value/count: should be a valid integer"),
    "infinite float": ('"rate": 1e999', "/value/rate: should be a valid number"),
    "infinite under Any": ('"note": 1e999', "/value/note: should be a finite number"),
    "unknown": ('"tip": 1', "/value/tip: 'tip' is unknown"),
    "true for a literal": ('"kind": true', "/value/kind: should be 1 or 2"),
}


@table(EXACT_REFUSALS)
def test_the_rules_hold_where_decimals_are_read_exactly(member: str, text: str) -> None:
    assert refusal_of(Bill, f'{{"total": 0.5, {member}}}') == text


DECIMAL_ROADS = {
    "text in a string": (Json[list[Decimal]], f'"[{LONG}]"', [Decimal(LONG)]),
    "a list sent as a string": (list[Decimal], f'"[{LONG}]"', [Decimal(LONG)]),
    "key of a map": (dict[Decimal, int], '{"1.10": 1}', {Decimal("1.10"): 1}),
    "constrained": (Annotated[Decimal, Field(max_digits=4, decimal_places=2)], "12.34", Decimal("12.34")),
}


@table(DECIMAL_ROADS)
def test_decimals_arrive_by_every_road(annotation: Any, json: str, expected: Any) -> None:
    assert value_of(annotation, json) == expected


def test_a_decimal_beside_a_list_that_was_sent_as_a_string() -> None:
    def f(total: Decimal, parts: list[int]) -> None: ...

    assert call_of(f, f'{{"total": {LONG}, "parts": "[1]"}}') == ([Decimal(LONG), [1]], {})


# ---- enums and literals


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Mixed(enum.Enum):
    ONE = 1
    TEXT = "b"
    NOTHING = None
    HALF = 1.5
    PAIR = (1, 2)
    MAP = {"a": [1]}
    YES_DAY = datetime.date(2026, 1, 2)


class Forgiving(enum.Enum):
    A = "a"

    @classmethod
    def _missing_(cls, value: object) -> Forgiving | None:
        return cls.A if value == "alpha" else None


class Switch(enum.Enum):
    ON = True
    ZERO = 0


class Rights(enum.IntFlag):
    READ = 1
    WRITE = 2


CHOICES = {
    "IntEnum": (Level, "1", Level.LOW),
    "IntEnum as a float": (Level, "2.0", Level.HIGH),
    "flag": (Rights, "3", Rights.READ | Rights.WRITE),
    "mixed, a number": (Mixed, "1", Mixed.ONE),
    "mixed, a string": (Mixed, '"b"', Mixed.TEXT),
    "mixed, null": (Mixed, "null", Mixed.NOTHING),
    "mixed, a tuple": (Mixed, "[1, 2]", Mixed.PAIR),
    "mixed, an unhashable value": (Mixed, '{"a": [1]}', Mixed.MAP),
    "mixed, a date": (Mixed, '"2026-01-02"', Mixed.YES_DAY),
    "_missing_": (Forgiving, '"alpha"', Forgiving.A),
    "true as a value": (Switch, "true", Switch.ON),
    "0 beside true": (Switch, "0", Switch.ZERO),
    "literal number": (Literal[1, 2], "1", 1),
    "literal as a float": (Literal[1, 2], "2.0", 2),
    "literal string": (Literal["1", 1], '"1"', "1"),
    "literal 1 beside true": (Literal[1, True], "1", 1),
    "literal 1.0 beside true": (Literal[1, True], "1.0", 1),
    "literal true beside 1": (Literal[1, True], "true", True),
    "literal null": (Literal[None, 1], "null", None),
    "literal bytes": (Literal[b"x"], '"x"', b"x"),
    "literal member": (Literal[Mixed.TEXT, "c"], '"b"', Mixed.TEXT),
    "literal member of a tuple": (Literal[Mixed.PAIR, Mixed.MAP], "[1, 2]", Mixed.PAIR),
    "literal IntEnum member": (Literal[Level.LOW, "x"], "1.0", Level.LOW),
    "literal beside a member": (Literal[Level.LOW, "x"], '"x"', "x"),
}


@table(CHOICES)
def test_a_choice_arrives(annotation: Any, json: str, expected: Any) -> None:
    value = value_of(annotation, json)
    assert type(value) is type(expected)
    assert value == expected


NO_CHOICES = {
    "true for IntEnum": (Level, "true", "should be 1 or 2"),
    "true for a flag": (Rights, "true", "should be 1 or 2"),
    "true for a literal 1": (Literal[1, 2], "true", "should be 1 or 2"),
    "false for a literal 0": (Literal[0, "a"], "false", "should be 0 or 'a'"),
    "true for a literal member": (Literal[Level.LOW, "x"], "true", "should be 1 or 'x'"),
    "false beside true": (Switch, "false", "should be True or 0"),
    "false beside 1 and true": (Literal[1, True], "false", "should be 1 or True"),
    "a number for a literal string": (Literal["1"], "1", "should be '1'"),
    "another value": (Level, "3", "should be 1 or 2"),
    "an array": (Literal["a", "b"], '["a"]', "should be 'a' or 'b'"),
    "an object": (Level, "{}", "should be 1 or 2"),
    "true in place of 1 in a tuple": (Literal[Mixed.PAIR], "[true, 2]", "should be (1, 2)"),
}


@table(NO_CHOICES)
def test_what_is_no_choice_is_refused(annotation: Any, json: str, reason: str) -> None:
    assert refusal_of(annotation, json) == f"/value: {reason}"


class StrictChoices(BaseModel):
    model_config = ConfigDict(strict=True)
    level: Level = Level.HIGH
    kind: Literal[1, 2] = 2
    whole: int = 0


def test_a_strict_model_takes_the_json_of_an_enum() -> None:
    assert value_of(StrictChoices, '{"level": 1, "kind": 1, "whole": 1}') == StrictChoices(
        level=Level.LOW, kind=1, whole=1
    )


STRICT = {
    "string": '{"whole": "5"}',
    "fraction": '{"whole": 5.0}',
    "true": '{"whole": true}',
    "true in an enum": '{"level": true}',
}


@table(STRICT)
def test_a_strict_model_stays_strict(json: str) -> None:
    assert refusal_of(StrictChoices, json).startswith("/value/")


# ---- null


class Row(BaseModel):
    id: int
    size: int = 3
    name: Optional[str] = "x"
    level: Level = Level.LOW
    one: Literal[1, 2] = 2
    anything: Any = 4


NULLS = {
    "a default": ("size", 3),
    "an enum with a default": ("level", Level.LOW),
    "a literal with a default": ("one", 2),
    "a type that admits None": ("name", None),
    "Any": ("anything", None),
}


@table(NULLS)
def test_null_means_the_default_unless_the_type_admits_it(field: str, expected: Any) -> None:
    assert getattr(value_of(Row, f'{{"id": 1, "{field}": null}}'), field) == expected


def test_null_for_a_required_field_is_refused() -> None:
    assert refusal_of(Row, '{"id": null}') == "/value/id: should be a valid integer"


def test_null_in_the_branch_that_the_union_picks() -> None:
    assert value_of(Union[Row, Leg], '{"id": 1, "size": null}') == Row(id=1)
    assert value_of(Union[Row, Leg], '{"miles": null}') == Leg()


class Seven(RootModel[int]):
    root: int = 7


def test_the_default_of_the_parameter_beats_the_default_of_a_root_model() -> None:
    def f(value: Seven = Seven(3)) -> None: ...

    assert call_of(f, {"value": None}) == ([Seven(3)], {})
    assert value_of(Seven, "null") == Seven(7)


def test_a_custom_validator_has_no_say_in_whether_null_is_admitted() -> None:
    annotation = Annotated[int, BeforeValidator(lambda v: 9 if v is None else v)]

    def f(value: annotation = 3) -> None: ...  # type: ignore[valid-type]

    f.__annotations__ = {"value": annotation}
    assert call_of(f, {"value": None}) == ([3], {})


def test_default_factories_answer_null() -> None:
    class Made(BaseModel):
        items: list[int] = Field(default_factory=lambda: [1])

    assert value_of(Made, '{"items": null}') == Made(items=[1])


# ---- unknown keys


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    miles: int = 1


class OpenTyped(Open):
    __pydantic_extra__: dict[str, int]


class OpenWithValidators(Open):
    @model_validator(mode="before")
    @classmethod
    def before(cls, value: Any) -> Any:
        return value

    @model_validator(mode="after")
    def after(self) -> OpenWithValidators:
        return self


class OpenDict(TypedDict):
    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]
    miles: int


@pydantic.dataclasses.dataclass(config=ConfigDict(extra="allow"))
class OpenData:
    miles: int = 1


class Ignoring(BaseModel):
    model_config = ConfigDict(extra="ignore")
    miles: int = 1


class OpenAroundClosed(Open):
    inner: Leg = Leg()


OPEN = {
    "model": Open,
    "typed extras": OpenTyped,
    "validators": OpenWithValidators,
    "typed dict": OpenDict,
    "dataclass": OpenData,
}


@table(OPEN)
def test_extra_allow_takes_unknown_keys(annotation: Any) -> None:
    value = value_of(annotation, '{"miles": 1, "tolls": 2}')
    assert (value if isinstance(value, dict) else vars(value) | (getattr(value, "model_extra", None) or {}))[
        "tolls"
    ] == 2


@table(OPEN)
def test_extra_allow_takes_no_number_without_end(annotation: Any) -> None:
    assert refusal_of(annotation, '{"miles": 1, "tolls": 1e999}').startswith("/value")


def test_extra_allow_opens_one_object_only() -> None:
    assert "/value/inner/tolls: 'tolls' is unknown" in refusal_of(OpenAroundClosed, '{"inner": {"tolls": 1}}')


def test_the_type_of_extras_is_validated_with_the_rules() -> None:
    assert refusal_of(OpenTyped, '{"tolls": true}') == "/value/tolls: should be a valid integer"


def test_extra_ignore_counts_as_closed() -> None:
    assert refusal_of(Ignoring, '{"tolls": 1}') == "/value/tolls: 'tolls' is unknown"


class Aliased(BaseModel):
    first: int = Field(validation_alias=AliasChoices("one", "uno"))
    deep: int = Field(2, validation_alias=AliasPath("box", "deep"))


class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)
    max_rows: int = 1


ALIASES = {
    "first choice": (Aliased, '{"one": 1}', Aliased(one=1)),
    "second choice": (Aliased, '{"uno": 1}', Aliased(one=1)),
    "path": (Aliased, '{"one": 1, "box": {"deep": 3}}', Aliased(one=1, box={"deep": 3})),
    "the published key of a path": (Aliased, '{"one": 1, "deep": 3}', Aliased(one=1, box={"deep": 3})),
    "null behind a path": (Aliased, '{"one": 1, "box": {"deep": null}}', Aliased(one=1)),
    "generated": (Camel, '{"maxRows": 2}', Camel(maxRows=2)),
    "generated, null": (Camel, '{"maxRows": null}', Camel()),
    "by name": (Camel, '{"max_rows": 2}', Camel(maxRows=2)),
}


@table(ALIASES)
def test_keys_that_aliases_take_are_known(annotation: Any, json: str, expected: Any) -> None:
    assert value_of(annotation, json) == expected


class Renamed(BaseModel):
    miles: int

    @model_validator(mode="before")
    @classmethod
    def old_name(cls, value: Any) -> Any:
        if isinstance(value, dict) and "distance" in value:
            value["miles"] = value.pop("distance")
        if isinstance(value, dict) and "length" in value:
            value["miles"] = value["length"]
        return value


def test_a_key_that_a_before_validator_takes_out_is_known() -> None:
    assert value_of(Renamed, '{"distance": 3}') == Renamed(miles=3)


def test_a_key_that_a_before_validator_only_reads_stays_unknown() -> None:
    assert refusal_of(Renamed, '{"length": 3}') == "/value/length: 'length' is unknown"


def test_a_before_validator_may_take_another_form() -> None:
    class Flexible(BaseModel):
        miles: int

        @model_validator(mode="before")
        @classmethod
        def from_number(cls, value: Any) -> Any:
            return {"miles": value} if isinstance(value, int) else value

    assert value_of(Flexible, "3") == Flexible(miles=3)
    assert refusal_of(Flexible, '{"miles": true}') == "/value/miles: should be a valid integer"


IGNORED = {
    "top": ('{"value": {}, "extra": 1}', "'/extra'"),
    "nested": ('{"value": {"tolls": [1]}}', "'/value/tolls'"),
    "both": ('{"value": {"tolls": 1}, "extra": 1}', "'/value/tolls', '/extra'"),
}


@table(IGNORED)
def test_ignored_keys_are_dropped_with_a_record(json: str, paths: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "fnschema"):
        schema = function_schema(taking(Leg), strict_json_schema=False, unknown_arguments="ignore")
        assert schema.to_call_args(schema.validate(json)) == ([Leg()], {})
    assert caplog.messages == [f"Tool take was called with unknown arguments, which are ignored: {paths}"]


def test_ignored_keys_beside_a_decimal_are_recorded_too(caplog: pytest.LogCaptureFixture) -> None:
    schema = function_schema(taking(Decimal), strict_json_schema=False, unknown_arguments="ignore")
    assert schema.to_call_args(schema.validate('{"value": 1.10, "extra": 2.5}')) == ([Decimal("1.10")], {})
    assert len(caplog.messages) == 1


@pytest.mark.parametrize("number", ["1e999", "NaN", "[Infinity]", '{"a": 1, "a": 2}'])
@pytest.mark.parametrize("annotation", [int, Decimal])
def test_what_is_no_json_is_refused_in_ignored_keys_too(
    annotation: Any, number: str, caplog: pytest.LogCaptureFixture
) -> None:
    for value in ("1", "1.0"):
        schema = function_schema(taking(annotation), strict_json_schema=False, unknown_arguments="ignore")
        with pytest.raises(ValueError, match="Invalid JSON input for tool take"):
            schema.validate(f'{{"value": {value}, "extra": {number}}}')
    assert caplog.messages == []


# ---- maps


MAPS = {
    "int keys": (dict[int, str], '{"1": "a"}', {1: "a"}),
    "float keys": (dict[float, str], '{"1.5": "a"}', {1.5: "a"}),
    "enum keys": (dict[Level, str], '{"1": "a"}', {Level.LOW: "a"}),
    "date keys": (dict[datetime.date, int], '{"2026-01-02": 1}', {datetime.date(2026, 1, 2): 1}),
    "tuple of values": (dict[str, tuple[int, int]], '{"a": [1, 2]}', {"a": (1, 2)}),
    "OrderedDict": (collections.OrderedDict[str, int], '{"a": 1}', collections.OrderedDict(a=1)),
    "Counter": (collections.Counter[str], '{"a": 1}', collections.Counter(a=1)),
    "bare": (dict, '{"a": [1]}', {"a": [1]}),
}


@table(MAPS)
def test_a_map_arrives(annotation: Any, json: str, expected: Any) -> None:
    assert value_of(annotation, json) == expected


@pytest.mark.parametrize(
    ("annotation", "json"),
    [
        (dict[int, str], '{"1": "a", "01": "b"}'),
        (dict[float, int], '{"1": 1, "1.0": 2}'),
        (dict[Annotated[str, Field(max_length=3), AfterValidator(str.lower)], int], '{"a": 1, "A": 2}'),
        (Mapping[int, int], '{"1": 1, "+1": 2}'),
        (dict[Decimal, int], '{"1.1": 1, "1.10": 2}'),
    ],
)
def test_two_keys_that_become_one_are_refused(annotation: Any, json: str) -> None:
    assert refusal_of(annotation, json) == "/value: A key comes twice"


ENTRIES = {
    "entries": (dict[str, int], '[{"key": "a", "value": 1}]', {"a": 1}),
    "plain": (dict[str, int], '{"a": 1}', {"a": 1}),
    "empty entries": (dict[str, int], "[]", {}),
    "int keys": (dict[int, int], '[{"key": "1", "value": 2}]', {1: 2}),
    "keys that are no strings": (dict[int, int], '[{"key": 1, "value": 2}]', {1: 2}),
    "nested": (dict[str, dict[str, int]], '[{"key": "a", "value": [{"key": "b", "value": 1}]}]', {"a": {"b": 1}}),
    "below a list": (list[dict[str, int]], '[[{"key": "a", "value": 1}]]', [{"a": 1}]),
    "a class as value": (dict[str, Leg], '[{"key": "a", "value": {"miles": null}}]', {"a": Leg()}),
    "OrderedDict": (collections.OrderedDict[str, int], '[{"key": "a", "value": 1}]', collections.OrderedDict(a=1)),
}


@table(ENTRIES)
def test_a_map_arrives_from_entries(annotation: Any, json: str, expected: Any) -> None:
    value = value_of(annotation, json, open_objects="entries")
    assert type(value) is type(expected)
    assert value == expected


NO_ENTRIES = {
    "repeated key": (
        dict[str, int],
        '[{"key": "a", "value": 1}, {"key": "a", "value": 2}]',
        "/value: A key comes twice",
    ),
    "repeated int key": (
        dict[int, int],
        '[{"key": "1", "value": 1}, {"key": "01", "value": 2}]',
        "/value: A key comes twice",
    ),
    "true as a value": (dict[str, int], '[{"key": "a", "value": true}]', "/value/0/value: should be a valid integer"),
    "no value": (dict[str, int], '[{"key": "a"}]', "/value/0/value: is missing"),
    "a key too many": (dict[str, int], '[{"key": "a", "value": 1, "x": 1}]', "/value/0/x: 'x' is unknown"),
    "an array as a key": (
        dict[Any, int],
        '[{"key": [1], "value": 1}]',
        "/value: A key should be no array and no object",
    ),
    "an array inside a key": (
        dict[tuple[Any, ...], int],
        '[{"key": [[1]], "value": 1}]',
        "/value: A key should be no array and no object",
    ),
    "a wrong value of a plain map": (dict[str, int], '{"a": "x"}', "/value/a: should be a valid integer"),
}


@table(NO_ENTRIES)
def test_entries_that_do_not_fit_are_refused(annotation: Any, json: str, text: str) -> None:
    assert refusal_of(annotation, json, open_objects="entries") == text


# ---- other forms


FORMS = {
    "Json": (Json[list[int]], '"[1, 2]"', [1, 2]),
    "bare Json": (Json, '"{\\"a\\": 1.5}"', {"a": 1.5}),
    "Json of a model": (Json[Leg], '"{\\"miles\\": null}"', Leg()),
    "secret": (SecretStr, '"hunter2"', SecretStr("hunter2")),
    "plain validator": (Annotated[int, PlainValidator(lambda v: v)], '"x"', "x"),
    "iterable": (Iterable[int], '["1", 2]', [1, 2]),
    "set": (set[int], "[1, 1]", {1}),
    "frozen set": (frozenset[str], '["a"]', frozenset({"a"})),
    "bytes": (bytes, '"ab"', b"ab"),
    "discriminated": (Annotated[Union["Cat", "Dog"], Field(discriminator="kind")], '{"kind": "dog", "n": null}', None),
}


class Cat(BaseModel):
    kind: Literal["cat"]
    cat: dict[str, int] = {}
    n: int


class Dog(BaseModel):
    kind: Literal["dog"]
    n: int = 2


class Breed(enum.Enum):
    CAT = "cat"
    DOG = 2


class CatOfBreed(BaseModel):
    breed: Literal[Breed.CAT]
    n: int = 1


class DogOfBreed(BaseModel):
    breed: Literal[Breed.DOG]
    n: int = 2


def kind_of(value: Any) -> Any:
    return value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)


PETS = Annotated[Union[Cat, Dog], Field(discriminator="kind")]
BREEDS = Annotated[Union[CatOfBreed, DogOfBreed], Field(discriminator="breed")]
TAGGED = Annotated[Union[Annotated[Cat, Tag("cat")], Annotated[Dog, Tag("dog")]], Discriminator(kind_of)]
FORMS["discriminated by a member"] = (BREEDS, '{"breed": "cat", "n": null}', CatOfBreed(breed=Breed.CAT))
FORMS["discriminated by another member"] = (BREEDS, '{"breed": 2}', DogOfBreed(breed=Breed.DOG))
FORMS["discriminated by a function"] = (TAGGED, '{"kind": "dog", "n": null}', Dog(kind="dog"))
FORMS["discriminated"] = (PETS, '{"kind": "dog", "n": null}', Dog(kind="dog"))


@table(FORMS)
def test_other_forms_arrive(annotation: Any, json: str, expected: Any) -> None:
    assert value_of(annotation, json) == expected


NO_FORMS = {
    "true in Json": (Json[list[int]], '"[true]"', "/value: should be a valid integer"),
    "unknown key in Json": (Json[Leg], '"{\\"mils\\": 1}"', "/value: 'mils' is unknown"),
    "repeated key in Json": (Json, '"{\\"a\\": 1, \\"a\\": 2}"', "/value: the key 'a' comes twice"),
    "NaN in Json": (Json, '"[NaN]"', "/value: NaN is not JSON"),
    "too large in Json": (Json, '"[1e999]"', "/value: should be a finite number"),
    "an item of an iterable": (Iterable[int], '["z"]', "/value/0: should be a valid integer"),
    "another tag": (PETS, '{"kind": "cow"}', "/value: 'kind' should be one of 'cat', 'dog'"),
    "no tag": (PETS, "{}", "/value: 'kind' is missing"),
    "no tag for a function": (TAGGED, "{}", "/value: its kind is missing"),
    "another tag for a function": (TAGGED, '{"kind": "cow"}', "/value: its kind should be one of 'cat', 'dog'"),
    "true for a tag of a member": (BREEDS, '{"breed": true}', "/value: 'breed' should be one of 'cat', 2"),
    "unknown key behind a tag": (PETS, '{"kind": "dog", "m": 1}', "/value/m: 'm' is unknown"),
}


@table(NO_FORMS)
def test_other_forms_are_refused(annotation: Any, json: str, text: str) -> None:
    assert refusal_of(annotation, json) == text


# ---- nothing changes


def test_the_core_schema_of_the_user_is_not_changed() -> None:
    before = copy.deepcopy(Trip.__pydantic_core_schema__), copy.deepcopy(OpenAroundClosed.__pydantic_core_schema__)
    with_argument_rules(Trip.__pydantic_core_schema__, closed=True, entries=True, exact=True)
    with_argument_rules(OpenAroundClosed.__pydantic_core_schema__)
    assert repr((Trip.__pydantic_core_schema__, OpenAroundClosed.__pydantic_core_schema__)) == repr(before)


def test_the_class_of_the_user_validates_as_before() -> None:
    value_of(Leg, "{}")
    assert Leg.model_validate({"miles": True, "mils": 1}) == Leg(miles=1)
