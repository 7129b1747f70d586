"""`function_schema`: read → document → fields → arguments model → JSON Schema, top to bottom."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, cast, get_args

from pydantic import BaseModel

from ._arguments import Arguments, ArgumentsReader
from ._binding import Binding
from ._callables import qualified_name
from ._deferred import BuiltAtFirstNeed
from ._described_arguments import describe_arguments
from ._documentation import DocstringStyle, Documentation, read_documentation
from ._json_schema import Schema
from ._schema_generator import ArgumentsJsonSchema
from ._signature import Signature, is_context, read_signature
from ._strict_schema import parameters_with_entries, strict_parameters
from .errors import Problem, SignatureError, UserError

__all__ = ["FuncSchema", "OpenObjects", "UnknownArguments", "build_function_schema", "function_schema"]

OpenObjects = Literal["reject", "entries"]
UnknownArguments = Literal["refuse", "ignore"]

_OPTIONS: Mapping[str, Sequence[object]] = {
    "docstring_style": (None, *get_args(DocstringStyle)),
    "open_objects": get_args(OpenObjects),
    "unknown_arguments": get_args(UnknownArguments),
}

MAX_BYTES = 10_000_000
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class _Policy(NamedTuple):
    """What is known of a function beyond the fields that the Agents SDK's `FuncSchema` has.

    Attributes:
        subject: ``module.qualname`` of the function, for messages.
        context: the name of the parameter that takes the context.
        injected: names of parameters that the caller of the tool fills.
        hide: as in `function_schema`: the hidden parameters that the author has named.
        applied: names that a partial has filled by keyword.
        filled: names that binding or a partial has filled by position.
        open_objects, unknown_arguments, max_bytes: as in `function_schema`.
        positions: how many arguments the function takes by position, the others by name; `None` for either way.
        documented: names that the docstring describes as parameters, as far as it was read.
    """

    subject: str = ""
    context: str | None = None
    injected: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    applied: frozenset[str] = frozenset()
    filled: frozenset[str] = frozenset()
    open_objects: OpenObjects = "reject"
    unknown_arguments: UnknownArguments = "refuse"
    max_bytes: int = MAX_BYTES
    positions: int | None = sys.maxsize
    documented: tuple[str, ...] = ()

    @classmethod
    def of(cls, signature: Signature, documentation: Documentation, injected: Sequence[str]) -> _Policy:
        """What the function itself says; the options are the defaults."""
        return cls(
            subject=signature.qualified_name,
            context=signature.context,
            injected=tuple(name for name in injected if name in signature.names),
            applied=signature.applied,
            filled=signature.filled,
            positions=signature.positions,
            documented=tuple(documentation.parameters),
        )


@dataclass(repr=False)
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

    def __repr__(self) -> str:
        from ._views import as_text

        return f"{type(self).__name__}({as_text(self.name, self.params_json_schema)})"

    def __getstate__(self) -> dict[str, Any]:
        """Without what is kept for calls, which cannot be pickled; a copy makes its own."""
        return {field.name: vars(self)[field.name] for field in dataclasses.fields(self)}

    def _repr_html_(self) -> str:
        """What a notebook shows; everything in it is escaped."""
        from ._views import as_html

        return as_html(self.name, self.description, self.params_json_schema)

    def validate(self, arguments: Arguments) -> BaseModel:
        """Read what a language model sent.

        Args:
            arguments: JSON text of an object, or a mapping; `None`, blanks and ``null`` are no arguments.

        Raises:
            ArgumentsError: it is no JSON object or does not fit, with all problems.
        """
        return self._reader.model(arguments)

    def to_call_args(self, data: BaseModel) -> tuple[list[Any], dict[str, Any]]:
        """The positional and keyword arguments of the call, without the context.

        Args:
            data: an instance of ``params_pydantic_model``.

        Raises:
            ArgumentsError: a key of ``**kwargs`` names a parameter.
        """
        binding = self._binding_without_context
        return binding.bind(self.name, binding.values(data), {})

    def bind(
        self, arguments: Arguments, context: object = None, injected: Mapping[str, Any] = _NOTHING
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        """Read what a language model sent and make the whole call of it, without a model in between.

        Args:
            arguments: as in `validate`.
            context: passed where ``takes_context``.
            injected: values of the parameters that the caller of the tool fills, by name.

        Raises:
            ArgumentsError: as `validate` and `to_call_args`.
        """
        if self._read_keywords and not (self.takes_context or injected):
            return (), self._read_keywords(arguments)
        binding = self._binding
        read = None if binding.made_by_pydantic else self._reader.values
        values = read(arguments) if read else binding.values(self._reader.model(arguments))
        if self.takes_context:
            injected = {**injected, self._context_name: context}
        return binding.bind(self.name, values, injected)

    @functools.cached_property
    def definition_schema(self) -> Schema:
        """The schema that dialects start from: not yet strict, and no wider than what `validate` accepts."""
        return self.params_pydantic_model.model_json_schema(schema_generator=ArgumentsJsonSchema)

    @functools.cached_property
    def _context_name(self) -> str:
        names = [p.name for p in self.signature.parameters.values() if is_context(p.annotation)]
        return self.policy.context or next(iter(names or self.signature.parameters))

    @functools.cached_property
    def _binding(self) -> Binding:
        return self._binding_without(self.policy.applied)

    @functools.cached_property
    def _read_keywords(self) -> Callable[[Arguments], dict[str, Any]] | None:
        """Reads the arguments of a call where they can be passed as they are, by keyword; as most can."""
        return self._reader.values if self._binding.is_plain and not self._binding.made_by_pydantic else None

    @functools.cached_property
    def _binding_without_context(self) -> Binding:
        context = {self._context_name} if self.takes_context else set()
        left_out = {*self.policy.applied, *self.policy.injected, *context}
        return self._binding_without(left_out)

    def _binding_without(self, left_out: Collection[str]) -> Binding:
        return Binding(
            self.signature,
            self.params_pydantic_model,
            left_out=left_out,
            filled=self.policy.filled,
            positions=self.policy.positions,
        )

    @functools.cached_property
    def _reader(self) -> ArgumentsReader:
        return ArgumentsReader(
            self.name,
            self.params_pydantic_model,
            closed=self.policy.unknown_arguments == "refuse",
            entries=self.policy.open_objects == "entries",
            max_bytes=self.policy.max_bytes,
        )


# Set here, since in the class body they would be defaults.
FuncSchema.params_pydantic_model = BuiltAtFirstNeed("params_pydantic_model")  # type: ignore[assignment]
FuncSchema.signature = BuiltAtFirstNeed("signature")  # type: ignore[assignment]


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
        open_objects: ``"reject"`` leaves a map as it is, which no strict schema may have; ``"entries"`` makes it an
            array of key and value objects, strict or not.
        hide: names of parameters that the model does not see; they take their default.
        unknown_arguments: whether an argument that no parameter takes is refused, or dropped with a log record.
        max_bytes: the longest arguments text that is read, in bytes of UTF-8; ten million unless set.

    Raises:
        SignatureError: the callable or one of its parameters cannot be read or described; all problems at once.
        SchemaError: the schema cannot be strict.
        UserError: the context stands where it cannot be injected, a name in ``hide`` is no parameter, an option has a
            value that it does not know.
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
    strict_option: str = "strict_json_schema",
) -> FuncSchema:
    """`function_schema` for tools.

    Args:
        injected: names of parameters that the caller of the tool fills; the model does not see them.
        bound_first: whether the first parameter will be filled by binding.
        strict_option: the name by which the author knows ``strict_json_schema``, for messages.
    """
    _check_options(
        function, hide, docstring_style=docstring_style, open_objects=open_objects, unknown_arguments=unknown_arguments
    )
    try:
        signature = read_signature(function, bound_first=bound_first)
        name = name_override or _name_of(signature)
        documentation = (
            read_documentation(signature, docstring_style) if use_docstring_info else Documentation(None, {})
        )
        described = describe_arguments(name, signature, documentation.parameters, hide=hide, injected=injected)
        subject, strict = signature.qualified_name, strict_json_schema
        schema = _published(described.schema, subject, open_objects, strict=strict, strict_option=strict_option)
    except RecursionError as error:
        reason = "a type is too deeply nested. Flatten it."
        raise UserError(f"Cannot describe the arguments of {qualified_name(function)}: {reason}") from error
    return FuncSchema(
        name=name,
        description=description_override or documentation.description,
        params_pydantic_model=cast("type[BaseModel]", described.model),
        params_json_schema=schema,
        signature=cast(inspect.Signature, signature.inspect_signature),
        takes_context=signature.context is not None,
        strict_json_schema=strict_json_schema,
        return_annotation=signature.return_annotation,
        hidden=(*hide, *described.hidden),
        policy=_Policy.of(signature, documentation, injected)._replace(
            hide=tuple(hide), open_objects=open_objects, unknown_arguments=unknown_arguments, max_bytes=max_bytes
        ),
    )


def _published(schema: Schema, subject: str, open_objects: OpenObjects, *, strict: bool, strict_option: str) -> Schema:
    if strict:
        return strict_parameters(schema, subject=subject, open_objects=open_objects, option=strict_option)
    return parameters_with_entries(schema, subject=subject) if open_objects == "entries" else schema


def _check_options(function: object, hide: object, **options: object) -> None:
    for name, value in options.items():
        if value not in _OPTIONS[name]:
            choices = ", ".join(map(repr, _OPTIONS[name]))
            raise UserError(
                f"Cannot describe {qualified_name(function)}: {name}={value!r} is unknown. Use one of {choices}."
            )
    if isinstance(hide, str):
        raise UserError(
            f"Cannot describe {qualified_name(function)}: hide={hide!r} is one text. Write hide=[{hide!r}]."
        )


def _name_of(signature: Signature) -> str:
    if signature.name is None:
        problem = Problem("", "a lambda has no name", "Pass name_override.")
        raise SignatureError("name the tool made of", signature.qualified_name, [problem])
    return signature.name
