"""The arguments model: fields → model, JSON text → validated model or `ArgumentsError`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias, cast

import pydantic
from pydantic import BaseModel, ConfigDict
from pydantic_core import (
    CoreSchema,
    ErrorDetails,
    SchemaError,
    SchemaValidator,
    ValidationError,
    from_json,
    to_json,
)

from . import _json_text
from ._argument_errors import problems_of
from ._argument_rules import with_argument_rules
from ._core_schema import Node, contains, is_one_key_a_field, values_schema
from ._fields import ArgumentField
from ._json_schema import Schema, admits_string, property_names
from ._json_text import BLANK, TOO_DEEP, JsonSyntaxError, JsonTextError, is_too_deep
from ._schema_generator import published_schema
from .errors import ArgumentsError, Problem, pointer, quoted

__all__ = ["Arguments", "ArgumentsReader", "arguments_model"]

Arguments: TypeAlias = "str | bytes | bytearray | Mapping[str, Any] | None"

_KINDS = inspect.Parameter
_WIDEST_LETTER = 4  # bytes of UTF-8
_MOST_ERRORS = 10_000  # of pydantic's, which makes an object of each


def arguments_model(name: str, fields: Sequence[ArgumentField]) -> type[BaseModel]:
    """The pydantic model of a tool's arguments, named ``{name}_args`` as in the Agents SDK."""
    config = ConfigDict(protected_namespaces=())
    if any(field.parameter.kind is _KINDS.VAR_KEYWORD for field in fields):
        config["extra"] = "forbid"  # flat keyword arguments must not vanish beside the nested object
    definitions: dict[str, Any] = {field.name: field.definition() for field in fields}
    try:
        return pydantic.create_model(f"{name}_args", __config__=config, **definitions)
    except SchemaError:  # by default patterns run on an engine that has no look-around and no back-references
        config["regex_engine"] = "python-re"
        return pydantic.create_model(f"{name}_args", __config__=config, **definitions)


