"""Each example, called as a model would call it."""

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from fnschema import FunctionTool, function_tool

EXAMPLES = Path(__file__).parents[1] / "examples"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def weather() -> FunctionTool:
    return function_tool(load("weather").get_weather)


@pytest.fixture
def notes() -> Iterator[dict[str, FunctionTool]]:
    module = load("notes_database")
    yield {name: function_tool(getattr(module, name)) for name in ("add_note", "find_notes", "set_status")}
    module._notes.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "read.me").write_text("Tea is at four.\n")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "tea.py").write_text("import kettle\n\ntea = kettle.boil()\n")
    os.utime(tmp_path / "read.me", (0, 0))  # 1970
    return tmp_path


def test_weather_in_the_default_unit(weather: FunctionTool) -> None:
    assert weather.call('{"city": "Paris", "unit": null}') == "18.0 °C in Paris"


def test_weather_in_the_other_unit(weather: FunctionTool) -> None:
    assert weather.call('{"city": "Paris", "unit": "fahrenheit"}') == "64.4 °F in Paris"


def test_weather_nowhere(weather: FunctionTool) -> None:
    answer = weather.call('{"city": "Atlantis"}')

    assert answer == "There is no weather station in Atlantis. Known cities: Paris, London, Tokyo."


def test_a_note_is_found_as_it_was_stored(notes: dict[str, FunctionTool]) -> None:
    number = notes["add_note"].call({"note": {"title": "Tea", "text": "Buy some.", "tags": ["shop", "soon"]}})

    assert notes["find_notes"].call({"words": "Buy"}) == [
        {"id": number, "title": "Tea", "text": "Buy some.", "tags": ["shop", "soon"], "status": "open"}
    ]


def test_a_note_without_tags(notes: dict[str, FunctionTool]) -> None:
    notes["add_note"].call({"note": {"title": "Tea", "text": "Buy some.", "tags": None}})

    assert notes["find_notes"].call("{}")[0]["tags"] == []


def test_notes_are_found_by_status(notes: dict[str, FunctionTool]) -> None:
    for title in ("Tea", "Milk"):
        notes["add_note"].call({"note": {"title": title, "text": "Buy some."}})
    notes["set_status"].call({"number": 1, "status": "done"})

    assert [note["title"] for note in notes["find_notes"].call({"status": "done"})] == ["Tea"]


def test_the_status_of_a_note_that_is_not_there(notes: dict[str, FunctionTool]) -> None:
    assert notes["set_status"].call({"number": 9, "status": "done"}) == "There is no note 9."


def test_all_files(folder: Path) -> None:
    found = load("file_search").find_files.call({"folder": str(folder)})

    assert found == [folder / "deep" / "tea.py", folder / "read.me"]


def test_files_by_name(folder: Path) -> None:
    found = load("file_search").find_files.call({"folder": str(folder), "only": {"name": "*.py"}})

    assert found == [folder / "deep" / "tea.py"]


def test_files_by_size(folder: Path) -> None:
    found = load("file_search").find_files.call({"folder": str(folder), "only": {"smallest": 20}})

    assert found == [folder / "deep" / "tea.py"]


def test_files_by_date(folder: Path) -> None:
    found = load("file_search").find_files.call({"folder": str(folder), "only": {"modified_since": "1999-12-31"}})

    assert found == [folder / "deep" / "tea.py"]


def test_lines_of_files(folder: Path) -> None:
    module = load("file_search")

    assert module.search_text.call({"folder": str(folder), "text": "kettle", "limit": 1}) == [
        module.Match(folder / "deep" / "tea.py", 1, "import kettle")
    ]
