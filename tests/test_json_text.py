"""JSON text as RFC 8259 means it."""

import json
import sys
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calls import table
from fnschema._json_text import JsonTextError, check, has_fraction, parse, parse_exactly, plain

REFUSED = {
    "NaN": ("NaN", "NaN is not JSON"),
    "NaN below": ('{"a": NaN}', "NaN is not JSON"),
    "Infinity below": ('{"a": [Infinity]}', "Infinity is not JSON"),
    "negative Infinity": ("[-Infinity]", "-Infinity is not JSON"),
    "repeated key": ('{"a": 1, "a": 1}', "the key 'a' comes twice"),
    "repeated key below": ('[{"b": {"a": 1, "c": 2, "a": 1}}]', "the key 'a' comes twice"),
    "repeated key, once escaped": (r'{"a": 1, "\u0061": 1}', "the key 'a' comes twice"),
    "repeated key with a colon": (r'{"a:": 1, "a\u003a": 1}', "the key 'a:' comes twice"),
    "repeated long key": (
        json.dumps({"k" * 99: 1})[:-1] + ', "' + "k" * 99 + '": 2}',
        f"the key '{'k' * 64}'… comes twice",
    ),
    "exponent that nothing holds": ("1e99999999999999999999", "a number is out of range"),
}


@table(REFUSED)
def test_parse_exactly_refuses(text: str, reason: str) -> None:
    with pytest.raises(JsonTextError) as caught:
        parse_exactly(text)
    assert str(caught.value) == reason


@table({name: row for name, row in REFUSED.items() if row[0].startswith("{")})
def test_check_refuses_what_the_fast_parser_reads(text: str, reason: str) -> None:
    keys = len(parse(text))
    with pytest.raises(JsonTextError) as caught:
        check(text, keys)
    assert str(caught.value) == reason


SYNTAX = {
    "empty": "",
    "lone surrogate": r'"\ud83d"',
    "lone low surrogate": r'"\ude00"',
    "cut off": '{"a": ',
    "two values": "{} {}",
    "a comma too many": '{"a": 1,}',
    "single quotes": "{'a': 1}",
    "deep": "[" * 100_000,
    "deep and closed": "[" * 100_000 + "]" * 100_000,
    "a million digits": "9" * 1_000_000,
    "byte order mark": "\ufeff{}",
    "control character": '"\x01"',
}


@table(SYNTAX)
@pytest.mark.parametrize("read", [parse, parse_exactly])
def test_both_parsers_refuse(text: str, read: Any) -> None:
    with pytest.raises(JsonTextError):
        read(text)


ACCEPTED = {
    "a colon in a string": '{"a": "b:c"}',
    "an escaped colon in a string": r'{"a": "b\u003ac"}',
    "NaN in a string": '{"a": "NaN or Infinity"}',
    "equal keys of different objects": '{"a": {"a": {"a": 1}}, "b": [{"a": 1}, {"a": 2}]}',
    "a pair of surrogates": r'{"a": "\ud83d\ude00"}',
    "no key": "{}",
}


@table(ACCEPTED)
def test_check_lets_proper_text_pass(text: str) -> None:
    check(text, len(parse(text)))


def test_exact_numbers_keep_their_digits() -> None:
    assert parse_exactly("[1.10, 1e2, 12345678901234567890.123456789, 5]") == [
        Decimal("1.10"),
        Decimal("1e2"),
        Decimal("12345678901234567890.123456789"),
        5,
    ]


@pytest.mark.parametrize("text", ["1.5", "-0.5", "1e5", "1E5", "[0, 2.0]", '"1.5"'])
def test_has_fraction(text: str) -> None:
    assert has_fraction(text)


@pytest.mark.parametrize("text", ["15", "[]", '{"a": "b. e"}', "-3"])
def test_has_no_fraction(text: str) -> None:
    assert not has_fraction(text)


def test_plain_makes_floats_of_decimals() -> None:
    assert plain([Decimal("1.5"), {"a": Decimal(2)}, "x", 3]) == [1.5, {"a": 2.0}, "x", 3]


@pytest.mark.parametrize("value", [float("nan"), [float("inf")], {"a": Decimal("1e999")}, Decimal("NaN")], ids=repr)
def test_plain_refuses_what_is_no_number(value: Any) -> None:
    with pytest.raises(JsonTextError, match="not finite"):
        plain(value)


def test_a_hundred_thousand_keys_and_one_repeated_take_no_time() -> None:
    keys = [f"k{i}" for i in range(100_000)]
    text = "{" + ",".join(f'"{key}":1' for key in [*keys, keys[-1]]) + "}"
    with pytest.raises(JsonTextError, match="'k99999' comes twice"):
        parse_exactly(text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), VALUES), st.booleans())
def test_what_json_writes_is_read_by_both_and_passes(value: dict[str, Any], ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert parse(text) == parse_exactly(text) == value
    check(text, len(value))


@given(st.text())
def test_any_text_is_a_value_or_a_json_text_error(text: str) -> None:
    for read in (parse, parse_exactly):
        try:
            read(text)
        except JsonTextError as error:
            assert len(str(error)) < 200  # noqa: PT017 - some texts are JSON


def test_fewer_digits_than_usual_may_be_allowed() -> None:
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        with pytest.raises(JsonTextError, match="an integer has too many digits"):
            parse_exactly("9" * 700)
    finally:
        sys.set_int_max_str_digits(limit)
