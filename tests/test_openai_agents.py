"""Tools in programs of the OpenAI Agents SDK. A stand-in for its package: what is told apart are names and modules."""

import asyncio
import logging
import re
import sys
import types
from dataclasses import dataclass, make_dataclass
from typing import Annotated, Any, Generic, Optional, TypeVar

import pytest

from fnschema import RunContextWrapper, SignatureError, UserError, function_schema, function_tool
from pages import PROJECT

T = TypeVar("T")


@dataclass
class _Wrapper(Generic[T]):
    context: T
    usage: Any = None


@dataclass
class _ToolContext(_Wrapper[T]):
    tool_name: str = ""
    tool_call_id: str = ""
    tool_arguments: str = ""


for _cls, _name, _module in (
    (_Wrapper, "RunContextWrapper", "agents.run_context"),
    (_ToolContext, "ToolContext", "agents.tool_context"),
):
    _cls.__name__ = _cls.__qualname__ = _name
    _cls.__module__ = _module


class _Desk(_ToolContext[Any]):
    """A class of the user's own below one of the SDK's."""


def same_name(context: object) -> object:
    """An object of a class that has the name, and is not the SDK's."""
    return type("RunContextWrapper", (), {"context": context, "__module__": "agents_of_mine"})()


@function_tool
def whoami(ctx: RunContextWrapper[Any], note: str = "") -> Any:
    """Say who."""
    return ctx


OF_THE_SDK = {
    "RunContextWrapper": _Wrapper("ann"),
    "ToolContext": _ToolContext("ann", None, "who", "call_1", "{}"),
    "a class below it": _Desk("ann", None, "who", "call_1", "{}"),
}


@pytest.mark.parametrize("context", OF_THE_SDK.values(), ids=OF_THE_SDK)
def test_the_context_of_an_sdk_context_is_handed_on(context: Any) -> None:
    call_id = getattr(context, "tool_call_id", "")

    for ctx in (
        whoami.call("{}", context),
        asyncio.run(whoami.acall("{}", context)),
        asyncio.run(whoami.on_invoke_tool(context, "{}")),
    ):
        assert isinstance(ctx, RunContextWrapper)
        assert vars(ctx) == {
            "context": "ann",
            "tool_name": "whoami",
            "tool_call_id": call_id,
            "tool_arguments": "{}",
        }


def test_another_object_is_the_context_itself() -> None:
    other = same_name("ann")

    assert whoami.call("{}", other).context is other


def test_the_error_function_gets_the_same_context() -> None:
    def explain(ctx: RunContextWrapper[Any], error: Exception) -> str:
        return f"{type(ctx).__module__}: {ctx.context}, {type(error).__name__}"

    @function_tool(failure_error_function=explain)
    def fail() -> None:
        raise ValueError("no")

    told = asyncio.run(fail.on_invoke_tool(OF_THE_SDK["ToolContext"], "{}"))  # type: ignore[arg-type]

    assert told == "fnschema._context: ann, ValueError"


def test_the_adapter_of_the_page_makes_a_tool_for_an_agent_of_the_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = ["name", "description", "params_json_schema", "on_invoke_tool", "strict_json_schema", "is_enabled"]
    package: Any = types.ModuleType("agents")
    package.FunctionTool = make_dataclass("FunctionTool", fields)
    package.Agent = make_dataclass("Agent", ["name", "tools"])
    monkeypatch.setitem(sys.modules, "agents", package)
    page = (PROJECT / "docs" / "migrate" / "from-openai-agents.md").read_text("utf-8")
    (adapter,) = re.findall(r"^```py\n(import agents\n.*?)^```$", page, re.MULTILINE | re.DOTALL)
    namespace: dict[str, Any] = {"cancel_order": whoami}
    exec(adapter, namespace)

    (tool,) = namespace["desk"].tools

    assert (tool.name, tool.description, tool.is_enabled) == ("whoami", "Say who.", True)
    assert tool.params_json_schema == whoami.params_json_schema
    assert tool.strict_json_schema is True
    assert asyncio.run(tool.on_invoke_tool(OF_THE_SDK["ToolContext"], '{"note": "x"}')).context == "ann"


# An import that was forgotten

ANNOTATIONS: dict[str, tuple[Any, str]] = {
    "bare": (_Wrapper, "RunContextWrapper"),
    "with its type": (_Wrapper[int], "RunContextWrapper"),
    "optional": (Optional[_Wrapper[int]], "RunContextWrapper"),
    "annotated": (Annotated[_Wrapper[int], "the context"], "RunContextWrapper"),
    "a tool's": (_ToolContext, "ToolContext"),
    "a subclass": (_Desk, "_Desk"),
}


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(("annotation", "name"), ANNOTATIONS.values(), ids=ANNOTATIONS)
def test_an_sdk_context_as_annotation_is_refused(annotation: Any, name: str, *, strict: bool) -> None:
    def pay(ctx, amount: int) -> None: ...  # type: ignore[no-untyped-def]

    pay.__annotations__["ctx"] = annotation

    with pytest.raises(SignatureError) as caught:
        function_schema(pay, strict_json_schema=strict)

    assert str(caught.value).endswith(f"pay: it is the Agents SDK's {name}. Import it from fnschema.")
    assert str(caught.value).startswith(f"Cannot read parameter 'ctx' of {__name__}.")


def test_it_is_refused_wherever_it_stands() -> None:
    def pay(amount: int, ctx: _Wrapper[Any], *more: _Wrapper[Any], other: _ToolContext[Any]) -> None: ...

    with pytest.raises(UserError) as caught:
        function_schema(pay)

    assert [line.split("'")[1] for line in str(caught.value).splitlines()] == ["ctx", "more", "other"]


# Looking into a failed call


def test_a_failed_call_of_the_entry_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    @function_tool
    def boom() -> None:
        raise ValueError("secret")

    asyncio.run(boom.on_invoke_tool(OF_THE_SDK["ToolContext"], "{}"))  # type: ignore[arg-type]
    assert caplog.record_tuples == [("fnschema", logging.WARNING, "The call of tool 'boom' failed: ValueError")]
    assert "secret" not in caplog.text

    caplog.set_level(logging.DEBUG, "fnschema")
    asyncio.run(boom.on_invoke_tool(OF_THE_SDK["ToolContext"], "{}"))  # type: ignore[arg-type]
    assert caplog.text.rstrip().endswith("ValueError: secret")
