"""What a strict definition allows and the tool refuses all the same: a short list, each with its reason.

Each test shows that its entry is still needed; one that fails here is to be struck off the list.
"""

import datetime as dt
from typing import Annotated, NamedTuple

import pytest
from pydantic import AfterValidator, Base64Str, Field, Json, PastDate, StringConstraints

from dialects.grammar import Grammar
from fnschema import function_tool
from fnschema.errors import ArgumentsError


class Pair(NamedTuple):
    name: str
    size: int


def odd(value: int) -> int:
    if value % 2 == 0:
        raise ValueError("should be odd")
    return value


EXCEPTIONS = [
    pytest.param(float, "1e999", id="a number that no float holds: bounds that leave it out leave out exponents too"),
    pytest.param(tuple[int, str], '["a",1]', id="the order of a tuple's elements: strict modes have no prefixItems"),
    pytest.param(Pair, '["a","b"]', id="the order of a NamedTuple's elements: the same"),
    pytest.param(
        dict[str, int],
        '[{"key":"a","value":1},{"key":"a","value":2}]',
        id="a key that comes twice in entries: no schema forbids it",
    ),
    pytest.param(
        dict[Annotated[int, Field(ge=0)], int],
        '[{"key":"-1","value":1}]',
        id="a key outside the bounds of its number: keys are text, which has none",
    ),
    pytest.param(
        dict[int | dt.date, int],
        '[{"key":"x","value":1}]',
        id="a key of a union: no text is written for its members",
    ),
    pytest.param(
        Annotated[set[int], Field(min_length=2)],
        "[1,1]",
        id="the number of distinct items: strict modes have no uniqueItems",
    ),
    pytest.param(
        Annotated[str, StringConstraints(strip_whitespace=True, min_length=2)],
        '" a"',
        id="a length that is counted after white space is stripped",
    ),
    pytest.param(Json[int], '"x"', id="JSON within a string: no pattern describes it"),
    pytest.param(Base64Str, '"/w=="', id="base64 of what is no UTF-8"),
    pytest.param(PastDate, f'"{dt.date.today().year + 9}-01-01"', id="a date that must lie in the past: it moves"),
    pytest.param(Annotated[int, AfterValidator(odd)], "2", id="a validator of the author's own"),
]


@pytest.mark.parametrize(("annotation", "value"), EXCEPTIONS)
def test_the_exception_is_still_needed(annotation, value):
    def function(v):
        """One parameter."""

    function.__annotations__ = {"v": annotation}
    tool = function_tool(function, failure_error_function=None, open_objects="entries")
    document = f'{{"v":{value}}}'
    assert Grammar(tool.definition("openai")["function"]["parameters"]).allows(document)
    with pytest.raises(ArgumentsError):
        tool.call(document)
