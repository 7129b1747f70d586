"""What a validator of pydantic's own raises is the argument's fault; what a user's raises is the user's."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

import pydantic.types
import pytest
from pydantic import AfterValidator, DirectoryPath, FilePath, ImportString, NewPath, ValidationInfo
from typing_extensions import TypeAliasType

from calls import call_of, refusal, refusal_of, table, taking
from fnschema import function_schema

TOO_LONG = "x" * 5000

REFUSED = {
    "a file's name is too long": (FilePath, TOO_LONG, "/value: is not valid: File name too long"),
    "a folder's name is too long": (DirectoryPath, TOO_LONG, "/value: is not valid: File name too long"),
    "a socket's name is too long": (pydantic.types.SocketPath, TOO_LONG, "/value: is not valid: File name too long"),
    "a way to a file is too long": (FilePath, "a/" * 40_000, "/value: is not valid: File name too long"),
    "a file's name has a NUL": (FilePath, "a\0b", "/value: should be the path of a file that is there"),
    "a folder's name has a NUL": (DirectoryPath, "a\0b", "/value: should be the path of a folder that is there"),
    "a name within a list": (list[FilePath], [TOO_LONG], "/value/0: is not valid: File name too long"),
    "a number that no pattern may have": (re.Pattern, "a{99999999999999999999}", "/value: is not valid"),
    "a pattern of many brackets": (re.Pattern[str], "(" * 20_000, "/value: is not valid"),
    "a module above": (ImportString, "../../etc/passwd", "/value: is not valid"),
}


@table(REFUSED)
def test_it_is_an_arguments_error(annotation: Any, sent: Any, told: str) -> None:
    assert refusal_of(annotation, json.dumps(sent)) == told


@table({"new": NewPath, "a choice of two": FilePath | NewPath})
def test_a_new_path_that_is_too_long_is_no_crash(annotation: Any) -> None:
    assert "File name too long" in refusal_of(annotation, json.dumps(TOO_LONG))


def test_what_a_users_own_validator_raises_passes_through() -> None:
    def look(value: str) -> str:
        raise OSError("the disk is gone")

    schema = function_schema(taking(Annotated[str, AfterValidator(look)]), strict_json_schema=False)
    with pytest.raises(OSError, match="the disk is gone"):
        schema.bind('{"value": "a"}')


def test_a_users_validator_that_dies_of_depth_is_told_as_such() -> None:
    told = refusal_of(Annotated[str, AfterValidator(json.loads)], json.dumps("[" * 100_000))
    assert told == "a value is too deeply nested"


def above_lo(value: int, info: ValidationInfo) -> int:
    if value < info.data["lo"]:
        raise ValueError("lies below lo")
    return value


High = Annotated[int, AfterValidator(above_lo)]
HighAlias = TypeAliasType("HighAlias", High)


@table({"a type": High, "a type inside": list[High], "an alias": HighAlias})
def test_a_validator_that_looks_at_other_fields_sees_their_defaults(annotation: Any) -> None:
    def f(lo: int = 5, hi: Any = 9) -> None: ...

    f.__annotations__["hi"] = annotation
    high, low = ("[6]", "[4]") if annotation == list[High] else ("6", "4")

    assert call_of(f, f'{{"hi": {high}}}') == ([5, json.loads(high)], {})
    assert "lies below lo" in refusal(f, f'{{"hi": {low}}}')
    assert "lies below lo" in refusal(f, f'{{"lo": 7, "hi": {high}}}')
