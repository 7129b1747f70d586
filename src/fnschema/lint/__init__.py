"""What is wrong with tools before a request is made: what a provider refuses, and what a model stumbles over.

```
functions of one request ──read──▶ facts (one of the four kinds in `subjects`) ──rules──▶ findings ──▶ a report
```

A rule is a function of one kind of facts; the table of them all is in `rules`. Nothing here knows a command line.
"""

from __future__ import annotations

from .facts import read_request
from .findings import Finding, findings
from .places import Place
from .reports import REPORTS, sentence
from .rules import RULES
from .selection import Selection
from .subjects import LintedTool, UnreadableModule, UnusableFunction

__all__ = [
    "REPORTS",
    "RULES",
    "Finding",
    "LintedTool",
    "Place",
    "Selection",
    "UnreadableModule",
    "UnusableFunction",
    "findings",
    "read_request",
    "sentence",
]
