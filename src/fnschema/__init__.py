"""Any Python function as a tool for a language model: exact schema, validated call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._lazy import lazy_names

if TYPE_CHECKING:
    from . import dialects as dialects
    from ._context import RunContextWrapper as RunContextWrapper
    from ._context import ToolContext as ToolContext
    from ._documentation import DocstringStyle as DocstringStyle
    from ._documentation import FuncDocumentation as FuncDocumentation
    from ._documentation import generate_func_documentation as generate_func_documentation
    from ._function_schema import FuncSchema as FuncSchema
    from ._function_schema import function_schema as function_schema
    from ._strict_schema import ensure_strict_json_schema as ensure_strict_json_schema
    from ._tool import FunctionTool as FunctionTool
    from ._tool import default_tool_error_function as default_tool_error_function
    from ._tool import function_tool as function_tool
    from .dialects import Dialect as Dialect
    from .errors import ArgumentsError as ArgumentsError
    from .errors import FnSchemaError as FnSchemaError
    from .errors import MaxTurnsExceeded as MaxTurnsExceeded
    from .errors import ModelBehaviorError as ModelBehaviorError
    from .errors import Problem as Problem
    from .errors import RunError as RunError
    from .errors import SchemaError as SchemaError
    from .errors import SignatureError as SignatureError
    from .errors import ToolTimeoutError as ToolTimeoutError
    from .errors import UnknownToolError as UnknownToolError
    from .errors import UserError as UserError
    from .runner import Agent as Agent
    from .runner import Response as Response
    from .runner import Result as Result
    from .runner import Runner as Runner
    from .runner import run_demo_loop as run_demo_loop

__version__ = "0.1.0"

# Each name is imported from its room when it is first asked for, so that a program pays for what it uses.
_ROOMS = {
    "_context": ("RunContextWrapper", "ToolContext"),
    "_documentation": ("DocstringStyle", "FuncDocumentation", "generate_func_documentation"),
    "_function_schema": ("FuncSchema", "function_schema"),
    "_strict_schema": ("ensure_strict_json_schema",),
    "_tool": ("FunctionTool", "default_tool_error_function", "function_tool"),
    "dialects": ("Dialect", "dialects"),
    "errors": (
        "ArgumentsError",
        "FnSchemaError",
        "MaxTurnsExceeded",
        "ModelBehaviorError",
        "Problem",
        "RunError",
        "SchemaError",
        "SignatureError",
        "ToolTimeoutError",
        "UnknownToolError",
        "UserError",
    ),
    "runner": ("Agent", "Response", "Result", "Runner", "run_demo_loop"),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = ["__version__", *_ROOM_OF]  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__ = lazy_names(__name__, globals(), _ROOM_OF)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
