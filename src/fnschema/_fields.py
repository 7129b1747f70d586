"""One `Parameter` and its description → one pydantic field. The one place that knows what each parameter kind becomes.

| parameter                       | field                                           |
|---------------------------------|-------------------------------------------------|
| positional, keyword-only        | itself                                          |
| `*args: T`                      | an optional `list[T]`                           |
| `*args: *tuple[A, B]`           | a required `tuple[A, B]`                        |
| `**kwargs: T`                   | an optional nested `dict[str, T]`               |
| `**kwargs: Unpack[TypedDict]`   | one field a key, as if each were keyword-only   |
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import types
import typing
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, Optional

import pydantic
import typing_extensions
from pydantic import AliasChoices, AliasPath
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined, to_jsonable_python
from typing_extensions import TypeAliasType

from ._annotations import Unresolved
from ._inspection import EMPTY, Parameter
from ._typed_dicts import keys_of, portable

__all__ = [
    "ABSENT",
    "ArgumentField",
    "admits_none",
    "argument_field",
    "json_can_hold",
    "may_be_left_out",
    "parameter_name",
    "parameters_of",
    "unusable_reason",
]

_KINDS = inspect.Parameter
_TAKEN = frozenset({*dir(pydantic.BaseModel), *dir(type(pydantic.BaseModel))})
_UNPACK = (typing_extensions.Unpack, typing.Unpack)


class _Absent:
    """The default of a key that is left out of the call when the model leaves it out."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()


class _Fills:
    """Beside the annotation of a renamed field: the parameter that it fills. pydantic ignores what it does not know."""

    __slots__ = ("parameter",)

    def __init__(self, parameter: str) -> None:
        self.parameter = parameter


class ArgumentField(NamedTuple):
    """One field of the arguments model.

    Attributes:
        name: the field's name, equal to the parameter's unless a pydantic model cannot have a field of that name.
        parameter: what it fills.
        annotation: the type, complete with its `Annotated` metadata.
        description: what the model is told of it.
        alias: the property's name, where an author or a renamed field makes it differ from ``name``.
    """

    name: str
    parameter: Parameter
    annotation: Any
    description: str | None
    alias: str | None

    @property
    def property_name(self) -> str:
        """The name in the JSON Schema and in the arguments."""
        return self.alias or self.name

    @property
    def is_required(self) -> bool:
        """Whether the arguments must hold it, unless a `Field` says otherwise."""
        if self.parameter.kind is _KINDS.VAR_POSITIONAL:
            return typing.get_origin(self.annotation) is tuple
        return not self.parameter.is_optional

    def definition(self) -> Any:
        """The annotation with default, description and alias in it, as `create_model` takes it."""
        own: dict[str, Any] = {} if self.is_required else _default_of(self.parameter)
        if self.description:
            own["description"] = self.description
        given = [self.parameter.default] if isinstance(self.parameter.default, FieldInfo) else []
        if self.alias and not _alias(*given, *_field_infos(self.annotation)):
            own["alias"] = self.alias  # elsewhere the author's stands, with all its choices
        renamed = [_Fills(self.parameter.name)] if self.name != self.parameter.name else []
        return Annotated[(self.annotation, *renamed, *given, pydantic.Field(**own))]


def parameters_of(parameters: Iterable[Parameter]) -> Iterator[Parameter]:
    """The parameters as the model sees them: `**kwargs: Unpack[TypedDict]` becomes one keyword-only parameter a key."""
    for parameter in parameters:
        unpacked = _unpacked(parameter.annotation) if parameter.kind is _KINDS.VAR_KEYWORD else None
        if typing_extensions.is_typeddict(unpacked):
            yield from _keys_as_parameters(parameter, unpacked)
        else:
            yield parameter


def _keys_as_parameters(parameter: Parameter, typed_dict: Any) -> Iterator[Parameter]:
    try:
        keys = list(keys_of(typed_dict))
    except NameError as error:
        yield parameter._replace(annotation=Unresolved(typed_dict.__qualname__, str(error)))
        return
    for key in keys:
        yield Parameter(key.name, _KINDS.KEYWORD_ONLY, key.annotation, EMPTY if key.is_required else ABSENT)


def may_be_left_out(parameter: Parameter) -> bool:
    """Whether a call needs no value for it: its default is one, or a `Field` that has one."""
    default = parameter.default
    return not default.is_required() if isinstance(default, FieldInfo) else parameter.is_optional


