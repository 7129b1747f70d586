"""What a provider sent, whatever client brought it: plain dicts, an answer, or an error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from .._results import render

__all__ = ["Adapter", "Merger", "ProviderError", "Reply", "Turn", "add_usage", "body_of", "part", "parts", "plain",
           "raise_error", "sound"]  # fmt: skip

_MODES = frozenset(("auto", "none", "required", "any"))


class ProviderError(Exception):
    """The provider sent an error in place of an answer, half an answer, or what is no answer at all."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the language model is asked, before an API's wire format.

    Attributes:
        model: the provider's name of the model.
        instructions: the system prompt, or `None`.
        items: the transcript, as `Adapter.items` wrote it.
        tools: definitions in the adapter's dialect.
        tool_choice: as in `Agent`, or `None`.
        parallel_tool_calls: as in `Agent`.
        stream: whether the answer is to come in pieces.
    """

    model: str
    instructions: str | None
    items: list[dict[str, Any]]
    tools: list[dict[str, Any]]
    tool_choice: str | Mapping[str, Any] | None
    parallel_tool_calls: bool | None
    stream: bool

    def of_tools(self, named: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
        """The arguments about tools; an API refuses them when there are none.

        Args:
            named: how the API writes the choice of one tool.
        """
        if not self.tools:
            return {}
        choice = self.tool_choice
        if not isinstance(choice, str | None) and choice.get("type") == "function":
            choice = str(choice.get("name") or choice["function"]["name"])
        if isinstance(choice, str) and choice not in _MODES:
            choice = named(choice)
        about: dict[str, Any] = {
            "tools": self.tools,
            "tool_choice": choice,
            "parallel_tool_calls": self.parallel_tool_calls,
        }
        return {key: value for key, value in about.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the language model.

    Attributes:
        message: as Chat Completions writes it; calls as they came, their ids not yet repaired.
        cut: the answer was cut off; its last call may be half a call.
        usage: the provider's counts.
    """

    message: dict[str, Any]
    cut: bool = False
    usage: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Merger(Protocol):
    """Puts the pieces of one streamed answer together."""

    def add(self, piece: object) -> Iterable[dict[str, Any]]:
        """Take a piece; gives what a reader of the stream is shown of it, as deltas of Chat Completions."""
        ...

    def reply(self) -> Reply:
        """The whole answer, once the stream has ended. Raises `ProviderError` if it ended too early."""
        ...


class Adapter(Protocol):
    """All that the runner knows of one API. To offer tools in another way, write another adapter."""

    @property
    def dialect(self) -> str:
        """Of the definitions of tools."""
        ...

    def create(self, client: Any) -> Any:
        """The client's method that asks the model."""
        ...

    def items(self, message: Mapping[str, Any]) -> list[dict[str, Any]]:
        """A message of the transcript as the API takes it."""
        ...

    def request(self, turn: Turn, client: Any) -> dict[str, Any]:
        """The keyword arguments of `create`."""
        ...

    def read(self, payload: object) -> Reply:
        """An answer that came in one piece."""
        ...

    def merger(self) -> Merger:
        """For an answer that comes in pieces."""
        ...


def body_of(payload: object) -> dict[str, Any]:
    """What the client brought as a dict.

    Raises:
        ProviderError: it is none, or tells of an error: also with status 200, and in the middle of a stream.
    """
    body = plain(payload)
    if not isinstance(body, dict):
        raise ProviderError(f"The provider sent {type(body).__name__}, not a JSON object.")
    raise_error(cast("dict[str, Any]", body))
    return cast("dict[str, Any]", body)


def raise_error(body: Mapping[str, Any]) -> None:
    """Raise the error that a body tells of."""
    if body.get("error"):
        message = part(body, "error").get("message") or render(body["error"])
        raise ProviderError(f"The provider sent an error: {message}")


_LEAVES = frozenset({str, int, float, bool, type(None)})


def plain(value: Any) -> Any:
    """Dicts and lists, of a client's models or of objects; a field may hold what its annotation does not allow."""
    if type(value) in _LEAVES:  # first, since most values are
        return value
    if hasattr(value, "model_dump"):
        return value.model_dump(exclude_unset=True, warnings=False)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in cast("Iterable[object]", value)]
    return plain(vars(value)) if hasattr(value, "__dict__") else value


def part(of: Mapping[str, Any], key: str) -> dict[str, Any]:
    """The object under a key; ``{}`` for a null, or whatever else a provider puts there."""
    value = of.get(key)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def parts(of: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The objects of the list under a key."""
    items: list[Any] = of[key] if isinstance(of.get(key), list) else []
    return [item for item in items if isinstance(item, dict)]


def sound(value: Any) -> Any:
    """A value with texts that can be sent: the halves of a surrogate pair joined, a lone half replaced.

    A provider that cuts its stream between UTF-16 units sends one half in each piece.
    """
    if isinstance(value, str):
        return _sound_text(value)
    if isinstance(value, dict):
        return {sound(key): sound(item) for key, item in cast("dict[str, Any]", value).items()}
    return [sound(item) for item in cast("list[object]", value)] if isinstance(value, list) else value


def _sound_text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def add_usage(total: dict[str, Any], usage: Mapping[str, Any]) -> None:
    """Add a provider's counts, nested ones too; left out is what is no number, or an object here and a number there."""
    for name, count in usage.items():
        known = total.get(name)
        if isinstance(count, dict):
            if known is None or isinstance(known, dict):
                add_usage(total.setdefault(name, {}), part(usage, name))
        elif isinstance(count, (int, float)) and not isinstance(count, bool) and not isinstance(known, dict):
            total[name] = _sum(known or 0, count)


def _sum(known: float, count: float) -> float:
    try:
        return known + count
    except OverflowError:  # a float, and an int that none can hold
        return known
