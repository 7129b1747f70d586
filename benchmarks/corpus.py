"""The work that every library is given: functions as people write them, arguments for some, and types that grow."""

# ruff: noqa: B006, UP007, UP035, UP045 - as people write them

import enum
import json
import types
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple, Optional, Union

from pydantic import AfterValidator, BaseModel, Field, HttpUrl, create_model
from typing_extensions import NotRequired, TypedDict

Function = Callable[..., Any]


class Light(enum.Enum):
    SUN = "sun"
    SHADE = "shade"
    BOTH = "both"


class Corner(NamedTuple):
    bed: str
    row: int = 1


class Spot(BaseModel):
    """A place in the garden."""

    bed: str = Field(description="Name of the bed.")
    row: int
    label: str = Field(pattern=r"^[A-Z]\d{2}$")
    light: str = "sun"


class Gardener(BaseModel):
    name: str
    phone: str | None = None
    home: Spot


class Job(BaseModel):
    number: int
    gardener: Gardener
    tools_at: Spot | None = None
    notes: list[str] = []


class Seedling(BaseModel):
    species: str = Field(description="Botanical name.")
    count: int = Field(ge=1)
    height_cm: float
    remarks: list[str] = Field(default_factory=list)


class Branch(BaseModel):
    name: str
    twigs: list["Branch"] = Field(default_factory=list)


class Filter(TypedDict):
    """Which plants are meant."""

    attribute: str
    operator: Literal["is", "below", "above"]
    value: NotRequired[str]


@dataclass
class Season:
    """A part of the year."""

    first_week: int
    last_week: int
    name: str = "growing"
    frost_weeks: list[int] = field(default_factory=list)


class Tulip(BaseModel):
    kind: Literal["tulip"]
    colour: str


class Oak(BaseModel):
    kind: Literal["oak"]
    age: Annotated[int, Field(ge=0)]


def water(bed: str, minutes: int) -> str:
    """Water a bed."""
    return bed


def order_seeds(
    species: str,
    supplier: str,
    needed_by: str,
    packets: int = 1,
    quality: str = "standard",
    highest_price: float = 20.0,
    organic_only: bool = False,
    alternatives: int = 3,
) -> str:
    """Order seeds from a supplier.

    Compares what the supplier has in stock and takes the cheapest lot that will sprout. Prices are in euros
    and include shipping.

    Args:
        species: Botanical name of the plant.
        supplier: Short name of the supplier.
        needed_by: Latest day of delivery in ISO format.
        packets: How many packets.
        quality: Grade of the seeds, one of standard,
            certified or foundation.
        highest_price: Most that a packet may cost.
        organic_only: Whether to leave out treated seeds.
        alternatives: How many other species to offer.

    Returns:
        The number of the order.

    Raises:
        ValueError: If the supplier is not known.
    """
    return species


def predict_harvest(
    weights: list[float], rain: list[float], weeks: int = 4, loss: float = 0.1, smooth: bool = True, unit: str = "kg"
) -> str:
    """Predict the harvest of a bed.

    The prediction continues the weights of past weeks and corrects them by the rain.

    Parameters
    ----------
    weights : list of float
        Harvested weight of each week.
    rain : list of float
        Rain of each week, as many as `weights`.
    weeks : int, optional
        How far to predict.
    loss : float, optional
        Share that is lost in storage.
    smooth : bool, optional
        Whether to smooth the weights first.
    unit : str, optional
        Unit of the result.

    Returns
    -------
    str
        The weights of the coming weeks.
    """
    return unit


def remind(
    people: list[str], subject: str, text: str, copies: list[str] = [], urgency: int = 3, by_phone: bool = False
) -> str:
    """Remind people of a job.

    The reminder is sent within the hour.

    :param people: Names of those who are reminded.
    :type people: list[str]
    :param subject: What it is about, in a few words.
    :param text: What is to be done.
    :param copies: Names of those who are told of it.
    :param urgency: 1 is at once, 5 is some day.
    :param by_phone: Whether to call instead of to write.
    :return: The number of the reminder.
    :rtype: str
    """
    return subject


def assign(job: Job, today: bool = False) -> str:
    """Assign a job to its gardener.

    Args:
        job: The job to assign.
        today: Whether it is to be done today.
    """
    return "assigned"


def plant(seedlings: list[Seedling], bed: str = "north") -> str:
    """Plant seedlings in a bed.

    Args:
        seedlings: What to plant.
        bed: Name of the bed.
    """
    return bed


