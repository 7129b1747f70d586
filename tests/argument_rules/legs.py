"""Types that a rule has to reach, in the forms in which authors write them."""

from __future__ import annotations

import dataclasses
import enum
from typing import Generic, NamedTuple, TypeVar, Union

import pydantic
from pydantic import BaseModel, ConfigDict, RootModel
from typing_extensions import NotRequired, TypeAliasType, TypedDict

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


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    miles: int = 1


class OpenAroundClosed(Open):
    inner: Leg = Leg()


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2
