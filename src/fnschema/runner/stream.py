"""Calls that arrive in pieces, put together as providers really send them.

| what a piece has                         | it belongs to                                                            |
|------------------------------------------|--------------------------------------------------------------------------|
| an index that was seen, no id            | the latest call of that index                                            |
| an index that was seen, another id       | a new call: such a provider numbers every call 0                         |
| no index, an id that was seen            | the call of that id                                                      |
| no index, no id                          | the latest call                                                          |
| a name, where that call has another one, | a new call: such a provider sends whole calls without ids, or every call |
| or the same one and complete arguments   | with the same id                                                         |
| neither an id nor a name                 | never a new call                                                         |

A name or an id that comes again is not appended; arguments are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .transcript import arguments_text, is_object
from .wire import part

__all__ = ["Calls"]


@dataclass(slots=True)
class _Piece:
    """One entry of a delta's ``tool_calls``, and the call that such pieces add up to."""

    index: int | None
    id: str
    name: str
    arguments: str
    extra_content: Any


class Calls:
    """The calls of one streamed answer."""

    def __init__(self) -> None:
        self._calls: list[_Piece] = []

    def add(self, entry: Mapping[str, Any]) -> None:
        """Take one entry of a delta's ``tool_calls``."""
        function = part(entry, "function")
        piece = _Piece(
            entry.get("index"),
            entry.get("id") or "",
            function.get("name") or "",
            arguments_text(function.get("arguments")),
            entry.get("extra_content"),
        )
        call = self._home(piece)
        if call is None:
            self._calls.append(piece)
        elif not _is_repeated(call, piece):
            _append(call, piece)

    def whole(self) -> list[dict[str, Any]]:
        """The calls as they would have come in one piece."""
        return [
            {
                "id": call.id,
                "function": {"name": call.name, "arguments": call.arguments},
                "extra_content": call.extra_content,
            }
            for call in self._calls
        ]

    @property
    def complete(self) -> bool:
        """Whether the arguments of every call are a whole JSON object."""
        return all(is_object(call.arguments) for call in self._calls)

    def _home(self, piece: _Piece) -> _Piece | None:
        """The call that a piece belongs to; `None` if it begins a new one."""
        latest_first = self._calls[::-1]
        if piece.index is not None:
            latest_first = [call for call in latest_first if call.index == piece.index]
        if piece.id:
            latest_first = [call for call in latest_first if call.id in (piece.id, "")]
        if latest_first:
            return None if _begins_another(latest_first[0], piece) else latest_first[0]
        if piece.name:
            return None
        same_id = [call for call in self._calls if call.id == piece.id]
        return same_id[-1] if same_id else None if piece.id or not self._calls else self._calls[-1]


def _begins_another(call: _Piece, piece: _Piece) -> bool:
    if not (piece.name and call.name):
        return False
    if piece.name != call.name:
        return not _continues_name(call, piece)
    return is_object(call.arguments) and bool(piece.arguments.strip()) and not _is_repeated(call, piece)


def _continues_name(call: _Piece, piece: _Piece) -> bool:
    return bool(call.id) and piece.id in ("", call.id) and not call.arguments


def _is_repeated(call: _Piece, piece: _Piece) -> bool:
    """The whole call, sent once more under its id."""
    same = (call.id, call.name, call.arguments) == (piece.id, piece.name, piece.arguments)
    return same and bool(piece.id) and is_object(call.arguments)


def _append(call: _Piece, piece: _Piece) -> None:
    call.id = call.id or piece.id
    if piece.name != call.name:
        call.name += piece.name
    call.arguments += piece.arguments
    call.extra_content = piece.extra_content or call.extra_content
