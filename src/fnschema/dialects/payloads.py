"""The shape around the schema that several providers share."""

from __future__ import annotations

from typing import Any

from .._json_schema import Schema

__all__ = ["chat", "chat_with_strict_only", "described"]


def chat(name: str, description: str | None, parameters: Schema, strict: bool) -> dict[str, Any]:
    """Chat Completions: nested, and `strict` always said (function-calling guide, documented)."""
    function = {"name": name, **described(description), "parameters": parameters, "strict": strict}
    return {"type": "function", "function": function}


def chat_with_strict_only(name: str, description: str | None, parameters: Schema, strict: bool) -> dict[str, Any]:
    """The same for providers that know `strict` as true or absent."""
    flag = {"strict": True} if strict else {}
    return {"type": "function", "function": {"name": name, **described(description), "parameters": parameters, **flag}}


def described(description: str | None) -> dict[str, str]:
    """The description, where there is one: Bedrock refuses an empty text (botocore's model, documented)."""
    return {"description": description} if description else {}
