"""Which names and texts say nothing."""

import pytest

from fnschema.lint.names import asks_for_secret, is_vague, placeholder_in


@pytest.mark.parametrize("name", "run process_data getInfo do-it f f2 x_1 my_tool testTool main".split())
def test_vague(name: str) -> None:
    assert is_vague(name)


@pytest.mark.parametrize("name", "get_weather process_refund add search translate readFile run_sql HTTP2".split())
def test_telling(name: str) -> None:
    assert not is_vague(name)


@pytest.mark.parametrize("text", ["_summary_", "_description_", "[description]", "TODO", "todo: write", "...", " … "])
def test_a_placeholder(text: str) -> None:
    assert placeholder_in(text) == text.strip()


@pytest.mark.parametrize("text", ["", "Todos of the day.", "A _summary_ of the text.", "Wait for it..."])
def test_no_placeholder(text: str) -> None:
    assert placeholder_in(text) is None


SECRETS = "api_key apiKey openai_api_key apikey password db_password client_secret accessToken auth_token credentials"


@pytest.mark.parametrize("name", SECRETS.split())
def test_a_secret(name: str) -> None:
    assert asks_for_secret(name)


@pytest.mark.parametrize("name", "token page_token key max_tokens secretary password_length keyword".split())
def test_no_secret(name: str) -> None:
    assert not asks_for_secret(name)
