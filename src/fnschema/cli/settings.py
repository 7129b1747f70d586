"""`[tool.fnschema]` of the nearest pyproject.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from .._json_schema import is_array, is_object
from ..dialects import Strict
from ..errors import UserError

__all__ = ["Settings", "read_settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a project has settled for `fnschema check`.

    Attributes:
        select: the rules that are looked at, by the beginnings of their ids; `None` is all.
        ignore: those of them that are not.
        dialect: for which providers; `None` is the default.
        strict: as for `Dialect.definition`.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    dialect: tuple[str, ...] | None = None
    strict: Strict = None


def read_settings(folder: Path) -> Settings:
    """The settings of the project that the folder is in; the defaults where it says nothing.

    Args:
        folder: where to look for a pyproject.toml, and then in the folders above.

    Raises:
        UserError: the file is no TOML, a key is unknown, or a value is of another type.
    """
    file = next((above / "pyproject.toml" for above in (folder, *folder.parents) if _is_project(above)), None)
    if file is None:
        return Settings()
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"Cannot read {file}: {error}.") from error
    tools: object = document.get("tool", {})
    table: object = tools.get("fnschema", {}) if is_object(tools) else tools
    if not is_object(table):
        raise UserError(f"Cannot read [tool.fnschema] of {file}: it should be a table.")
    return Settings(**{key: _setting(file, key, value) for key, value in table.items()})


def _is_project(folder: Path) -> bool:
    return (folder / "pyproject.toml").is_file()


def _setting(file: Path, key: str, value: Any) -> Any:
    known = [field.name for field in fields(Settings)]
    if key not in known:
        raise UserError(f"Cannot read [tool.fnschema] of {file}: there is no key {key!r}. It has {', '.join(known)}.")
    if key == "strict":
        if isinstance(value, bool) or value == "if possible":
            return value
        raise UserError(f'Cannot read {key!r} in [tool.fnschema] of {file}: it should be true, false or "if possible".')
    if key == "dialect" and isinstance(value, str):
        return (value,)
    if not is_array(value) or not all(isinstance(item, str) for item in value):
        raise UserError(f"Cannot read {key!r} in [tool.fnschema] of {file}: it should be an array of strings.")
    return tuple(value)
