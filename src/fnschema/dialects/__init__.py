"""How each provider wants a tool to be written down, and what it refuses.

```
tool.tool_schema ──▶ Dialect.definition ──▶ the payload, or a SchemaError that lists every problem
 (ToolSchema)        Dialect.problems   ──▶ the same problems, warnings too
                     Dialect.changes    ──▶ what was rewritten, parameter by parameter, and why
several tools    ──▶ check              ──▶ the problems of each, and of all together
```

A dialect is data: facts (`facts.py`), rules that rewrite a schema (`rules/`), checks of the result (`checks.py`) and
the shape of the payload. One small file a provider; adding one is described in the how-to "Add a dialect".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._lazy import lazy_names

if TYPE_CHECKING:
    from .dialect import Change, Dialect, Form, Strict, ToolSchema
    from .registry import check, get, names

__all__ = ["Change", "Dialect", "Form", "Strict", "ToolSchema", "check", "get", "names"]

# The engine needs some facts and rules for every schema, and the dialects themselves for a definition only.
__getattr__ = lazy_names(
    __name__,
    globals(),
    {
        **dict.fromkeys(("Change", "Dialect", "Form", "Strict", "ToolSchema"), "dialect"),
        **dict.fromkeys(("check", "get", "names"), "registry"),
    },
)
