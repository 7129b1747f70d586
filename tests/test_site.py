"""The documentation site: every page is in its navigation, every public name in its reference."""

import dataclasses
import importlib
import inspect
import pydoc
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from pages import PROJECT

DOCS = PROJECT / "docs"
MODULES = ("fnschema", "fnschema.dialects", "fnschema.testing", "fnschema.swarm", "fnschema.mcp")

# Described with the module that they come from.
ELSEWHERE = {
    "fnschema.__version__": "a string",
    "fnschema.dialects": "a module, whose names are described",
    "fnschema.dialects.Dialect": "fnschema.Dialect",
    "fnschema.swarm.Response": "fnschema.Response",
    "fnschema.swarm.Result": "fnschema.Result",
    "fnschema.swarm.run_demo_loop": "fnschema.run_demo_loop",
}


def _pages(navigation: Any) -> Iterator[str]:
    if isinstance(navigation, str):
        yield navigation
        return
    for below in navigation.values() if isinstance(navigation, dict) else navigation:
        yield from _pages(below)


def _described() -> list[str]:
    pages = (DOCS / "reference" / "api").glob("*.md")
    return [name for page in pages for name in re.findall(r"^::: ([\w.]+)$", page.read_text("utf-8"), re.MULTILINE)]


def _public() -> dict[str, Any]:
    modules = [importlib.import_module(name) for name in MODULES]
    return {f"{module.__name__}.{name}": getattr(module, name) for module in modules for name in module.__all__}


PUBLIC = _public()
CLASSES = {name: value for name, value in PUBLIC.items() if inspect.isclass(value)}


def test_every_page_is_in_the_navigation_once() -> None:
    configuration = tomllib.loads((PROJECT / "zensical.toml").read_text(encoding="utf-8"))

    listed = sorted(_pages(configuration["project"]["nav"]))

    assert listed == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


def test_every_public_name_is_described_once() -> None:
    assert sorted(_described()) == sorted(PUBLIC.keys() - ELSEWHERE.keys())


def _members(cls: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that the class itself defines."""
    for name, value in vars(cls).items():
        if not name.startswith("_") and (inspect.isroutine(value) or isinstance(value, property)):
            yield name, value


@pytest.mark.parametrize("cls", CLASSES.values(), ids=CLASSES)
def test_a_class_and_its_members_say_what_they_are(cls: type) -> None:
    generated = dataclasses.is_dataclass(cls) and (cls.__doc__ or "").startswith(f"{cls.__name__}(")
    silent = [member for member, value in _members(cls) if not inspect.getdoc(value)]

    assert (bool(cls.__doc__) and not generated, silent) == (True, [])


API_PAGES = {page.stem: page.read_text("utf-8") for page in (DOCS / "reference" / "api").glob("*.md")}


@pytest.mark.parametrize("text", API_PAGES.values(), ids=API_PAGES)
def test_a_page_of_the_api_says_how_to_read_it_without_the_site(text: str) -> None:
    (name,) = re.findall(r"`python -m pydoc ([\w.]+)`", text)

    assert f"::: {name}\n" in text
    assert pydoc.locate(name) is PUBLIC[name]


# What somebody with tools and agents in the Agents SDK looks for; most of it is in that program's first file.
OF_THE_SDK = """
    RunContextWrapper ToolContext failure_error_function strict_mode name_override description_override docstring_style
    is_enabled needs_approval tool_input_guardrails tool_output_guardrails timeout output_type ToolOutputImage
    ToolOutputFileContent WebSearchTool FileSearchTool CodeInterpreterTool HostedMCPTool mcp_servers as_tool handoffs
    handoff handoff_description input_filter session SQLiteSession run_sync run_streamed stream_events final_output
    to_input_list new_items last_agent max_turns RunConfig ModelSettings tool_choice tool_use_behavior input_guardrails
    output_guardrails RunHooks AgentHooks trace OpenAIChatCompletionsModel OpenAIResponsesModel LitellmModel
    set_default_openai_client default_tool_error_function MaxTurnsExceeded ModelBehaviorError AgentsException
    run_demo_loop
""".split()


@pytest.mark.parametrize("name", OF_THE_SDK)
def test_the_page_for_users_of_the_agents_sdk_says_what_stands_for(name: str) -> None:
    page = (DOCS / "migrate" / "from-openai-agents.md").read_text(encoding="utf-8")

    rows = [line for line in page.splitlines() if line.startswith("| ")]

    assert any(re.search(rf"\b{name}\b", row.split(" | ")[0]) for row in rows)
