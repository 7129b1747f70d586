"""Laws that hold for every function and whatever is sent to it."""

from __future__ import annotations

import copy
import inspect
import json
import logging
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from calls import exact
from fnschema import ArgumentsError, UserError, function_schema, function_tool
from strategies import Call, calls


@given(calls(), st.booleans())
def test_a_model_calls_a_function_as_python_does(call: Call, ascii_only: bool) -> None:
    tool = function_tool(call.function, name_override="f", strict_mode=False)
    text = json.dumps(call.sent, ensure_ascii=ascii_only)
    assert exact(tool.call(text)) == exact(call.expected)


@given(calls())
def test_with_a_model_in_between_the_call_is_the_same(call: Call) -> None:
    schema = function_schema(call.function, strict_json_schema=False)
    args, kwargs = schema.to_call_args(schema.validate(call.sent))
    assert exact(call.function(*args, **kwargs)) == exact(call.expected)


@given(calls())
def test_a_strict_tool_calls_it_the_same(call: Call) -> None:
    try:
        tool = function_tool(call.function, name_override="f", open_objects="entries")
    except UserError:  # a union of a map and an array cannot be told apart in entries
        return
    assert exact(tool.call(json.dumps(call.sent))) == exact(call.expected)


@given(calls())
def test_null_means_what_is_left_out(call: Call) -> None:
    schema = function_schema(call.function, strict_json_schema=False)
    omitted = [p for p in schema.signature.parameters.values() if p.name not in call.sent]
    admitting = {p.name for p in omitted if "null" in json.dumps(schema.params_json_schema["properties"][p.name])}
    sent = call.sent | {p.name: None for p in omitted if p.name not in admitting and p.annotation is not Any}
    args, kwargs = schema.to_call_args(schema.validate(sent))
    assert exact(call.function(*args, **kwargs)) == exact(call.expected)


@given(calls())
def test_nothing_is_changed(call: Call) -> None:
    logger = logging.getLogger("fnschema")
    before = _state(call.function), copy.copy(vars(logger)), json.dumps(call.sent)
    schema = function_schema(call.function, strict_json_schema=False)
    published = json.dumps(schema.params_json_schema)
    schema.bind(json.dumps(call.sent))
    schema.to_call_args(schema.validate(call.sent))
    assert (_state(call.function), vars(logger), json.dumps(call.sent)) == before
    assert json.dumps(schema.params_json_schema) == published


def _state(function: Any) -> Any:
    return repr((inspect.signature(function), vars(function), function.__code__, function.__defaults__))


@given(calls(), st.booleans())
def test_the_same_function_twice_gives_equal_schemas(call: Call, strict: bool) -> None:
    options: dict[str, Any] = {"strict_json_schema": strict, "open_objects": "entries"}
    try:
        first = function_schema(call.function, **options).params_json_schema
    except UserError:
        return
    second = function_schema(call.function, **options).params_json_schema
    assert json.dumps(first) == json.dumps(second)


GARBAGE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(calls(), st.data())
def test_whatever_is_sent_gives_a_call_or_an_arguments_error(call: Call, data: st.DataObject) -> None:
    schema = function_schema(call.function, strict_json_schema=False)
    names = st.sampled_from([*schema.signature.parameters, "unknown"])
    wrong = data.draw(st.dictionaries(names, GARBAGE))
    sent = data.draw(st.binary() | st.text() | st.just(json.dumps(wrong)) | st.just(json.dumps(call.sent | wrong)))
    outcomes = []
    for read in (lambda: schema.to_call_args(schema.validate(sent)), lambda: schema.bind(sent)):
        try:
            args, kwargs = read()
            outcomes.append(exact(call.function(*args, **kwargs)))
        except ArgumentsError as error:
            assert len(str(error).encode()) < 1024  # noqa: PT017 - some of what is drawn fits
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]
