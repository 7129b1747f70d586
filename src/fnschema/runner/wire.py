"""What a provider sent, whatever client brought it: plain dicts, an answer, or an error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

__all__ = ["Adapter", "Merger", "ProviderError", "Reply", "Turn", "add_usage", "plain", "raise_error", "sound"]


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
    tool_choice: Any
    parallel_tool_calls: bool | None
    stream: bool


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
    usage: Mapping[str, Any] = field(default_factory=dict)


class Merger(Protocol):
    """Puts the pieces of one streamed answer together."""

    def add(self, piece: object) -> Iterable[dict[str, Any]]:
        """Take a piece; gives what a reader of the stream is shown of it, as deltas of Chat Completions."""

    def reply(self) -> Reply:
        """The whole answer, once the stream has ended. Raises `ProviderError` if it ended too early."""


class Adapter(Protocol):
    """All that the runner knows of one API. To offer tools in another way, write another adapter."""

    dialect: str

    def create(self, client: Any) -> Any:
        """The client's method that asks the model."""

    def items(self, message: Mapping[str, Any]) -> list[dict[str, Any]]:
        """A message of the transcript as the API takes it."""

    def request(self, turn: Turn, client: Any) -> dict[str, Any]:
        """The keyword arguments of `create`."""

    def read(self, payload: object) -> Reply:
        """An answer that came in one piece."""

    def merger(self) -> Merger:
        """For an answer that comes in pieces."""


def plain(value: Any) -> Any:
    """Dicts and lists, from a client's models (whose fields may hold what their annotations do not allow) or objects."""
    if hasattr(value, "model_dump"):
        return value.model_dump(exclude_unset=True, warnings=False)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "__dict__"):
        return {key: plain(item) for key, item in vars(value).items()}
    return value


def raise_error(body: Any) -> None:
    """Raise the error that a provider put into a body of status 200, or into a piece of a stream."""
    if not isinstance(body, dict):
        raise ProviderError(f"The provider sent {type(body).__name__}, not a JSON object.")
    error = body.get("error")
    if error:
        message = error.get("message") if isinstance(error, dict) else error
        raise ProviderError(f"The provider sent an error: {message or error!r}")


def sound(text: str) -> str:
    """Text that can be sent: the halves of a surrogate pair joined, a lone half replaced.

    A provider that cuts its stream between UTF-16 units sends one half in each piece.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def add_usage(total: dict[str, Any], usage: Mapping[str, Any]) -> None:
    """Add a provider's counts, nested ones too; what is no number is left out."""
    for name, count in usage.items():
        if isinstance(count, Mapping):
            add_usage(total.setdefault(name, {}), count)
        elif isinstance(count, (int, float)) and not isinstance(count, bool):
            total[name] = total.get(name, 0) + count
