"""Rules by id and by the beginning of one."""

import pytest

from fnschema import UserError
from fnschema.lint import RULES, Selection

TAKEN = {
    "all": (Selection(), "FNS001 FNS102 FNS204"),
    "one": (Selection(("FNS102",)), "FNS102"),
    "all that begin so": (Selection(("FNS1", "FNS204")), "FNS102 FNS204"),
    "all but": (Selection(ignore=("FNS1",)), "FNS001 FNS204"),
    "ignored although selected": (Selection(("FNS1",), ("FNS102",)), ""),
}


@pytest.mark.parametrize(("selection", "ids"), TAKEN.values(), ids=TAKEN)
def test_what_is_taken(selection: Selection, ids: str) -> None:
    assert [rule for rule in ("FNS001", "FNS102", "FNS204") if selection.takes(rule)] == ids.split()


@pytest.mark.parametrize("prefix", ["FNS9", "fns1", "", "FNS1020"])
def test_an_id_of_no_rule(prefix: str) -> None:
    with pytest.raises(UserError) as caught:
        Selection(ignore=(prefix,))

    assert str(caught.value).startswith(f"There is no rule {prefix!r}. The rules are {RULES[0].id}, ")
