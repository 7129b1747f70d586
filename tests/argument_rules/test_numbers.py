"""`true` is no number, NaN is none either, and digits are kept."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal, Optional, Union

import pytest
from pydantic import BaseModel, Field, Json, JsonValue, StrictInt, conint

from argument_rules.legs import T
from calls import call_of, exact, refusal_of, table, value_of

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
