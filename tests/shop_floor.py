"""Functions and agents that a worker process imports by name."""

from __future__ import annotations

import contextvars
import os
import threading
import uuid
from typing import Any

from fnschema import Agent, Result, function_tool

language = contextvars.ContextVar("language", default="unset")


def process_id() -> int:
    """Tell the process."""
    return os.getpid()


def named_self(self: int) -> int:
    """Give it back."""
    return self


def thread_name() -> str:
    """Tell the thread."""
    return threading.current_thread().name


def spoken() -> str:
    """Tell the language."""
    return language.get()


@function_tool
def decorated(number: int) -> str:
    """Tell the process and a number."""
    return f"{os.getpid()} {number}"


def change(context_variables: dict[str, Any]) -> Result:
    """Change the context in place and by a result."""
    context_variables["in place"] = True
    return Result("changed", context_variables={"by result": True})


def fail() -> None:
    """Fail."""
    raise ValueError("secret")


sales = Agent("Sales", functions=[process_id])
# Holds what cannot be pickled, so that only its name can travel.
repairs = Agent("Repairs", functions=[function_tool(lambda: None, name_override="mend")])
DESKS = {"repairs": repairs}


def to_sales() -> Agent:
    """Hand over to sales."""
    return sales


def to_repairs() -> Result:
    """Hand over to repairs."""
    return Result("Over to you.", DESKS["repairs"])


class Counter:
    """A desk that is a method's, and one that is a callable object's."""

    def to_repairs(self) -> Agent:
        """Hand over to repairs."""
        return DESKS["repairs"]

    def __call__(self) -> Agent:
        """Hand over to repairs."""
        return repairs


def to_a_new_desk() -> Agent:
    """Hand over to an agent that is made here and now."""
    return Agent("New", instructions="Be new.")


def to_a_hidden_desk() -> Agent:
    """Hand over to an agent that is made here and cannot be pickled."""
    return Agent("Hidden", functions=[function_tool(lambda: None, name_override="hide")])


def ticket() -> str:
    """Draw a ticket; no two are the same."""
    return f"{os.getpid()} {uuid.uuid4()}"
