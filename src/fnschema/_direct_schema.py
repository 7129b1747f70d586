"""The JSON Schema of common annotations, written without building a pydantic model.

This is the fast one of two ways to the same result: what pydantic's generator writes for the arguments model, key for
key (a law in the tests holds the two together). It knows scalars, containers, unions, literals, numbers and strings
with simple bounds, and refers to enums, models, dataclasses and typed dicts by the schema that pydantic gives for the
class, which is kept as long as the class. For everything else it answers `None` and the general way is taken.
"""

from __future__ import annotations

import dataclasses
import datetime
import enum
import math
import types
import typing
import uuid
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

import annotated_types
import pydantic
import typing_extensions
from pydantic.fields import FieldInfo

from ._arguments import QuietJsonSchema
from ._fields import ArgumentField
from ._json_schema import Schema
from ._signature import EMPTY

__all__ = ["direct_schema"]

_SCALARS: Mapping[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    None: {"type": "null"},
    type(None): {"type": "null"},
    Any: {},
    datetime.datetime: {"format": "date-time", "type": "string"},
    datetime.date: {"format": "date", "type": "string"},
    datetime.time: {"format": "time", "type": "string"},
    datetime.timedelta: {"format": "duration", "type": "string"},
    uuid.UUID: {"format": "uuid", "type": "string"},
    bytes: {"format": "binary", "type": "string"},
}
_LITERAL_TYPES = {str: "string", int: "integer", bool: "boolean"}
_BOUNDS: Mapping[type, tuple[str, str, tuple[type, ...]]] = {
    annotated_types.Ge: ("ge", "minimum", (int, float)),
    annotated_types.Gt: ("gt", "exclusiveMinimum", (int, float)),
    annotated_types.Le: ("le", "maximum", (int, float)),
    annotated_types.Lt: ("lt", "exclusiveMaximum", (int, float)),
    annotated_types.MultipleOf: ("multiple_of", "multipleOf", (int, float)),
    annotated_types.MinLen: ("min_length", "minLength", (str,)),
    annotated_types.MaxLen: ("max_length", "maxLength", (str,)),
}
_PLAIN_FIELD = {"description", "annotation", "metadata", *(name for name, _, _ in _BOUNDS.values())}

_of_class: weakref.WeakKeyDictionary[Any, Schema] = weakref.WeakKeyDictionary()


class _Uncommon(Exception):
    """Something that only pydantic's generator knows."""


def direct_schema(name: str, fields: Sequence[ArgumentField]) -> Schema | None:
    """The schema of the arguments, as pydantic would generate it, or `None` where only pydantic can.

    Args:
        name: the tool's name.
        fields: of the arguments.
    """
    definitions: dict[str, Schema] = {}
    try:
        properties = {f.property_name: _property(f, _Emitter(definitions)) for f in fields}
    except _Uncommon:
        return None
    schema: Schema = {"$defs": dict(sorted(definitions.items()))} if definitions else {}
    if any(f.parameter.kind is f.parameter.kind.VAR_KEYWORD for f in fields):
        schema["additionalProperties"] = False
    schema["properties"] = properties
    if required := [f.property_name for f in fields if f.is_required]:
        schema["required"] = required
    return {**schema, "title": f"{name}_args", "type": "object"}


def _property(argument: ArgumentField, emitter: _Emitter) -> Schema:
    parameter = argument.parameter
    if isinstance(parameter.default, FieldInfo):
        raise _Uncommon
    schema = emitter.emit(_without_text(argument.annotation))
    if argument.description:
        schema["description"] = argument.description
    if not parameter.is_variadic and parameter.default is not EMPTY:
        schema.update(_default(parameter.default))
    if emitter.has_own_title(argument.annotation):
        schema["title"] = argument.property_name.title().replace("_", " ").strip()
    return dict(sorted(schema.items()))


def _default(default: Any) -> Schema:
    if isinstance(default, enum.Enum):
        default = default.value
    if isinstance(default, float) and not math.isfinite(default):
        return {}
    if default is None or type(default) in (str, int, float, bool):
        return {"default": default}
    raise _Uncommon


def _without_text(annotation: Any) -> Any:
    """The annotation without the texts that have become the property's description."""
    if typing.get_origin(annotation) is not Annotated:
        return annotation
    kept = [m for m in annotation.__metadata__ if not isinstance(m, (str, typing_extensions.Doc))]
    return Annotated[(annotation.__origin__, *kept)] if kept else annotation.__origin__


