"""Functions that an author could have written, with arguments that fit them."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import enum
import inspect
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Optional, Union

from hypothesis import strategies as st
from pydantic import BaseModel, Field
from pydantic_core import to_jsonable_python
from typing_extensions import NotRequired, TypedDict

KINDS = inspect.Parameter
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


class Size(enum.Enum):
    SMALL = "s"
    LARGE = "l"


class Floor(enum.IntEnum):
    GROUND = 0
    FIRST = 1


class Room(BaseModel):
    number: int
    size: Size = Size.SMALL
    beside: Optional[Room] = None


@dataclasses.dataclass
class Guest:
    name: str
    nights: int = 1


class Point(NamedTuple):
    row: int
    column: int = 0


class Note(TypedDict):
    text: str
    author: NotRequired[str]


@dataclass(frozen=True)
class Kind:
    """A type, the values of it, and whether they may be keys and members of sets."""

    annotation: Any
    values: st.SearchStrategy[Any]
    is_hashable: bool = True


FLOATS = st.floats(allow_nan=False, allow_infinity=False)
ROOMS = st.recursive(
    st.builds(Room, number=st.integers(), size=st.sampled_from(Size)),
    lambda inner: st.builds(Room, number=st.integers(), beside=inner),
    max_leaves=3,
)
SCALARS = [
    Kind(int, st.integers(-(2**70), 2**70)),
    Kind(float, FLOATS),
    Kind(str, TEXT),
    Kind(bool, st.booleans()),
    Kind(None, st.none()),
    Kind(Any, st.integers() | TEXT | st.lists(st.booleans(), max_size=2), is_hashable=False),
    Kind(Size, st.sampled_from(Size)),
    Kind(Floor, st.sampled_from(Floor)),
    Kind(Literal["a", 1, None], st.sampled_from(["a", 1, None])),
    Kind(Literal[Size.SMALL], st.just(Size.SMALL)),
    Kind(Decimal, st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30)),
    Kind(datetime.date, st.dates()),
    Kind(datetime.datetime, st.datetimes(timezones=st.just(datetime.UTC))),
    Kind(datetime.timedelta, st.integers(0, 10**6).map(lambda s: datetime.timedelta(seconds=s))),
    Kind(uuid.UUID, st.uuids()),
    Kind(bytes, TEXT.map(str.encode)),
    Kind(Path, st.sampled_from([Path("/a/b"), Path("c")])),
    Kind(Annotated[int, Field(ge=0)], st.integers(0, 9)),
    Kind(Annotated[str, Field(description="what it is")], TEXT),
    Kind(Room, ROOMS, is_hashable=False),
    Kind(Guest, st.builds(Guest, TEXT, st.integers()), is_hashable=False),
    Kind(Point, st.builds(Point, st.integers(), st.integers())),
    Kind(Note, st.fixed_dictionaries({"text": TEXT}, optional={"author": TEXT}), is_hashable=False),
]


def _containers(inner: st.SearchStrategy[Kind]) -> st.SearchStrategy[Kind]:
    hashable = st.sampled_from(
        [kind for kind in SCALARS if kind.is_hashable and kind.annotation not in (float, Decimal)]
    )
    return st.one_of(
        inner.map(lambda k: Kind(list[k.annotation], st.lists(k.values, max_size=3), is_hashable=False)),
        inner.map(lambda k: Kind(tuple[k.annotation, ...], st.lists(k.values, max_size=3).map(tuple), k.is_hashable)),
        inner.map(
            lambda k: Kind(dict[str, k.annotation], st.dictionaries(TEXT, k.values, max_size=3), is_hashable=False)
        ),
        inner.map(lambda k: Kind(Optional[k.annotation], st.none() | k.values, k.is_hashable)),
        # No `Field(description=…)` here: pydantic 2.14 writes it into the core schema of a recursive class, for good.
        inner.map(lambda k: Kind(Annotated[k.annotation, "a text"], k.values, k.is_hashable)),
        inner.map(
            lambda k: Kind(
                collections.deque[k.annotation],
                st.lists(k.values, max_size=3).map(collections.deque),
                is_hashable=False,
            )
        ),
        st.tuples(inner, inner).map(
            lambda ks: Kind(
                tuple[ks[0].annotation, ks[1].annotation],
                st.tuples(ks[0].values, ks[1].values),
                ks[0].is_hashable and ks[1].is_hashable,
            )
        ),
        hashable.map(lambda k: Kind(set[k.annotation], st.sets(k.values, max_size=3), is_hashable=False)),
        hashable.map(lambda k: Kind(frozenset[k.annotation], st.frozensets(k.values, max_size=3))),
    )


# Unions whose members no JSON value fits twice, so that what is sent is what arrives.
UNIONS = [
    Kind(Union[int, str], st.integers() | TEXT),
    Kind(bool | int, st.booleans() | st.integers()),
    Kind(Room | Guest, ROOMS | st.builds(Guest, TEXT), is_hashable=False),
    Kind(int | list[int], st.integers() | st.lists(st.integers(), max_size=2), is_hashable=False),
]


FLAT = st.sampled_from([*SCALARS, *UNIONS])
DEEPER = FLAT | _containers(FLAT)
KINDS_OF_VALUES = DEEPER | _containers(DEEPER)  # three deep: each is also what is inside of it


HOSTILE = [
    "_x",
    "__y",
    "self",
    "cls",
    "json",
    "schema",
    "copy",
    "model_config",
    "model_dump",
    "args",
    "kwargs",
    "größe",
    "_",
]
NAMES = st.sampled_from([*HOSTILE, *"abcdefg"])


@dataclass(frozen=True)
class Call:
    """A function, and a call of it as Python and as a model would write it.

    Attributes:
        function: it returns what it was called with, by parameter.
        sent: the arguments as JSON, by property.
        expected: what a direct call with these values gives.
    """

    function: Callable[..., Any]
    sent: dict[str, Any]
    expected: dict[str, Any]


@st.composite
def calls(draw: st.DrawFn) -> Call:
    """A function of any parameter kinds with arguments that fit it."""
    names = draw(st.lists(NAMES, unique=True, max_size=6))
    parameters, sent, values = [], {}, {}
    for name, kind in zip(names, _kinds_of_parameters(draw, len(names)), strict=True):
        of = draw(KINDS_OF_VALUES)
        default = draw(st.just(KINDS.empty) | of.values) if kind in _SINGLE else KINDS.empty
        parameters.append(KINDS(name, kind, annotation=of.annotation, default=default))
        value = draw(_value_of(kind, of, default, names))
        if value is not KINDS.empty:
            values[name] = value
            sent[name] = to_jsonable_python(value, bytes_mode="utf8", fallback=list)  # a deque, before pydantic 2.14
    signature = inspect.Signature(_ordered(parameters))
    function = _recording(signature)
    args, kwargs = _in_order(signature, values)
    return Call(function, sent, function(*args, **kwargs))


_BY_POSITION = (KINDS.POSITIONAL_ONLY, KINDS.POSITIONAL_OR_KEYWORD)
_SINGLE = (*_BY_POSITION, KINDS.KEYWORD_ONLY)


def _kinds_of_parameters(draw: st.DrawFn, number: int) -> list[Any]:
    found = draw(st.lists(st.sampled_from(_SINGLE), min_size=number, max_size=number))
    for i, variadic in enumerate((KINDS.VAR_POSITIONAL, KINDS.VAR_KEYWORD)):
        if number > i and draw(st.booleans()):
            found[i] = variadic
    return found


def _value_of(kind: Any, of: Kind, default: Any, names: list[str]) -> st.SearchStrategy[Any]:
    if kind is KINDS.VAR_POSITIONAL:
        return st.just(KINDS.empty) | st.lists(of.values, max_size=3).map(tuple)
    if kind is KINDS.VAR_KEYWORD:
        keys = st.sampled_from(["key", "other", "a-b", "ü"]).filter(lambda key: key not in names)
        return st.just(KINDS.empty) | st.dictionaries(keys, of.values, max_size=2)
    return of.values if default is KINDS.empty else st.just(KINDS.empty) | of.values


def _ordered(parameters: list[inspect.Parameter]) -> list[inspect.Parameter]:
    """As Python wants them: by kind, and before the star those without a default first."""
    placed = sorted((p for p in parameters if p.kind in _BY_POSITION), key=lambda p: p.default is not KINDS.empty)
    last = max((i for i, p in enumerate(placed) if p.kind is KINDS.POSITIONAL_ONLY), default=-1)
    placed = [p.replace(kind=KINDS.POSITIONAL_ONLY) if i <= last else p for i, p in enumerate(placed)]
    return sorted([*placed, *(p for p in parameters if p.kind not in _BY_POSITION)], key=lambda p: p.kind)


def _recording(signature: inspect.Signature) -> Callable[..., Any]:
    def record(*args: Any, **kwargs: Any) -> dict[str, Any]:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return dict(bound.arguments)

    record.__signature__ = signature  # type: ignore[attr-defined]
    return record


def _in_order(signature: inspect.Signature, values: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    placed = collections.OrderedDict((name, values[name]) for name in signature.parameters if name in values)
    bound = inspect.BoundArguments(signature, placed)
    bound.apply_defaults()
    return bound.args, bound.kwargs
