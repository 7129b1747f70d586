"""fnschema's own column of the page `docs/explanation/compared.md`; `nox -s compare` measures the others."""

from other_libraries.compare import column, shown


def test_the_page_says_what_fnschema_does() -> None:
    assert shown("fnschema") == column("fnschema")
