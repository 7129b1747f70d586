"""What is fuzzed. A target takes one input, checks all that is promised of it, and raises if a promise is broken.

`fuzz/run.py` gives each many random inputs, `test_fuzz.py` a few fixed ones and all that ever broke a promise.
"""

from __future__ import annotations

import copy
import datetime
import enum
import json
import uuid
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from typing import Any, Literal, NotRequired

from hypothesis import strategies as st
from pydantic import BaseModel
from typing_extensions import TypedDict

from conversations import drive
from fnschema import (
    Agent,
    ArgumentsError,
    FunctionTool,
    RunError,
    Runner,
    UserError,
    dialects,
    ensure_strict_json_schema,
    function_schema,
    generate_func_documentation,
)

LONGEST_ANSWER = 1024  # bytes


class Color(enum.Enum):
    RED = "red"
    ONE = 1


class Tree(BaseModel):
    name: str
    below: list[Tree] = []
    notes: dict[str, float] = {}


class Options(TypedDict):
    deep: NotRequired[bool]
    names: set[str]


def scalars(a: int, b: float = 0.5, c: str = "", d: bool = False, e: None = None) -> None: ...
def exact(price: Decimal, amounts: list[Decimal | int] = [], any: Any = None) -> None: ...  # noqa: B006
def nested(tree: Tree, options: Options, *more: Tree | int, **others: list[int]) -> None: ...
def typed(
    day: datetime.date, at: datetime.datetime, id: uuid.UUID, color: Color, pair: tuple[int, Literal["x", 1]]
) -> None: ...


SCHEMAS = [
    function_schema(function, strict_json_schema=False, unknown_arguments=policy, open_objects=form)
    for function in (scalars, exact, nested, typed)
    for policy, form in (("refuse", "reject"), ("ignore", "entries"))
]  # type: ignore[misc]


def arguments(sent: bytes) -> None:
    """Bytes are a call or an `ArgumentsError`, the same with a model in between, whatever the tool takes."""
    for schema in SCHEMAS:
        outcomes = [_read(schema.bind, sent), _read(lambda given, s=schema: s.to_call_args(s.validate(given)), sent)]
        assert isinstance(outcomes[0], str) == isinstance(outcomes[1], str), (schema.name, outcomes)
        for outcome in outcomes:
            if isinstance(outcome, str):
                assert outcome.startswith("Invalid JSON input for tool")
                assert len(outcome.encode()) <= LONGEST_ANSWER
        if isinstance(outcomes[0], str):
            assert outcomes[0] == outcomes[1]


def _read(read: Callable[[Any], Any], sent: bytes) -> Any:
    try:
        return read(sent)
    except ArgumentsError as error:
        return str(error)


def docstring(text: str) -> None:
    """A docstring is read in every style; what is found is never blank."""

    def f(a: int, b: str = "", *args: int, **kwargs: int) -> None: ...

    f.__doc__ = text
    for style in (None, "google", "numpy", "sphinx", "epydoc"):
        found = generate_func_documentation(f, style=style)  # type: ignore[arg-type]
        assert all(text.strip() for text in (found.param_descriptions or {}).values())
        assert found.description is None or found.description.strip()
    function_schema(f, strict_json_schema=False)


async def _never(context: Any, sent: str) -> str:
    return ""


_AGENT = Agent(functions=[scalars])  # keeps its tools, which take longer to make than a stream to read


def schema(given: Any) -> None:
    """A foreign schema has a strict form and definitions, or is refused; it is never changed."""
    before = copy.deepcopy(given)
    with suppress(UserError):
        strict = ensure_strict_json_schema(given)
        assert strict == {} or ensure_strict_json_schema(strict) == strict  # nothing means no parameters, as in the SDK
    tool = FunctionTool("t", "", given, _never, strict_json_schema=False)
    for name in dialects.names():
        for form in (None, True):
            with suppress(UserError):
                json.dumps(tool.definition(name, strict=form), allow_nan=False).encode()
        with suppress(UserError):
            tool.problems(name)
    assert json.dumps(given) == json.dumps(before)


class _Scripted:
    """A client that sends the same chunks in answer to whatever it is asked."""

    def __init__(self, chunks: list[Any]) -> None:
        self.chat = self.completions = self.responses = self
        self._chunks = chunks

    def create(self, **request: Any) -> Any:
        json.dumps(request, ensure_ascii=False).encode()  # as a client does
        return iter(copy.deepcopy(self._chunks))


def stream(chunks: list[Any]) -> None:
    """A stream, of either API, ends in a response or a `RunError`, with one answer for each call that was heard."""
    for api in ("chat", "responses"):
        runner = Runner(_Scripted(chunks), api=api, model="m")  # type: ignore[arg-type]
        try:
            response: Any = drive("run stream", runner, _AGENT, max_turns=2).response
        except RunError as error:
            response = error.response
        called = [call["id"] for message in response.messages for call in message.get("tool_calls", ())]
        answered = [message["tool_call_id"] for message in response.messages if message["role"] == "tool"]
        assert called == answered
        assert len(set(called)) == len(called)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_NAMES = st.sampled_from(
    "a b c d e price amounts any tree options more others day at id color pair name below notes names deep".split()
)
_NEAR = st.recursive(
    _JSON | st.sampled_from(["5", "1.5", "red", "2020-01-01", '{"name": "x"}', 1, {"name": "x", "names": []}]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=4),
    max_leaves=10,
)
_PIECES = st.sampled_from(
    ['{', '}', '[', ']', ':', ',', '"', '"a"', '"price"', '"tree"', '"name"', '1', '1.5', '1e999', '-0', 'null', 'true',
     'NaN', '-Infinity', '\\u0000', '\\ud83d', '\\', ' ', '\n', '\ufeff', '\x00', 'é', '\\"']
)  # fmt: skip
ARGUMENTS = (
    st.binary()
    | st.dictionaries(_NAMES, _NEAR, max_size=5).map(lambda sent: json.dumps(sent).encode())
    | st.lists(_PIECES, max_size=25).map(lambda pieces: "".join(pieces).encode())
    | _NEAR.map(lambda sent: json.dumps(json.dumps(sent)).encode())
)

