"""How definitions refer to each other: cycles, and how deep objects nest through references."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import NamedTuple

from .._json_schema import DEFINITIONS, Path, Schema, definition_of, is_object, kinds_of, schemas_below

__all__ = ["cyclic_places", "levels_of_objects"]

_ROOT: Path = ()


class _Visit(NamedTuple):
    """A schema below a place, how many objects enclose it there, whether it may be left out, and of which property."""

    schema: Schema
    objects: int
    optional: bool
    name: str | None


def cyclic_places(root: Schema, *, optional_counts: bool) -> dict[Path, list[str]]:
    """The places of definitions that lead back to themselves, in the order of the text; ``()`` is the root.

    Args:
        root: the whole schema.
        optional_counts: whether a cycle through a property that is not required is one.

    Returns:
        for each place the properties through which it leads back, in the order of the text.
    """
    by_place = _visits_by_place(root, lambda visit: optional_counts or not visit.optional)
    referring = {place: [visit for visit in visits if "$ref" in visit.schema] for place, visits in by_place.items()}
    lead_on, turned = _without_ends(
        {place: {_place(visit.schema["$ref"]) for visit in visits} for place, visits in referring.items()}
    )
    in_cycles, _ = _without_ends(turned)
    return {place: _names_into(in_cycles, referring[place]) for place in lead_on if place in in_cycles}


def _names_into(places: Container[Path], visits: Sequence[_Visit]) -> list[str]:
    into = [visit.name for visit in visits if visit.name is not None and _place(visit.schema["$ref"]) in places]
    return list(dict.fromkeys(reversed(into)))


def _without_ends(edges: dict[Path, set[Path]]) -> tuple[dict[Path, set[Path]], dict[Path, set[Path]]]:
    """The edges that lead on for ever, and the same turned round."""
    turned: dict[Path, set[Path]] = {place: set() for place in edges}
    for place, targets in edges.items():
        for target in targets:
            turned.setdefault(target, set()).add(place)
    left = {place: len(edges.get(place, ())) for place in turned}
    ends = [place for place, count in left.items() if count == 0]
    while ends:
        end = ends.pop()
        del left[end]
        for place in turned[end] & left.keys():
            left[place] -= 1
            if left[place] == 0:
                ends.append(place)
    kept = {place: edges[place] & left.keys() for place in left}
    return kept, {place: turned[place] & left.keys() for place in left}


def levels_of_objects(root: Schema) -> int:
    """How many objects enclose one another at most, references followed; a recursive one counts once."""
    visits = _visits_by_place(root, lambda visit: True)
    levels: dict[Path, int] = {}
    pending: list[tuple[Path, bool]] = [(_ROOT, False)]
    entered = {_ROOT}
    while pending:
        place, leaving = pending.pop()
        if leaving:
            levels[place] = max(_levels(visit, levels) for visit in visits[place])
            continue
        pending.append((place, True))
        for target in {_place(visit.schema["$ref"]) for visit in visits[place] if "$ref" in visit.schema}:
            if target not in entered and target in visits:
                entered.add(target)
                pending.append((target, False))
    return levels[_ROOT]


def _levels(visit: _Visit, levels: dict[Path, int]) -> int:
    if "$ref" in visit.schema:
        return visit.objects + levels.get(_place(visit.schema["$ref"]), 0)
    return visit.objects + ("object" in kinds_of(visit.schema))


def _place(reference: str) -> Path:
    """The definition that a reference leads to or into; what lies elsewhere belongs to the root."""
    return definition_of(reference) or _ROOT


def _visits_by_place(root: Schema, kept: Callable[[_Visit], bool]) -> dict[Path, list[_Visit]]:
    places: dict[Path, Schema] = {_ROOT: root}
    for keyword in DEFINITIONS:
        places |= {(keyword, name): schema for name, schema in root.get(keyword, {}).items() if is_object(schema)}
    return {place: [visit for visit in _visits(schema) if kept(visit)] for place, schema in places.items()}


def _visits(schema: Schema) -> Iterator[_Visit]:
    """Everything in a schema but its definitions, the last first."""
    pending = [_Visit(schema, 0, False, None)]
    while pending:
        visit = pending.pop()
        yield visit
        required = visit.schema.get("required", ())
        objects = visit.objects + ("object" in kinds_of(visit.schema))
        for steps, child in schemas_below(visit.schema):
            if is_object(child) and steps[0] not in DEFINITIONS:
                is_named = steps[0] == "properties"
                optional = visit.optional or (is_named and steps[1] not in required)
                pending.append(_Visit(child, objects, optional, str(steps[1]) if is_named else visit.name))
