"""What each provider takes: lists and numbers, each with its source and how sure it is.

*documented*: the provider's guide, API specification or SDK source. *reported*: an error text or a live probe in a
public issue. *measured*: the provider's SDK was run. *unverified*: assumed, on the safe side. All as of November 2026.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
SCALARS = frozenset({"string", "number", "integer", "boolean", "null"})

PatternSyntax = Literal["any", "python", "simple", "anchored"]
Recursion = Literal["any", "optional", "none"]

_STRUCTURE = frozenset(
    {"$defs", "$ref", "additionalProperties", "anyOf", "description", "enum", "items", "properties", "required", "type"}
)
_NUMBER_BOUNDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_LENGTHS = frozenset({"minLength", "maxLength"})
_COUNTS = frozenset({"minItems", "maxItems"})


class SchemaFacts(NamedTuple):
    """What may stand in the schema of a tool's parameters.

    Attributes:
        keywords: the keywords that are taken and heeded; `None` is every one that is not refused.
        refused: keywords that are not taken although all others are.
        formats: the values of ``format`` that are taken; `None` is any.
        patterns: which regular expressions are taken, where ``pattern`` is: any, those that Python's ``re`` compiles
            without look-around, simple ones (no back-reference or ``\\b`` either), or ``^…$`` without escapes.
        most_min_items: the greatest ``minItems`` that is taken; `None` is any.
        enum_types: the JSON types whose values may stand in an ``enum``.
        type_lists: the types that may stand in a list of ``type``.
        recursion: whether references may form a cycle: any, only through properties that are not required, or none.
        recursive_dialect: the dialect of the same provider that takes cycles, where this one does not.
        references_in_unions: whether a `$ref` may stand directly in an ``anyOf``.
        closed: whether every object must say ``"additionalProperties": false``.
        all_required: whether every property must be required.
        typed: whether every schema must have a type.
        empty_objects: whether an object without properties may stand below the root.
        root_refuses: keywords that must not stand at the root.
        property_name: the regular expression that the name of every property must match.
        most_properties: object properties in the whole schema.
        most_levels: objects within objects, references followed.
        most_characters: characters of property and definition names, enum and const values together.
        most_enum_values: enum values in the whole schema.
        long_enum: how many strings an enum may hold before the characters in it are limited, and that limit.
    """

    keywords: frozenset[str] | None = None
    refused: frozenset[str] = frozenset()
    formats: frozenset[str] | None = None
    patterns: PatternSyntax = "any"
    most_min_items: int | None = None
    enum_types: frozenset[str] = TYPES
    type_lists: frozenset[str] = TYPES
    recursion: Recursion = "any"
    recursive_dialect: str | None = None
    references_in_unions: bool = True
    closed: bool = False
    all_required: bool = False
    typed: bool = False
    empty_objects: bool = True
    root_refuses: frozenset[str] = frozenset()
    property_name: str | None = None
    most_properties: int | None = None
    most_levels: int | None = None
    most_characters: int | None = None
    most_enum_values: int | None = None
    long_enum: tuple[int, int] | None = None

    def takes(self, keyword: str) -> bool:
        return keyword not in self.refused and (self.keywords is None or keyword in self.keywords)


class ToolFacts(NamedTuple):
    """What may stand around the schema, and how many tools go into a request.

    Attributes:
        name: the regular expression that a tool's name must match.
        most_tools: tools of one request.
        most_strict_tools: strict tools of one request.
        most_unions: parameters with an ``anyOf`` or a list of types in all strict tools of one request.
        most_optional: properties that are not required in all strict tools of one request.
        longest_description: characters; more is only warned of.
    """

    name: str = r"[a-zA-Z0-9_-]{1,64}"
    most_tools: int | None = None
    most_strict_tools: int | None = None
    most_unions: int | None = None
    most_optional: int | None = None
    longest_description: int = 1024  # OpenAI: error code string_above_max_length, reported 2025; safe everywhere


# OpenAI: guides "Structured Outputs" and "Function calling" (documented); root keywords, siblings of `$ref`, formats,
# look-around, oneOf, prefixItems, uniqueItems (reported, in langchainjs 9804 and 11382, pydantic-ai 5519, jcode 687 …);
# minLength and maxLength (reported: a live probe of August 2026 found them enforced).
OPENAI_FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})
_OPENAI_ROOT = frozenset({"anyOf", "oneOf", "allOf", "enum", "const", "not"})
OPENAI_STRICT = SchemaFacts(
    keywords=_STRUCTURE | _NUMBER_BOUNDS | _LENGTHS | _COUNTS | {"const", "format", "pattern"},
    formats=OPENAI_FORMATS,
    patterns="python",
    closed=True,
    all_required=True,
    typed=True,
    root_refuses=_OPENAI_ROOT,
    most_properties=5_000,
    most_levels=10,
    most_characters=120_000,
    most_enum_values=1_000,
    long_enum=(250, 15_000),
)
# Without strict: the root rule holds in every mode (langchainjs 9804, reported); an array without `items` is refused
# (fastcore 798, reported), and so is text beside a `$ref` (langchainjs 11382, reported).
OPENAI_LOOSE = SchemaFacts(refused=frozenset({"prefixItems", "oneOf", "discriminator"}), root_refuses=_OPENAI_ROOT)
OPENAI_TOOLS = ToolFacts(most_tools=128)  # documented
OPENAI_RESPONSES_TOOLS = ToolFacts(name=r"[a-zA-Z0-9_-]{1,128}", most_tools=128)  # name documented, count reported

# Azure: the table "unsupported type-specific keywords" and the limits of its page (documented, maybe behind).
AZURE_STRICT = OPENAI_STRICT._replace(
    keywords=_STRUCTURE | {"const"},
    most_properties=100,
    most_levels=5,
)

# Anthropic: guides "Structured outputs" and "Strict tool use" (documented); property names (reported many times).
ANTHROPIC_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
)
_ANTHROPIC_ROOT = frozenset({"anyOf", "oneOf", "allOf"})
_ANTHROPIC_PROPERTY = r"[a-zA-Z0-9_.-]{1,64}"
ANTHROPIC_STRICT = SchemaFacts(
    keywords=_STRUCTURE | {"const", "format", "minItems", "pattern"},
    formats=ANTHROPIC_FORMATS,
    patterns="simple",
    most_min_items=1,
    enum_types=SCALARS,
    recursion="none",
    closed=True,
    all_required=True,
    typed=True,
    root_refuses=_ANTHROPIC_ROOT,
    property_name=_ANTHROPIC_PROPERTY,
)
ANTHROPIC_LOOSE = SchemaFacts(root_refuses=_ANTHROPIC_ROOT, property_name=_ANTHROPIC_PROPERTY)
ANTHROPIC_TOOLS = ToolFacts(most_strict_tools=20, most_unions=16, most_optional=24)  # documented

# Bedrock Converse: AWS page and botocore's model (documented), exclusive bounds and maxItems (reported refused).
# Whether it takes `pattern` is not known, so that is told in words.
BEDROCK_STRICT = ANTHROPIC_STRICT._replace(keywords=_STRUCTURE | {"const", "format", "minItems"})
BEDROCK_LOOSE = ANTHROPIC_LOOSE
BEDROCK_TOOLS = ToolFacts(most_strict_tools=20)  # reported

# Gemini, `parametersJsonSchema`: REST reference as repeated in google-genai 3.6.1 (documented); names: SDK text
# (documented), tool names of 64 rather than 128 characters by API errors (reported). Bool enums are not listed.
_GEMINI_PROPERTY = r"[a-zA-Z_][a-zA-Z0-9_]{0,63}"
GEMINI_JSON = SchemaFacts(
    keywords=_STRUCTURE | _COUNTS | {"format", "maximum", "minimum", "prefixItems"},
    enum_types=frozenset({"string", "number", "integer"}),
    recursion="optional",
    root_refuses=frozenset({"anyOf", "oneOf", "allOf"}),
    property_name=_GEMINI_PROPERTY,
)
# Gemini, `parameters`: an OpenAPI subset (documented; refusals measured with the SDK). The API took only date-time of
# the formats (reported 2025), refuses objects without properties, and `$ref` and additionalProperties altogether.
GEMINI_OPENAPI = GEMINI_JSON._replace(
    keywords=(_STRUCTURE - {"$defs", "$ref", "additionalProperties"})
    | _COUNTS
    | _LENGTHS
    | {"format", "maximum", "minimum", "nullable", "pattern"},
    formats=frozenset({"date-time"}),
    patterns="python",
    enum_types=frozenset({"string"}),
    type_lists=frozenset(),
    recursion="none",
    recursive_dialect="gemini",
    typed=True,
    empty_objects=False,
)
GEMINI_TOOLS = ToolFacts(name=r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}")

# MCP: specification 2025-11-25 and 2026-07-28 (documented): JSON Schema 2020-12, an object at the root.
MCP = SchemaFacts()
MCP_TOOLS = ToolFacts(name=r"[A-Za-z0-9_.-]{1,128}")

# DeepSeek: the page of its beta (documented); no `$ref` in a union, no list of types with object or array, no empty
# nested object (rig-core 0.46, reported); const is documented for numbers only, so a one-value enum is used.
DEEPSEEK_STRICT = OPENAI_STRICT._replace(
    keywords=_STRUCTURE | _NUMBER_BOUNDS | {"format", "pattern"},
    formats=frozenset({"email", "hostname", "ipv4", "ipv6", "uuid"}),
    type_lists=SCALARS,
    references_in_unions=False,
    empty_objects=False,
)

# xAI: its page through two public digests (documented): always strict; the lengths, counts and formats here are heeded,
# others only best effort; recursion, empty enums and boolean schemas are refused.
XAI_STRICT = OPENAI_STRICT._replace(
    keywords=_STRUCTURE | _LENGTHS | _COUNTS | (_NUMBER_BOUNDS - {"multipleOf"}) | {"const", "format", "pattern"},
    formats=frozenset({"date", "time", "date-time", "email", "uuid", "ipv4", "ipv6", "uri"}),
    recursion="none",
)
XAI_LOOSE = XAI_STRICT._replace(closed=False, all_required=False, typed=False)

# What every strict mode that publishes its rules takes. Mistral (SDK 3.7.0 has the flag) and Groq (closed objects and
# all required are documented) publish no list of keywords, so this is the safe side (unverified).
STRICT_EVERYWHERE = OPENAI_STRICT._replace(
    keywords=_STRUCTURE,
    enum_types=frozenset({"string", "integer", "number", "boolean"}),
    recursion="none",
)

# Ollama: the Python client's `Tool` model silently drops all other keywords (0.6.3, measured); a list of types is taken
# since the server learnt it, and once was refused (ellmer 342, reported).
OLLAMA = SchemaFacts(
    keywords=frozenset({"description", "enum", "items", "properties", "required", "type"}), recursion="none"
)

# llama.cpp: grammars/README.md (documented): `^…$` patterns, bounds of integers only, no uri or email, objects closed
# unless they say otherwise; `(?` and escaped classes in a pattern fail (json-schema-to-grammar, from its source).
LLAMA_CPP = SchemaFacts(
    keywords=_STRUCTURE
    | _LENGTHS
    | _COUNTS
    | {"const", "exclusiveMaximum", "exclusiveMinimum", "format", "maximum", "minimum", "pattern"},
    formats=frozenset({"date", "time", "date-time", "uuid"}),
    patterns="anchored",
)
