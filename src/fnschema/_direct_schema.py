"""The JSON Schema of arguments, written without building a pydantic model.

This is the fast one of two ways to the same result: what pydantic's generator writes for the arguments model, key for
key (a law in the tests holds the two together). It knows scalars, containers, unions, literals, numbers, strings and
arrays with bounds, and refers to enums, models, dataclasses and typed dicts by the schema that pydantic gives for the
class, which is kept as long as the class. Other types are left to pydantic's generator, each for itself. Where that
cannot be, since a `Field` says more than a type does, a default is no JSON or names clash, the answer is `None` and the
general way is taken.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import ipaddress
import math
import pathlib
import types
import typing
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

import annotated_types
import pydantic
import typing_extensions
from pydantic.fields import FieldInfo
from pydantic_core import SchemaError, SchemaValidator, core_schema

from ._fields import ArgumentField, json_can_hold
from ._inspection import EMPTY
from ._json_schema import Schema, is_array, is_object, without
from ._type_schemas import Uncommon, class_schema, is_class_with_schema, property_schemas

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
# What pydantic says of these stands where they stand, without a title or a definition of its own.
_OF_STDLIB = frozenset(
    {
        *(decimal.Decimal, fractions.Fraction, pathlib.Path, pathlib.PurePath),
        *(ipaddress.IPv4Address, ipaddress.IPv4Network, ipaddress.IPv6Address, ipaddress.IPv6Network),
    }
)
_LITERAL_TYPES: Mapping[type, str] = {str: "string", int: "integer", bool: "boolean", type(None): "null"}
_BOUNDS: Mapping[type, tuple[str, str]] = {
    annotated_types.Ge: ("ge", "minimum"),
    annotated_types.Gt: ("gt", "exclusiveMinimum"),
    annotated_types.Le: ("le", "maximum"),
    annotated_types.Lt: ("lt", "exclusiveMaximum"),
    annotated_types.MultipleOf: ("multiple_of", "multipleOf"),
}
_NUMBERS: Mapping[Any, tuple[type, ...]] = {int: (int,), float: (int, float)}
_LENGTHS: Mapping[Any, str] = {str: "Length", dict: "Properties", **dict.fromkeys((list, set, frozenset), "Items")}
_LARGEST = 2**53  # beyond that pydantic does not take every bound
_OF_STRINGS = type(pydantic.Field(pattern="").metadata[0])  # pydantic has no public name for it
# Arguments of `Field`: those known here, and all that say something of the type and nothing of the property.
_BOUNDED = {
    *("annotation", "description", "metadata", "min_length", "max_length", "pattern"),
    *(name for name, _ in _BOUNDS.values()),
}
_OF_TYPES = _BOUNDED | {
    *("allow_inf_nan", "coerce_numbers_to_str", "decimal_places", "discriminator", "fail_fast", "max_digits"),
    *("strict", "union_mode"),
}


def direct_schema(name: str, fields: Sequence[ArgumentField]) -> Schema | None:
    """The schema of the arguments, as pydantic would generate it, or `None` where only pydantic can.

    Args:
        name: the tool's name.
        fields: of the arguments.
    """
    emitter = _Emitter()
    try:
        properties = _properties(fields, emitter)
    except Uncommon:
        return None
    schema: Schema = {"$defs": dict(sorted(emitter.definitions.items()))} if emitter.definitions else {}
    schema["properties"] = properties
    if required := [f.property_name for f in fields if f.is_required]:
        schema["required"] = required
    return {**schema, "title": f"{name}_args", "type": "object"}


def _properties(fields: Sequence[ArgumentField], emitter: _Emitter) -> dict[str, Schema]:
    annotations = {f.property_name: _annotation_of(f) for f in fields}
    written = {
        name: schema
        for name, annotation in annotations.items()
        if (schema := emitter.property(name, annotation)) is not None
    }
    others = {name: annotation for name, annotation in annotations.items() if name not in written}
    if any(map(_holds_unpacked, others.values())):
        raise Uncommon  # which pydantic takes, and a model with such a field does not
    if others:
        written |= emitter.properties_by_pydantic(others)
    return {f.property_name: _with_facts(written[f.property_name], f) for f in fields}


def _holds_unpacked(annotation: Any) -> bool:
    return getattr(annotation, "__unpacked__", False) or any(map(_holds_unpacked, typing.get_args(annotation)))


def _annotation_of(argument: ArgumentField) -> Any:
    """The annotation without what belongs to the property; text beside it has become the property's description."""
    parameter, annotation = argument.parameter, argument.annotation
    if isinstance(parameter.default, FieldInfo) or parameter.kind is parameter.kind.VAR_KEYWORD:
        raise Uncommon  # beside `**kwargs` the model is closed, and so are the dataclasses in it
    if typing.get_origin(annotation) is not Annotated:
        return annotation
    kept = [m for m in annotation.__metadata__ if not isinstance(m, (str, typing_extensions.Doc))]
    if not all(map(_is_about_type, kept)):
        raise Uncommon
    return Annotated[(annotation.__origin__, *kept)] if kept else annotation.__origin__


