"""What is read in a quick way says what the thorough way says."""

from hypothesis import given
from hypothesis import strategies as st

from fnschema._docstring_marks import field, heading, may_be_mark
from fnschema._documentation import _items_by_griffe, _plain_items

texts = st.text(st.sampled_from("ab:, .*()-ü"), max_size=8).map(str.strip)
first_lines = st.tuples(st.sampled_from(("a", "b_1", "größe", "a, b")), texts).map(
    lambda t: f"    {t[0]}: {t[1]}".rstrip()
)
more_lines = st.tuples(st.sampled_from((8, 10, 12)), texts).map(lambda t: (" " * t[0] + t[1]).rstrip())
items = st.tuples(first_lines, st.lists(more_lines, max_size=3)).map(lambda t: [t[0], *t[1]])


@given(st.lists(items, max_size=4).map(lambda found: [line for item in found for line in item]))
def test_plain_items_are_what_griffe_reads(lines):
    plain = _plain_items(lines)
    assert plain is None or plain == _items_by_griffe(lines)


titles = st.sampled_from(("Args", "args", "Keyword-Arguments", "RETURNS", "Return  value", "type param", "Note"))
pieces = titles | st.sampled_from(
    ("#", "######", "**", "__", " ", "\u00a0", "\t", ":", "::", "@param", ":arg x", "a", "-")
)


@given(st.lists(pieces, max_size=8).map("".join))
def test_no_mark_is_passed_over(line):
    assert may_be_mark(line) or not (heading(line) or field(line))


@given(titles, st.integers(0, 99), st.sampled_from(("", "**", "__")), st.text("\u00a0 \t", max_size=60), st.booleans())
def test_no_heading_is_passed_over(title, hashes, bold, blanks, colon):
    line = f"{blanks}{'#' * hashes} {bold}{title}{bold}{blanks}{':' if colon else ''}"
    assert may_be_mark(line) or not heading(line)
