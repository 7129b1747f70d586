"""`FunctionTool`: a schema and the function behind it. `function_tool` makes one of any function."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import inspect
import math
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    TypeAlias,
    TypedDict,
    TypeGuard,
    cast,
    get_type_hints,
    overload,
)

from typing_extensions import ParamSpec, TypeVar, Unpack

from ._callables import is_async, qualified_name
from ._context import RunContextWrapper, ToolContext, is_of_agents_sdk
from ._function_schema import MAX_BYTES, FuncSchema, OpenObjects, UnknownArguments, build_function_schema
from ._invoke import Call, arun, is_awaitable, run
from ._json_schema import check_depth, check_json
from ._json_text import write
from ._results import Results, json_value, render
from ._strict_schema import ensure_strict_json_schema
from .errors import ArgumentsError, ModelBehaviorError, Problem, SignatureError, ToolTimeoutError, UserError, quoted

if TYPE_CHECKING:
    from ._documentation import DocstringStyle
    from .dialects import Strict, ToolSchema

__all__ = [
    "FunctionTool",
    "ToolAnnotations",
    "default_tool_error_function",
    "function_tool",
    "is_tool",
    "log_failure",
    "tool_of",
]

P = ParamSpec("P", default=...)
R_co = TypeVar("R_co", covariant=True, default=Any)
Q = ParamSpec("Q")
T = TypeVar("T")

Arguments: TypeAlias = "str | bytes | Mapping[str, Any] | None"
ToolErrorFunction: TypeAlias = "Callable[[RunContextWrapper[Any], Exception], str | Awaitable[str]]"
IsEnabled: TypeAlias = "bool | Callable[[RunContextWrapper[Any], Any], bool | Awaitable[bool]]"

_Definitions: TypeAlias = "tuple[str, dict[Any, dict[str, Any]]]"  # by dialect and strictness, of what is written

_CONTEXT_VARIABLES = "context_variables"
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")  # OpenAI's rule for the name of a function; no other provider's is narrower


class ToolAnnotations(TypedDict, total=False):
    """What a tool does to the world, for clients that ask a person before they call it. Hints, as MCP has them.

    Attributes:
        title: the tool's name for people.
        readOnly: it changes nothing; if not said, it may.
        destructive: it may overwrite or delete; if not said, it may.
        idempotent: a second call with the same arguments changes nothing more; if not said, it may.
        openWorld: it reaches what is outside, such as the web; if not said, it may.
    """

    title: str
    readOnly: bool
    destructive: bool
    idempotent: bool
    openWorld: bool


def default_tool_error_function(ctx: RunContextWrapper[Any], error: Exception) -> str:
    """What the model is told of a call that failed.

    Args:
        ctx: the context of the call.
        error: why it failed.

    Returns:
        which argument is wrong, when the model is at fault; that the time was up, when it was; and nothing of the
        exception when the function is at fault, since its text may hold secrets.
    """
    name = getattr(ctx, "tool_name", "")
    # An error about another tool comes out of the function, which has called that tool itself.
    about_another = bool(name) and getattr(error, "tool", name) != name
    if isinstance(error, (ModelBehaviorError, ToolTimeoutError)) and not about_another:
        return str(error)
    return f"The tool {name} failed." if name else "The tool failed."


@dataclass(repr=False, eq=False)
class FunctionTool(Generic[P, R_co]):
    """A tool of a language model, as the Agents SDK has it. `function_tool` makes one of a function.

    One may be made by hand: a name, a description, a schema and a function of the context and the JSON text. It may be
    subclassed and `dataclasses.replace`d.

    Attributes:
        name: 1 to 64 of the letters ``a-zA-Z0-9_-``.
        description: what the model reads; ``""`` is none.
        params_json_schema: of the arguments. A schema given by hand is copied and made strict if `strict_json_schema`.
        on_invoke_tool: an async function of a `ToolContext` and the model's JSON text, which returns the answer.
        strict_json_schema: whether the schema keeps to OpenAI's strict mode.
        is_enabled: a bool, or a sync or async function of the context and the agent, asked each turn.
        timeout: seconds that a call may take, or `None` for no limit.
        failure_error_function: what `on_invoke_tool` answers when a call fails, a sync or async function of the context
            and the error; with `None` it raises the error.
        annotations: what the tool does to the world, for MCP.
        schema: the schema of the function; `None` when the tool was made by hand.
        function: what is called; `None` when the tool was made by hand.

    Raises:
        UserError: a name, a timeout, `is_enabled` or annotations that cannot be used; a schema that cannot be strict.
    """

    name: str
    description: str
    params_json_schema: dict[str, Any]
    on_invoke_tool: Callable[[ToolContext[Any], str], Awaitable[Any]]
    strict_json_schema: bool = True
    is_enabled: IsEnabled = True
    _: KW_ONLY
    timeout: float | None = None
    failure_error_function: ToolErrorFunction | None = default_tool_error_function
    annotations: ToolAnnotations | None = None
    schema: FuncSchema | None = None
    function: Callable[P, R_co] | None = None

    def __post_init__(self) -> None:
        _check(self)
        built = self._schema_as_built
        if self.strict_json_schema and not (built and built.strict_json_schema):
            self.params_json_schema = ensure_strict_json_schema(self.params_json_schema)
        self._own_entry()
        self._definitions: _Definitions = ("", {})
        self._is_async = self.function is not None and is_async(self.function)
        if self.schema is not None and self.schema.name != self.name:
            self.schema = dataclasses.replace(self.schema, name=self.name)  # for its messages
        self._is_given_nothing = self.schema is not None and not (
            self.schema.takes_context or self.schema.policy.injected
        )
        for attribute in ("__module__", "__name__", "__qualname__", "__doc__", "__isabstractmethod__"):
            if hasattr(self.function, attribute):
                setattr(self, attribute, getattr(self.function, attribute))

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._definitions = ("", {})
        self._own_entry()

    def _own_entry(self) -> None:
        """A copy is handed the entry of the original, which runs that one's function under its name and timeout."""
        entry = self._answer
        if getattr(self.on_invoke_tool, "__func__", self.on_invoke_tool) is FunctionTool._answer:
            self.on_invoke_tool = entry
        # Calls are those of the function as long as nobody has given the tool another entry.
        self._entry_of_function = entry if self.schema else None

    def __repr__(self) -> str:
        from ._views import as_text

        return f"{type(self).__name__}({as_text(self.name, self.params_json_schema)})"

    def _repr_html_(self) -> str:
        """What a notebook shows; everything in it is escaped."""
        from ._views import as_html

        return as_html(self.name, self.description, self.params_json_schema)

    @property
    def __wrapped__(self) -> Callable[P, R_co]:
        if self.function is None:
            raise AttributeError(f"The tool {self.name!r} has no function.")
        return self.function

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Call the original function, as if it had not been decorated.

        Raises:
            UserError: the tool has no function, since it was made by hand.
        """
        if self.function is None:
            raise UserError(f"Cannot call tool {self.name!r}: it has no function. Use its call(arguments).")
        return self.function(*args, **kwargs)

    @overload
    def __get__(self, instance: None, owner: type) -> FunctionTool[P, R_co]: ...
    @overload
    def __get__(
        self: FunctionTool[Concatenate[Any, Q], T], instance: object, owner: type | None = None
    ) -> FunctionTool[Q, T]: ...
    def __get__(self, instance: object, owner: type | None = None) -> FunctionTool[Any, Any]:
        return self  # `_MethodTool` binds

    def prepare(
        self, arguments: Arguments, context: Any = None, context_variables: Mapping[str, Any] | None = None
    ) -> Call:
        """Validate and bind what a model sent; `_invoke.run` and `_invoke.arun` run the call.

        Args:
            arguments: JSON text, or what it says.
            context: a `RunContextWrapper` or `ToolContext`, or an object to be wrapped in one. Of the Agents SDK's own
                the ``context`` is wrapped anew.
            context_variables: for the parameter of that name, as the very object; `None` is its default, or ``{}``.

        Returns:
            the call of the function; that of `on_invoke_tool` when somebody has given the tool one.

        Raises:
            ArgumentsError: the arguments do not fit.
            SignatureError: the function is a method that was not taken from an object.
        """
        if self.on_invoke_tool is not self._entry_of_function:
            text = _text(arguments, self.name)
            return self._call(self.on_invoke_tool, (self._wrapped_context(context, text), text), {}, is_async=True)
        args, kwargs = self._bound(arguments, context, context_variables)
        return self._call(self.function, tuple(args), kwargs, is_async=self._is_async)

    def _bound(
        self, arguments: Arguments, context: Any, context_variables: Mapping[str, Any] | None
    ) -> tuple[Sequence[Any], dict[str, Any]]:
        schema: Any = self.schema  # there is one, since the entry is that of the function
        try:
            if self._is_given_nothing:
                return schema.bind(arguments)  # type: ignore[no-any-return]
            wrapped = self._wrapped_context(context, arguments) if schema.takes_context else None
            return schema.bind(arguments, wrapped, self._injected(schema, context_variables))  # type: ignore[no-any-return]
        except ArgumentsError as error:
            if error.tool == self.name:
                raise
            raise ArgumentsError(self.name, error.problems) from None  # the tool was given another name

    @overload
    def call(self: FunctionTool[..., Coroutine[Any, Any, T]], arguments: Arguments, context: Any = None) -> T: ...
    @overload
    def call(self, arguments: Arguments, context: Any = None) -> R_co: ...
    def call(self, arguments: Arguments, context: Any = None) -> Any:
        """Validate what a model sent, call the function from sync code, and return its value.

        Args:
            arguments: JSON text, or what it says.
            context: a `RunContextWrapper` or `ToolContext`, or an object to be wrapped in one.

        Raises:
            ArgumentsError: the arguments do not fit.
            ToolTimeoutError: the function did not end within the timeout.
            BaseException: whatever the function raises, unwrapped.
        """
        # Past this, the short way: what `prepare` and `run` do for a plain sync function, without a `Call` in between,
        # which would take longer than reading the arguments.
        if self.timeout is not None or self._is_async or self.on_invoke_tool is not self._entry_of_function:
            return run(self.prepare(arguments, context))
        args, kwargs = self._bound(arguments, context, None)
        function: Any = self.function
        value = function(*args, **kwargs)
        return run(Call(self.name, lambda: value)) if is_awaitable(value) else value

    @overload
    async def acall(
        self: FunctionTool[..., Coroutine[Any, Any, T]], arguments: Arguments, context: Any = None
    ) -> T: ...
    @overload
    async def acall(self, arguments: Arguments, context: Any = None) -> R_co: ...
    async def acall(self, arguments: Arguments, context: Any = None) -> Any:
        """`call` from async code; a sync function runs on a worker thread."""
        # Past this, the short way of `call`, for a plain async function.
        if self.timeout is not None or not self._is_async or self.on_invoke_tool is not self._entry_of_function:
            return await arun(self.prepare(arguments, context))
        args, kwargs = self._bound(arguments, context, None)
        function: Any = self.function
        value = function(*args, **kwargs)
        return await value if is_awaitable(value) else value

    def definition(self, dialect: str = "openai", *, strict: Strict = None) -> dict[str, Any]:
        """The definition of the tool that a request to a provider holds.

        Args:
            dialect: one of `fnschema.dialects.names()`.
            strict: `None` is strict where the tool is and the dialect is by nature; ``"if possible"`` where the tool
                is, the dialect has a strict mode, and the tool has no error in it. Neither `True` nor `False` asks
                whether the tool is.

        Raises:
            SchemaError: the dialect cannot express the tool; it lists every problem.
            UserError: there is no such dialect, or `strict` is none of its values.
        """
        from . import dialects

        tool = self.tool_schema
        check_depth(tool.schema)  # a deeper one has no `repr`
        # Kept, since making one takes a millisecond and a server needs them in every run; with the text of what it was
        # made of, since a user may edit anything at any depth. Unlike `==` that tells 1 from True.
        written, kept = repr(tool), self._definitions
        if kept[0] != written:
            kept = self._definitions = (written, {})
        _, definitions = kept
        if (dialect, strict) not in definitions:
            definitions[dialect, strict] = dialects.get(dialect).definition(tool, strict=strict)
        return copy.deepcopy(definitions[dialect, strict])

    def problems(self, dialect: str = "openai", *, strict: Strict = None) -> tuple[Problem, ...]:
        """Everything that is wrong with the tool in a dialect; without an error, `definition` succeeds.

        Args:
            dialect: one of `fnschema.dialects.names()`.
            strict: as for `definition`.
        """
        from . import dialects

        return dialects.get(dialect).problems(self.tool_schema, strict=strict)

    @staticmethod
    def result_text(value: Any) -> str:
        """What a model is told of a value that a tool has returned, for a loop of your own; runs answer with the same.

        Args:
            value: what `call` returned. Of a `Result` give its ``value``.

        Returns:
            a string as it is; anything else as JSON, in which models, dataclasses, dates and enums are as pydantic
            writes them.

        Raises:
            ValueError: JSON cannot hold the value, such as ``NaN``.
        """
        return render(value)

    @staticmethod
    def result_json(value: Any) -> Any:
        """`result_text` for a provider that wants a JSON value and not its text, such as Gemini's ``response``.

        Args:
            value: what `call` returned. Of a `Result` give its ``value``.

        Returns:
            what the text says: a string as it is; anything else as dicts, lists, strings, numbers, booleans and `None`,
            which ``json.dumps`` takes.

        Raises:
            ValueError: JSON cannot hold the value, such as ``NaN``, or it is nested deeper than 200 levels.
        """
        return json_value(value)

    @property
    def output_json_schema(self) -> dict[str, Any] | None:
        """The JSON Schema of an object: of the function's result, or of ``{"result": …}`` where that is no object.

        Made of the return annotation when it is first asked for. `None` if there is none, or if it describes nothing.
        """
        return self.results.schema

    @functools.cached_property
    def results(self) -> Results:
        """What the function may return."""
        if self.schema is None:
            return Results(inspect.Signature.empty, self.name)
        return Results(self.schema.return_annotation, self.schema.policy.subject or self.name)

    @property
    def tool_schema(self) -> ToolSchema:
        """What a dialect makes a definition of."""
        from .dialects import ToolSchema

        built = self._schema_as_built
        if built is None:
            check_json(self.params_json_schema)
        return ToolSchema(
            name=self.name,
            description=self.description or None,
            schema=built.definition_schema if built else self.params_json_schema,
            strict=self.strict_json_schema,
            open_objects=built.policy.open_objects if built else "reject",
            closed=self.schema is not None and self.schema.policy.unknown_arguments == "refuse",
            subject=self.schema.policy.subject if self.schema else "",
        )

    async def _answer(self, context: ToolContext[Any], arguments: str) -> Any:
        """The `on_invoke_tool` of a tool that has a function."""
        own = self._wrapped_context(context, arguments) if is_of_agents_sdk(type(context)) else context
        try:
            return await arun(self.prepare(arguments, own))
        except Exception as error:
            if self.failure_error_function is None:
                raise
            log_failure("call of tool", self.name, error)
            return await arun(Call(self.name, self.failure_error_function, (own, error), is_async=True))

    @property
    def _schema_as_built(self) -> FuncSchema | None:
        """The function's schema, unless another one was given, or it was edited."""
        return self.schema if self.schema and self.schema.params_json_schema == self.params_json_schema else None

    def _call(self, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], *, is_async: bool) -> Call:
        return Call(self.name, function, args, kwargs, is_async=is_async, timeout=self.timeout)

    def _wrapped_context(self, context: Any, arguments: Arguments) -> RunContextWrapper[Any]:
        if isinstance(context, RunContextWrapper):
            return context  # pyright: ignore[reportUnknownVariableType] - of whatever the caller made it
        text = arguments if isinstance(arguments, str) else ""
        if is_of_agents_sdk(type(context)):
            return ToolContext(context.context, self.name, getattr(context, "tool_call_id", ""), text)
        return ToolContext(context=context, tool_name=self.name, tool_arguments=text)

    def _injected(self, schema: FuncSchema, context_variables: Mapping[str, Any] | None) -> dict[str, Any]:
        if not schema.policy.injected:
            return {}
        if context_variables is not None:
            return {_CONTEXT_VARIABLES: context_variables}
        default = schema.signature.parameters[_CONTEXT_VARIABLES].default
        return {_CONTEXT_VARIABLES: {}} if default is inspect.Parameter.empty else {}


