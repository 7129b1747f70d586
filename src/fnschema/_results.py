"""What a function returns: the text of an answer, and the JSON Schema of the values that its annotation allows.

The schema says what is sent, so it is made for serialization and is nowhere narrower than that: what pydantic publishes
and its own JSON does not always keep (a format of times without an offset, a pattern, unique items) is left out.
"""

from __future__ import annotations

import collections.abc
import enum
import functools
import inspect
import typing
from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError
from pydantic.errors import PydanticInvalidForJsonSchema
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, JsonSchemaWarningKind
from pydantic_core import (
    CoreSchema,
    PydanticSerializationError,
    SchemaSerializer,
    SchemaValidator,
    core_schema,
    from_json,
)

from ._argument_errors import reason
from ._core_schema import HOLDERS
from ._json_schema import Schema, check_depth, is_array, is_object, same_json
from ._json_text import TOO_DEEP, is_too_deep, write
from ._typed_dicts import portable
from .dialects.facts import MCP
from .dialects.rules.keywords import titles_left_out
from .dialects.rules.references import root_reference_replaced, unused_definitions_left_out
from .errors import Problem, UserError, pointer, problem_line

__all__ = ["RESULT", "Rendered", "ResultError", "Results", "json_value", "render"]

RESULT = "result"  # the property that holds a value which is no object, as other servers name it too

_AWAITABLE = (collections.abc.Awaitable, collections.abc.Coroutine)
_NOT_NODES = frozenset({"cls", "config", "default", "expected", "members", "metadata"})
_MOST_PROBLEMS = 10


def render(value: Any) -> str:
    """A string as it is; anything else as JSON with its letters, models by pydantic.

    Raises:
        ValueError: JSON cannot hold the value: an object of no known kind, ``NaN``, a lone surrogate, a cycle.
    """
    if isinstance(value, str) and not isinstance(value, enum.Enum):
        value.encode()  # a lone surrogate cannot be sent
        return value
    text = write(value)
    if b"NaN" in text or b"Infinity" in text:  # often only the words, within a string
        _read_back(text)
    return text.decode()


def json_value(value: Any) -> Any:
    """What the text of `render` says as JSON: objects, arrays, strings, numbers, booleans and `None`.

    Raises:
        ValueError: as `render` does, and where it is nested deeper than 200 levels.
    """
    is_text = isinstance(value, str) and not isinstance(value, enum.Enum)
    return render(value) if is_text else _read_back(write(value))


class _NoJsonError(ValueError):
    """What a written value holds and JSON cannot. Its text holds no value."""


def _read_back(written: bytes) -> Any:
    try:
        return from_json(written, allow_inf_nan=False)
    except ValueError as error:
        raise _NoJsonError(TOO_DEEP if is_too_deep(error) else "JSON cannot hold NaN or Infinity") from None


def _without_value(error: ValueError) -> ValueError | None:
    """The error, such as one of the author's serializer, but for those that hold the value."""
    holds_it = isinstance(error, UnicodeError) or str(error).startswith("Pydantic serializer warnings")
    return None if holds_it else error


class ResultError(UserError, ValueError):
    """A function has returned what its annotation does not allow, or what JSON cannot hold. It holds no value.

    Args:
        subject: the function, ``module.qualname``.
        problems: where in the result, and why.
    """

    def __init__(self, subject: str, problems: tuple[Problem, ...]) -> None:
        self.subject = subject
        self.problems = problems
        super().__init__(subject, problems)

    def __str__(self) -> str:
        told = "; ".join(map(problem_line, self.problems[:_MOST_PROBLEMS]))
        remedy = "Return what the annotation says, or change the annotation."
        return f"Cannot send the result of {self.subject}: {told}. {remedy}"


class Rendered(NamedTuple):
    """A result as it is sent.

    Attributes:
        text: for the language model.
        structured: what the output schema describes; `None` if there is no schema.
    """

    text: str
    structured: dict[str, Any] | None = None


class Results:
    """What a function may return.

    Args:
        annotation: of the return value; `inspect.Signature.empty` is none.
        subject: the function, ``module.qualname``, for messages.
    """

    def __init__(self, annotation: Any, subject: str = "") -> None:
        self._annotation = annotation
        self._subject = subject

    @property
    def schema(self) -> Schema | None:
        """The JSON Schema of an object: of the result, or of ``{"result": …}`` where that is none.

        `None` if there is no annotation, or if it says nothing, or if no schema describes it.
        """
        return self._form.schema if self._form else None

    def render(self, value: Any) -> Rendered:
        """The result as it is sent; without a schema, as `render` has it.

        Raises:
            ResultError: the annotation does not allow the value, or JSON cannot hold it.
        """
        try:
            return self._rendered(value)
        except ResultError as error:
            error.__context__ = None  # pydantic's and Python's own errors hold the value
            raise

    def _rendered(self, value: Any) -> Rendered:
        if self._form is None:
            return Rendered(self._text(value))
        found = self._json(value, self._form)
        structured = {RESULT: found} if self._form.is_wrapped else found
        return Rendered(_plain_text(value, found), structured)

    def _text(self, value: Any) -> str:
        try:
            return render(value)
        except _NoJsonError as error:
            raise self._refusal(Problem("", str(error))) from None
        except ValueError as error:
            raise self._refusal(Problem("", "JSON cannot hold it")) from _without_value(error)

    def _json(self, value: Any, form: _Form) -> Any:
        try:
            return _read_back(form.serializer.to_json(form.validator.validate_python(value), warnings="error"))
        except ValidationError as error:
            found = error.errors(include_url=False)
            raise self._refusal(*(Problem(pointer(e["loc"]), reason(e)) for e in found)) from None
        except _NoJsonError as error:
            raise self._refusal(Problem("", str(error))) from None
        except (PydanticSerializationError, ValueError) as error:
            raise self._refusal(Problem("", "JSON cannot hold it as the annotation says")) from _without_value(error)

    def _refusal(self, *problems: Problem) -> ResultError:
        return ResultError(self._subject or "the function", problems)

    @functools.cached_property
    def _form(self) -> _Form | None:
        annotation = _awaited(self._annotation)
        if annotation is inspect.Signature.empty:
            return None
        try:
            core: CoreSchema = _as_sent(TypeAdapter[Any](portable(annotation)).core_schema)
            published = _ResultJsonSchema().generate(core, mode="serialization")
            check_depth(published)
        except Warning:  # one that the user has made an error says nothing of the type
            raise
        except Exception:  # noqa: BLE001 - pydantic has many errors, and a type's own hook may raise any: no schema
            return None
        if not published.keys() - {"title", "description", "default"}:
            return None  # `Any` says nothing
        return _Form.of(core, published)


