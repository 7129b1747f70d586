"""Annotations and defaults as people write them, the uncommon too, for the laws about their schemas."""

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import fractions
import inspect
import ipaddress
import pathlib
import typing
import uuid
from typing import Annotated, Any, Literal, NamedTuple, Optional, Union

import annotated_types as at
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from typing_extensions import Doc, NotRequired, TypedDict

from fnschema._inspection import EMPTY, Parameter


class Metal(enum.Enum):
    IRON = "iron"
    GOLD = "gold"


class Grade(enum.IntEnum):
    """How good it is."""

    LOW = 1
    HIGH = 2


class Mixed(enum.Enum):
    NUMBER = 1
    WORD = "one"


class Bolt(BaseModel):
    """A bolt.

    Of any metal.
    """

    length_mm: float = Field(gt=0, description="Along the shank.")
    metal: Metal = Metal.IRON
    grade: Grade | None = None


class Crate(BaseModel):
    bolts: list[Bolt] = Field(default_factory=list, max_length=9)
    inner: Optional["Crate"] = Field(None, alias="innerCrate")
    labels: dict[str, str] = {}


@dataclasses.dataclass
class Shelf:
    row: int
    crates: list[Crate]
    note: str = "none"


class Route(TypedDict):
    """From here to there."""

    start: str
    stops: NotRequired[list[Shelf]]


class Pin(NamedTuple):
    x: float
    y: float = 0.0


class _Weight:
    """What nothing can be written of."""


CLASSES = (Metal, Grade, Mixed, Bolt, Crate, Shelf, Route, Pin)
SCALARS = (str, int, float, bool, None, Any, bytes)
DATES = (datetime.datetime, datetime.date, datetime.time, datetime.timedelta, uuid.UUID)
BARE = (list, dict, set, frozenset, tuple, typing.List, typing.Dict)
STDLIB = (decimal.Decimal, fractions.Fraction, pathlib.Path, ipaddress.IPv4Network, ipaddress.IPv6Address)
UNCOMMON = (object, complex, _Weight, type, collections.abc.Callable)

numbers = st.integers(-5, 5) | st.sampled_from((0.5, 2.0, 1e30))
words = st.sampled_from(("", "a", "b c", "ä", "1"))
literals = st.lists(words | st.integers(-2, 2) | st.booleans() | st.none(), min_size=1, max_size=4)
bounds = st.one_of(
    numbers.map(at.Ge),
    numbers.map(at.Lt),
    st.integers(0, 3).map(at.MinLen),
    st.integers(1, 9).map(at.MultipleOf),
    numbers.map(lambda n: Field(gt=n)),
    st.integers(0, 9).map(lambda n: Field(max_length=n, description="Short.")),
    st.tuples(st.integers(-1, 3), st.integers(0, 9)).map(lambda n: Field(min_length=n[0], max_length=n[1])),
    st.sampled_from(("^x", r"^\d{5}$", "(?=x)", "(", r"\p{L}+")).map(lambda p: Field(pattern=p)),
    st.sampled_from(("^x", "(?=x)")).map(lambda p: Field(pattern=p, max_length=3, description="Of x.")),
    st.sampled_from(("about it", Doc("on it"), Field(description="of it"), Field(pattern="^x"), Field(title="Own"))),
)
leaves = st.one_of(
    st.sampled_from(SCALARS),
    st.sampled_from(SCALARS + DATES + BARE),
    st.sampled_from(CLASSES),
    st.sampled_from(STDLIB + UNCOMMON),
    literals.map(lambda values: Literal[tuple(values)]),
)


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        inner.map(lambda t: list[t]),
        inner.map(lambda t: set[t]),
        inner.map(lambda t: tuple[t, ...]),
        st.lists(inner, min_size=1, max_size=3).map(lambda ts: tuple[tuple(ts)]),
        inner.map(lambda t: dict[str, t]),
        inner.map(lambda t: dict[int, t]),
        inner.map(lambda t: Optional[t]),
        st.lists(inner, min_size=2, max_size=4).map(lambda ts: Union[tuple(ts)]),
        st.tuples(inner, st.lists(bounds, min_size=1, max_size=2)).map(lambda t: Annotated[(t[0], *t[1])]),
    )


annotations = st.recursive(leaves, _containers, max_leaves=5)
scalar_defaults = st.one_of(
    st.none(), words, st.integers(-(2**70), 2**70), st.floats(), st.booleans(), st.sampled_from([*Metal, *Grade])
)
defaults = st.one_of(
    st.just(EMPTY),
    scalar_defaults,
    st.lists(scalar_defaults, max_size=2),
    st.lists(scalar_defaults, max_size=2).map(tuple),
    st.dictionaries(words, scalar_defaults, max_size=2),
    st.sampled_from((b"x", {1}, Pin(1.0), _Weight(), Field(3), decimal.Decimal("1.5"), {1: 2})),
)
NAMED, VAR_POSITIONAL, VAR_KEYWORD = (
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.VAR_KEYWORD,
)


@st.composite
def parameters(draw: st.DrawFn) -> Parameter:
    kind = draw(st.sampled_from((NAMED,) * 8 + (VAR_POSITIONAL, VAR_KEYWORD)))
    name = draw(st.sampled_from(("size", "unit_price", "_hidden", "schema", "x1", "größe")))
    annotation = draw(st.just(EMPTY) | annotations) if kind is NAMED else draw(annotations)
    return Parameter(name, kind, annotation, draw(defaults) if kind is NAMED else EMPTY)