@dataclass(repr=False, eq=False)
class _MethodTool(FunctionTool[P, R_co]):
    """A method that was decorated in the body of its class; taken from an object, it is a tool bound to that object.

    Attributes:
        is_placed: whether the tool is itself an attribute of a class. Under ``@staticmethod`` or ``@classmethod`` it is
            not, and its schema, which leaves out the first parameter for binding, is wrong or never bound.
    """

    is_placed: bool = field(default=False, kw_only=True)

    def __set_name__(self, owner: type, name: str) -> None:
        self.is_placed = True

    def __get__(self, instance: object, owner: type | None = None) -> FunctionTool[Any, Any]:
        if not self.is_placed:
            raise self._unbound()
        bound = cast("Any", self.function).__get__(instance, owner)
        if bound is self.function:  # taken from the class
            return self
        fields = {f.name: getattr(self, f.name) for f in dataclasses.fields(FunctionTool)}
        return FunctionTool(**fields | {"function": bound})

    def prepare(
        self, arguments: Arguments, context: Any = None, context_variables: Mapping[str, Any] | None = None
    ) -> Call:
        raise self._unbound()

    def _own_entry(self) -> None:
        super()._own_entry()
        self._entry_of_function = None

    @property
    def tool_schema(self) -> ToolSchema:
        raise self._unbound()

    def _unbound(self) -> SignatureError:
        reason, remedy = "it is a method without its object", "Take the tool from an object, as you would the method."
        if not self.is_placed:
            reason = "its class does not hold the tool itself, so that nothing can bind it"
            remedy = "Write @function_tool above @staticmethod or @classmethod."
        return SignatureError("use the tool", qualified_name(self.function), [Problem("", reason, remedy)])


