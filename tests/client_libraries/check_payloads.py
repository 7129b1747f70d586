"""Definitions in the hands of the providers' own client libraries: each takes its payload, and loses nothing of it.

These libraries are large, so this file is not collected by itself: `nox -s clients` installs them and runs it. OpenAI's
client is with the other tests.
"""

import json

import anthropic.types
import botocore.session
import botocore.validate
import google.genai.types
import mcp.types
import ollama
import pydantic
import pytest

from dialects.functions import FUNCTIONS, tools_of
from fnschema import dialects
from fnschema.errors import SchemaError


def payloads(function, name):
    """Every definition of the function in the dialect."""
    for tool in tools_of(function):
        for strict in (None, True) if dialects.get(name).strict else (None,):
            try:
                yield tool.definition(name, strict=strict)
            except SchemaError:
                continue


every_function = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)


@every_function
def test_anthropic_takes_its_tool_param(function):
    tool_param = pydantic.TypeAdapter(anthropic.types.ToolParam)
    for payload in payloads(function, "anthropic"):
        assert tool_param.validate_python(payload) == payload


@every_function
@pytest.mark.parametrize("name", ["gemini", "gemini-openapi"])
def test_google_takes_its_function_declaration(function, name):
    for payload in payloads(function, name):
        declaration = google.genai.types.FunctionDeclaration.model_validate(payload)
        kept = declaration.model_dump(by_alias=True, exclude_unset=True, mode="json")
        assert lower_types(kept) == payload


def lower_types(value):
    """google-genai writes the names of types in capitals."""
    if isinstance(value, dict):
        typed = isinstance(value.get("type"), str)
        return {key: below.lower() if key == "type" and typed else lower_types(below) for key, below in value.items()}
    return [lower_types(below) for below in value] if isinstance(value, list) else value


@every_function
def test_mcp_takes_its_tool(function):
    for payload in payloads(function, "mcp"):
        assert mcp.types.Tool.model_validate(payload).model_dump(by_alias=True, exclude_unset=True) == payload


@pytest.fixture(scope="module")
def converse_tool():
    """The shape of one tool in botocore's model of the Converse operation."""
    service = botocore.session.get_session().get_service_model("bedrock-runtime")
    return service.operation_model("Converse").input_shape.members["toolConfig"].members["tools"].member


@every_function
def test_botocore_takes_a_tool_of_converse(function, converse_tool):
    for payload in payloads(function, "bedrock"):
        report = botocore.validate.ParamValidator().validate(payload, converse_tool)
        assert not report.has_errors(), report.generate_report()


@every_function
def test_ollamas_client_drops_only_what_is_in_words_too(function):
    for payload in payloads(function, "ollama"):
        kept = ollama.Tool.model_validate(payload).model_dump(exclude_none=True, by_alias=True)
        for name, schema in payload["function"]["parameters"]["properties"].items():
            dropped = {keyword: schema.pop(keyword) for keyword in ("properties", "required") if keyword in schema}
            assert not dropped or json.dumps(dropped, ensure_ascii=False) in schema["description"], name
        assert kept == payload
