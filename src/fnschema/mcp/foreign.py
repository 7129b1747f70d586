"""A JSON Schema that somebody else has written: is it sound, and what can be checked of arguments before they are sent.

What is checked follows the schema as a validator of pydantic's, so that the engine's own rules hold for foreign tools
too: an unknown or repeated key, `null` for what may be absent, a number sent as text. What a validator cannot say
(``not``, ``if``, ``allOf`` of several, ``uniqueItems``, ``contains``, formats, look-around, exactly one of ``oneOf``)
is left to the server, which judges every call anyway. So the checks are never stricter than the schema, but for one
point: an object that names its properties takes no others, unless it says so.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeGuard, cast

from pydantic import BaseModel, ConfigDict, RootModel
from pydantic_core import CoreSchema, SchemaError, SchemaValidator, core_schema, to_json

from .._json_schema import (
    LostReferenceError,
    Path,
    Schema,
    check_json,
    circles,
    is_object,
    kinds_of,
    malformed,
    pointer_parts,
    rewrite,
    target_of,
    walk,
)
from ..dialects.facts import MCP
from ..dialects.problems import Finding, problems_at
from ..dialects.refusals import LONGEST_LOOK_AROUND
from ..dialects.rules.patterns import has_look_around, plain
from ..dialects.rules.references import root_reference_replaced
from ..errors import Problem, UserError

__all__ = ["arguments_model", "problems_of", "readable"]

_LONGEST_SCHEMA = 200_000  # characters of JSON text; OpenAI takes 120,000 in names and enums, of all tools together
_MOST_HOPS = 100  # references, one leading straight to the next
_MOST_NODES = 20_000  # of a validator
_MOST_WAYS = 1_000  # to read one value, where unions hold unions: trying them all multiplies
_MOST_PATTERNS = 20  # compiled, and none with a great count: a hostile one takes a tenth of a second
_MOST_PROBLEMS = 10  # told of one schema

_GREAT_COUNT = re.compile(r"\{\d*,?\d{3}")
_MEND = "Ask the server's author to mend it."


def problems_of(schema: Any) -> tuple[Problem, ...]:
    """Why a schema of somebody else's cannot be that of a tool's arguments; found in time that grows with its size."""
    try:
        check_json(schema)
    except UserError as error:
        return (Problem("", str(error).partition(": ")[2].rstrip("."), _MEND),)
    size = len(to_json(schema))
    if size > _LONGEST_SCHEMA:
        return (Problem("", f"its schema has {size:,} characters, and {_LONGEST_SCHEMA:,} are read", _MEND),)
    if schema and schema.get("type") != "object":
        return (Problem("", 'its schema is not of type "object"', _MEND),)
    return problems_at(schema, itertools.islice(_unsound(schema), _MOST_PROBLEMS))


def _unsound(root: Schema) -> Iterator[Finding]:
    reached = list(_reached(root))
    for path, schema in reached:
        if keyword := malformed(schema):
            yield Finding(path, f"its keyword {keyword!r} has a value of the wrong type", _MEND)
            return  # nothing that follows references may meet it
    broken = [Finding(path, reason, _MEND) for path, schema in reached if (reason := _broken_reference(schema, root))]
    yield from broken
    if not broken:  # pydantic overruns its stack on a union that holds itself
        for path in circles(reached, root):
            yield Finding(path, "it holds itself with no object or array in between", _MEND)


def _reached(root: Schema) -> Iterator[tuple[Path, Schema]]:
    """All schemas, those too that only a reference tells to be one."""
    pending: list[tuple[Path, Schema]] = [((), root)]
    seen = set[int]()
    while pending:
        start, schema = pending.pop()
        if id(schema) in seen:
            continue
        for path, below in walk(schema):
            if id(below) in seen:
                continue
            seen.add(id(below))
            yield (*start, *path), below
            with contextlib.suppress(LostReferenceError):
                if "$ref" in below and id(target := target_of(below["$ref"], root)) not in seen:
                    pending.append((pointer_parts(below["$ref"]), target))


def _broken_reference(schema: Schema, root: Schema) -> str | None:
    for _ in range(_MOST_HOPS):
        if "$ref" not in schema:
            return None
        try:
            schema = target_of(schema["$ref"], root)
        except UserError:
            return "its $ref does not lead to a place in the schema, and nothing is fetched"
    return f"its $ref leads in a circle, or over {_MOST_HOPS} others"


def readable(schema: Schema) -> Schema:
    """A sound schema as dialects take it: a pattern that may take for ever here is left to the server."""
    root = root_reference_replaced(schema, MCP)
    return rewrite({"type": "object", "properties": {}, **root}, _without_slow_pattern)


def _without_slow_pattern(schema: Schema) -> Schema:
    pattern = schema.get("pattern")
    bound = schema.get("maxLength")
    is_short = isinstance(bound, int) and bound <= LONGEST_LOOK_AROUND
    if pattern is None or is_short or (isinstance(pattern, str) and not has_look_around(plain(pattern))):
        return schema
    return {keyword: value for keyword, value in schema.items() if keyword != "pattern"}


def arguments_model(name: str, schema: Schema) -> type[BaseModel]:
    """A model whose ``root`` is the arguments as they are sent, and whose schema is the given one.

    Args:
        name: the tool's name.
        schema: without `problems_of`, and `readable`.
    """

    class ServerArguments(RootModel[dict[str, Any]]):
        model_config = ConfigDict(defer_build=True)  # most tools are published more often than called

        @classmethod
        def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> CoreSchema:
            return _Validator(schema).of_model(cls)

        @classmethod
        def model_json_schema(cls, *args: Any, **kwargs: Any) -> Schema:
            return schema

    ServerArguments.__name__ = ServerArguments.__qualname__ = f"{name}_args"
    return ServerArguments


class _Validator:
    """One JSON Schema as a core schema; what has no validator is any value.

    Every definition becomes one of pydantic's, so the size stays in proportion. `ways` counts the alternatives that
    lead to a place: a union of unions would be tried in all its combinations.
    """

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._nodes_left = _MOST_NODES
        self._patterns_left = _MOST_PATTERNS
        self._named: dict[str, tuple[Schema, int]] = {}  # definitions that are referred to, each with its ways
        self._kinds: dict[str, Callable[[Schema, int], CoreSchema]] = {
            "array": self._array,
            "boolean": lambda schema, ways: core_schema.bool_schema(),
            "integer": self._integer,
            "null": lambda schema, ways: core_schema.none_schema(),
            "number": self._number,
            "object": self._object,
            "string": self._string,
        }

    def of_model(self, model: type[BaseModel]) -> CoreSchema:
        fields = self._object(self._root, 1)
        root = core_schema.model_schema(model, fields, root_model=True)
        definitions: list[CoreSchema] = []
        while len(definitions) < len(self._named):  # making one may name others
            name, (schema, ways) = list(self._named.items())[len(definitions)]
            definitions.append(cast(CoreSchema, {**self._schema(schema, ways), "ref": name}))
        return core_schema.definitions_schema(root, definitions) if definitions else root

    def _schema(self, schema: Any, ways: int) -> CoreSchema:
        self._nodes_left -= 1
        if not is_object(schema) or self._nodes_left < 0 or ways > _MOST_WAYS:
            return core_schema.any_schema()
        if "properties" in schema and not _COMPOSITION.isdisjoint(schema):
            return self._object(schema, ways)
        if "$ref" in schema:
            return self._reference(schema, ways)
        if "enum" in schema or "const" in schema:
            return _literal(schema.get("enum", [schema.get("const")]))
        union: Any = schema.get("anyOf") or schema.get("oneOf")
        if union:
            return self._union(union, ways)
        all_of: Any = schema.get("allOf")
        if all_of and "type" not in schema:
            return self._schema(all_of[0] if len(all_of) == 1 else {}, ways)
        return self._union([{**schema, "type": kind} for kind in kinds_of(schema)], ways, self._of_kind)

    def _of_kind(self, schema: Schema, ways: int) -> CoreSchema:
        make = self._kinds.get(schema["type"])
        return make(schema, ways) if make else core_schema.any_schema()

    def _union(
        self, branches: list[Any], ways: int, make: Callable[[Any, int], CoreSchema] | None = None
    ) -> CoreSchema:
        ways *= max(1, sum(map(_may_branch, branches)))
        choices: list[Any] = [(make or self._schema)(branch, ways) for branch in branches]
        if any(choice["type"] == "any" for choice in choices) or not choices:
            return core_schema.any_schema()
        return choices[0] if len(choices) == 1 else core_schema.union_schema(choices)

    def _reference(self, schema: Schema, ways: int) -> CoreSchema:
        reference = ""
        while "$ref" in schema:
            reference = schema["$ref"]
            schema = target_of(reference, self._root)
        name = f"{reference} {ways}"
        self._named[name] = (schema, ways)
        return core_schema.definition_reference_schema(name)

    def _object(self, schema: Schema, ways: int) -> CoreSchema:
        properties: Any = schema.get("properties") or {}
        others = schema.get("additionalProperties", not _names_all(schema))
        if not properties and others is not False:
            keys = core_schema.str_schema()
            return core_schema.dict_schema(keys, self._schema(others, ways))
        required = schema.get("required", ())
        fields = {name: self._field(below, ways, name in required) for name, below in properties.items()}
        if others is False:
            return core_schema.typed_dict_schema(fields)
        return core_schema.typed_dict_schema(fields, extra_behavior="allow", extras_schema=self._schema(others, ways))

    def _field(self, schema: Any, ways: int, is_required: bool) -> core_schema.TypedDictField:
        return core_schema.typed_dict_field(self._schema(schema, ways), required=is_required)

    def _array(self, schema: Schema, ways: int) -> CoreSchema:
        least, most = _count(schema, "minItems"), _count(schema, "maxItems")
        elements: Any = schema.get("prefixItems")
        if not elements:
            return core_schema.list_schema(self._schema(schema.get("items"), ways), min_length=least, max_length=most)
        if least == most == len(elements):
            return core_schema.tuple_schema([self._schema(element, ways) for element in elements])
        return core_schema.list_schema(min_length=least, max_length=most)

    def _string(self, schema: Schema, ways: int) -> CoreSchema:
        return core_schema.str_schema(
            min_length=_count(schema, "minLength"),
            max_length=_count(schema, "maxLength"),
            pattern=self._pattern(schema.get("pattern")),
        )

    def _pattern(self, pattern: Any) -> str | None:
        if not isinstance(pattern, str) or self._patterns_left == 0 or _GREAT_COUNT.search(pattern):
            return None
        self._patterns_left -= 1
        try:
            SchemaValidator(core_schema.str_schema(pattern=pattern))
        except SchemaError:  # Rust's engine, which is never slow, does not know all of JavaScript's syntax
            return None
        return pattern

    def _number(self, schema: Schema, ways: int) -> CoreSchema:
        return core_schema.no_info_wrap_validator_function(_as_sent, core_schema.float_schema(**_bounds(schema)))

    def _integer(self, schema: Schema, ways: int) -> CoreSchema:
        whole: dict[str, Any] = {name: int(bound) for name, bound in _bounds(schema).items() if bound == int(bound)}
        return core_schema.int_schema(**whole)


def _as_sent(value: Any, check: Callable[[Any], float]) -> float:
    """A number with all its digits, which a float would lose; of a text, the number that it says."""
    number = check(value)
    if isinstance(value, int):
        return value
    try:
        return int(value) if isinstance(value, str) else number
    except ValueError:
        return number


_COMPOSITION = frozenset({"$ref", "allOf", "anyOf", "dependentSchemas", "if", "oneOf", "patternProperties"})
_BOUNDS = {"minimum": "ge", "maximum": "le", "exclusiveMinimum": "gt", "exclusiveMaximum": "lt"}
_SCALARS = frozenset({"boolean", "integer", "null", "number", "string"})


def _names_all(schema: Schema) -> bool:
    """Whether an object that does not say so names all its properties: no other schema may name some beside it."""
    return "properties" in schema and _COMPOSITION.isdisjoint(schema)


def _bounds(schema: Schema) -> dict[str, Any]:
    found = {ours: schema.get(theirs) for theirs, ours in _BOUNDS.items()}
    step = schema.get("multipleOf")
    multiple = {"multiple_of": step} if _is_number(step) and step > 0 else {}
    return {ours: bound for ours, bound in found.items() if _is_number(bound)} | multiple


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _count(schema: Schema, keyword: str) -> int | None:
    value = schema.get(keyword)
    return int(value) if _is_number(value) and 0 <= value < sys.maxsize else None


def _literal(values: list[Any]) -> CoreSchema:
    if not values or not all(value is None or type(value) in (bool, int, str) for value in values):
        return core_schema.any_schema()
    return core_schema.literal_schema(values)


def _may_branch(schema: Any) -> bool:
    """Whether to read a value by the schema may mean to go deeper or to try alternatives."""
    if not is_object(schema):
        return True
    kinds = kinds_of(schema)
    return not ("enum" in schema or "const" in schema or (kinds and _SCALARS.issuperset(kinds)))
