"""Documents that a schema allows, found by llguidance: the grammar that constrains a language model, without a model.

llguidance refuses what it cannot express instead of widening it, so compiling is a check of its own.
"""

import json
import random

import jsonschema_rs
from llguidance import LLMatcher, LLTokenizer, TokenizerWrapper

END = 256
SOFT, HARD = 120, 20_000  # bytes: when a document should come to its end, and when it must have


class Bytes:
    """A tokenizer of one token a byte."""

    eos_token_id = END
    bos_token_id = None
    tokens = [bytes([i]) for i in range(256)] + [b"<|end|>"]
    special_token_ids = [END]

    def __call__(self, text):
        return list(text if isinstance(text, bytes) else text.encode())


TOKENIZER = LLTokenizer(TokenizerWrapper(Bytes()), slices=[])


class Grammar:
    """A schema as a grammar.

    Raises:
        ValueError: llguidance cannot express the schema, or warns.
    """

    def __init__(self, schema):
        grammar = LLMatcher.grammar_from_json_schema(schema, overrides={"whitespace_flexible": False})
        failed, messages = LLMatcher.validate_grammar_with_warnings(grammar, TOKENIZER)
        if failed or messages:
            raise ValueError("; ".join(messages))
        self.matcher = LLMatcher(TOKENIZER, grammar, log_level=0)
        self.validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)

    def documents(self, count, seed):
        """Seeded random documents that a JSON Schema validator takes too, as JSON texts.

        The engines differ about leap seconds and long e-mails, and Python reads 1e999 as infinity: what the validator
        refuses is not allowed by the schema.
        """
        rng = random.Random(seed)
        for _ in range(count):
            text = self.document(rng).decode()
            if self.validator.is_valid(json.loads(text)):
                yield text

    def document(self, rng):
        matcher = self.matcher.deep_copy()
        matcher.reset()
        document = bytearray()
        while len(document) < HARD:
            mask = matcher.compute_bitmask()
            allowed = [i for i in range(256) if mask[i >> 3] >> (i & 7) & 1]
            may_end = mask[END >> 3] >> (END & 7) & 1
            if may_end and (not allowed or len(document) > SOFT or rng.random() < 0.5):
                return bytes(document)
            byte = rng.choices(allowed, [weight(byte, len(document)) for byte in allowed])[0]
            assert matcher.consume_token(byte), matcher.get_error()
            document.append(byte)
        raise AssertionError(f"no end within {HARD} bytes: {document[:200]!r}")

    def allows(self, text):
        matcher = self.matcher.deep_copy()
        matcher.reset()
        tokens = list(text.encode())
        return matcher.try_consume_tokens(tokens) == len(tokens) and matcher.is_accepting()


def weight(byte, length):
    """Closing characters and null are the more likely the longer the document is."""
    if byte == ord('"'):
        return 12 + length / 4
    if byte in b"]}":
        return 6 + length / 4
    if byte == ord("n"):
        return 2 + length / 8
    return 0.4 if byte >= 0x80 else 1.0


def spelled_differently(text, rng):
    """The same JSON value with other orders of keys, escapes and white space."""
    return json.dumps(shuffled(json.loads(text), rng), ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 1]))


def shuffled(value, rng):
    if isinstance(value, dict):
        names = list(value)
        rng.shuffle(names)
        return {name: shuffled(value[name], rng) for name in names}
    return [shuffled(item, rng) for item in value] if isinstance(value, list) else value
