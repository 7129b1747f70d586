"""Functions as tools of an MCP server, and the tools of an MCP server as `FunctionTool`s. Needs the extra ``mcp``."""

from .connection import ServerToolError
from .reading import tools_from_mcp
from .serving import Caller, mcp_server

__all__ = ["Caller", "ServerToolError", "mcp_server", "tools_from_mcp"]
