"""Python functions as tools of a language model: exact schema, validated call."""

__version__ = "0.1.0"
