"""What a provider refuses in a definition, found from the facts alone: nothing here shares code with the rules."""

import re

MAPS = ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas")
LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
SINGLE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")


def children(schema):
    for keyword in MAPS:
        yield from (((keyword, name), child) for name, child in schema.get(keyword, {}).items())
    for keyword in LISTS:
        yield from (((keyword, str(i)), child) for i, child in enumerate(schema.get(keyword, [])))
    for keyword in SINGLE:
        if isinstance(schema.get(keyword), dict):
            yield (keyword,), schema[keyword]


def visit(schema, path=()):
    yield path, schema
    for steps, child in children(schema):
        if isinstance(child, dict):
            yield from visit(child, (*path, *steps))


def kinds(schema):
    value = schema.get("type", [])
    return [value] if isinstance(value, str) else value


def faults(root, facts):
    """Sentences, none for a definition that the provider takes."""
    found = [f"root: {fault}" for fault in root_faults(root, facts)]
    for path, schema in visit(root):
        at = "/" + "/".join(path)
        found += [f"{at}: {fault}" for fault in schema_faults(schema, root, facts)]
        if not facts.references_in_unions and "$ref" in schema and path[-2:-1] == ("anyOf",):
            found.append(f"{at}: $ref in a union")
        if not facts.empty_objects and path and "object" in kinds(schema) and not schema.get("properties"):
            found.append(f"{at}: empty object")
    return found + size_faults(root, facts) + recursion_faults(root, facts) + reference_faults(root)


def root_faults(root, facts):
    if root.get("type") != "object":
        yield "no object"
    yield from (f"has {keyword}" for keyword in facts.root_refuses if keyword in root)


def schema_faults(schema, root, facts):
    yield from (f"keyword {keyword}" for keyword in schema if not facts.takes(keyword))
    if "title" in schema:
        yield "a title"
    if "$ref" in schema and facts.keywords is not None and len(schema) > 1:
        yield "keywords beside $ref"
    if facts.formats is not None and schema.get("format") not in {None, *facts.formats}:
        yield f"format {schema['format']}"
    if "pattern" in schema:
        yield from pattern_faults(schema["pattern"], facts.patterns)
    if facts.most_min_items is not None and schema.get("minItems", 0) > facts.most_min_items:
        yield "too great a minItems"
    yield from enum_faults(schema, facts)
    if isinstance(schema.get("type"), list) and not set(schema["type"]) <= facts.type_lists:
        yield f"list of types {schema['type']}"
    if facts.typed and not {"type", "anyOf", "$ref"} & set(schema):
        yield "no type"
    if facts.typed and "array" in kinds(schema) and not isinstance(schema.get("items"), dict):
        yield "array without items"
    yield from object_faults(schema, facts)


def pattern_faults(pattern, syntax):
    if syntax == "any":
        return
    if re.search(r"\(\?<?[=!]", pattern) or "\\p" in pattern:
        yield "look-around or \\p"
    re.compile(pattern)
    if syntax == "simple" and re.search(r"\\[1-9bB]|\(\?P|\{\d{3}", pattern):
        yield f"pattern {pattern} is not simple"
    if syntax == "anchored" and not (pattern[0] == "^" and pattern[-1] == "$"):
        yield f"pattern {pattern} is not anchored"


def enum_faults(schema, facts):
    names = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
    names |= {list: "array", dict: "object"}
    for value in schema.get("enum", []):
        if names[type(value)] not in facts.enum_types:
            yield f"enum value {value!r}"
    if schema.get("enum") == [] or schema.get("anyOf") == []:
        yield "empty enum or union"
    limit = facts.long_enum
    if limit and len(schema.get("enum", [])) > limit[0] and sum(map(len, schema["enum"])) > limit[1]:
        yield "long enum"


def object_faults(schema, facts):
    names = list(schema.get("properties", {}))
    if facts.closed and "object" in kinds(schema) and schema.get("additionalProperties") is not False:
        yield "open object"
    if facts.all_required and "object" in kinds(schema) and sorted(schema.get("required", ["?"])) != sorted(names):
        yield "not every property is required"
    if facts.property_name:
        yield from (f"property name {name}" for name in names if not re.fullmatch(facts.property_name, name))


def size_faults(root, facts):
    schemas = [schema for _, schema in visit(root)]
    names = [name for schema in schemas for keyword in ("properties", "$defs") for name in schema.get(keyword, {})]
    values = [
        value
        for schema in schemas
        for value in [*schema.get("enum", []), *([schema["const"]] if "const" in schema else [])]
    ]
    counts = {
        "properties": (sum(len(schema.get("properties", {})) for schema in schemas), facts.most_properties),
        "enum values": (sum(len(schema.get("enum", [])) for schema in schemas), facts.most_enum_values),
        "characters": (sum(map(len, names)) + sum(len(str(value)) for value in values), facts.most_characters),
        "levels": (levels(root, root, ()) if facts.most_levels else 0, facts.most_levels),
    }
    return [f"{count} {what}" for what, (count, most) in counts.items() if most is not None and count > most]


def levels(schema, root, seen):
    if "$ref" in schema:
        reference = schema["$ref"]
        return 0 if reference in seen else levels(target(reference, root), root, (*seen, reference))
    below = [levels(child, root, seen) for steps, child in children(schema) if steps[0] not in ("$defs", "definitions")]
    return max(below, default=0) + ("object" in kinds(schema))


def recursion_faults(root, facts):
    """Walks every way from the root; a definition met again on the way is a cycle."""
    found = []

    def follow(schema, opened):
        if "$ref" in schema:
            reference = schema["$ref"]
            if reference in opened:
                found.append(f"recursion over {reference}")
            else:
                follow(target(reference, root), {*opened, reference})
        for steps, child in children(schema):
            optional = steps[0] == "properties" and steps[1] not in schema.get("required", [])
            if steps[0] not in ("$defs", "definitions") and not (optional and facts.recursion == "optional"):
                follow(child, opened)

    if facts.recursion != "any":
        follow(root, set())
    return found


def reference_faults(root):
    used = {schema["$ref"] for _, schema in visit(root) if "$ref" in schema}
    unused = [name for name in root.get("$defs", {}) if f"#/$defs/{name.replace('/', '~1')}" not in used]
    dangling = [reference for reference in used if target(reference, root) is None]
    return [f"unused definition {name}" for name in unused] + [f"dangling {reference}" for reference in dangling]


def target(reference, root):
    for part in reference.split("/")[1:]:
        root = (root or {}).get(part.replace("~1", "/").replace("~0", "~"))
    return root
