"""Every type that pydantic brings, given what types of this kind stumble over: a value or an `ArgumentsError`."""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import ipaddress
import json
import pathlib
import re
import uuid
import zoneinfo
from collections.abc import Hashable, Sequence
from typing import Annotated, Any

import pydantic
import pydantic.networks
import pydantic.types
import pytest
from pydantic import AwareDatetime, Field, StringConstraints

from calls import taking
from fnschema import ArgumentsError, function_schema

OWN = """
    AnyHttpUrl AnyUrl AnyWebsocketUrl AwareDatetime Base64Bytes Base64Str Base64UrlStr ByteSize ClickHouseDsn
    CockroachDsn DirectoryPath FileUrl FilePath FtpUrl FutureDate FutureDatetime HttpUrl IPvAnyAddress IPvAnyInterface
    IPvAnyNetwork ImportString Json KafkaDsn MariaDBDsn MongoDsn MySQLDsn NaiveDatetime NatsDsn NewPath PastDate
    PastDatetime PostgresDsn RedisDsn SecretBytes SecretStr SnowflakeDsn SocketPath StrictBool StrictBytes StrictFloat
    StrictInt StrictStr UUID1 UUID7 WebsocketUrl
""".split()
TYPES: dict[str, Any] = {name: getattr(pydantic, name, None) or getattr(pydantic.types, name) for name in OWN} | {
    "aware and late": Annotated[AwareDatetime, Field(gt=datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC))],
    "bytes": bytes,
    "complex": complex,
    "counter": collections.Counter[str],
    "date": datetime.date,
    "datetime": datetime.datetime,
    "decimal of steps": Annotated[decimal.Decimal, Field(multiple_of=decimal.Decimal("0.01"))],
    "decimal of digits": Annotated[decimal.Decimal, Field(max_digits=5, decimal_places=2)],
    "float of steps": Annotated[float, Field(multiple_of=0.1)],
    "fraction": fractions.Fraction,
    "hashable": Hashable,
    "int of steps": Annotated[int, Field(multiple_of=3)],
    "interface": ipaddress.IPv6Interface,
    "keys that are decimals": dict[decimal.Decimal, int],
    "keys that are paths": dict[pydantic.FilePath, int],
    "keys that are patterns": dict[re.Pattern[str], int],
    "network": ipaddress.IPv4Network,
    "path": pathlib.Path,
    "pattern": re.Pattern,
    "sequence": Sequence[int],
    "set of decimals": set[decimal.Decimal],
    "text": Annotated[str, StringConstraints(to_lower=True, pattern=r"(?=a)b(c)\1", max_length=30)],
    "time": datetime.time,
    "timedelta": datetime.timedelta,
    "uuid": uuid.UUID,
    "zone": zoneinfo.ZoneInfo,
}
TEXTS = [
    "", "x" * 5000, "a\0b", "a/" * 40_000, "\0", "..", "../../etc/passwd", "/proc/1/cwd/x", "sys.exit", "os:", "a.b.c",
    "(", "(" * 5000, "a{99999999999999999999}", "[", "(?i", "a" * 100 + "*" * 100, "\\", "(?<=a*)b", "\\N{foo}",
    "1e999", "1e999999999999999999", "-1e-99999", "9" * 4000, "9" * 5000, "NaN", "sNaN", "Infinity", "1_000",
    "\uff11\uff12", "1/0", "1e999j", "1e400 GB", "9" * 400 + " B", "nan B", "P99999999999D", "99999999999:00:00",
    "-1e20", "9999-12-31T23:59:59Z", "0000-01-01", "-0001-01-01", "2020-02-30", "24:00:00", "2020-01-01T00:00:00+99:99",
    "http://", "http://[::1", "http://\u2028", "http://" + "a." * 300 + "com", "http://a:99999999", "http://\u0130.com",
    "file:///\0", "postgres://a:b@c:1,d:2/e", "mongodb://" + "a," * 1000, "redis://:@/99999999999999999999", "kafka://",
    "::1/129", "1.2.3.4/33", "fe80::1%\0eth", "Etc/UTC", "../UTC", "AAAA====", "AA=A", "{}", '{"a": 1e999}',
    "[[1]]" * 9, "00000000-0000-0000-0000-000000000000", "urn:uuid:", "\U0001f600", "\u202e", "é\0",
]  # fmt: skip
VALUES = [
    *map(json.dumps, TEXTS), "1e300", "-1e300", "9" * 400, "-" + "9" * 4000, "1e-400", "0", "-1", "1.5", "true", "null",
    "[]", "{}", "[1e300]", "[[]]", '{"a": 1}', "[1, 2]", '{"1e999": 1}', '{"(": 1}', '{"sNaN": 1}', '["sNaN"]',
    '{"' + "x" * 5000 + '": 1}', '["NaN", "NaN"]', '[["a", 1], ["a", 2]]', "253402300800", "1e17", "-62135596801",
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:Possible nested set:FutureWarning")  # of `re`, for a pattern that is no fault
@pytest.mark.parametrize("annotation", TYPES.values(), ids=TYPES)
def test_any_value_is_taken_or_refused(annotation: Any) -> None:
    schema = function_schema(taking(annotation), strict_json_schema=False)
    for value in VALUES:
        told = []
        for read in (schema.bind, schema.validate):
            try:
                read(f'{{"value": {value}}}')
                told.append("")
            except ArgumentsError as error:
                told.append(str(error))
        assert told[0] == told[1]
        assert len(told[0].encode()) < 1024
