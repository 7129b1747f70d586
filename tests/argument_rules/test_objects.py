"""What `null` and unknown keys of an object mean."""

from __future__ import annotations

import logging
from decimal import Decimal
from typing import Annotated, Any, Literal, Optional, Union

import pydantic
import pytest
from pydantic import AliasChoices, AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, RootModel, model_validator
from pydantic.alias_generators import to_camel
from typing_extensions import TypedDict

from argument_rules.legs import Leg, Level, Open, OpenAroundClosed
from calls import call_of, refusal_of, table, taking, value_of
from fnschema import function_schema


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
    flat: int = Field(3, validation_alias=AliasPath("wide"))


class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)
    max_rows: int = 1


ALIASES = {
    "first choice": (Aliased, '{"one": 1}', Aliased(one=1)),
    "second choice": (Aliased, '{"uno": 1}', Aliased(one=1)),
    "path": (Aliased, '{"one": 1, "box": {"deep": 3}}', Aliased(one=1, box={"deep": 3})),
    "the published key of a path": (Aliased, '{"one": 1, "deep": 3}', Aliased(one=1, box={"deep": 3})),
    "path of one key": (Aliased, '{"one": 1, "wide": 4}', Aliased(one=1, wide=4)),
    "the published key of a path of one key": (Aliased, '{"one": 1, "flat": 4}', Aliased(one=1, wide=4)),
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
