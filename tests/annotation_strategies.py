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
import re
import typing
import uuid
from typing import Annotated, Any, Generic, Literal, NamedTuple, Optional, TypeVar, Union

import annotated_types as at
import pydantic.dataclasses
from hypothesis import strategies as st
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Discriminator,
    Field,
    HttpUrl,
    ImportString,
    InstanceOf,
    Json,
    PlainValidator,
    RootModel,
    SecretStr,
    Strict,
    Tag,
    WithJsonSchema,
    WrapValidator,
    conlist,
    constr,
    create_model,
)
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import core_schema
from typing_extensions import Doc, NotRequired, TypeAliasType, TypedDict, deprecated

from fnschema._inspection import EMPTY, Parameter

T = TypeVar("T")


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


class Nail(BaseModel):
    kind: Literal["nail"] = "nail"
    length_mm: int


class Rivet(BaseModel):
    """Of one use."""

    kind: Literal["rivet", "blind rivet"]
    pin: Pin | None = None


class Lot(BaseModel, Generic[T]):
    of: list[T]


class Sealed(RootModel[list[Nail]]):
    pass


@pydantic.dataclasses.dataclass
class Reel:
    metres: float
    kept: Bolt | None = None


class Größe(BaseModel):
    mm: int


class Nothing(enum.Enum):
    pass


class Tone(enum.Enum):
    """Written by its members' names."""

    LOUD = 1
    SOFT = 2

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        names = core_schema.literal_schema([member.name for member in cls])
        return core_schema.no_info_after_validator_function(cls.__getitem__, names)


class Left:
    class Peg(BaseModel):
        cm: int


class Right:
    class Peg(BaseModel):
        kg: int


class Pegs(BaseModel):
    left: Left.Peg
    right: Right.Peg


def _another(name: str) -> type:
    return create_model(name, other=(int, 1))


Length = TypeAliasType("Length", Annotated[float, Field(gt=0)])
Tree = TypeAliasType("Tree", "dict[str, Tree] | int")
Serial = typing.NewType("Serial", str)
# What only pydantic's generator knows, each for itself and in combination.
GENERATED = (
    *(Pin, HttpUrl, Json[list[int]], SecretStr, Length, Tree, Serial, Lot[int], Lot[Nail], Sealed, Reel, T),
    *(_another("Nail"), _another("Bolt"), re.Pattern, collections.deque[int], collections.abc.Sequence[Nail]),
    *(collections.abc.Mapping[str, Bolt], collections.OrderedDict[str, int], collections.abc.Iterable[Pin]),
    *(conlist(int, max_length=2), constr(strip_whitespace=True, to_lower=True), InstanceOf[_Weight], ImportString),
    Annotated[Union[Nail, Rivet], Field(discriminator="kind")],
    Annotated[Union[Annotated[Nail, Tag("n")], Annotated[Pin, Tag("p")]], Discriminator(lambda v: "n")],
    Annotated[str, AfterValidator(str.strip)],
    Annotated[Bolt, BeforeValidator(lambda value: value)],
    Annotated[Bolt, WrapValidator(lambda value, read: read(value))],
    Annotated[Nail, PlainValidator(lambda value: value, json_schema_input_type=int)],
    Annotated[Nail, WithJsonSchema({"type": "string", "title": "Its own"})],
    Annotated[int, WithJsonSchema({"$ref": "#/$defs/Nail"})],
    Annotated[int, Strict(), Field(multiple_of=3)],
    Annotated[int, SkipJsonSchema()],
    Annotated[int | None, Field(ge=1, examples=[2], json_schema_extra={"unit": "mm"})],
    Annotated[decimal.Decimal, Field(max_digits=5, decimal_places=2)],
    Annotated[datetime.datetime, Field(gt=datetime.datetime(2020, 1, 1))],
    Annotated[str, Field(alias="other")],
    *(Größe, Nothing, Tone, Pegs, Left.Peg, tuple[int, *tuple[str, ...]], Literal["\ud800"]),
    *(Union[Literal[1, None], Literal[True, None]], Literal[1] | Literal[True]),
    Union[Annotated[float, Field(ge=1)], Annotated[float, Field(ge=1.0)]],
    Annotated[int, deprecated("Use another.")],
    Annotated[list[int], Field(deprecated=True, title="Own")],
)
CLASSES = (Metal, Grade, Mixed, Bolt, Crate, Shelf, Route, Pin)
SCALARS = (str, int, float, bool, None, Any, bytes)
DATES = (datetime.datetime, datetime.date, datetime.time, datetime.timedelta, uuid.UUID)
BARE = (list, dict, set, frozenset, tuple, typing.List, typing.Dict)
STDLIB = (decimal.Decimal, fractions.Fraction, pathlib.Path, ipaddress.IPv4Network, ipaddress.IPv6Address)
UNCOMMON = (object, complex, _Weight, type, collections.abc.Callable)

numbers = st.integers(-5, 5) | st.sampled_from((0.5, 2.0, 1e30, float("inf"), 2**64, 10**400))
words = st.sampled_from(("", "a", "b c", "ä", "1"))
literals = st.lists(words | st.integers(-2, 2) | st.booleans() | st.none(), min_size=1, max_size=4)
bounds = st.one_of(
    numbers.map(at.Ge),
    numbers.map(at.Lt),
    st.integers(0, 3).map(at.MinLen),
    st.integers(-1, 9).map(at.MultipleOf),
    st.sampled_from((2**53, 2**64)).map(at.MaxLen),
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
    st.sampled_from(STDLIB + UNCOMMON + GENERATED),
    literals.map(lambda values: Literal[tuple(values)]),
)


def _spoils_its_class(annotation: Any, metadata: list[Any]) -> bool:
    """pydantic 2.14 writes the description beside a recursive class into the core schema of the class, for good."""
    return Crate.__name__ in repr(annotation) and any(getattr(item, "description", None) for item in metadata)


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
        st.tuples(inner, st.lists(bounds, min_size=1, max_size=2))
        .filter(lambda t: not _spoils_its_class(*t))
        .map(lambda t: Annotated[(t[0], *t[1])]),
    )


def _endless() -> list[Any]:
    found: list[Any] = []
    found.append(found)
    return found


def _deep(levels: int) -> list[Any]:
    return [] if levels == 0 else [_deep(levels - 1)]


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
    st.sampled_from((b"x", {1}, Pin(1.0), _Weight(), Field(3), decimal.Decimal("1.5"), {1: 2}, 10**5000, Tone.LOUD)),
    st.sampled_from((_endless(), _deep(300), {"\ud800": 1}, [float("nan")], [Tone.SOFT], datetime.date(2020, 1, 1))),
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
