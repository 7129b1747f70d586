"""Functions whose parameters are of every kind that a schema can show, for the laws of the dialects."""

# ruff: noqa: B006 - defaults of every kind are what is tested

import datetime as dt
import enum
import ipaddress
import pathlib
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple, NotRequired

import typing_extensions
from pydantic import (
    UUID4,
    AnyUrl,
    AwareDatetime,
    Base64Bytes,
    BaseModel,
    ByteSize,
    Field,
    HttpUrl,
    NaiveDatetime,
    RootModel,
    SecretStr,
    StringConstraints,
)

from fnschema import function_tool


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    MID = 2
    HIGH = 7


class Mixed(enum.Enum):
    ONE = 1
    TWO = "two"
    HALF = 0.5


class Point(NamedTuple):
    x: float
    y: float


class Span(NamedTuple):
    start: int
    end: int = 9


class Address(BaseModel):
    """Where someone lives."""

    street: str = Field(description="With the number.")
    city: str = "Berlin"
    tags: list[str] = []
    level: Level = Level.LOW


class Node(BaseModel):
    value: int
    next: "Node | None" = None


class Tree(BaseModel):
    name: str
    children: list["Tree"] = []


class Branch(BaseModel):
    leaves: list["Leaf"]


class Leaf(BaseModel):
    branch: Branch | None


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Movie(typing_extensions.TypedDict):
    title: str
    year: NotRequired[int]
    director: NotRequired["Person"]


class Person(typing_extensions.TypedDict, total=False):
    default: Annotated[str, Field(description="By default.")]
    items: list[str]


class Aliased(BaseModel):
    name: str = Field(alias="displayName")
    size: int = Field(default=1, alias="the-size")


@dataclass
class Order:
    """What was bought."""

    id: int
    lines: list[str] = field(default_factory=list)
    note: str | None = None
    paid: bool = False


class Ids(RootModel[list[int]]):
    """Identifiers."""


def plain(a: int, b: float, c: str, d: bool) -> str:
    """Scalars."""


def nothing() -> str:
    """No parameters."""


def defaults(
    a: int = 1, b: str = "utf-8", c: list[int] = [1], d: Color = Color.RED, e: float | None = 0.5, *, f: bool = True
):
    """Defaults of every kind.

    Args:
        a: With words
        b: With words.
    """


def optional(a: int | None, b: str | None = None, c: None = None):
    """None is admitted."""


def keyword_names(
    title: str, default: int, properties: list[str], type: str, required: bool, enum: str, items: int = 3
):
    """Parameters named like keywords."""


def enums(a: Color, b: Level, c: Mixed, d: Literal["x", "y"], e: Literal[1, "auto", None], f: Literal[True] = True):
    """Values."""


def single_values(a: Literal["only"], b: Literal[3], c: None):
    """One value each."""


def sequences(a: list[int], b: tuple[int, ...], c: Sequence[str], d: Iterable[float], e: list[list[str]]):
    """Arrays."""


def sets(a: set[int], b: frozenset[str] = frozenset()):
    """No item twice."""


def same_tuple(a: tuple[int, int], b: tuple[str, str, str] = ("a", "b", "c"), c: tuple[()] = ()):
    """Elements of one type."""


def named_tuple(a: Point, b: Span = Span(1)):
    """Elements with names."""


def models(a: Address, b: Address | None = None, c: list[Address] = []):
    """Nested objects."""


def described_model(home: Address, work: Annotated[Address, Field(description="The office.")]):
    """Words beside a reference.

    Args:
        home: Where the heart is.
    """


def recursive(node: Node, tree: Tree | None = None):
    """Types that refer to themselves."""


def mutually_recursive(branch: Branch):
    """Two types that refer to each other in required fields."""


def unions(a: int | str, b: Cat | Dog, c: list[int] | str | None = None):
    """Alternatives."""


def discriminated(
    pet: Annotated[Cat | Dog, Field(discriminator="kind")],
    pets: list[Annotated[Cat | Dog, Field(discriminator="kind")]] = [],
):
    """Alternatives told apart by a field."""


def typed_dicts(movie: Movie, person: Person):
    """Keys that may be left out."""


def aliases(a: Aliased):
    """Other names in JSON."""


def dataclasses(order: Order, orders: list[Order] = []):
    """Nested dataclasses."""


def root_model(ids: Ids):
    """A model that is a list."""


def times(a: dt.datetime, b: dt.date, c: dt.time, d: dt.timedelta, e: NaiveDatetime, f: AwareDatetime):
    """Points in time."""


def numbers(
    a: Decimal, b: Annotated[Decimal, Field(max_digits=5, decimal_places=2)], c: Annotated[Decimal, Field(ge=0, le=100)]
):
    """Exact numbers."""


def texts(a: uuid.UUID, b: UUID4, c: pathlib.Path, d: bytes, e: SecretStr, f: Base64Bytes, g: complex):
    """Texts with a format."""


def addresses(a: AnyUrl, b: HttpUrl, c: ipaddress.IPv4Address, d: ipaddress.IPv6Address, e: ipaddress.IPv4Network):
    """Addresses."""


def sizes(
    a: ByteSize, b: Annotated[int, Field(ge=1, le=10)], c: Annotated[int, Field(multiple_of=5, gt=0, lt=100)] = 10
):
    """Numbers within bounds."""


def lengths(
    a: Annotated[str, Field(min_length=2, max_length=5)], b: Annotated[list[int], Field(min_length=2, max_length=3)]
):
    """Lengths."""


def patterns(
    a: Annotated[str, Field(pattern=r"^[a-z]+$")], b: Annotated[str, StringConstraints(pattern=r"^\d{3}-\d{4}$")]
):
    """Regular expressions."""


def look_around(a: Annotated[str, Field(pattern=r"^(?!admin)[a-z]+$", max_length=20)]):
    """A regular expression that no provider takes."""


def maps(a: dict[str, int], b: dict[int, str], c: dict[Color, float] | None = None, d: Mapping[str, list[str]] = {}):
    """Maps."""


def maps_with_key_patterns(
    a: dict[Annotated[str, Field(pattern="^[a-z]+$")], int],
    b: dict[Annotated[str, Field(pattern="^[A-Z]+$", max_length=3)], Annotated[int, Field(ge=0)]] = {},
):
    """Maps whose keys match a regular expression."""


def nested_maps(a: dict[str, dict[str, int]], b: list[dict[str, Address]]):
    """Maps within maps."""


def keywords(*args: int, **kwargs: str):
    """Any number of arguments."""


def open_types(a: Any, b: object, c: list, d):
    """No types."""


def mixed_tuple(a: tuple[int, str], b: tuple[Color, int, bool] = (Color.RED, 1, True)):
    """Elements of several types."""


def fractions(a: Fraction):
    """A number or a text."""


def examples(
    a: Annotated[int, Field(examples=[1, 2])],
    b: Annotated[str, Field(json_schema_extra={"x-order": 3, "readOnly": True})] = "b",
):
    """Keywords that constrain nothing."""


FUNCTIONS = [
    value
    for name, value in list(globals().items())
    if getattr(value, "__module__", "") == __name__ and callable(value) and not isinstance(value, type)
]


def tools_of(function):
    """The function as a strict tool, with entries where it has maps, and as one that is not."""
    strict = function_tool(function, failure_error_function=None, open_objects="entries")
    return [strict, function_tool(function, failure_error_function=None, strict_mode=False)]
