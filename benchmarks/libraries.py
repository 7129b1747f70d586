"""What each library is asked to do, in the shortest way that its documentation shows. One module a venv is imported."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from typing import Any, Protocol, cast

from corpus import Function

Invoke = Callable[[str], Any] | Callable[[str], Coroutine[Any, Any, Any]]


class Library(Protocol):
    """A library, or a floor: the least that such a library could do."""

    def build(self, function: Function) -> dict[str, Any]:
        """The JSON Schema of the function's arguments, made from nothing."""
        ...

    def keep(self, function: Function) -> object:
        """What a program holds of a tool."""
        ...

    def invoker(self, function: Function) -> Invoke:
        """What reads the JSON text that a model sent and calls the function; async where the library is."""
        ...


class FnSchema:
    def build(self, function: Function) -> dict[str, Any]:
        from fnschema import function_schema

        return function_schema(function).params_json_schema

    def keep(self, function: Function) -> object:
        from fnschema import function_schema

        return function_schema(function)

    def invoker(self, function: Function) -> Invoke:
        from fnschema import function_tool

        tool = function_tool(function)
        return tool.acall if inspect.iscoroutinefunction(function) else tool.call


class FnSchemaTool(FnSchema):
    """As one writes it: the schema, and the tool around it."""

    def build(self, function: Function) -> dict[str, Any]:
        from fnschema import function_tool

        return function_tool(function).params_json_schema

    def keep(self, function: Function) -> object:
        from fnschema import function_tool

        return function_tool(function)


class OpenAIAgents:
    def build(self, function: Function) -> dict[str, Any]:
        from agents.function_schema import function_schema

        return cast("dict[str, Any]", function_schema(function).params_json_schema)

    def keep(self, function: Function) -> object:
        from agents.function_schema import function_schema

        return function_schema(function)

    def invoker(self, function: Function) -> Invoke:
        from agents import function_tool
        from agents.tool_context import ToolContext

        tool = function_tool(function)

        async def invoke(arguments: str) -> Any:
            context = ToolContext(context=None, tool_name=tool.name, tool_call_id="c", tool_arguments=arguments)
            return await tool.on_invoke_tool(context, arguments)

        return invoke


class PydanticAI:
    def build(self, function: Function) -> dict[str, Any]:
        from pydantic_ai import Tool

        return cast("dict[str, Any]", Tool(function).tool_def.parameters_json_schema)

    def keep(self, function: Function) -> object:
        from pydantic_ai import Tool

        return Tool(function)

    def invoker(self, function: Function) -> Invoke:
        from pydantic_ai import RunContext, RunUsage, Tool
        from pydantic_ai.models.test import TestModel

        schema = Tool(function).function_schema
        context = RunContext(deps=None, model=TestModel(), usage=RunUsage())

        async def invoke(arguments: str) -> Any:
            return await schema.call(schema.validator.validate_json(arguments), context)

        return invoke


class Floor:
    """pydantic alone: a model and its schema, no docstring, not strict; arguments that are read, a function called."""

    def build(self, function: Function) -> dict[str, Any]:
        from pydantic import create_model

        fields: dict[str, Any] = {}
        for name, parameter in inspect.signature(function, eval_str=True).parameters.items():
            annotation, default = parameter.annotation, parameter.default
            if parameter.kind is parameter.VAR_POSITIONAL:
                annotation, default = list[annotation], []
            fields[name] = (annotation, ... if default is parameter.empty else default)
        return cast("dict[str, Any]", create_model(function.__name__, **fields).model_json_schema())

    def keep(self, function: Function) -> object:
        return self.build(function)

    def invoker(self, function: Function) -> Invoke:
        read = arguments_validator(function).validate_json
        if inspect.iscoroutinefunction(function):

            async def invoke_async(arguments: str) -> Any:
                args, kwargs = read(arguments)
                return await function(*args, **kwargs)

            return invoke_async

        def invoke(arguments: str) -> Any:
            args, kwargs = read(arguments)
            return function(*args, **kwargs)

        return invoke


def arguments_validator(function: Function) -> Any:
    """pydantic-core's own reader of a function's arguments."""
    from pydantic import TypeAdapter
    from pydantic_core import SchemaValidator, core_schema

    schema: Any = TypeAdapter(function).core_schema
    definitions = schema.get("definitions")
    call = schema["schema"] if definitions else schema
    arguments = call["arguments_schema"]
    return SchemaValidator(core_schema.definitions_schema(arguments, definitions) if definitions else arguments)


LIBRARIES: dict[str, type[Library]] = {
    "fnschema": FnSchema,
    "fnschema, the tool": FnSchemaTool,
    "openai-agents": OpenAIAgents,
    "pydantic-ai": PydanticAI,
    "floor": Floor,
}