class _Form(NamedTuple):
    """How one annotation is checked, written and published."""

    validator: SchemaValidator
    serializer: SchemaSerializer
    schema: Schema
    is_wrapped: bool

    @classmethod
    def of(cls, core: CoreSchema, published: Schema) -> _Form:
        root = root_reference_replaced(published, MCP)
        is_wrapped = root.get("type") != "object"
        schema = titles_left_out(_wrapped(published) if is_wrapped else root, MCP)
        return cls(
            SchemaValidator(core, _use_prebuilt=False),
            SchemaSerializer(core, _CONSTANTS, _use_prebuilt=False),
            unused_definitions_left_out(schema, MCP),
            is_wrapped,
        )


_CONSTANTS = core_schema.CoreConfig(ser_json_inf_nan="constants")


def _wrapped(schema: Schema) -> Schema:
    definitions = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    inner = {keyword: value for keyword, value in schema.items() if keyword != "$defs"}
    return {"type": "object", "properties": {RESULT: inner}, "required": [RESULT], **definitions}


def _plain_text(value: Any, sent: Any) -> str:
    """The text that `render` gives, unless the annotation has it written in another way."""
    try:
        text = render(value)
        said = text if text is value else from_json(text)
    except ValueError:
        return render(sent)
    return text if same_json(said, sent) else render(sent)


def _awaited(annotation: Any) -> Any:
    """What comes of awaiting a value of the annotation."""
    if typing.get_origin(annotation) in _AWAITABLE:
        return typing.get_args(annotation)[-1]
    return annotation


def _as_sent(node: Any, config: Mapping[str, Any] = _CONSTANTS) -> Any:
    """A core schema that refuses ``NaN`` at any depth and names fields as they are serialized.

    pydantic publishes aliases, and serializes them only where a model's configuration asks for it.
    """
    if is_array(node):
        return [_as_sent(item, config) for item in node]
    if _is_tuple(node):  # a choice of a union with its label
        return tuple(_as_sent(item, config) for item in node)
    if not is_object(node):
        return node
    kept = node
    if kept.get("type") in HOLDERS:
        config = {"ser_json_inf_nan": "constants", **kept.get("config", {})}
        kept = {**kept, "config": config}
    if "serialization_alias" in kept and not config.get("serialize_by_alias"):
        kept = {key: value for key, value in kept.items() if key != "serialization_alias"}
    return {key: value if key in _NOT_NODES else _as_sent(value, config) for key, value in kept.items()}


def _is_tuple(value: object) -> typing.TypeGuard[tuple[Any, ...]]:
    return isinstance(value, tuple)


class _ResultJsonSchema(GenerateJsonSchema):
    """pydantic's schema of what is serialized, as wide as what is."""

    ignored_warning_kinds = {"non-serializable-default"}  # noqa: RUF012 - as pydantic declares it

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        """A union without a member that the annotation allows would be too narrow."""
        if kind == "skipped-choice":
            raise PydanticInvalidForJsonSchema(detail)
        super().emit_warning(kind, detail)

    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> JsonSchemaValue:
        """RFC 3339's date-time has an offset."""
        return super().datetime_schema(schema) if schema.get("tz_constraint") == "aware" else {"type": "string"}

    def time_schema(self, schema: core_schema.TimeSchema) -> JsonSchemaValue:
        """RFC 3339's time has an offset."""
        return {"type": "string"}

    def timedelta_schema(self, schema: core_schema.TimedeltaSchema) -> JsonSchemaValue:
        """RFC 3339's duration has no sign."""
        published = super().timedelta_schema(schema)
        return {keyword: value for keyword, value in published.items() if keyword != "format"}

    def float_schema(self, schema: core_schema.FloatSchema) -> JsonSchemaValue:
        """Whether a float is a multiple of another is a matter of rounding."""
        return _without(super().float_schema(schema), "multipleOf")

    def str_schema(self, schema: core_schema.StringSchema) -> JsonSchemaValue:
        """A pattern is Rust's or Python's, and clients read it as JavaScript's."""
        return _without(super().str_schema(schema), "pattern")

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """Its digits, as Python writes them, ``1E+2`` too."""
        return {"type": "string"}

    def set_schema(self, schema: core_schema.SetSchema) -> JsonSchemaValue:
        """Different members may have the same JSON, such as ``b"a"`` and ``"a"``."""
        return _without(super().set_schema(schema), "uniqueItems")

    def frozenset_schema(self, schema: core_schema.FrozenSetSchema) -> JsonSchemaValue:
        """As a set."""
        return _without(super().frozenset_schema(schema), "uniqueItems")


def _without(schema: JsonSchemaValue, keyword: str) -> JsonSchemaValue:
    return {key: value for key, value in schema.items() if key != keyword}