def _is_about_type(item: object) -> bool:
    """Whether what stands beside an annotation says something of the type and nothing of the property."""
    if isinstance(item, FieldInfo):
        return _says_only(item, _OF_TYPES)
    return not isinstance(item, typing_extensions.deprecated)


def _says_only(info: FieldInfo, arguments: set[str]) -> bool:
    """Whether nothing but these was given to `Field`."""
    return info._attributes_set.keys() <= arguments  # pyright: ignore[reportPrivateUsage] - nothing public tells


def _with_facts(schema: Schema, argument: ArgumentField) -> Schema:
    """The property with its description and its default."""
    parameter = argument.parameter
    if argument.description:
        schema["description"] = argument.description
    if not parameter.is_variadic and parameter.default is not EMPTY:
        schema.update(_default(parameter.default))
    return dict(sorted(schema.items()))


def _is_reference(schema: Schema) -> bool:
    """Whether it refers to a class, or to one or null."""
    branches = schema.get("anyOf", [schema])
    return "$ref" in branches[0] and (len(branches) == 1 or branches[1:] == [_SCALARS[None]])


def _default(default: Any) -> Schema:
    return {"default": _plain(default)} if _is_scalar(default) or json_can_hold(default) else {}


def _is_scalar(default: object) -> bool:
    """Whether JSON can hold it for certain: most defaults are such, and trying takes longer than all else here."""
    if isinstance(default, float):
        return math.isfinite(default)
    return isinstance(default, (str, bool, type(None))) or (isinstance(default, int) and default.bit_length() < 64)


def _plain(value: Any) -> Any:
    """The JSON of a default that JSON can hold, made of new lists and dicts."""
    if isinstance(value, enum.Enum):
        if hasattr(value, "__get_pydantic_core_schema__"):
            raise Uncommon  # which may write it in another way
        value = value.value
    kind = value.__class__
    if kind in _LITERAL_TYPES or kind is float:
        return value
    if kind in (list, tuple):
        return [_plain(item) for item in value]
    if kind is dict and all(type(key) is str for key in value):
        return {key: _plain(item) for key, item in value.items()}
    raise Uncommon


class _Emitter:
    """Writes the schema of one annotation; the classes that it meets go into the definitions of the whole."""

    __slots__ = ("definitions",)

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}

    def property(self, name: str, annotation: Any) -> Schema | None:
        """The schema of a property, or `None` for what is not known here, which leaves no definition behind."""
        before = self.definitions.copy()
        try:
            schema = self.emit(annotation)
        except Uncommon:
            self.definitions = before
            return None
        if not _is_reference(schema):  # else the class has a title of its own
            schema["title"] = name.title().replace("_", " ").strip()
        return schema

    def properties_by_pydantic(self, annotations: Mapping[str, Any]) -> dict[str, Schema]:
        """The schemas of properties that are not known here."""
        properties, definitions = property_schemas(annotations)
        self._define(definitions)
        return properties

    def emit(self, annotation: Any) -> Schema:
        """A new dict for every call."""
        scalar = _scalar(annotation)
        if scalar is not None:
            return scalar.copy()
        origin = typing.get_origin(annotation)
        if origin is None:
            return self._class_or_bare(annotation)
        emit, arguments = _EMITTERS.get(origin), typing.get_args(annotation)
        # A bare `typing.Set` has an origin, too, and `*tuple[int, ...]` that of a tuple.
        if emit is None or not arguments or getattr(annotation, "__unpacked__", False):
            raise Uncommon
        return emit(self, arguments)

    def _class_or_bare(self, annotation: Any) -> Schema:
        if annotation in (list, tuple):
            return {"items": {}, "type": "array"}
        if annotation in (set, frozenset):
            return {"items": {}, "type": "array", "uniqueItems": True}
        if annotation is dict:
            return {"additionalProperties": True, "type": "object"}
        is_of_stdlib = isinstance(annotation, type) and annotation in _OF_STDLIB
        if not is_of_stdlib and not is_class_with_schema(annotation):
            raise Uncommon
        schema, definitions = class_schema(annotation)
        if is_of_stdlib:
            return without(schema, {"title"})
        if schema.keys() != {"$ref"}:
            raise Uncommon  # a class that says itself how it is read
        self._define(definitions)
        return schema

    def _define(self, definitions: Mapping[str, Schema]) -> None:
        for name, schema in definitions.items():
            if not name.isidentifier() or self.definitions.setdefault(name, schema) != schema:
                raise Uncommon  # two classes of one name, or a generic one, whose names pydantic makes up

    def of_annotated(self, arguments: tuple[Any, ...]) -> Schema:
        annotation, *metadata = arguments
        schema = self.emit(annotation)
        kind = typing.get_origin(annotation) or annotation
        for item in metadata:
            schema.update(_constraints(kind, item))
        return dict(sorted(schema.items()))

    def of_list(self, arguments: tuple[Any, ...]) -> Schema:
        return {"items": self.emit(arguments[0]), "type": "array"}

    def of_set(self, arguments: tuple[Any, ...]) -> Schema:
        return {**self.of_list(arguments), "uniqueItems": True}

    def of_tuple(self, arguments: tuple[Any, ...]) -> Schema:
        if arguments[-1:] == (...,):
            return self.of_list(arguments)
        if not arguments:
            raise Uncommon
        length = {"maxItems": len(arguments), "minItems": len(arguments)}
        return {**length, "prefixItems": [self.emit(a) for a in arguments], "type": "array"}

    def of_dict(self, arguments: tuple[Any, ...]) -> Schema:
        key, value = arguments
        if key is not str:
            raise Uncommon
        return {"additionalProperties": self.emit(value) or True, "type": "object"}

    def of_union(self, arguments: tuple[Any, ...]) -> Schema:
        members = [a for a in arguments if a is not type(None)]
        schemas = [self.emit(a) for a in members] + [{"type": "null"}] * (len(members) < len(arguments))
        flat = [branch for s in schemas for branch in (s["anyOf"] if s.keys() == {"anyOf"} else [s])]
        distinct = list({_hashable(s): s for s in flat}.values())
        return {"anyOf": distinct} if len(distinct) > 1 else distinct[0]

    def of_literal(self, values: tuple[Any, ...]) -> Schema:
        kinds: set[type] = {type(value) for value in values}
        if not kinds <= _LITERAL_TYPES.keys() or not all(map(_can_be_sent, values)):
            raise Uncommon
        choice: Schema = {"const": values[0]} if len(values) == 1 else {"enum": list(values)}
        return choice if len(kinds) > 1 else {**choice, "type": _LITERAL_TYPES[kinds.pop()]}


