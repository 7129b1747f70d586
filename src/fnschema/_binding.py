"""Validated arguments → a call: which value goes where, worked out once for a signature and a model."""

from __future__ import annotations

import copy
import inspect
import sys
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from ._fields import ABSENT, parameter_name
from .errors import ArgumentsError, Problem, pointer, quoted

__all__ = ["Binding"]

_KINDS = inspect.Parameter
_SINGLE = (_KINDS.POSITIONAL_ONLY, _KINDS.POSITIONAL_OR_KEYWORD, _KINDS.KEYWORD_ONLY)
_NAMED = (_KINDS.POSITIONAL_OR_KEYWORD, _KINDS.KEYWORD_ONLY)
_COPIED = (list, dict, set)  # defaults of exactly these types are fresh for every call, as in the Agents SDK


class _Slot(NamedTuple):
    """One parameter of the call.

    Attributes:
        name: of the parameter.
        field: of the arguments model; `None` for a parameter that the model does not see.
        kind: how the value is passed; positional-or-keyword ones behind a gap are passed by keyword.
        default: the function's own object; ``()`` and ``{}`` for variadic parameters.
    """

    name: str
    field: str | None
    kind: Any
    default: Any

    @property
    def is_plain(self) -> bool:
        """Whether the value can be passed as it was sent, by keyword, and be left out when nothing was sent."""
        needs_no_copy = type(self.default) not in _COPIED and not isinstance(self.default, FieldInfo)
        return self.kind in _NAMED and self.field in (self.name, None) and needs_no_copy

    def value(self, values: Mapping[str, Any]) -> Any:
        """What was sent, else the default: the very object, but a copy of a list, dict or set, or a `Field`'s."""
        if self.field is not None and self.field in values:
            return values[self.field]
        default = self.default
        if isinstance(default, FieldInfo):
            if default.default_factory:
                return default.get_default(call_default_factory=True, validated_data=dict(values))
            default = default.default  # `get_default` would copy it, and not everything can be copied
        return _fresh(default) if type(default) in _COPIED else default


def _fresh(default: Any) -> Any:
    try:
        return copy.deepcopy(default)
    except Exception:  # noqa: BLE001 - a lock or a client in a list cannot be copied, and no copy is better than no call
        return copy.copy(default)


class Binding:
    """How the arguments of one model become those of a function.

    Attributes:
        made_by_pydantic: fields whose default stands in a `Field`, so that pydantic makes the value.
        is_plain: whether Python itself can bind: what was sent goes by keyword, defaults are left to the function.

    Args:
        signature: of the function.
        model: the arguments model.
        left_out: names of parameters that are no part of the call, since somebody else passes them.
        filled: names of parameters that something else fills by position, so that no key may be called so.
        positions: how many arguments go by position, the others by name; `None` when each may go either way.
    """

    def __init__(
        self,
        signature: inspect.Signature,
        model: type[BaseModel],
        *,
        left_out: Collection[str],
        filled: Collection[str],
        positions: int | None,
    ) -> None:
        fields = {parameter_name(field, info): field for field, info in model.model_fields.items()}
        parameters = signature.parameters
        self._slots = tuple(_slots(signature, fields, left_out, sys.maxsize if positions is None else positions))
        self._unpacked = tuple((key, field) for key, field in fields.items() if key not in parameters)
        self.made_by_pydantic = {
            field
            for name, field in fields.items()
            if name in parameters and _is_made_by_pydantic(parameters[name], model.model_fields[field])
        }
        named = (p.name for p in parameters.values() if p.kind in _NAMED)
        self._reserved = frozenset({*named, *left_out, *filled})
        self.is_plain = positions is None and not self._unpacked and all(slot.is_plain for slot in self._slots)

    def values(self, data: BaseModel) -> dict[str, Any]:
        """What was sent, and what pydantic made for a parameter whose default is a `Field`, by field name."""
        kept = data.__pydantic_fields_set__ | self.made_by_pydantic
        return {field: value for field, value in data.__dict__.items() if field in kept and value is not ABSENT}

    def bind(self, tool: str, values: dict[str, Any], given: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The positional and the keyword arguments of the call.

        Args:
            tool: its name, for messages.
            values: what was sent, by field name of the arguments model.
            given: values of parameters that are not the model's to fill.

        Raises:
            ArgumentsError: a key of ``**kwargs`` names a parameter, or nothing fills one without a default.
        """
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for slot in self._slots:
            value = given[slot.name] if slot.name in given else slot.value(values)
            if value is _KINDS.empty:
                raise ArgumentsError(tool, [Problem(pointer((slot.name,)), "is missing")])
            if slot.kind is _KINDS.VAR_POSITIONAL:
                args += value
            elif slot.kind is _KINDS.VAR_KEYWORD:
                self._refuse_reserved(tool, slot.name, value)
                kwargs.update({key: values[field] for key, field in self._unpacked if field in values}, **value)
            elif slot.kind is _KINDS.KEYWORD_ONLY:
                kwargs[slot.name] = value
            else:
                args.append(value)
        return args, kwargs

    def _refuse_reserved(self, tool: str, parameter: str, keys: Mapping[str, Any]) -> None:
        clashes = [key for key in keys if key in self._reserved]
        if clashes:
            reason = "is a parameter of its own or not yours to fill"
            raise ArgumentsError(
                tool, [Problem(pointer((parameter, key)), f"{quoted(key)} {reason}") for key in clashes]
            )


def _is_made_by_pydantic(parameter: inspect.Parameter, field: FieldInfo) -> bool:
    """Whether its default is a `Field`, or it has one in `Annotated` only."""
    if isinstance(parameter.default, FieldInfo):
        return True
    return parameter.default is _KINDS.empty and parameter.kind in _SINGLE and not field.is_required()


def _slots(
    signature: inspect.Signature, fields: Mapping[str, str], left_out: Collection[str], positions: int
) -> Iterator[_Slot]:
    behind_gap = False
    for position, (name, parameter) in enumerate(signature.parameters.items()):
        kind, default = parameter.kind, parameter.default
        if name in left_out:
            behind_gap = behind_gap or position > 0  # who leaves out the first passes it first
            continue
        if kind is _KINDS.VAR_POSITIONAL:
            default = ()
        elif kind is _KINDS.VAR_KEYWORD:
            default = {}
        elif kind is _KINDS.POSITIONAL_OR_KEYWORD and (behind_gap or position >= positions):
            kind = _KINDS.KEYWORD_ONLY
        yield _Slot(name, fields.get(name), kind, default)