class _Options(TypedDict, total=False):
    """The keywords of `function_tool`, for its two overloads."""

    name_override: str | None
    description_override: str | None
    docstring_style: DocstringStyle | None
    use_docstring_info: bool
    failure_error_function: ToolErrorFunction | None
    strict_mode: bool
    is_enabled: IsEnabled
    timeout: float | None
    open_objects: OpenObjects
    hide: Sequence[str]
    unknown_arguments: UnknownArguments
    max_bytes: int
    annotations: ToolAnnotations | None


@overload
def function_tool(func: Callable[Q, T], **options: Unpack[_Options]) -> FunctionTool[Q, T]: ...
@overload
def function_tool(func: None = None, **options: Unpack[_Options]) -> Callable[[Callable[Q, T]], FunctionTool[Q, T]]: ...
def function_tool(
    func: Callable[..., Any] | None = None,
    *,
    name_override: str | None = None,
    description_override: str | None = None,
    docstring_style: DocstringStyle | None = None,
    use_docstring_info: bool = True,
    failure_error_function: ToolErrorFunction | None = default_tool_error_function,
    strict_mode: bool = True,
    is_enabled: IsEnabled = True,
    timeout: float | None = None,
    open_objects: OpenObjects = "reject",
    hide: Sequence[str] = (),
    unknown_arguments: UnknownArguments = "refuse",
    max_bytes: int = MAX_BYTES,
    annotations: ToolAnnotations | None = None,
) -> Any:
    """Make a tool of a function; also a decorator, bare or with options.

    In the body of a class it decorates a method; the tool is bound when it is taken from an object.

    Args:
        func: any callable that `function_schema` reads.
        name_override: instead of the function's name.
        description_override: instead of that in the docstring.
        docstring_style: of the docstring; `None` finds it out.
        use_docstring_info: whether the docstring is read at all.
        failure_error_function: what the model is told of a failed call; `None` raises the error.
        strict_mode: whether the schema keeps to OpenAI's strict mode.
        is_enabled: a bool, or a sync or async function of the context and the agent, asked each turn.
        timeout: seconds, or `None`. When they are over, an async function is cancelled; a sync one runs on in a daemon
            thread and its result is dropped.
        open_objects: ``"reject"`` leaves ``dict[str, T]`` as it is, which strict mode refuses; ``"entries"`` makes an
            array of key and value objects of it, in definitions wherever the dialect or its strict mode has no maps.
        hide: parameters that the model does not see; they take their default.
        unknown_arguments: whether an argument that no parameter takes is refused, or dropped with a log record.
        max_bytes: the longest arguments text that is read, in bytes of UTF-8; ten million unless set.
        annotations: what the tool does to the world, for MCP: ``{"readOnly": True}``.

    Raises:
        SignatureError: the function cannot be read, or has a parameter that nothing can describe to a model.
        UserError: strict mode cannot express it, or a name or an option cannot be used.
    """
    build = functools.partial(
        build_function_schema,
        docstring_style=docstring_style,
        name_override=name_override,
        description_override=description_override,
        use_docstring_info=use_docstring_info,
        strict_json_schema=strict_mode,
        open_objects=open_objects,
        hide=hide,
        unknown_arguments=unknown_arguments,
        max_bytes=max_bytes,
        injected=(_CONTEXT_VARIABLES,),
        strict_option="strict_mode",
    )
    fields = {
        "is_enabled": is_enabled,
        "timeout": timeout,
        "failure_error_function": failure_error_function,
        "annotations": annotations,
    }
    make = functools.partial(_made, build, fields)
    return make if func is None else make(func)


