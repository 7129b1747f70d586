"""Which rules are looked at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import UserError
from .rules import RULES

__all__ = ["Selection"]


@dataclass(frozen=True, slots=True)
class Selection:
    """Rules by id, or by the beginning of it: ``FNS1`` is all from FNS100 to FNS199.

    Attributes:
        select: the rules that are looked at; `None` is all.
        ignore: those of them that are not.

    Raises:
        UserError: no rule begins so.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        known = [rule.id for rule in RULES]
        for prefix in (*(self.select or ()), *self.ignore):
            if not prefix or not any(rule.startswith(prefix) for rule in known):
                raise UserError(f"There is no rule {prefix!r}. The rules are {', '.join(known)}.")

    def takes(self, rule: str) -> bool:
        """Whether the rule of that id is looked at."""
        return (self.select is None or _begins(rule, self.select)) and not _begins(rule, self.ignore)


def _begins(rule: str, prefixes: Iterable[str]) -> bool:
    return any(rule.startswith(prefix) for prefix in prefixes)
