"""Generated types, with a value of each for a default."""

import datetime as dt
import enum
from decimal import Decimal
from typing import Literal

from hypothesis import strategies as st
from pydantic import BaseModel

from dialects.functions import Address, Cat, Color, Level, Mixed, Order, Person, Tree

SCALARS = [
    (int, 3),
    (str, "x"),
    (bool, True),
    (Decimal, Decimal("1.5")),
    (dt.date, dt.date(2024, 2, 29)),
    (dt.datetime, dt.datetime(2024, 1, 1, tzinfo=dt.UTC)),
    (Color, Color.RED),
    (Level, Level.MID),
    (Mixed, Mixed.TWO),
    (Literal["a", "b"], "a"),
    (Literal[1, "auto", None], None),
    (Address, Address(street="x")),
    (Cat, Cat()),
    (Tree, Tree(name="x")),
    (Order, Order(1)),
    (Person, {}),
]


def _lists(inner):
    annotation, default = inner
    return (list[annotation], [default])


def _tuples(inner):
    annotation, default = inner
    return (tuple[annotation, annotation], (default, default))


def _maps(inner):
    annotation, default = inner
    return (dict[str, annotation], {"k": default})


def _optionals(inner):
    return (inner[0] | None, None)


def _models(inner):
    annotation, default = inner
    fields = {"__annotations__": {"inner": annotation, "again": annotation}, "again": default}
    return (type("Generated", (BaseModel,), fields), None)


def _containers(inner):
    return st.one_of(*(inner.map(wrap) for wrap in (_lists, _tuples, _maps, _optionals, _models)))


annotations = st.recursive(st.sampled_from(SCALARS), _containers, max_leaves=4).filter(
    lambda annotated: not isinstance(annotated[0], enum.EnumMeta) or annotated[1] is not None
)