def _made(build: Callable[..., FuncSchema], fields: Mapping[str, Any], function: Any) -> FunctionTool[..., Any]:
    if isinstance(function, FunctionTool):
        raise UserError(f"Cannot make a tool of tool {function.name!r}: it is one. Use dataclasses.replace().")
    is_method = _is_method_in_the_making(function)
    plain = getattr(function, "__func__", function) if is_method else function  # a classmethod has one
    schema = build(plain, bound_first=is_method)
    return (_MethodTool if is_method else FunctionTool)(
        name=schema.name,
        description=schema.description or "",
        params_json_schema=copy.deepcopy(schema.params_json_schema),  # the tool's own, which its user may edit
        on_invoke_tool=cast("Any", FunctionTool._answer),  # pyright: ignore[reportPrivateUsage]
        strict_json_schema=schema.strict_json_schema,
        schema=schema,
        function=function,
        **fields,
    )


def is_tool(value: object) -> TypeGuard[FunctionTool[..., Any]]:
    """Whether a value is a tool already."""
    return isinstance(value, FunctionTool)


def tool_of(
    function: Callable[..., Any], dialect: str | None = None
) -> tuple[FunctionTool[..., Any], UserError | None]:
    """A tool as it is; of a plain function one that is strict where it can be.

    Args:
        function: a tool, or any callable that `function_tool` takes.
        dialect: a strict tool has to have a definition in this one, too.

    Returns:
        the tool, and why that of a plain function is not strict, if it is not.

    Raises:
        UserError: the function cannot be a tool, strict or not.
    """
    if is_tool(function):
        return function, None
    try:
        tool = function_tool(function)
        if dialect is not None:
            tool.definition(dialect)
    except SignatureError:
        raise
    except UserError as error:
        return function_tool(function, strict_mode=False), error
    return tool, None


