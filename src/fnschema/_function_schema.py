"""`function_schema`: read → document → fields → arguments model → JSON Schema, top to bottom."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from pydantic import BaseModel, TypeAdapter

from ._arguments import ArgumentsReader, QuietJsonSchema, arguments_model, published_schema
from ._binding import Binding
from ._direct_schema import direct_schema
from ._documentation import Documentation, DocstringStyle, read_documentation
from ._fields import ArgumentField, argument_field, parameters_of, unusable_reason
from ._json_schema import Schema
from ._signature import Parameter, Signature, is_context, read_signature
from ._strict_schema import strict_parameters
from .errors import Problem, SignatureError, UserError, pointer

__all__ = ["FuncSchema", "OpenObjects", "UnknownArguments", "build_function_schema", "function_schema"]

OpenObjects = Literal["reject", "entries"]
UnknownArguments = Literal["refuse", "ignore"]

MAX_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class _Policy:
    """What a schema made by hand has the defaults of.

    Attributes:
        subject: ``module.qualname`` of the function, for messages.
        context: the name of the parameter that takes the context.
        injected: names of parameters that the caller of the tool fills.
        applied: names that a partial has filled.
        open_objects, unknown_arguments, max_bytes: as in `function_schema`.
        is_async: whether calling the function gives an awaitable.
    """

    subject: str = ""
    context: str | None = None
    injected: tuple[str, ...] = ()
    applied: frozenset[str] = frozenset()
    open_objects: OpenObjects = "reject"
    unknown_arguments: UnknownArguments = "refuse"
    max_bytes: int = MAX_BYTES
    is_async: bool = False


@dataclass
class FuncSchema:
    """A Python function as a tool: its name, purpose and arguments. Made by `function_schema`, or by hand.

    Attributes:
        name: the tool's name.
        description: what the model is told of it.
        params_pydantic_model: a pydantic model with one field a parameter.
        params_json_schema: the JSON Schema of the arguments; a new dict for every schema.
        signature: as `inspect.signature` gives it, context and hidden parameters included.
        takes_context: whether a `RunContextWrapper` or `ToolContext` is to be passed.
        strict_json_schema: whether ``params_json_schema`` follows OpenAI's strict rules.
        return_annotation: resolved where it can be.
        hidden: parameters that the model cannot fill; they take their default.
    """

    name: str
    description: str | None
    params_pydantic_model: type[BaseModel]
    params_json_schema: dict[str, Any]
    signature: inspect.Signature
    takes_context: bool = False
    strict_json_schema: bool = True
    return_annotation: Any = inspect.Signature.empty
    hidden: tuple[str, ...] = ()
    policy: _Policy = field(default=_Policy(), repr=False, compare=False)

    def validate(self, arguments: str | bytes | Mapping[str, Any] | None) -> BaseModel:
        """Read what a language model sent.

        Args:
            arguments: JSON text of an object, or a mapping; `None`, blanks and ``null`` are no arguments.

        Raises:
            ArgumentsError: it is no JSON object or does not fit, with all problems.
        """
        return self._reader.read(arguments)

    def to_call_args(self, data: BaseModel) -> tuple[list[Any], dict[str, Any]]:
        """The positional and keyword arguments of the call, without the context.

        Args:
            data: an instance of ``params_pydantic_model``.

        Raises:
            ArgumentsError: a key of ``**kwargs`` names a parameter.
        """
        return self._binding_without_context.bind(self.name, data, {})

    def bind(
        self, data: BaseModel, context: object = None, injected: Mapping[str, Any] | None = None
    ) -> tuple[list[Any], dict[str, Any]]:
        """The arguments of the whole call.

        Args:
            data: an instance of ``params_pydantic_model``.
            context: passed where ``takes_context``.
            injected: values of the parameters that the caller of the tool fills, by name.
        """
        given = dict(injected or {})
        if self.takes_context:
            given[self._context_name] = context
        return self._binding.bind(self.name, data, given)

    @property
    def definition_schema(self) -> Schema:
        """The schema that dialects start from: not yet strict, and no wider than what `validate` accepts."""
        from ._schema_generator import ArgumentsJsonSchema

        return self.params_pydantic_model.model_json_schema(schema_generator=ArgumentsJsonSchema)

    @functools.cached_property
    def _context_name(self) -> str:
        names = [p.name for p in self.signature.parameters.values() if is_context(p.annotation)]
        return self.policy.context or next(iter(names or self.signature.parameters))

    @functools.cached_property
    def _binding(self) -> Binding:
        return Binding(self.signature, self.params_pydantic_model, self.policy.applied)

    @functools.cached_property
    def _binding_without_context(self) -> Binding:
        context = {self._context_name} if self.takes_context else set()
        left_out = {*self.policy.applied, *self.policy.injected, *context}
        return Binding(self.signature, self.params_pydantic_model, left_out)

    @functools.cached_property
    def _reader(self) -> ArgumentsReader:
        return ArgumentsReader(
            self.name,
            self.params_pydantic_model,
            closed=self.policy.unknown_arguments == "refuse",
            entries=self.policy.open_objects == "entries",
            max_bytes=self.policy.max_bytes,
        )


class _BuiltAtFirstNeed:
    """A model, or a function that makes it: most tools are published more often than they are called."""

    _lock = threading.Lock()

    def __get__(self, instance: FuncSchema | None, owner: type[FuncSchema]) -> type[BaseModel]:
        if instance is None:
            raise AttributeError("params_pydantic_model is an attribute of instances")
        kept = vars(instance)
        with self._lock:
            if isinstance(kept["params_pydantic_model"], functools.partial):
                kept["params_pydantic_model"] = kept["params_pydantic_model"]()
        return cast("type[BaseModel]", kept["params_pydantic_model"])

    def __set__(self, instance: FuncSchema, value: type[BaseModel]) -> None:
        vars(instance)["params_pydantic_model"] = value


# Set here, since in the class body it would be the field's default.
FuncSchema.params_pydantic_model = _BuiltAtFirstNeed()  # type: ignore[assignment]


def function_schema(
    func: Callable[..., Any],
    docstring_style: DocstringStyle | None = None,
    name_override: str | None = None,
    description_override: str | None = None,
    use_docstring_info: bool = True,
    strict_json_schema: bool = True,
    *,
    open_objects: OpenObjects = "reject",
    hide: Sequence[str] = (),
    unknown_arguments: UnknownArguments = "refuse",
    max_bytes: int = MAX_BYTES,
) -> FuncSchema:
    """Read a function as a tool.

    Args:
        func: any callable that Python can give a signature for.
        docstring_style: forces a style; else the one that documents most of the function's parameters is taken.
        name_override: the tool's name instead of the function's.
        description_override: the tool's description instead of the docstring's.
        use_docstring_info: whether the docstring is read at all.
        strict_json_schema: whether ``params_json_schema`` follows OpenAI's strict rules.
        open_objects: what a map is in a strict schema: refused, or published as an array of key/value ``"entries"``.
        hide: names of parameters that the model does not see; they take their default.
        unknown_arguments: whether an argument that no parameter takes is refused, or dropped with a log record.
        max_bytes: the longest arguments text that is read, in bytes of UTF-8.

    Raises:
        SignatureError: the callable or one of its parameters cannot be read or described; all problems at once.
        SchemaError: the schema cannot be strict.
        UserError: the context stands where it cannot be injected, a name in ``hide`` is no parameter.
    """
    return build_function_schema(
        func,
        docstring_style=docstring_style,
        name_override=name_override,
        description_override=description_override,
        use_docstring_info=use_docstring_info,
        strict_json_schema=strict_json_schema,
        open_objects=open_objects,
        hide=hide,
        unknown_arguments=unknown_arguments,
        max_bytes=max_bytes,
    )


def build_function_schema(
    function: Callable[..., Any],
    *,
    docstring_style: DocstringStyle | None,
    name_override: str | None,
    description_override: str | None,
    use_docstring_info: bool,
    strict_json_schema: bool,
    open_objects: OpenObjects,
    hide: Sequence[str],
    unknown_arguments: UnknownArguments,
    max_bytes: int,
    injected: Sequence[str] = (),
    bound_first: bool = False,
) -> FuncSchema:
    """`function_schema` for tools.

    Args:
        injected: names of parameters that the caller of the tool fills; the model does not see them.
        bound_first: whether the first parameter will be filled by binding.
    """
    signature = read_signature(function, bound_first=bound_first)
    name = name_override or _name_of(signature)
    parameters = list(parameters_of(_shown(signature, hide, injected)))
    documentation = read_documentation(signature, docstring_style) if use_docstring_info else Documentation(None, {})
    fields = _fields(signature, parameters, documentation.parameters)
    model, schema, undescribed = _described(name, fields, signature)
    if strict_json_schema:
        schema = strict_parameters(schema, subject=signature.qualified_name, open_objects=open_objects)
    return FuncSchema(
        name=name,
        description=description_override or documentation.description,
        params_pydantic_model=model,
        params_json_schema=schema,
        signature=signature.inspect_signature,
        takes_context=signature.context is not None,
        strict_json_schema=strict_json_schema,
        return_annotation=signature.return_annotation,
        hidden=(*hide, *undescribed),
        policy=_Policy(
            subject=signature.qualified_name,
            context=signature.context,
            injected=tuple(n for n in injected if n in signature.inspect_signature.parameters),
            applied=signature.applied,
            open_objects=open_objects,
            unknown_arguments=unknown_arguments,
            max_bytes=max_bytes,
            is_async=signature.is_async,
        ),
    )


def _name_of(signature: Signature) -> str:
    if signature.name is None:
        problem = Problem("", "a lambda has no name", "Pass name_override.")
        raise SignatureError("name the tool made of", signature.qualified_name, [problem])
    return signature.name


def _shown(signature: Signature, hide: Sequence[str], injected: Sequence[str]) -> list[Parameter]:
    """The parameters that the model is to fill, once those in ``hide`` are known to have a default."""
    known = {parameter.name: parameter for parameter in signature.parameters}
    problems = [
        Problem(pointer(("properties", name)), "it is hidden and has no default", "Give it a default, or do not hide it.")
        for name in hide
        if name in known and not known[name].is_optional
    ]
    unknown = [name for name in hide if name not in known]
    if unknown:
        names = ", ".join(map(repr, unknown))
        raise UserError(f"Cannot hide parameter {names} of {signature.qualified_name}: it has no such parameter.")
    if problems:
        raise SignatureError("hide parameter", signature.qualified_name, problems)
    return [p for p in signature.parameters if p.name not in hide and p.name not in injected]


def _fields(signature: Signature, parameters: Sequence[Parameter], descriptions: Mapping[str, str]) -> list[ArgumentField]:
    reasons = {p.name: reason for p in parameters if (reason := unusable_reason(p))}
    if reasons:
        remedy = "Use a type that exists at run time (not only under TYPE_CHECKING), or hide the parameter."
        problems = [Problem(pointer(("properties", name)), reason, remedy) for name, reason in reasons.items()]
        raise SignatureError("describe parameter", signature.qualified_name, problems)
    taken = signature.inspect_signature.parameters
    fields = [argument_field(p, descriptions.get(p.name), taken) for p in parameters]
    _refuse_shared_properties(signature, fields)
    return fields


def _refuse_shared_properties(signature: Signature, fields: Sequence[ArgumentField]) -> None:
    owners: dict[str, list[str]] = {}
    for argument in fields:
        owners.setdefault(argument.property_name, []).append(argument.parameter.name)
    problems = [
        Problem(pointer(("properties", name)), f"the parameters {' and '.join(names)} share this name", "Change an alias.")
        for name, names in owners.items()
        if len(names) > 1
    ]
    if problems:
        raise SignatureError("describe argument", signature.qualified_name, problems)


def _described(
    name: str, fields: Sequence[ArgumentField], signature: Signature
) -> tuple[Any, Schema, tuple[str, ...]]:
    """The arguments model or what will build it, its JSON Schema, and the parameters that had to be left out since nothing describes them."""
    if schema := direct_schema(name, fields):
        return functools.partial(arguments_model, name, fields), schema, ()
    try:
        model = arguments_model(name, fields)
        return model, published_schema(model), ()
    except Exception as error:  # pydantic has many errors, and a user's own schema hook may raise anything
        reasons = {f.parameter.name: reason for f in fields if (reason := _undescribable_reason(f))}
        if not reasons:
            raise _undescribable(signature, {"": _first_line(error)}) from error
        needed = {f.parameter.name: reasons[f.parameter.name] for f in fields if f.parameter.name in reasons}
        missing = {n: reason for n, reason in needed.items() if not _optional(fields, n)}
        if missing:
            raise _undescribable(signature, missing) from error
    kept = [f for f in fields if f.parameter.name not in reasons]
    model, schema, _ = _described(name, kept, signature)
    return model, schema, tuple(reasons)


def _optional(fields: Sequence[ArgumentField], name: str) -> bool:
    return next(f.parameter.is_optional for f in fields if f.parameter.name == name)


def _undescribable_reason(argument: ArgumentField) -> str | None:
    try:
        TypeAdapter(argument.definition()).json_schema(schema_generator=QuietJsonSchema)
    except Exception as error:  # as above
        return _first_line(error)
    return None


def _undescribable(signature: Signature, reasons: Mapping[str, str]) -> SignatureError:
    remedy = (
        "Use a type that JSON can hold, give the parameter a default (it is then hidden from the model), "
        "or pass the object in the context (RunContextWrapper)."
    )
    problems = [
        Problem(pointer(("properties", name)) if name else "", f"no JSON Schema describes it ({reason})", remedy)
        for name, reason in reasons.items()
    ]
    return SignatureError("describe parameter", signature.qualified_name, problems)


def _first_line(error: Exception) -> str:
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0].partition(" Set `arbitrary_types_allowed")[0].rstrip(".")
