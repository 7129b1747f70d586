"""What pydantic demands of texts that JSON Schema's formats allow: no leap second, no 29 February in most years …"""

from __future__ import annotations

import re

from ..._json_schema import Schema
from ..facts import SchemaFacts
from .patterns import is_taken
from .rule import each_schema

__all__ = ["FORMAT_PATTERNS", "formats_narrowed"]

_YEAR = "[1-9][0-9]{3}"
_LEAP_YEAR = "([1-9][0-9](0[48]|[2468][048]|[13579][26])|([2468][048]|[13579][26])00)"
_DATE = (
    f"({_YEAR}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
    f"|{_LEAP_YEAR}-02-29)"
)
_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?"
_OFFSET = "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
_COUNT = "[0-9]{1,6}"
_DURATION = rf"P({_COUNT}D|({_COUNT}D)?T({_COUNT}H|({_COUNT}H)?({_COUNT}M|({_COUNT}M)?{_COUNT}(\.[0-9]{{1,6}})?S)))"
_BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4 = rf"{_BYTE}(\.{_BYTE}){{3}}"
_HEX = "[0-9a-fA-F]"
_IPV6 = f"({_HEX}{{1,4}}:){{7}}{_HEX}{{1,4}}"
# Registered names as most are: no hyphen twice, which announces Punycode, and a last label that is no number.
_HOST = rf"(([A-Za-z0-9](-?[A-Za-z0-9])*\.)*[A-Za-z](-?[A-Za-z0-9])*|{_IPV4})"
_AFTER_HOST = "(:[1-5]?[0-9]{1,4})?([/?#][!-~]*)?"


# Format → a pattern of texts that both the format and pydantic take; measured against pydantic 2.14.
FORMAT_PATTERNS: dict[str, str] = {
    "date": f"^{_DATE}$",
    "date-time": f"^{_DATE}T{_TIME}{_OFFSET}$",
    "local-date-time": f"^{_DATE}T{_TIME}$",
    "time": f"^{_TIME}{_OFFSET}$",
    "complex": r"^-?[0-9]{1,17}(\.[0-9]{1,17})?([+-][0-9]{1,17}(\.[0-9]{1,17})?j)?$",
    "decimal": r"^-?[0-9]{1,28}(\.[0-9]{1,28})?$",
    "duration": f"^{_DURATION}$",
    "uri": f"^([A-Za-z][A-Za-z0-9+.-]*://{_HOST}{_AFTER_HOST}|(data|mailto|tel|urn):[!-~]+)$",
    "uuid": f"^{_HEX}{{8}}(-{_HEX}{{4}}){{3}}-{_HEX}{{12}}$",
    **{f"uuid{v}": f"^{_HEX}{{8}}-{_HEX}{{4}}-{v}{_HEX}{{3}}-[89abAB]{_HEX}{{3}}-{_HEX}{{12}}$" for v in range(1, 9)},
    "ipv4": f"^{_IPV4}$",
    "ipv4interface": f"^{_IPV4}(/([12]?[0-9]|3[0-2]))?$",
    "ipv4network": f"^{_IPV4}(/32)?$",
    "ipv6interface": f"^{_IPV6}(/([1-9]?[0-9]|1[01][0-9]|12[0-8]))?$",
    "ipv6network": f"^{_IPV6}(/128)?$",
    "fraction": "^-?[0-9]{1,28}(/[1-9][0-9]{0,27})?$",
    "base64": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    "base64url": "^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2}==|[A-Za-z0-9_-]{3}=)?$",
}

_ONLY_SCHEMES = re.compile(r"\^\(([a-z|]+)\)://")  # what is published of a type that takes some schemes only


@each_schema
def formats_narrowed(schema: Schema, root: Schema, facts: SchemaFacts) -> Schema:
    """A format allows texts that the tool refuses: a pattern leaves them out."""
    pattern = _pattern_of(schema)
    if pattern is None or not facts.takes("pattern") or not is_taken(pattern, facts.patterns):
        return schema
    return {**schema, "pattern": pattern}


def _pattern_of(schema: Schema) -> str | None:
    if "pattern" not in schema:
        return FORMAT_PATTERNS.get(str(schema.get("format")))
    schemes = _ONLY_SCHEMES.fullmatch(str(schema["pattern"]))
    return f"^({schemes[1]})://{_HOST}{_AFTER_HOST}$" if schemes and schema.get("format") == "uri" else None