def log_failure(what: str, name: str, error: Exception) -> None:
    """Log the type of what a call has raised; at DEBUG the traceback, too, whose text may hold anything.

    Args:
        what: was called, e.g. ``"call of tool"``; the tool's name follows.
        name: of the tool.
        error: what it raised.
    """
    import logging

    logger = logging.getLogger("fnschema")
    logger.warning("The %s %s failed: %s", what, quoted(name), type(error).__name__)
    logger.debug("The %s %s failed with this error:", what, quoted(name), exc_info=error)


def _is_method_in_the_making(function: Any) -> bool:
    """Whether the body of the function's class is running, which will make it a method of the class.

    An annotated first parameter of another name than ``self`` means a function that ``@staticmethod`` is to follow.
    """
    if isinstance(function, staticmethod) or not hasattr(function, "__get__"):
        return False
    home = getattr(function, "__qualname__", "").rpartition(".")[0]
    return any(name == home for name in _running_class_bodies()) and _has_room_for_an_object(function)


def _running_class_bodies() -> Iterator[str]:
    frame = inspect.currentframe()
    while frame := frame and frame.f_back:
        if not frame.f_code.co_flags & inspect.CO_OPTIMIZED and "__qualname__" in frame.f_locals:
            yield frame.f_locals["__qualname__"]


