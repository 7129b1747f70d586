"""A value as the text of an answer."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pydantic import BaseModel, ConfigDict, Field

from fnschema._results import render


class Colour(enum.Enum):
    RED = "red"


class Word(enum.StrEnum):
    YES = "yes"


@dataclass
class Point:
    x: int


class Pair(NamedTuple):
    left: int
    right: int


class Named(BaseModel):
    model_config = ConfigDict(serialize_by_alias=True)
    given_name: str = Field(alias="givenName")


VALUES: dict[str, tuple[Any, str]] = {
    "text": ("é\n", "é\n"),
    "an empty text": ("", ""),
    "text that looks like JSON": ('{"a": 1}', '{"a": 1}'),
    "bytes": (b"abc", '"abc"'),
    "an enum": (Colour.RED, '"red"'),
    "an enum of strings": (Word.YES, '"yes"'),
    "a dataclass": (Point(1), '{"x":1}'),
    "a named tuple": (Pair(1, 2), "[1,2]"),
    "a set": ({1}, "[1]"),
    "a date": ([date(2020, 1, 2)], '["2020-01-02"]'),
    "a decimal": (Decimal("1.10"), '"1.10"'),
    "a path": (Path("/a"), '"/a"'),
    "keys that are no strings": ({1: "a"}, '{"1":"a"}'),
    "a model with its own aliases, nested": ({"who": Named(givenName="Ann")}, '{"who":{"givenName":"Ann"}}'),
    "the word NaN": ("NaN", "NaN"),
    "the word NaN in a list": (["NaN"], '["NaN"]'),
}


@pytest.mark.parametrize(("value", "text"), VALUES.values(), ids=VALUES)
def test_render(value: Any, text: str) -> None:
    assert render(value) == text


@pytest.mark.parametrize(
    "value", [float("nan"), [float("-inf")], object(), {"a": object}, "\ud800", ["\ud800"], b"\xff"]
)
def test_what_json_cannot_hold(value: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        render(value)