def unusable_reason(parameter: Parameter) -> str | None:
    """Why its annotation is no type of a parameter, whatever pydantic would say; `None` when it is one."""
    annotation = parameter.annotation
    if isinstance(annotation, type) and not typing.is_typeddict(annotation):
        return None
    if isinstance(annotation, Unresolved):
        return f"its annotation {annotation.text!r} cannot be resolved ({annotation.reason})"
    if _mentions(annotation, typing_extensions.Self):
        return "its annotation Self means the class only where a method is checked; name the class"
    try:
        portable(annotation)
    except NameError as error:
        return f"a typed dict in its annotation cannot be resolved ({error})"
    qualifier = typing.get_origin(annotation) or annotation
    if qualifier in (ClassVar, Final) or isinstance(qualifier, dataclasses.InitVar):
        return f"its annotation {qualifier} is for class bodies and is no type of a parameter"
    return None


def _mentions(annotation: Any, part: Any) -> bool:
    arguments = getattr(annotation, "__args__", None)
    return annotation is part or (isinstance(arguments, tuple) and any(_mentions(a, part) for a in arguments))


def argument_field(parameter: Parameter, description: str | None, taken: Iterable[str]) -> ArgumentField:
    """The field of one parameter.

    Args:
        parameter: any kind.
        description: from the docstring; it beats what `Annotated` and `Field` say.
        taken: names of parameters, which a field that must be renamed does not take.
    """
    annotation = _annotation_of(parameter)
    given = parameter.default if isinstance(parameter.default, FieldInfo) else None
    name = _field_name(parameter.name, taken)
    renamed = parameter.name if name != parameter.name else None
    return ArgumentField(
        name=name,
        parameter=parameter,
        annotation=annotation,
        description=description or (given and given.description) or _annotated_text(parameter.annotation),
        alias=_alias(given, *_field_infos(annotation)) or renamed,
    )


def parameter_name(field: str, info: FieldInfo) -> str:
    """The name of the parameter that a field of an arguments model fills."""
    return next((item.parameter for item in info.metadata if isinstance(item, _Fills)), field)


def _annotated_text(annotation: Any) -> str | None:
    """What `Annotated[T, "text"]`, `Doc` or `Field(description=…)` say, also inside `Optional` and aliases."""
    if isinstance(annotation, type):
        return None
    if isinstance(annotation, TypeAliasType):
        return _annotated_text(annotation.__value__)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        own = [text for text in map(_text_of, arguments[1:]) if text]
        return own[0] if own else _annotated_text(arguments[0])
    members = [a for a in arguments if a is not type(None)]
    if origin in (typing.Union, types.UnionType) and len(members) == 1:
        return _annotated_text(members[0])
    return None


def admits_none(annotation: Any) -> bool:
    """Whether `None` is a value of the annotation, as far as the annotation itself says."""
    if isinstance(annotation, TypeAliasType):
        return admits_none(annotation.__value__)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        return admits_none(arguments[0])
    if origin in (typing.Union, types.UnionType):
        return any(map(admits_none, arguments))
    if origin in (Literal, typing_extensions.Literal):
        return None in arguments
    return annotation in (Any, object, None, type(None)) or isinstance(annotation, typing.TypeVar)


def _annotation_of(parameter: Parameter) -> Any:
    annotation = Any if parameter.annotation is EMPTY else portable(parameter.annotation)
    if parameter.kind is _KINDS.VAR_POSITIONAL:
        return _variadic_annotation(annotation)
    if parameter.kind is _KINDS.VAR_KEYWORD:
        return types.GenericAlias(dict, (str, annotation))
    if parameter.default is None and not admits_none(annotation):
        return _or_none(annotation)
    return annotation


def _or_none(annotation: Any) -> Any:
    """PEP 484 once read `x: int = None` as `int | None`, and authors still write it. Metadata stays outermost."""
    if typing.get_origin(annotation) is Annotated:
        return Annotated[(_or_none(annotation.__origin__), *annotation.__metadata__)]
    if isinstance(annotation, (list, tuple, dict)):
        return annotation  # no type at all, as pydantic is going to say
    return Optional[annotation]  # noqa: UP045 - of a value, which may be a string or a forward reference


