"""What a run hands to a tool beside the model's arguments. Hidden from the model, injected when the tool is called."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic

from typing_extensions import TypeVar

__all__ = ["RunContextWrapper", "ToolContext", "is_of_agents_sdk"]

T = TypeVar("T", default=Any)


@dataclass
class RunContextWrapper(Generic[T]):
    """The caller's own object, as a tool receives it when its first parameter is annotated with this class.

    Attributes:
        context: whatever the caller passed as ``context=``; fnschema never looks into it, and the `repr` leaves it out.
    """

    context: T = field(repr=False)


@dataclass
class ToolContext(RunContextWrapper[T]):
    """The context of one tool call.

    Attributes:
        tool_name: the name that the model called.
        tool_call_id: the provider's id of the call.
        tool_arguments: the JSON text that the model sent; the `repr` leaves it out.
    """

    tool_name: str = ""
    tool_call_id: str = ""
    tool_arguments: str = field(default="", repr=False)


def is_of_agents_sdk(cls: type) -> bool:
    """Whether it is the Agents SDK's own `RunContextWrapper`, or a class below that, told by its name and module."""
    return any(
        base.__name__ == "RunContextWrapper" and base.__module__.partition(".")[0] == "agents" for base in cls.__mro__
    )
