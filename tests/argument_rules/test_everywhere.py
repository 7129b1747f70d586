"""The rules of what a language model may send hold at every depth, in every container, and in both validators."""

from __future__ import annotations

import collections
import copy
import datetime
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Optional, Union

import pydantic
import pytest
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, WrapValidator
from pydantic_core import SchemaValidator

from argument_rules.legs import Boxed, Leg, LegData, LegDict, LegPydantic, Legs, LegTuple, OpenAroundClosed, Trip, Way
from calls import exact, refusal_of, table, taking, value_of
from fnschema import function_schema
from fnschema._argument_rules import with_argument_rules

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
    assert (
        refusal_of(StrictBill, '{"total": 1.10, "day": "2026-01-02"}')
        == "/value/day: should be a date like 2026-11-30 (ISO 8601)"
    )


def test_the_core_schema_of_the_user_is_not_changed() -> None:
    before = copy.deepcopy(Trip.__pydantic_core_schema__), copy.deepcopy(OpenAroundClosed.__pydantic_core_schema__)
    with_argument_rules(Trip.__pydantic_core_schema__, closed=True, entries=True, exact=True)
    with_argument_rules(OpenAroundClosed.__pydantic_core_schema__)
    assert repr((Trip.__pydantic_core_schema__, OpenAroundClosed.__pydantic_core_schema__)) == repr(before)


def test_the_class_of_the_user_validates_as_before() -> None:
    value_of(Leg, "{}")
    assert Leg.model_validate({"miles": True, "mils": 1}) == Leg(miles=1)