def _variadic_annotation(annotation: Any) -> Any:
    unpacked = _unpacked(annotation)
    if typing.get_origin(unpacked) is tuple:
        return _homogeneous(unpacked) or unpacked
    return types.GenericAlias(list, (annotation if unpacked is None else Any,))


def _homogeneous(tuple_type: Any) -> Any:
    arguments = typing.get_args(tuple_type)
    is_homogeneous = len(arguments) == 2 and arguments[1] is ...
    return types.GenericAlias(list, arguments[:1]) if is_homogeneous else None


def _unpacked(annotation: Any) -> Any:
    """`X` of `Unpack[X]` and of `*X`, else `None`."""
    if typing.get_origin(annotation) in _UNPACK:
        return typing.get_args(annotation)[0]
    if getattr(annotation, "__unpacked__", False):
        return types.GenericAlias(annotation.__origin__, annotation.__args__)
    return None


def _default_of(parameter: Parameter) -> dict[str, Any]:
    default = parameter.default
    if parameter.is_variadic:
        return {"default_factory": list if parameter.kind is _KINDS.VAR_POSITIONAL else dict}
    if isinstance(default, FieldInfo):
        return {}
    is_told = json_can_hold(default) and not _is_marker(default, parameter.annotation)
    return {"default": default} if is_told else {"default_factory": lambda: default}


def _is_marker(default: Any, annotation: Any) -> bool:
    """Whether a default is an object for another framework, such as FastAPI's `Depends`, and no value of the type."""
    if not dataclasses.is_dataclass(default) or annotation is EMPTY:
        return False
    classes = list(_classes_in(annotation))
    return bool(classes) and object not in classes and not isinstance(default, tuple(classes))


def _classes_in(annotation: Any) -> Iterator[type]:
    """The classes that an annotation is made of; `object` for whatever takes more than classes say."""
    parts = typing.get_args(annotation)
    origin = typing.get_origin(annotation)
    if isinstance(annotation, type) and not parts:
        yield _class_to_ask(annotation)
    elif isinstance(origin, type) and origin is not types.UnionType:
        yield _class_to_ask(origin)
    elif origin not in (Annotated, typing.Union, types.UnionType):
        yield object
    elif origin is Annotated:
        yield from _classes_in(parts[0])
    else:
        for part in parts:
            yield from _classes_in(part)


def _class_to_ask(cls: type) -> type:
    """What `isinstance` can ask about in its place."""
    if cls is Any or getattr(cls, "_is_protocol", False):
        return object
    return dict if typing_extensions.is_typeddict(cls) else cls


def json_can_hold(default: Any) -> bool:
    """Whether a schema may publish the default."""
    if isinstance(default, (Iterator, pydantic.SecretStr, pydantic.SecretBytes)) or default is PydanticUndefined:
        return False  # serializing would use an iterator up, and would publish a secret's asterisks
    try:
        json.dumps(to_jsonable_python(default), allow_nan=False)
    except Exception:  # noqa: BLE001 - a serializer of the default's own class may raise anything
        return False
    return True


def _field_infos(annotation: Any) -> Iterator[FieldInfo]:
    if typing.get_origin(annotation) is Annotated:
        yield from (item for item in annotation.__metadata__ if isinstance(item, FieldInfo))


def _alias(*infos: FieldInfo | None) -> str | None:
    given = (info.validation_alias or info.alias for info in infos if info)
    return next((key for alias in given if alias and (key := _published_key(alias))), None)


def _published_key(alias: str | AliasChoices | AliasPath) -> str | None:
    """The key that pydantic publishes: the first choice that is one; for a path that is no choice it has none."""
    if isinstance(alias, str):
        return alias
    for choice in alias.choices if isinstance(alias, AliasChoices) else ():
        path = [choice] if isinstance(choice, str) else choice.path
        if len(path) == 1:
            return str(path[0])
    return None


def _text_of(item: Any) -> str | None:
    if isinstance(item, typing_extensions.Doc):
        return item.documentation
    if isinstance(item, FieldInfo):
        return item.description
    return item if isinstance(item, str) else None


def _field_name(name: str, taken: Iterable[str]) -> str:
    """A name that a pydantic model can have a field of: no leading underscore, nothing that `BaseModel` has itself."""
    if not name.startswith("_") and name not in _TAKEN:
        return name
    candidate = f"parameter_{name.strip('_')}"
    while candidate in taken or candidate in _TAKEN:
        candidate += "_"
    return candidate
