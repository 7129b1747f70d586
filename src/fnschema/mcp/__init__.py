"""Functions as tools of an MCP server, and the tools of an MCP server as `FunctionTool`s. Needs the extra ``mcp``."""

from .reading import ServerToolError, tools_from_mcp
from .serving import Caller, mcp_server

__all__ = ["Caller", "ServerToolError", "mcp_server", "tools_from_mcp"]
