"""Routines and handoffs: a desk that listens, one that sells, one that repairs.

    python examples/triage.py

Each agent follows a routine, its instructions, and hands over to another by returning it from a function. The
transcript stays; only the instructions and the functions change.
"""

from fnschema import Agent, run_demo_loop

CATALOGUE = {"item_1": ("garden hose", 19), "item_2": ("anvil", 99), "item_3": ("jet skates", 249)}
MODEL = "gpt-4.1-mini"


def to_sales() -> Agent:
    """Hand over to sales: the customer wants to buy something."""
    return sales


def to_repairs() -> Agent:
    """Hand over to issues and repairs: something that the customer bought does not work."""
    return repairs


def back_to_triage() -> Agent:
    """Hand over to triage: the customer asks for what this desk does not do."""
    return triage


def look_up_item(words: str) -> str:
    """Find the id of an item of the catalogue.

    Args:
        words: Part of the item's name.
    """
    found = [f"{item}: {name}" for item, (name, _) in CATALOGUE.items() if words.lower() in name]
    return "\n".join(found) or "There is no such item."


def order(item_id: str, quantity: int = 1) -> str:
    """Order an item, once the customer has agreed to the price.

    Args:
        item_id: The id, as look_up_item gives it.
        quantity: How many.
    """
    if item_id not in CATALOGUE:
        return f"There is no item {item_id}."
    name, price = CATALOGUE[item_id]
    return f"Ordered {quantity} x {name} for {quantity * price} €."


def refund(item_id: str, reason: str = "not given") -> str:
    """Refund an item, when a repair is of no use.

    Args:
        item_id: The id, as look_up_item gives it.
        reason: In a few words of the customer's.
    """
    return f"Refunded {item_id}. Reason: {reason}."


triage = Agent(
    "Triage",
    MODEL,
    "You are the first to answer a customer of ACME. Greet briefly, find out what it is about, and hand over.",
    [to_sales, to_repairs],
)
sales = Agent(
    "Sales",
    MODEL,
    "You sell for ACME, in a sentence or two. Ask what the customer needs, offer one item with its price, look up its "
    "id, and order it when the customer agrees.",
    [look_up_item, order, back_to_triage],
)
repairs = Agent(
    "Issues and repairs",
    MODEL,
    "You help with what ACME has sold, in a sentence or two. Ask what is wrong, propose a repair, and only if that "
    "does not satisfy the customer look up the item and refund it.",
    [look_up_item, refund, back_to_triage],
)

if __name__ == "__main__":
    run_demo_loop(triage, stream=True)