def _has_room_for_an_object(function: Any) -> bool:
    if isinstance(function, classmethod):
        return True
    first = next(iter(inspect.signature(function).parameters.values()), None)
    if first is None or first.kind not in (first.POSITIONAL_ONLY, first.POSITIONAL_OR_KEYWORD):
        return False
    return first.annotation is first.empty or first.name == "self"


def _check(tool: FunctionTool[Any, Any]) -> None:
    subject = f"tool {tool.name!r}" + (f" of {qualified_name(tool.function)}" if tool.function else "")
    if not _NAME.fullmatch(tool.name):
        remedy = "Give it a name_override." if tool.function else "Give it another name."
        raise UserError(f"Cannot make {subject}: a name is 1 to 64 of the letters a-z, A-Z, 0-9, _ and -. {remedy}")
    if tool.timeout is not None and not _is_positive(tool.timeout):
        raise UserError(f"Cannot make {subject}: its timeout {tool.timeout!r} is no number of seconds above zero.")
    if not isinstance(tool.is_enabled, bool) and not callable(tool.is_enabled):
        raise UserError(f"Cannot make {subject}: is_enabled is neither a bool nor a function of (context, agent).")
    known = get_type_hints(ToolAnnotations)
    for name, value in (tool.annotations or {}).items():
        if not isinstance(value, known.get(name, ())):
            kinds = ", ".join(f"{key} ({kind.__name__})" for key, kind in known.items())
            raise UserError(f"Cannot make {subject}: its annotations have {name!r}: {value!r}. They may have {kinds}.")


def _is_positive(number: object) -> bool:
    return isinstance(number, (int, float)) and not isinstance(number, bool) and 0 < number < math.inf


def _text(arguments: Arguments, tool: str) -> str:
    """The JSON text of arguments, as an `on_invoke_tool` takes it."""
    if arguments is None:
        return ""
    if isinstance(arguments, str):
        return arguments
    with contextlib.suppress(ValueError, TypeError, RecursionError):
        text = arguments if isinstance(arguments, bytes) else write(arguments, by_alias=True)
        return text.decode()
    # Raised out here, so that what it comes of, which may hold what was sent, is not its context.
    raise ArgumentsError(tool, [Problem("", "the arguments cannot be written as JSON in UTF-8")])
