"""What no rule can rewrite: found in a tool's own schema, before any rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._json_schema import Path, Schema, is_object, kinds_of, malformed, resolve, schemas_below, schemas_in, walk
from ..errors import UserError
from .facts import TYPES
from .problems import Finding
from .rules.objects import is_map, is_open
from .rules.patterns import has_look_around, plain

__all__ = ["LONGEST_LOOK_AROUND", "ambiguous_entries", "open_objects_in", "unbounded_look_around", "unreadable"]

LONGEST_LOOK_AROUND = 256  # characters; such a pattern runs on Python's `re`, which may backtrack for ever

_ENTRIES = 'open_objects="entries"'
_NAMED = "a TypedDict, a dataclass or a model with named fields"


def unreadable(root: Schema) -> Iterator[Finding]:
    """Keywords of the wrong type, and references that lead nowhere or round in circles."""
    for path, schema in walk(root):
        keyword = malformed(schema) or _holds_no_schema(schema)
        if keyword:
            yield Finding(path, f"its keyword {keyword!r} has a value of the wrong type", "Mend the JSON Schema.")
            continue
        try:
            resolve(schema, root)
        except UserError as error:
            yield Finding(path, str(error).rstrip("."), "Mend the JSON Schema.")


def _holds_no_schema(schema: Schema) -> str | None:
    """The keyword below which something stands in a schema's place; old ``dependencies`` have lists of names, too."""
    for (keyword, *_), child in schemas_below(schema):
        if not isinstance(child, (dict, bool)) and keyword != "dependencies" and not _is_list_of_items(keyword, child):
            return str(keyword)
    return None


def _is_list_of_items(keyword: object, child: object) -> bool:
    return keyword == "items" and isinstance(child, list)


def open_objects_in(root: Schema, *, entries: bool) -> Iterator[Finding]:
    """Objects with properties that nobody names; with `entries`, those that are not plain maps."""
    if not any(is_object(schema) and is_open(schema) for schema in schemas_in(root)):
        return  # as most often, and known in a fraction of the time that paths take
    for path, schema in walk(root):
        if not path or not is_open(schema) or (entries and is_map(schema)):
            continue
        if schema.get("properties"):
            reason = "it takes properties beside the named ones (additionalProperties), and strict objects are closed"
            remedy = 'Leave out extra="allow".'
        else:
            reason = "it is an object with any properties (additionalProperties), and strict objects are closed"
            remedy = f"Use {'dict[str, T]' if entries else _ENTRIES}, {_NAMED}."
        yield Finding(path, reason, remedy)


def ambiguous_entries(root: Schema) -> Iterator[Finding]:
    """Unions in which a map, once it is an array of entries, could be taken for another branch."""
    for path, schema in walk(root):
        union: list[Any] = schema.get("anyOf") or schema.get("oneOf") or []
        branches = [resolve(branch, root) for branch in union if is_object(branch)]
        maps = [branch for branch in branches if is_map(branch)]
        arrays = [branch for branch in branches if "array" in kinds_of(branch)]
        if maps and arrays:
            what = "an array"
        elif _overlap(maps, root):
            what = "another map with values of the same types"
        else:
            continue
        yield Finding(
            path,
            f"it may be a map or {what}, which cannot be told apart once a map is an array of entries",
            f"Use one of them, {_NAMED}.",
        )


def _overlap(maps: list[Schema], root: Schema) -> bool:
    seen = set[str]()
    for schema in maps:
        kinds = _kinds_of_values(schema, root)
        if kinds & seen:
            return True
        seen |= kinds
    return False


def _kinds_of_values(schema: Schema, root: Schema) -> set[str]:
    pending = list(schema.get("patternProperties", {}).values()) or [schema.get("additionalProperties", {})]
    kinds = set[str]()
    for value in pending:
        target = resolve(value, root) if is_object(value) else {}
        if "anyOf" in target:
            pending.extend(target["anyOf"])
            continue
        own = set(kinds_of(target)) or TYPES
        kinds |= own | ({"integer"} if "number" in own else set())
    return kinds


def unbounded_look_around(root: Schema) -> Iterator[Finding]:
    """Patterns with look-around on strings of any length."""
    for path, schema in walk(root):
        pattern = schema.get("pattern")
        if not isinstance(pattern, str) or not has_look_around(plain(pattern)):
            continue
        if schema.get("maxLength", LONGEST_LOOK_AROUND + 1) > LONGEST_LOOK_AROUND:
            yield _look_around_at(path, pattern)


def _look_around_at(path: Path, pattern: str) -> Finding:
    return Finding(
        path,
        f"its pattern {pattern!r} looks ahead or behind, which may take for ever on a long text",
        f"Add max_length={LONGEST_LOOK_AROUND} or less, or write the pattern without look-around.",
    )
