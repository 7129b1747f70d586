"""Tools of every kind that a schema can tell apart."""

import datetime
import enum
import uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, Field
from typing_extensions import NotRequired, TypedDict

from fnschema import function_tool

# ruff: noqa: B006 - a mutable default is a case of ours


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Part(BaseModel):
    name: str
    parts: list["Part"] = []


class Parcel(BaseModel):
    kind: Literal["parcel"] = "parcel"
    weight: float


class Letter(BaseModel):
    kind: Literal["letter"] = "letter"
    pages: int = 1


class Customer(TypedDict):
    name: str
    street: NotRequired[str]


class Place(NamedTuple):
    row: int
    height: float = 1.5


@dataclass
class Stock:
    article: str
    colours: list[Colour] | None = None


@function_tool
def order(article: str, pieces: int = 1, note: str | None = None, express: bool = False) -> str:
    """Order an article.

    Args:
        article: what to order.
        pieces: how many.
        note: for the packer.
        express: whether it is urgent.
    """
    return f"{pieces} of {article} ({note}, {express})"


@function_tool(annotations={"title": "Take apart", "readOnly": True})
def take_apart(part: Part, other: Part | None = None) -> Part:
    """All there is in a part."""
    return part


@function_tool
def send(
    first: Annotated[Parcel | Letter, Field(discriminator="kind")], others: list[Parcel | Letter] = []
) -> list[Parcel | Letter]:
    return [first, *others]


@function_tool
def describe(
    colour: Colour,
    at: datetime.datetime,
    number: uuid.UUID,
    price: Decimal,
    pair: tuple[int, str],
    sizes: set[int],
    grade: Literal[1, 2, "best"],
    code: bytes = b"x",
) -> dict[str, str]:
    return {"colour": colour.name, "at": at.isoformat(), "price": str(price), "pair": repr(pair), "code": repr(code)}


@function_tool(strict_mode=False)
def price_list(prices: dict[str, float], by_number: dict[int, str] | None = None, **more: int) -> dict[str, float]:
    return {**prices, **more}


@function_tool(open_objects="entries")
def set_prices(prices: dict[str, int], customer: Customer | None = None) -> dict[str, int]:
    return prices


@function_tool(strict_mode=False, unknown_arguments="ignore")
def count(pieces: int) -> int:
    return pieces


@function_tool
def measure(
    length: Annotated[int, Field(ge=0, lt=100)],
    label: Annotated[str, Field(min_length=2, pattern=r"^\w+$")],
    step: Annotated[float, Field(multiple_of=0.5)] = 1,
    code: Annotated[str, Field(pattern=r"^(?=a).*$", max_length=20)] = "a",
    marks: Annotated[list[int], Field(max_length=3)] = [],
) -> float:
    return step


@function_tool
def find(place: Place, others: list[Place] = []) -> Place:
    return place


@function_tool
def take_stock(stock: Stock, customer: Customer) -> Stock:
    return stock


@function_tool(name_override="close-shop_1", description_override="Close. " * 300)
def close() -> None:
    pass


@function_tool(strict_mode=False)
def anything(value: Any, more: list[Any] = []) -> Any:
    return [value, more]


@function_tool
def fail() -> str:
    raise RuntimeError("out of order")