def _hashable(schema: Any) -> object:
    """Equal for schemas that pydantic takes for the same, in which 1 is 1.0 and true."""
    if is_object(schema):
        return frozenset((key, _hashable(value)) for key, value in schema.items())
    return tuple(map(_hashable, schema)) if is_array(schema) else schema


def _can_be_sent(value: object) -> bool:
    """Whether it is no text with a lone surrogate."""
    try:
        if isinstance(value, str):
            value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _constraints(kind: Any, item: Any) -> Schema:
    if isinstance(item, FieldInfo):
        if not _says_only(item, _BOUNDED):
            raise Uncommon
        bounds: Iterable[Any] = item.metadata
    else:
        bounds = [item]
    found: Schema = {"description": item.description} if getattr(item, "description", None) else {}
    for bound in bounds:
        found.update(_bound(kind, bound))
    return found


def _bound(kind: Any, bound: Any) -> Schema:
    """What one bound says of a type without its arguments; pydantic knows more of both, and refuses some."""
    cls = bound.__class__
    if kind in _NUMBERS and cls in _BOUNDS:
        attribute, keyword = _BOUNDS[cls]
        value = getattr(bound, attribute)
        if type(value) in _NUMBERS[kind] and abs(value) < _LARGEST and (keyword != "multipleOf" or value > 0):
            return {keyword: value}
    elif kind in _LENGTHS and cls is annotated_types.MinLen and _is_length(bound.min_length):
        return {f"min{_LENGTHS[kind]}": bound.min_length}
    elif kind in _LENGTHS and cls is annotated_types.MaxLen and _is_length(bound.max_length):
        return {f"max{_LENGTHS[kind]}": bound.max_length}
    elif kind is str and cls is _OF_STRINGS and vars(bound).keys() == {"pattern"} and _is_pattern(bound.pattern):
        return {"pattern": bound.pattern}
    raise Uncommon


def _is_length(value: object) -> bool:
    return type(value) is int and 0 <= value < _LARGEST


def _is_pattern(value: object) -> bool:
    """Whether it is the text of a pattern that pydantic takes as it is; others need another engine, or are wrong."""
    try:
        return type(value) is str and bool(SchemaValidator(core_schema.str_schema(pattern=value)))
    except SchemaError:
        return False


def _scalar(annotation: Any) -> Schema | None:
    try:
        return _SCALARS.get(annotation)
    except TypeError:  # unhashable, as what some people write beside an `Annotated` type
        return None


_EMITTERS: Mapping[Any, Callable[[_Emitter, tuple[Any, ...]], Schema]] = {
    Annotated: _Emitter.of_annotated,
    list: _Emitter.of_list,
    set: _Emitter.of_set,
    frozenset: _Emitter.of_set,
    tuple: _Emitter.of_tuple,
    dict: _Emitter.of_dict,
    Literal: _Emitter.of_literal,
    **dict.fromkeys((typing.Union, types.UnionType), _Emitter.of_union),
}
