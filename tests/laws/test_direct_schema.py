"""The fast way to the JSON Schema of arguments and pydantic's own agree on whatever the fast one answers."""

import json

from hypothesis import given
from hypothesis import strategies as st

from annotation_strategies import NAMED, annotations, parameters
from fnschema._arguments import arguments_model
from fnschema._direct_schema import direct_schema
from fnschema._fields import argument_field
from fnschema._inspection import Parameter
from fnschema._schema_generator import published_schema


def text(schema):
    """As JSON, so that the order of the keys counts, and true is not 1."""
    return json.dumps(schema)


def check(parameters, description=None):
    fields = [argument_field(parameter, description, ()) for parameter in parameters]
    direct = direct_schema("pack", fields)
    if direct is not None:
        assert text(direct) == text(published_schema(arguments_model("pack", fields)))


# 10 parameters an example: some 10,000 annotations with the full profile, hundreds in the default one.
@given(st.lists(parameters(), min_size=10, max_size=10), st.none() | st.just("What it is.\n\nAnd more."))
def test_the_fast_way_says_what_pydantic_says(drawn, description):
    for parameter in drawn:
        check([parameter], description)


@given(st.lists(annotations, min_size=2, max_size=6))
def test_the_definitions_of_several_parameters_are_joined(drawn):
    check([Parameter(f"p{at}", NAMED, annotation) for at, annotation in enumerate(drawn)])
