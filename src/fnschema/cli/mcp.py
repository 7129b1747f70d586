"""``fnschema mcp``: the tools of a target as an MCP server."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import click

from .target import Found, Target, TargetError, find_tools

__all__ = ["mcp"]

_PORT = 8000
_SDK = ("anyio", "mcp", "mcp_types", "uvicorn")


@click.command(short_help="Serve tools over the Model Context Protocol.")
@click.argument("target", type=Target.parse)
@click.option("--http", is_flag=True, help="Serve many clients over streamable HTTP, not one over stdin and stdout.")
@click.option("--host", metavar="ADDRESS", help="With --http: where to listen; 127.0.0.1 if not set.")
@click.option(
    "--port", metavar="NUMBER", type=click.IntRange(0, 65535), help=f"With --http: {_PORT} if not set, 0 for any."
)
def mcp(target: Target, http: bool, host: str | None, port: int | None) -> None:
    """Serve the tools of TARGET to MCP clients, such as desktop assistants and editors.

    What tools print goes to stderr. With another --host than this machine's own, anyone who reaches it may call the
    tools: there is no password.
    """
    if not http and (host is not None or port is not None):
        raise click.UsageError("--host and --port need --http.")
    found = find_tools(target)
    if found.refusals:
        raise TargetError("\n".join(map(str, found.refusals)))
    try:
        _serve(target, found, (host or "127.0.0.1", _PORT if port is None else port) if http else None)
    except ModuleNotFoundError as error:
        if error.name not in _SDK:
            raise
        install = 'python -m pip install "fnschema[mcp]"'
        raise TargetError(f"Cannot serve {target}: it needs one more package: {install}") from error


def _serve(target: Target, found: Found, address: tuple[str, int] | None) -> None:
    from ..mcp.serving import mcp_server, serve_http, serve_stdio  # it takes a second, which others need not wait

    server = mcp_server(found.tools, Path(target.place).stem if target.is_file else target.place)
    if address is None:
        _say(target, found, "stdin and stdout")
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # the thread that waits for stdin cannot be interrupted otherwise
        asyncio.run(serve_stdio(server))
        return
    try:
        serve_http(server, *address, lambda url: _say(target, found, url))
    except OSError as error:
        raise TargetError(f"Cannot listen at {address[0]}, port {address[1]}: {error.strerror or error}.") from error


def _say(target: Target, found: Found, place: str) -> None:
    count = len(found.tools)
    click.echo(f"Serving {count} tool{'s' * (count != 1)} of {target} at {place}", err=True)