class ArgumentsReader:
    """Reads what a language model sent for one tool.

    Args:
        tool: the tool's name, for messages.
        model: the arguments model.
        closed: whether unknown keys are refused; else they are dropped, with a log record.
        entries: whether maps may come as arrays of ``{"key": …, "value": …}``.
        max_bytes: the longest text that is read, in bytes of UTF-8.
    """

    def __init__(self, tool: str, model: type[BaseModel], *, closed: bool, entries: bool, max_bytes: int) -> None:
        self._tool = tool
        self._model = model
        self._closed = closed
        self._entries = entries
        self._max_bytes = max_bytes
        self._surely_short = max_bytes // _WIDEST_LETTER

    def model(self, arguments: Arguments) -> BaseModel:
        """The arguments as an instance of the arguments model.

        Raises:
            ArgumentsError: they are no JSON object, or do not fit; with all problems.
        """
        return cast(BaseModel, self._read_model(arguments))

    @functools.cached_property
    def values(self) -> Callable[[Arguments], dict[str, Any]] | None:
        """Reads what was sent, by field name; `None` if only the model can, since it does more than validate.

        It raises `ArgumentsError` as `model` does.
        """
        schema = values_schema(self._core_schema)
        return self._reading(self._validators(schema, len)) if schema else None

    def _reading(self, validators: _Validators) -> Callable[[Arguments], Any]:
        """A function that reads what most texts are, plain and right, in one step; all others as anything may come."""
        if validators.is_exact:
            return functools.partial(self._read_any, validators=validators)
        read_json, count = validators.closed.validate_json, validators.count
        check, surely_short = _json_text.check, self._surely_short

        def read(arguments: Arguments) -> Any:
            if type(arguments) is str and len(arguments) <= surely_short:
                try:
                    data = read_json(arguments)
                    check(arguments, count(data))
                except (ValidationError, UnicodeEncodeError, JsonTextError, RecursionError):
                    pass
                else:
                    return data
            return self._read_any(arguments, validators)

        return read

    def _read_any(self, arguments: Arguments, validators: _Validators) -> Any:
        try:
            return self._read_text(arguments, validators)
        except ArgumentsError as error:
            error.__context__ = None  # pydantic's and Python's own errors hold what was sent
            raise

    def _read_text(self, arguments: Arguments, validators: _Validators) -> Any:
        try:
            text = self._object_text(self._text(arguments))
            try:
                return self._validated(text, validators)
            except ValidationError as error:
                sent, errors = _json_text.parse(text), self._errors(error)
            if decoded := self._with_strings_decoded(text, exactly=validators.is_exact):
                try:
                    return self._fitting(decoded if validators.is_exact else to_json(decoded).decode(), validators)
                except ValidationError as error:
                    sent, errors = decoded, self._errors(error)
        except JsonSyntaxError as error:
            self._refuse(f"the text is no JSON: {error}", "send one whole JSON object and nothing else")
        except JsonTextError as error:
            self._refuse(str(error))
        except RecursionError:  # of an author's validator that reads a text in its own way
            self._refuse("a value is too deeply nested")
        raise ArgumentsError(self._tool, self._problems(errors, sent)) from None

    def _text(self, arguments: object) -> str:
        if arguments is None:
            return ""
        if isinstance(arguments, Mapping):
            arguments = self._written(arguments)
        if isinstance(arguments, (bytes, bytearray)):
            if len(arguments) > self._max_bytes:
                self._refuse_long()
            try:
                return arguments.decode()
            except UnicodeDecodeError:
                self._refuse("the text is not UTF-8")
        if not isinstance(arguments, str):
            self._refuse("expected a JSON object")
        try:
            size = len(arguments.encode())
        except UnicodeEncodeError:
            raise JsonTextError("the text holds a lone surrogate") from None
        if size > self._max_bytes:
            self._refuse_long()
        return arguments

    def _written(self, arguments: Mapping[str, Any]) -> bytes:
        try:
            return _json_text.write(dict(arguments), by_alias=True)
        except (ValueError, TypeError, RecursionError) as error:  # pydantic's serialization errors are ValueErrors
            self._refuse(TOO_DEEP if is_too_deep(error) else "the mapping holds what JSON cannot")

    def _object_text(self, text: str) -> str:
        """The text of a JSON object: nothing, blanks and `null` are an empty one, a string may hold one."""
        text = text.strip(BLANK)
        if text in ("", "null"):
            return "{}"
        if text[0] != "{":
            inside = _json_text.parse(text)
            if not isinstance(inside, str) or not inside.lstrip(BLANK).startswith("{"):
                self._refuse("expected a JSON object")
            return inside
        return text

    def _validated(self, text: str, validators: _Validators) -> Any:
        if validators.is_exact and _json_text.has_fraction(text):
            return self._fitting(_json_text.parse_exactly(text), validators)
        data = self._fitting(text, validators)
        _json_text.check(text, validators.count(data))
        return data

    def _fitting(self, sent: str | dict[str, Any], validators: _Validators) -> Any:
        try:
            return validators.validate(sent, closed=True)
        except ValidationError as error:
            if self._closed:
                raise
            data = validators.validate(sent, closed=False)
            self._log_unknown(self._errors(error), sent)
            return data

    def _log_unknown(self, errors: Sequence[ErrorDetails], sent: str | dict[str, Any]) -> None:
        import logging

        for error in errors:
            _json_text.plain(error["input"])
        parsed = _json_text.parse_exactly(sent) if isinstance(sent, str) else sent
        paths = ", ".join(quoted(problem.path) for problem in self._problems(errors, parsed))
        logging.getLogger("fnschema").warning(
            "Tool %s was called with unknown arguments, which are ignored: %s", self._tool, paths
        )

    def _with_strings_decoded(self, text: str, *, exactly: bool) -> dict[str, Any] | None:
        """The arguments with JSON strings decoded where the type admits no string; `None` where there are none.

        Some models write a nested object or array as text. Where a string is admitted, a string is what was meant.
        """
        sent = _json_text.parse_exactly(text) if exactly else _json_text.parse(text)
        decoded = {
            name: value
            for name in self._without_strings & sent.keys()
            if isinstance(sent[name], str) and (value := self._decoded(name, sent[name], exactly)) is not sent[name]
        }
        return {**sent, **decoded} if decoded else None

    def _decoded(self, name: str, text: str, exactly: bool) -> Any:
        try:
            value = from_json(text)
        except ValueError:
            return text
        try:
            exact = _json_text.parse_exactly(text)
        except JsonTextError as error:
            raise ArgumentsError(self._tool, [Problem(pointer((name,)), str(error))]) from None
        return exact if exactly else value

    def _errors(self, error: ValidationError) -> Sequence[ErrorDetails]:
        """What pydantic has found wrong; it can list all or nothing, and a list of millions would take gigabytes."""
        if error.error_count() > _MOST_ERRORS:
            self._refuse(f"more than {_MOST_ERRORS:,} values are wrong")
        return error.errors(include_url=False)

    def _problems(self, errors: Sequence[ErrorDetails], sent: Any) -> list[Problem]:
        return problems_of(errors, sent, lambda path: property_names(self._published, path, self._published))

    def _refuse(self, reason: str, remedy: str | None = None) -> NoReturn:
        raise ArgumentsError(self._tool, [Problem("", reason, remedy)]) from None

    def _refuse_long(self) -> NoReturn:
        self._refuse(f"the text is longer than {self._max_bytes} bytes")

    @functools.cached_property
    def _core_schema(self) -> CoreSchema:
        if not self._model.__pydantic_complete__:
            self._model.model_rebuild()
        return self._model.__pydantic_core_schema__

    @functools.cached_property
    def _read_model(self) -> Callable[[Arguments], Any]:
        return self._reading(self._validators(self._core_schema, _count_sent))

    def _validators(self, schema: CoreSchema, count: Callable[[Any], int]) -> _Validators:
        is_counted = is_one_key_a_field(self._core_schema)
        return _Validators(schema, count if is_counted else _count_nothing, entries=self._entries)

    @functools.cached_property
    def _published(self) -> Schema:
        return published_schema(self._model)

    @functools.cached_property
    def _without_strings(self) -> frozenset[str]:
        properties = self._published.get("properties", {})
        return frozenset(name for name, schema in properties.items() if not admits_string(schema, self._published))


