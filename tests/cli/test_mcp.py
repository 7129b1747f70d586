"""`fnschema mcp` as a process of its own, with the official client at its other end."""

import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client

from fnschema import FunctionTool, RunError
from fnschema.cli.target import Target, find_tools
from fnschema.mcp import tools_from_mcp
from processes import over_http
from servers import stdio, text, with_client
from terminal import Run, Write

SHOP = Path(__file__).parents[1] / "mcp" / "shop.py"
WEATHER = Path(__file__).parents[2] / "examples" / "weather.py"

NOISY = '''
    """Tools that print wherever they can."""
    import os
    import subprocess
    import sys

    print("at import")

    def speak(words: str) -> str:
        print("print", words)
        sys.stdout.write("write\\n")
        sys.__stdout__.write("the first stdout\\n")
        os.write(1, b"the descriptor\\n")
        subprocess.run([sys.executable, "-c", "print('a child')"], check=True)
        return words

    def die() -> str:
        os._exit(3)
'''


def test_a_call_over_stdio() -> None:
    result = with_client(stdio(WEATHER), lambda client: client.call_tool("get_weather", {"city": "Tokyo"}))

    assert (text(result), result.structured_content) == ("22.0 °C in Tokyo", {"result": "22.0 °C in Tokyo"})


def test_a_call_over_http_and_one_by_an_older_client() -> None:
    with over_http(WEATHER) as url:
        answers = [
            text(with_client(url, lambda client: client.call_tool("get_weather", {"city": "Tokyo"}), **mode))
            for mode in ({}, {"mode": "legacy"})
        ]

    assert answers == ["22.0 °C in Tokyo"] * 2


def test_a_module_that_is_served_and_read_has_its_own_definitions() -> None:
    ours = find_tools(Target(str(SHOP))).tools

    theirs = with_client(stdio(SHOP), tools_from_mcp)

    for dialect in ("openai", "gemini-openapi", "mcp"):
        defined = [tool for tool in ours if not _has_errors(tool, dialect)]
        names = {tool.name for tool in defined}
        assert [tool.definition(dialect) for tool in theirs if tool.name in names] == [
            tool.definition(dialect) for tool in defined
        ]


def _has_errors(tool: FunctionTool[..., Any], dialect: str) -> bool:
    return any(problem.severity == "error" for problem in tool.problems(dialect))


def test_nothing_that_a_tool_prints_is_taken_for_the_protocol(write: Write) -> None:
    file = write("noisy.py", NOISY).absolute()

    async def speak(client: Client) -> list[str]:
        return [text(await client.call_tool("speak", {"words": words})) for words in ("one", "two")]

    assert with_client(stdio(file), speak) == ["one", "two"]


def test_nothing_but_the_protocol_is_on_stdout(write: Write) -> None:
    write("noisy.py", NOISY)
    initialize = (
        '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", '
        '"capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}\n'
        '{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'
        '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", '
        '"params": {"name": "speak", "arguments": {"words": "é"}}}\n'
    )
    command = [sys.executable, "-m", "fnschema", "mcp", "noisy.py"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(initialize.encode())
        process.stdin.flush()
        answers = [process.stdout.readline() for _ in range(2)]
        rest, noise = process.communicate()

    assert [answer[:1] for answer in answers] == [b"{", b"{"]
    assert rest == b""
    for said in (b"at import", b"print", b"write", b"the descriptor", b"a child"):
        assert said in noise


def test_a_server_that_dies_is_an_error_of_the_run(write: Write) -> None:
    file = write("noisy.py", NOISY).absolute()

    async def die(client: Client) -> Any:
        tools = {tool.name: tool for tool in await tools_from_mcp(client)}
        return await tools["die"].acall("{}")

    with pytest.raises(RunError, match=r"^The MCP server did not answer the call of tool die\.$"):
        with_client(stdio(file), die)


def test_a_client_that_leaves_ends_the_server(write: Write) -> None:
    write("quiet.py", "def one() -> int:\n    return 1\n")

    done = subprocess.run(
        [sys.executable, "-m", "fnschema", "mcp", "quiet.py"], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "Serving 1 tool of quiet.py at stdin and stdout\n"


def test_ctrl_c_ends_a_server_that_waits_for_its_client(write: Write) -> None:
    write("quiet.py", "def one() -> int:\n    return 1\n")
    command = [sys.executable, "-m", "fnschema", "mcp", "quiet.py"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        process.stderr.readline()
        process.send_signal(signal.SIGINT)

        assert process.wait(timeout=60) != 0


def test_an_address_needs_http(run: Run, write: Write) -> None:
    ran = run("mcp", write("tools.py", "def one() -> int:\n    return 1\n"), "--port", "80")

    assert (ran.code, ran.err) == (2, "Error: --host and --port need --http. See fnschema mcp --help.\n")


def test_a_function_that_cannot_be_a_tool_is_told(run: Run, write: Write) -> None:
    ran = run("mcp", write("tools.py", "def one() -> int:\n    return 1\n\ndef two(x: type):\n    pass\n"))

    assert ran.code == 2
    assert ran.err.startswith("Error: Cannot describe parameter 'x' of tools.two: ")


def test_a_port_that_is_taken(run: Run, write: Write) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = run("mcp", write("tools.py", "def one() -> int:\n    return 1\n"), "--http", "--port", port)

    assert ran.code == 2
    assert ran.err.startswith(f"Error: Cannot listen at 127.0.0.1, port {port}: ")


def test_without_the_sdk_it_says_how_to_get_it(write: Write) -> None:
    write("tools.py", "def one() -> int:\n    return 1\n")
    hidden = "import sys; sys.modules['mcp_types'] = None"
    code = f"{hidden}; from fnschema.cli import main; sys.exit(main(['mcp', 'tools.py']))"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (
        2,
        'Error: Cannot serve tools.py: it needs one more package: python -m pip install "fnschema[mcp]"\n',
    )
