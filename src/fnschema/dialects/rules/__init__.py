"""Rules that rewrite a schema so that a provider takes it, one module a part of JSON Schema."""
