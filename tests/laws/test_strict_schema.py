"""A rule that is left out, since no keyword of the schema concerns it, would have changed nothing."""

from hypothesis import assume, given
from hypothesis import strategies as st

from annotation_strategies import NAMED, annotations
from fnschema._direct_schema import direct_schema
from fnschema._fields import argument_field
from fnschema._inspection import Parameter
from fnschema._strict_schema import _PARAMETER_FACTS, _PARAMETER_RULES, strict_parameters
from fnschema.errors import SchemaError


@given(st.lists(annotations, min_size=1, max_size=4))
def test_all_rules_together_change_no_more(drawn):
    parameters = (Parameter(f"p{at}", NAMED, annotation, None) for at, annotation in enumerate(drawn))
    schema = direct_schema("pack", [argument_field(parameter, "What.", ()) for parameter in parameters])
    assume(schema is not None)
    try:
        strict = strict_parameters(schema, subject="shop.pack")
    except SchemaError:
        return
    for rule, _ in _PARAMETER_RULES:
        schema = rule(schema, _PARAMETER_FACTS)
    assert strict == schema
