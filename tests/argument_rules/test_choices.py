"""A choice is found by the JSON that is published for it."""

from __future__ import annotations

import datetime
import enum
from decimal import Decimal
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from argument_rules.legs import Level
from calls import refusal_of, table, value_of


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


class Price(enum.Enum):
    LOW = Decimal("1.10")
    PAIR = (Decimal("2.50"), 3)


CHOICES = {
    "a decimal": (Price, '"1.10"', Price.LOW),
    "a decimal in a tuple": (Price, '["2.50", 3]', Price.PAIR),
    "a decimal beside decimals": (Decimal | Price, '["2.50", 3]', Price.PAIR),
    "literal member of a decimal": (Literal[Price.LOW], '"1.10"', Price.LOW),
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