class _Validators:
    """What reads one core schema, each validator made when it is first needed.

    Attributes:
        count: how many different keys were sent, of what a validator has read; -1 where that does not say.
    """

    def __init__(self, schema: CoreSchema, count: Callable[[Any], int], *, entries: bool) -> None:
        self.count = count
        self._schema = schema
        self._entries = entries

    def validate(self, sent: str | dict[str, Any], *, closed: bool) -> Any:
        """Validate JSON text, or what `parse_exactly` makes of it."""
        if isinstance(sent, str):
            return (self.closed if closed else self.open).validate_json(sent)
        return (self.exact if closed else self.exact_open).validate_python(sent)

    def _made(self, **rules: bool) -> SchemaValidator:
        rewritten = with_argument_rules(self._schema, entries=self._entries, **rules)
        # pydantic would put the user's own prebuilt validators back in place of the rewritten schemas.
        return SchemaValidator(rewritten, _use_prebuilt=False)

    @functools.cached_property
    def closed(self) -> SchemaValidator:
        return self._made(closed=True)

    @functools.cached_property
    def open(self) -> SchemaValidator:
        return self._made(closed=False)

    @functools.cached_property
    def exact(self) -> SchemaValidator:
        return self._made(closed=True, exact=True)

    @functools.cached_property
    def exact_open(self) -> SchemaValidator:
        return self._made(closed=False, exact=True)

    @functools.cached_property
    def is_exact(self) -> bool:
        return contains(cast(Node, self._schema), "decimal")


def _count_sent(data: BaseModel) -> int:
    return len(data.__pydantic_fields_set__)


def _count_nothing(_: object) -> int:
    return -1