def move(
    hours: float, origin: Light, target: Light = Light.SUN, pace: Literal["slow", "steady", "fast"] = "steady"
) -> str:
    """Move the pots to another light.

    Args:
        hours: How long they stay.
        origin: Where they are.
        target: Where they go.
        pace: How fast they are moved.
    """
    return pace


def find_plant(
    plant: Union[int, str],
    bed: Optional[str] = None,
    age: Optional[int] = None,
    show: Union[list[str], str, None] = None,
) -> str:
    """Find a plant.

    Args:
        plant: Its number or its name.
        bed: Bed to look in.
        age: Age in weeks.
        show: Attributes to show.
    """
    return "found"


def list_plants(bed: str, where: Filter, unless: Optional[list[Filter]] = None) -> str:
    """List the plants of a bed.

    Args:
        bed: Name of the bed.
        where: Which plants.
        unless: Which of them not.
    """
    return bed


def plan(season: Season, crop: str = "beans") -> str:
    """Plan a season.

    Args:
        season: The season to plan.
        crop: Main crop.
    """
    return crop


def prune(tree: Branch, tool: str) -> str:
    """Prune a tree.

    Args:
        tree: Its trunk.
        tool: What to cut with.
    """
    return tool


def open_garden(
    group: Annotated[str, Field(min_length=1, max_length=60)],
    visitors: Annotated[int, Field(ge=1, le=40, description="How many people come.")],
    hour: Annotated[int, Field(ge=8, lt=20)] = 10,
    wish: Annotated[str, "What they want to see"] = "",
) -> str:
    """Open the garden for a group.

    Args:
        group: Name of the group.
        hour: Hour of the visit.
    """
    return group


async def read_sensor(address: str, seconds: float = 5.0, channels: list[str] = [], raw: bool = False) -> str:
    """Read a sensor.

    Args:
        address: Address of the sensor.
        seconds: How long to wait.
        channels: Channels to read.
        raw: Whether to leave the values as they are.
    """
    return address


def add_water(first: float, *more: float, factor: float = 1.0) -> str:
    """Add amounts of water.

    Args:
        first: First amount in litres.
        *more: The other amounts.
        factor: What the sum is multiplied by.
    """
    return "added"


def order_by_post(address: HttpUrl, note: Annotated[str, AfterValidator(str.strip)] = "") -> str:
    """Order from a shop.

    Args:
        address: Of the shop.
        note: What the shop is told.
    """
    return note


def measure(spot: Corner, heights: deque[float]) -> str:
    """Note how high plants are.

    Args:
        spot: Where they stand.
        heights: In centimetres, the latest first.
    """
    return "noted"


def fell(plant: Annotated[Tulip | Oak, Field(discriminator="kind")], reason: str) -> str:
    """Take a plant away.

    Args:
        plant: Which one.
        reason: Why.
    """
    return reason


COMMON: dict[str, Function] = {
    "two parameters": water,
    "google, 8 parameters": order_seeds,
    "numpy, 6 parameters": predict_harvest,
    "sphinx, 6 parameters": remind,
    "nested models": assign,
    "list of models": plant,
    "enum, literal": move,
    "unions": find_plant,
    "typed dict": list_plants,
    "dataclass": plan,
    "recursive model": prune,
    "bounds, texts": open_garden,
    "async": read_sensor,
    "*args": add_water,
}
GENERAL: dict[str, Function] = {"URL, validator": order_by_post, "named tuple, deque": measure, "discriminated": fell}


def clone(function: Function) -> Function:
    """A new function of the same code, so that nothing that is kept by function is of use."""
    assert isinstance(function, types.FunctionType)
    new = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    new.__kwdefaults__ = function.__kwdefaults__ and dict(function.__kwdefaults__)
    new.__annotations__ = dict(function.__annotations__)
    new.__doc__, new.__module__, new.__qualname__ = function.__doc__, function.__module__, function.__qualname__
    return new


# Calls: functions that do nothing, so that all time is the library's.


def sow(species: str, rows: int = 1, unit: str = "cm", covered: bool = False) -> str:
    """Sow seeds.

    Args:
        species: What to sow.
        rows: How many rows.
        unit: Unit of depths.
        covered: Whether to cover them.
    """
    return species


