"""Handoffs with context variables: an airline's desk knows the customer and the flight before a word is said.

    python examples/airline.py

What the program knows goes into the context variables: instructions and functions read them, the language model sees
only what these make of them. A function updates them through its `Result`.
"""

from typing import Any

from fnschema import Agent, Result, run_demo_loop

MODEL = "gpt-4.1-mini"
CUSTOMER = {"customer": "Ada Lovelace", "flight": "AC 1919", "route": "Paris to Lisbon", "bags": 2}


def at_the_desk(task: str) -> Any:
    """Instructions that name the customer and the flight of the conversation."""

    def instructions(context_variables: dict[str, Any]) -> str:
        customer, flight, route = (context_variables[name] for name in ("customer", "flight", "route"))
        return f"You are at an airline's desk. Before you stands {customer}, booked on {flight}, {route}. {task}"

    return instructions


def to_flight_changes() -> Agent:
    """Hand over to the desk that changes and cancels flights."""
    return flight_changes


def to_lost_bags() -> Agent:
    """Hand over to the desk that looks for bags."""
    return lost_bags


def back_to_triage() -> Agent:
    """Hand over to the first desk: the customer asks for what this desk does not do."""
    return triage


def change_flight(flight: str, context_variables: dict[str, Any]) -> Result:
    """Book the customer on another flight of the same route.

    Args:
        flight: The flight's number, such as AC 1920.
    """
    before = context_variables["flight"]
    return Result(f"Changed {before} to {flight}.", context_variables={"flight": flight})


def cancel_flight(context_variables: dict[str, Any]) -> Result:
    """Cancel the customer's flight and refund it."""
    return Result(f"Cancelled {context_variables['flight']} and refunded it.", triage, {"flight": "no flight"})


def find_bags(context_variables: dict[str, Any], colour: str | None = None) -> str:
    """Start a search for the customer's bags.

    Args:
        colour: The colour of the bags, if the customer knows it.
    """
    looks = f" in {colour}" if colour else ""
    return f"Looking for {context_variables['bags']} bags{looks} of {context_variables['customer']}."


triage = Agent(
    "Triage", MODEL, at_the_desk("Find out what it is about, and hand over."), [to_flight_changes, to_lost_bags]
)
flight_changes = Agent(
    "Flight changes",
    MODEL,
    at_the_desk("Change the flight or cancel it, when the customer has confirmed."),
    [change_flight, cancel_flight, back_to_triage],
)
lost_bags = Agent("Lost bags", MODEL, at_the_desk("Start a search for the bags."), [find_bags, back_to_triage])

if __name__ == "__main__":
    run_demo_loop(triage, CUSTOMER, stream=True)
