"""Which argument goes where, when others are hidden or a name is taken."""

from __future__ import annotations

from calls import call_of, refusal, table


def configure(name: str, *, level: int = 1, **extra: int) -> None: ...


RESERVED = {
    "a keyword-only parameter": {"level": 5},
    "a positional one": {"name": 5},
    "several": {"level": 5, "name": 6},
}


@table(RESERVED)
def test_a_key_of_kwargs_that_names_a_parameter_is_refused(extra: dict[str, int]) -> None:
    told = refusal(configure, {"name": "a", "extra": extra})
    assert told == "; ".join(f"/extra/{key}: '{key}' is a parameter of its own or not yours to fill" for key in extra)


def test_a_key_of_kwargs_may_be_called_as_a_positional_only_parameter() -> None:
    def f(name: str, /, **extra: int) -> None: ...

    assert call_of(f, {"name": "a", "extra": {"name": 1}}) == (["a"], {"name": 1})


def test_a_key_of_kwargs_may_be_called_as_it() -> None:
    assert call_of(configure, {"name": "a", "extra": {"extra": 1}}) == (["a"], {"level": 1, "extra": 1})


def test_hidden_parameters_before_star_args_take_their_place() -> None:
    def f(a: int, b: int = 2, c: int = 3, *rest: int) -> None: ...

    assert call_of(f, {"a": 1, "rest": [4]}, hide=["b", "c"]) == ([1, 2, 3, 4], {})


def test_a_hidden_positional_only_parameter_takes_its_place() -> None:
    def f(a: int = 1, b: int = 2, /, c: int = 3) -> None: ...

    assert call_of(f, {"b": 5}, hide=["a"]) == ([1, 5, 3], {})
