"""What a command of the command line left behind, and the types of the fixtures that run one."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


Run = Callable[..., Ran]
Write = Callable[..., Path]