async def sow_async(species: str, rows: int = 1, unit: str = "cm", covered: bool = False) -> str:
    """Sow seeds.

    Args:
        species: What to sow.
        rows: How many rows.
        unit: Unit of depths.
        covered: Whether to cover them.
    """
    return species


def write_down(text: str, title: str = "") -> str:
    """Write down what was seen.

    Args:
        text: The observation.
        title: Its title.
    """
    return title


def _prose(length: int) -> str:
    sentence = 'The third row says "ready", the others do not.\n'
    return (sentence * (length // len(sentence) + 1))[:length]


def _seedlings(count: int) -> list[dict[str, Any]]:
    return [
        {"species": f"Species {i:05d}", "count": i % 9 + 1, "height_cm": i * 1.25, "remarks": ["a", "b"]}
        for i in range(count)
    ]


_SMALL = json.dumps({"species": "Beta vulgaris", "rows": 5, "unit": "inch", "covered": True})


@dataclass(frozen=True)
class Sent:
    """A call: the function, what the model sent, and how many such calls make a batch that takes milliseconds."""

    function: Function
    arguments: str
    batch: int


CALLS: dict[str, Sent] = {
    "4 scalars": Sent(sow, _SMALL, 500),
    "4 scalars, async": Sent(sow_async, _SMALL, 500),
    "1 KB": Sent(write_down, json.dumps({"text": _prose(1_000), "title": "t"}), 300),
    "100 KB": Sent(write_down, json.dumps({"text": _prose(100_000), "title": "t"}), 10),
    "1000 models": Sent(plant, json.dumps({"seedlings": _seedlings(1_000), "bed": "east"}), 2),
}
WRONG: dict[str, Sent] = {
    "a wrong type": Sent(sow, json.dumps({"species": "Beta", "rows": "many"}), 100),
    "a missing and an unknown argument": Sent(sow, json.dumps({"rose": 1}), 100),
    "no JSON": Sent(sow, '{"species": "Beta"', 100),
    "1000 models, all wrong": Sent(plant, json.dumps({"seedlings": [{**s, "count": 0} for s in _seedlings(1_000)]}), 1),
}


# Types that grow.


def _function(parameters: str, described: str, **names: Any) -> Function:
    namespace = {**globals(), **names}
    source = f'def grown({parameters}) -> str:\n    """Do it.\n\n    Args:\n{described}\n    """\n    return "done"\n'
    exec(source, namespace)
    grown: Function = namespace["grown"]
    return grown


def _of_one(annotation: Any) -> Function:
    return _function("value: Grown", "        value: What to do it with.", Grown=annotation)


def many_parameters(count: int) -> Function:
    kinds = ("int", "str", "float", "bool")
    parameters = ", ".join(f"p{i}: {kinds[i % 4]}" for i in range(count))
    return _function(parameters, "\n".join(f"        p{i}: Parameter {i}." for i in range(count)))


def deep(levels: int) -> Function:
    """A chain: each model has a described field of the next one's type."""
    model: Any = create_model("Level0", a=(int, ...))
    for level in range(1, levels):
        model = create_model(f"Level{level}", a=(int, ...), below=(model, Field(description="The next level.")))
    return _of_one(model)


def fanned_out(levels: int) -> Function:
    """Each model has two described fields of the next one's type, so that inlining doubles with every level."""
    model: Any = create_model("Fan0", a=(int, ...))
    for level in range(1, levels):
        fields = {name: (model, Field(description=f"The {name} one.")) for name in ("left", "right")}
        model = create_model(f"Fan{level}", **fields)  # type: ignore[call-overload]
    return _of_one(model)


def shared(count: int) -> Function:
    """Described parameters that share one model, of which inlining makes as many copies."""
    parameters = ", ".join(f"p{i}: Job" for i in range(count))
    return _function(parameters, "\n".join(f"        p{i}: Job {i}." for i in range(count)))


def wide(members: int) -> Function:
    models = [create_model(f"Member{i}", kind=(Literal[f"k{i}"], ...), a=(int, ...)) for i in range(members)]
    return _of_one(Union[tuple(models)])


GROWTH: dict[str, tuple[Callable[[int], Function], tuple[int, ...]]] = {
    "parameters": (many_parameters, (25, 50, 100, 200)),
    "levels of nesting": (deep, (10, 20, 40)),
    "fan-out": (fanned_out, (4, 8, 12)),
    "parameters of one model": (shared, (25, 50, 100)),
    "members of a union": (wide, (32, 64, 128)),
}
