"""Agents on any model that speaks OpenAI's APIs."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .agent import Agent, Response, Result
    from .repl import run_demo_loop
    from .runner import Runner

__all__ = ["Agent", "Response", "Result", "Runner", "run_demo_loop"]

_MODULES = {"Runner": "runner", "run_demo_loop": "repl"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_MODULES.get(name, 'agent')}", __name__), name)
