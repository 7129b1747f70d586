"""The laws of definitions: no provider refuses them, and what they allow, the tool accepts.

`functions.py` holds the functions, `checker.py` says what a provider refuses, `grammar.py` finds documents.
"""

import copy
import json
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

from dialects.annotations import annotations
from dialects.checker import faults, visit
from dialects.functions import FUNCTIONS, open_types, tools_of
from dialects.grammar import Grammar, spelled_differently
from fnschema import dialects, function_tool
from fnschema.errors import SchemaError

DOCUMENTS = 8  # for each schema; schemas are many

# A sentence in a description that a provider cannot check: then more is allowed than the tool accepts.
TOLD = re.compile(
    r"(At least|At most|More than|Less than|A multiple of|Format: |Matches the|Only |One of: |Its |In order: )"
)
# OpenAI takes patterns, so a format it lacks is still checked.
TOLD_BY_OPENAI = re.compile(
    r"(Matches the|In order: |"
    r"Format: (?!path|binary|password|decimal|local|base64|complex|ipv4network|fraction|uri|uuid))"
)

UNCHECKED = {"ollama", "gemini-openapi"}  # they have no additionalProperties, so that unknown keys are allowed


def publications(tool):
    """(dialect, strict, facts, schema) of every definition of the tool."""
    for name in dialects.names():
        dialect = dialects.get(name)
        for strict in (None, True) if dialect.strict else (None,):
            try:
                dialect.definition(tool.tool_schema, strict=strict)
            except SchemaError:
                continue
            is_strict = dialect.is_strict(tool.tool_schema, strict)
            facts = (dialect.strict if is_strict else dialect.loose).facts
            yield dialect, is_strict, facts, dialect.parameters(tool.tool_schema, strict=strict)


def descriptions(schema):
    return " ".join(below.get("description", "") for _, below in visit(schema))


def is_checked(dialect, schema):
    told = TOLD_BY_OPENAI if dialect.name.startswith("openai") else TOLD
    return dialect.name not in UNCHECKED and not told.search(descriptions(schema))


every_function = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)


@every_function
def test_no_provider_refuses_a_definition(function):
    for tool in tools_of(function):
        for dialect, is_strict, facts, schema in publications(tool):
            assert faults(schema, facts) == [], (dialect.name, is_strict)


@every_function
def test_a_strict_definition_is_closed_and_requires_everything(function):
    for tool in tools_of(function):
        for dialect, is_strict, facts, _ in publications(tool):
            assert not is_strict or (facts.closed and facts.all_required and facts.typed), dialect.name


@every_function
def test_rewriting_is_idempotent_and_changes_nothing_in_place(function):
    for tool in tools_of(function):
        before = copy.deepcopy(tool.tool_schema.schema)
        for dialect, is_strict, facts, schema in publications(tool):
            form = dialect.strict if is_strict else dialect.loose
            again = schema
            for rule in form.rules:
                again = rule(again, facts)
            assert again == schema, dialect.name
        assert tool.tool_schema.schema == before


@every_function
def test_what_a_definition_allows_the_tool_accepts(function):
    for tool in tools_of(function):
        seen = set()
        for dialect, is_strict, _, schema in publications(tool):
            text = json.dumps(schema)
            if text in seen or not (is_strict or is_checked(dialect, schema)):
                continue
            seen.add(text)
            try:
                grammar = Grammar(schema)
            except ValueError:
                assert not is_strict, (dialect.name, text)
                continue
            if is_checked(dialect, schema):
                accepted_by(tool, grammar)


def strict_definitions():
    """(tool, schema) of OpenAI's definitions that say everything in keywords, and refer to nothing that is to come."""
    dialect = dialects.get("openai")
    for function in FUNCTIONS:
        tool, _ = tools_of(function)
        schema = dialect.parameters(tool.tool_schema)
        if not tool.problems("openai") and is_checked(dialect, schema) and "recursive" not in function.__name__:
            yield pytest.param(tool, schema, id=function.__name__)


@pytest.mark.parametrize(("tool", "schema"), list(strict_definitions()))
def test_any_document_that_a_strict_definition_allows_is_accepted(tool, schema):
    """Keys in any order and every escape: hypothesis-jsonschema's documents, where a grammar's follow the schema."""

    @given(from_schema(schema))
    @settings(max_examples=10)
    def law(document):
        if not is_exception(json.dumps(document)):
            tool.call(json.dumps(document))

    law()


def accepted_by(tool, grammar):
    rng = random.Random(7)
    for document in grammar.documents(DOCUMENTS, seed=1):
        if not is_exception(document):
            tool.call(document)
            tool.call(spelled_differently(document, rng))


def is_exception(document):
    """The exceptions that samples meet, see test_exceptions: a key that comes twice, a number that no float holds."""
    return any(map(repeats_a_key, arrays_in(json.loads(document)))) or "Infinity" in json.dumps(json.loads(document))


def arrays_in(value):
    if isinstance(value, list):
        yield value
    if isinstance(value, list | dict):
        for below in value.values() if isinstance(value, dict) else value:
            yield from arrays_in(below)


def repeats_a_key(entries):
    keys = [json.dumps(item["key"]) for item in entries if isinstance(item, dict) and item.keys() == {"key", "value"}]
    return len(set(keys)) < len(keys)


def test_a_function_that_cannot_be_strict_names_every_reason():
    tool, _ = tools_of(open_types)
    with pytest.raises(SchemaError) as caught:
        tool.definition("openai")
    assert [problem.path for problem in caught.value.problems] == [
        "/properties/a",
        "/properties/b",
        "/properties/c/items",
        "/properties/d",
    ]


def function_of(annotation, default):
    """A function of one required and one optional parameter of that type."""

    def generated(v, w=default):
        """Generated."""

    generated.__annotations__ = {"v": annotation, "w": annotation}
    return generated


@settings(max_examples=15)
@given(annotations, st.integers(0, 10**6))
def test_definitions_of_generated_functions(annotated, seed):
    annotation, default = annotated
    tool = function_tool(function_of(annotation, default), failure_error_function=None, open_objects="entries")
    for dialect, is_strict, facts, schema in publications(tool):
        assert faults(schema, facts) == [], dialect.name
        if is_strict and is_checked(dialect, schema):
            for document in Grammar(schema).documents(3, seed):
                if not is_exception(document):
                    tool.call(document)
