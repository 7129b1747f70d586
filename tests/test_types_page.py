"""What each type accepts, refuses and gives, as the page `docs/reference/types.md` says."""

import pytest

from typed_values import ALL, PAGE, Typed, page, refusal, sent

every_type = pytest.mark.parametrize("typed", [typed for _, typed in ALL], ids=[name for name, _ in ALL])


@every_type
def test_what_a_model_may_send_arrives_as_the_type(typed: Typed) -> None:
    arrived = {text: sent(typed, text) for text in typed.accepted}

    assert arrived == typed.accepted
    assert [type(value) for value in arrived.values()] == [type(value) for value in typed.accepted.values()]


@every_type
def test_what_it_may_not_send_is_refused(typed: Typed) -> None:
    assert {text: refusal(typed, text) for text in typed.refused} == typed.refused


def test_the_page_says_what_the_table_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python tests/typed_values.py writes the page anew"