class _Emitter:
    """Writes the schema of one annotation; the classes that it meets go into the definitions of the whole."""

    __slots__ = ("_definitions",)

    def __init__(self, definitions: dict[str, Schema]) -> None:
        self._definitions = definitions

    def emit(self, annotation: Any) -> Schema:
        """A new dict for every call."""
        origin = typing.get_origin(annotation)
        if origin is None:
            scalar = _SCALARS.get(annotation) if _is_hashable(annotation) else None
            return dict(scalar) if scalar is not None else self._class_or_bare(annotation)
        emit, arguments = _EMITTERS.get(origin), typing.get_args(annotation)
        if emit is None or not arguments:  # a bare `typing.Set` has an origin too
            raise _Uncommon
        return emit(self, arguments)

    def has_own_title(self, annotation: Any) -> bool:
        """pydantic titles a property unless what stands there is a class that has a title itself."""
        members = [a for a in typing.get_args(annotation) if a is not type(None)]
        if typing.get_origin(annotation) is Annotated:
            return self.has_own_title(members[0])
        if typing.get_origin(annotation) in _UNIONS and len(members) == 1:
            return self.has_own_title(members[0])
        return not _is_class_with_schema(annotation)

    def _class_or_bare(self, annotation: Any) -> Schema:
        if annotation in (list, tuple):
            return {"items": {}, "type": "array"}
        if annotation in (set, frozenset):
            return {"items": {}, "type": "array", "uniqueItems": True}
        if annotation is dict:
            return {"additionalProperties": True, "type": "object"}
        if not _is_class_with_schema(annotation):
            raise _Uncommon
        schema = dict(_class_schema(annotation))
        for name, definition in schema.pop("$defs", {}).items():
            self._define(name, definition)
        if schema.keys() != {"$ref"}:  # a recursive class stands among its own definitions already
            self._define(annotation.__name__, schema)
        return {"$ref": f"#/$defs/{annotation.__name__}"}

    def _define(self, name: str, schema: Schema) -> None:
        if not name.isidentifier() or self._definitions.setdefault(name, schema) != schema:
            raise _Uncommon  # two classes of one name, or a generic one, whose names pydantic makes up

    def _annotated(self, arguments: tuple[Any, ...]) -> Schema:
        annotation, *metadata = arguments
        schema = self.emit(annotation)
        for item in metadata:
            schema.update(_constraints(annotation, item))
        return dict(sorted(schema.items()))

    def _array(self, arguments: tuple[Any, ...]) -> Schema:
        return {"items": self.emit(arguments[0]), "type": "array"}

    def _set(self, arguments: tuple[Any, ...]) -> Schema:
        return {**self._array(arguments), "uniqueItems": True}

    def _tuple(self, arguments: tuple[Any, ...]) -> Schema:
        if arguments[-1:] == (...,):
            return self._array(arguments)
        if not arguments:
            raise _Uncommon
        length = {"maxItems": len(arguments), "minItems": len(arguments)}
        return {**length, "prefixItems": [self.emit(a) for a in arguments], "type": "array"}

    def _dict(self, arguments: tuple[Any, ...]) -> Schema:
        key, value = arguments
        if key is not str:
            raise _Uncommon
        return {"additionalProperties": self.emit(value) or True, "type": "object"}

    def _union(self, arguments: tuple[Any, ...]) -> Schema:
        members = [a for a in arguments if a is not type(None)]
        schemas = [self.emit(a) for a in members] + [{"type": "null"}] * (len(members) < len(arguments))
        flat = [branch for s in schemas for branch in (s["anyOf"] if s.keys() == {"anyOf"} else [s])]
        distinct = [s for i, s in enumerate(flat) if s not in flat[:i]]
        return {"anyOf": distinct} if len(distinct) > 1 else distinct[0]

    def _literal(self, values: tuple[Any, ...]) -> Schema:
        kinds = {type(value) for value in values}
        if not kinds <= {*_LITERAL_TYPES, type(None)}:
            raise _Uncommon
        choice: Schema = {"const": values[0]} if len(values) == 1 else {"enum": list(values)}
        (kind,) = kinds if len(kinds) == 1 else [None]
        return {**choice, "type": "null" if kind is type(None) else _LITERAL_TYPES[kind]} if kind else choice


def _constraints(annotation: Any, item: Any) -> Schema:
    if isinstance(item, FieldInfo):
        if set(item._attributes_set) - _PLAIN_FIELD:
            raise _Uncommon
        bounds: Iterable[Any] = item.metadata
    else:
        bounds = [item]
    found: Schema = {}
    for bound in bounds:
        attribute, keyword, applies_to = _BOUNDS.get(type(bound), ("", "", ()))
        if annotation not in applies_to:
            raise _Uncommon
        found[keyword] = getattr(bound, attribute)
    return found


def _is_hashable(annotation: Any) -> bool:
    return getattr(type(annotation), "__hash__", None) is not None


def _is_class_with_schema(annotation: Any) -> bool:
    if not isinstance(annotation, type) and not typing_extensions.is_typeddict(annotation):
        return False
    is_enum_or_model = isinstance(annotation, type) and issubclass(annotation, (enum.Enum, pydantic.BaseModel))
    return is_enum_or_model or dataclasses.is_dataclass(annotation) or typing_extensions.is_typeddict(annotation)


def _class_schema(cls: Any) -> Schema:
    schema = _of_class.get(cls)
    if schema is None:
        try:
            schema = pydantic.TypeAdapter(cls).json_schema(schema_generator=QuietJsonSchema)
        except Exception:  # noqa: BLE001 - the general way meets the same error, and says whose fault it is
            raise _Uncommon from None
        _of_class[cls] = schema
    return schema


_UNIONS = (typing.Union, types.UnionType)
_EMITTERS: Mapping[Any, Callable[[_Emitter, tuple[Any, ...]], Schema]] = {
    Annotated: _Emitter._annotated,
    list: _Emitter._array,
    set: _Emitter._set,
    frozenset: _Emitter._set,
    tuple: _Emitter._tuple,
    dict: _Emitter._dict,
    Literal: _Emitter._literal,
    **dict.fromkeys(_UNIONS, _Emitter._union),
}
