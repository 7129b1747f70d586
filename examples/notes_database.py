"""A small database of notes in sqlite3: a `TypedDict`, an `Enum` and an optional parameter, documented with `:param:`.

The notes live in memory, or in the file that the environment variable ``NOTES_DATABASE`` names.
"""

import os
import sqlite3
from enum import Enum
from typing import NotRequired, TypedDict


class Status(Enum):
    OPEN = "open"
    DONE = "done"


class NewNote(TypedDict):
    """What is known of a note before it is stored."""

    title: str
    text: str
    tags: NotRequired[list[str]]


class Note(NewNote):
    id: int
    status: str


def _connect(path: str) -> sqlite3.Connection:
    # Tools run in worker threads too; sqlite3 itself serializes the use of one connection.
    database = sqlite3.connect(path, check_same_thread=False)
    database.row_factory = sqlite3.Row
    database.execute("CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, title, text, tags, status)")
    return database


_notes = _connect(os.environ.get("NOTES_DATABASE", ":memory:"))


def add_note(note: NewNote) -> int:
    """Store a note.

    :param note: The note to store.
    :returns: The number under which it is stored.
    """
    row = (note["title"], note["text"], ",".join(note.get("tags", [])), Status.OPEN.value)
    with _notes:
        cursor = _notes.execute("INSERT INTO note (title, text, tags, status) VALUES (?, ?, ?, ?)", row)
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def find_notes(words: str | None = None, status: Status | None = None, limit: int = 10) -> list[Note]:
    """Find notes, the newest first.

    :param words: Text that the title or the body must hold; null finds all.
    :param status: Only notes of this status; null finds both.
    :param limit: At most so many notes.
    """
    wanted = {"words": words, "status": status and status.value, "limit": limit}
    rows = _notes.execute(
        "SELECT * FROM note WHERE (:words IS NULL OR instr(title || ' ' || text, :words)) "
        "AND (:status IS NULL OR status = :status) ORDER BY id DESC LIMIT :limit",
        wanted,
    )
    return [_note(row) for row in rows]


def set_status(number: int, status: Status) -> str:
    """Change the status of a note.

    :param number: The note's number, as `find_notes` gives it.
    :param status: The new status.
    """
    with _notes:
        changed = _notes.execute("UPDATE note SET status = ? WHERE id = ?", (status.value, number)).rowcount
    return f"Note {number} is {status.value} now." if changed else f"There is no note {number}."


def _note(row: sqlite3.Row) -> Note:
    tags: list[str] = row["tags"].split(",") if row["tags"] else []
    return Note(id=row["id"], title=row["title"], text=row["text"], tags=tags, status=row["status"])