_LINES = st.sampled_from(
    ["Do it.", "", " ", "Args:", "    a: what", "    b (str): that", "    *args: more", "Parameters", "----------",
     "a : int", "    of numpy", ":param a: what", ":param int b: that", ":type a: int", ":returns: x", "@param a: what",
     "```", "```python", "    >>> f()", ".. note::", "Returns:", "Raises:", "\tb: tab", "    a:", "  : x", "::", "Args",
     "====", ":param", "@type b: x", "    **kwargs: any", "Keyword Args:", "\r", "Example::", "        deeper",
     "Args: a: inline"]
)  # fmt: skip
DOCSTRINGS = st.text() | st.lists(_LINES | st.text(max_size=12), max_size=14).map("\n".join)

_WORDS = st.sampled_from(
    "type properties required additionalProperties items anyOf oneOf allOf $ref $defs definitions enum const default "
    "title description format pattern minimum maxLength uniqueItems prefixItems not if then $id discriminator nullable "
    "a b".split()
)
_REFERENCES = ["#", "#/$defs/a", "#/properties/b", "#/anyOf/0", "http://a/b"]
_SCHEMA_LEAVES = _JSON | st.sampled_from(["object", "string", "array", ["object", "null"], "(?=a)", *_REFERENCES])
_PROPERTIES = st.dictionaries(_WORDS, st.dictionaries(_WORDS, _SCHEMA_LEAVES))
SCHEMA = st.dictionaries(
    _WORDS,
    st.recursive(
        _SCHEMA_LEAVES,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=4),
        max_leaves=12,
    ),
    max_size=5,
) | st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(_WORDS, st.dictionaries(_WORDS, _SCHEMA_LEAVES))}
)

_ODD = st.none() | st.booleans() | st.integers(-1, 2) | st.text(max_size=3) | st.just({}) | st.just([])
_CALL = st.fixed_dictionaries(
    {},
    optional={
        "index": st.integers(0, 2) | _ODD,
        "id": st.sampled_from(["x", "y"]) | _ODD,
        "type": st.just("function"),
        "function": st.fixed_dictionaries(
            {},
            optional={
                "name": st.sampled_from(["scalars", "other", "sca"]) | _ODD,
                "arguments": st.sampled_from(["{}", '{"a": ', "1}", "\ud83d", "\ude00"]) | _ODD,
            },
        )
        | _ODD,
    },
)
_DELTA = st.fixed_dictionaries(
    {},
    optional={
        "role": st.just("assistant"),
        "content": st.text(st.characters(), max_size=3) | _ODD,
        "refusal": _ODD,
        "tool_calls": st.lists(_CALL, max_size=2) | _ODD,
    },
)
_CHAT_CHUNK = st.fixed_dictionaries(
    {
        "choices": st.lists(
            st.fixed_dictionaries(
                {"delta": _DELTA | _ODD},
                optional={"finish_reason": st.sampled_from(["stop", "length", "tool_calls"]) | _ODD},
            ),
            max_size=2,
        )
        | _ODD
    },
    optional={"usage": _ODD | st.just({"total_tokens": 1}), "error": _ODD},
)
_ITEM = st.fixed_dictionaries(
    {"type": st.sampled_from(["function_call", "message", "reasoning"]) | _ODD},
    optional={
        "call_id": st.sampled_from(["x", "y"]) | _ODD,
        "name": st.just("scalars") | _ODD,
        "arguments": st.sampled_from(["{}", '{"a": 1}', "\ud83d"]) | _ODD,
        "content": st.lists(st.fixed_dictionaries({"type": st.just("output_text")}, optional={"text": _ODD})) | _ODD,
    },
)
_RESPONSE = st.fixed_dictionaries({}, optional={"output": st.lists(_ITEM, max_size=3) | _ODD, "status": _ODD})
_EVENT = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            ["response.output_text.delta", "response.output_item.added", "response.output_item.done", "error",
             "response.function_call_arguments.delta", "response.completed", "response.incomplete"]
        )
        | _ODD
    },
    optional={
        "output_index": st.integers(0, 1) | _ODD,
        "delta": _ODD,
        "item": _ITEM | _ODD,
        "response": _RESPONSE | _ODD,
    },
)  # fmt: skip
STREAM = st.one_of(st.lists(piece, max_size=6) for piece in (_CHAT_CHUNK, _EVENT, _CHAT_CHUNK | _EVENT | _ODD))

TARGETS: dict[str, tuple[Callable[[Any], None], st.SearchStrategy[Any]]] = {
    "arguments": (arguments, ARGUMENTS),
    "docstring": (docstring, DOCSTRINGS),
    "schema": (schema, SCHEMA),
    "stream": (stream, STREAM),
}
