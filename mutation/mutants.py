"""The mutants of a file, and a sample of them that stays the same."""

from __future__ import annotations

import difflib
import functools
import hashlib
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import libcst
from mutmut.mutation.file_mutation import Mutation, create_mutations
from targets import PACKAGE

SEED = 8


@dataclass(frozen=True, eq=False)
class Mutant:
    """One change of one file; `where` names the function, class or table that it is in."""

    path: Path
    where: str
    module: libcst.Module
    statement: libcst.CSTNode
    mutation: Mutation
    rank: bytes

    @property
    def place(self) -> str:
        return place_of(self.path, self.where)

    @functools.cached_property
    def source(self) -> str:
        """The file with the change."""
        changed = self.statement.deep_replace(self.mutation.original_node, self.mutation.mutated_node)
        return self.module.code.replace(self.module.code_for_node(self.statement), self.module.code_for_node(changed))

    def __str__(self) -> str:
        lines = difflib.unified_diff(self.module.code.splitlines(), self.source.splitlines(), n=0, lineterm="")
        change = [line for line in lines if line[:2] not in ("--", "++", "@@")]
        return "\n".join([f"{self.path.relative_to(PACKAGE).as_posix()}, {self.where}", *change])


def sample(paths: Iterable[Path], count: int | None, where: str = "") -> tuple[int, list[Mutant]]:
    """How many mutants there are, and as many as asked for: those with the smallest hashes.

    So a function that stays as it was keeps its place in the sample while others change.
    """
    found = [mutant for path in paths for mutant in mutants_of(path) if where in mutant.where]
    ranked = sorted(found, key=lambda mutant: mutant.rank)
    return len(found), list(itertools.islice((mutant for mutant in ranked if _compiles(mutant.source)), count))


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file, in the order of its lines."""
    module, mutations, _, _ = create_mutations(str(path), path.read_text(encoding="utf-8"))
    places = {id(node): (part, place) for part in module.body for node, place in _places(part, "")}
    numbers: Counter[str] = Counter()
    for mutation in mutations:
        statement, where = places[id(mutation.original_node)]
        if where == "__all__":
            continue
        numbers[where] += 1
        name = f"{SEED} {path.relative_to(PACKAGE).as_posix()} {where} {numbers[where]}"
        yield Mutant(path, where, module, statement, mutation, hashlib.sha256(name.encode()).digest())


def place_of(path: Path, where: str) -> str:
    """What names a function."""
    return f"{path} {where}"


def _places(node: libcst.CSTNode, place: str) -> Iterator[tuple[libcst.CSTNode, str]]:
    """Each node from this one down, with the dotted name of the function, class or table that it is in."""
    match node:
        case libcst.FunctionDef(name=name) | libcst.ClassDef(name=name):
            place = f"{place}.{name.value}".removeprefix(".")
        case libcst.Assign(targets=[libcst.AssignTarget(target=libcst.Name(value=name))]) if not place:
            place = name
        case libcst.AnnAssign(target=libcst.Name(value=name)) if not place:
            place = name
    yield node, place
    for child in node.children:
        yield from _places(child, place)


def _compiles(source: str) -> bool:
    try:
        compile(source, "mutant", "exec")
    except SyntaxError:
        return False
    return True
