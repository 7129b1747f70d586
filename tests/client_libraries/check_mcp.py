"""Every example over both transports, by the official client and by the protocol's own inspector, which is another.

The inspector comes from npm, so this file is not collected by itself: `nox -s inspector` installs it and runs this.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from processes import over_http
from servers import stdio, with_client

EXAMPLES = Path(__file__).parents[2] / "examples"
COMMAND = [sys.executable, "-m", "fnschema", "mcp"]

# A call of each example, and the text that it comes to.
CALLS: dict[str, tuple[str, dict[str, Any], str]] = {
    "airline": ("to_lost_bags", {}, '{"assistant":'),
    "file_search": ("find_files", {"folder": str(EXAMPLES), "limit": 1000}, "weather.py"),
    "notes_database": ("add_note", {"note": {"title": "Nägel", "text": "kaufen"}}, "1"),
    "triage": ("look_up_item", {"words": "roller"}, ""),
    "weather": ("get_weather", {"city": "Tokyo"}, "22.0 °C in Tokyo"),
}


def test_there_is_a_call_of_every_example() -> None:
    assert set(CALLS) == {file.stem for file in EXAMPLES.glob("*.py")}


def _official(server: Any, name: str, arguments: dict[str, Any]) -> tuple[list[str], Any]:
    async def look(client: Any) -> tuple[list[str], Any]:
        names = [tool.name for tool in (await client.list_tools()).tools]
        result = await client.call_tool(name, arguments)
        return names, result.model_dump(mode="json", by_alias=True, exclude_none=True)

    return with_client(server, look)


def _inspector(server: list[str], name: str, arguments: dict[str, Any]) -> tuple[list[str], Any]:
    def ask(*method: str) -> Any:
        command = [os.environ["MCP_INSPECTOR"], "--cli", *server, "--method", *method]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    given = [part for key, value in arguments.items() for part in ("--tool-arg", f"{key}={_argument(value)}")]
    return [tool["name"] for tool in ask("tools/list")["tools"]], ask("tools/call", "--tool-name", name, *given)


def _argument(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


@pytest.mark.parametrize("client", [_official, _inspector], ids=["official", "inspector"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("example", CALLS)
def test_an_example_is_listed_and_called(example: str, transport: str, client: Any) -> None:
    file = EXAMPLES / f"{example}.py"
    name, arguments, told = CALLS[example]

    if transport == "stdio":
        server = stdio(file) if client is _official else [*COMMAND, str(file)]
        names, result = client(server, name, arguments)
    else:
        with over_http(file) as url:
            names, result = client(url if client is _official else [url, "--transport", "http"], name, arguments)

    assert name in names
    assert not result.get("isError"), result
    assert told in result["content"][0]["text"]
