"""What pydantic's generator writes of single types, without a model of all arguments around them."""

from __future__ import annotations

import dataclasses
import enum
import weakref
from collections.abc import Mapping
from typing import Any

import pydantic
import typing_extensions
from pydantic_core import core_schema, from_json, to_json

from ._json_schema import Schema
from ._schema_generator import QuietJsonSchema

__all__ = ["Uncommon", "class_schema", "is_class_with_schema", "property_schemas"]

_LONG_NAME = "__"  # in what pydantic calls two classes of one name, which it must see together

# As JSON text: shorter than dicts, and read into new ones faster than they are copied.
_text_of_class: weakref.WeakKeyDictionary[Any, bytes] = weakref.WeakKeyDictionary()


class Uncommon(Exception):
    """Something whose schema cannot be written here."""


def is_class_with_schema(annotation: Any) -> bool:
    if typing_extensions.is_typeddict(annotation):
        return True
    if not isinstance(annotation, type):
        return False
    cls: type[Any] = annotation
    return issubclass(cls, (enum.Enum, pydantic.BaseModel)) or dataclasses.is_dataclass(cls)


def class_schema(cls: Any) -> tuple[Schema, dict[str, Schema]]:
    """The schema of a class as a property, with a title of no meaning, and its definitions; new dicts for every call.

    Raises:
        Uncommon: pydantic has none, or one that is no JSON.
    """
    text = _text_of_class.get(cls)
    if text is None:
        properties, definitions = property_schemas({"_": cls})
        written = [properties["_"], definitions]
        try:
            text = to_json(written, inf_nan_mode="constants")
        except Exception:  # noqa: BLE001 - a serializer of what an author added to it may raise anything
            raise Uncommon from None
        if from_json(text) != written:
            raise Uncommon
        _text_of_class[cls] = text
    schema, definitions = from_json(text)
    return schema, definitions


def property_schemas(annotations: Mapping[str, Any]) -> tuple[dict[str, Schema], dict[str, Schema]]:
    """The schemas of several properties and the definitions that they refer to, by one run of pydantic's generator.

    It takes less than half the time of a model with such fields.

    Args:
        annotations: by the names of the properties.

    Returns:
        the schemas by name, with titles, and the definitions.

    Raises:
        Uncommon: pydantic has no schema of one of them, or must see it together with other classes of the same name.
    """
    try:
        fields = {
            name: core_schema.typed_dict_field(pydantic.TypeAdapter(annotation).core_schema)
            for name, annotation in annotations.items()
        }
        whole = QuietJsonSchema().generate(core_schema.typed_dict_schema(fields))
    except Exception:  # noqa: BLE001 - the general way meets the same error, and says whose fault it is
        raise Uncommon from None
    properties, definitions = whole["properties"], whole.get("$defs", {})
    if properties.keys() != annotations.keys() or any(_LONG_NAME in name for name in definitions):
        raise Uncommon
    return properties, definitions
