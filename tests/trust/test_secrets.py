"""What is secret stays in the process: marked secrets are looked for in all that the library makes of a call."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Iterator
from inspect import Signature
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, PlainSerializer, SecretStr, field_validator

from conversations import drive, every_mode
from fnschema import (
    Agent,
    ArgumentsError,
    FunctionTool,
    Response,
    RunContextWrapper,
    Runner,
    ToolContext,
    function_schema,
    function_tool,
)
from fnschema._invoke import Call
from fnschema._results import ResultError, Results
from fnschema.testing import ScriptedModel, ToolCall

MARK = "s3cr3t"
ARGUMENT, PASSWORD, CONTEXT, VARIABLE, RAISED = (
    f"{MARK}-{what}" for what in "argument password context variable raised".split()
)


class Login(BaseModel):
    user: str
    password: SecretStr

    @field_validator("user")
    @classmethod
    def _known(cls, user: str) -> str:
        if user != "Ann":
            raise ValueError(f"nobody is called {user}")
        return user


class Vault:
    def __repr__(self) -> str:
        return CONTEXT


def enter(ctx: RunContextWrapper[Vault], login: Login, times: int, context_variables: dict[str, Any]) -> str:
    """Enter."""
    raise RuntimeError(f"{RAISED} {login.password.get_secret_value()} {context_variables}")


TOOL = function_tool(enter)
RIGHT = f'{{"login": {{"user": "Ann", "password": "{PASSWORD}"}}, "times": 1}}'
WRONG = {
    "a wrong type": f'{{"login": {{"user": "Ann", "password": "{PASSWORD}"}}, "times": "{ARGUMENT}"}}',
    "a validator that quotes": f'{{"login": {{"user": "{ARGUMENT}", "password": "{PASSWORD}"}}, "times": 1}}',
    "a value too many": f'{{"login": {{"user": "Ann", "password": "{PASSWORD}"}}, "times": 1, "more": "{ARGUMENT}"}}',
    "a value where an object should be": f'{{"login": "{ARGUMENT}", "times": 1}}',
    "broken JSON": f'{{"login": {{"user": "{ARGUMENT}", "password": "{PASSWORD}"',
    "a list": f'["{ARGUMENT}"]',
    "a text": f'"{ARGUMENT}"',
    "no UTF-8": f'{{"login": "{ARGUMENT}\xff"}}'.encode("latin-1"),
    "a lone surrogate": f'{{"login": "{ARGUMENT}\ud83d"}}',
    "what JSON cannot": {"login": ARGUMENT, "times": {object()}},
    "a repeated key": f'{{"times": "{ARGUMENT}", "times": "{ARGUMENT}"}}',
}
EVERY = pytest.mark.parametrize("sent", WRONG.values(), ids=WRONG)


@pytest.fixture(autouse=True)
def _no_secret_is_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    caplog.set_level(logging.INFO)  # at DEBUG there are tracebacks, for who asks for them
    yield
    for record in caplog.records:
        assert MARK not in record.getMessage() + repr(vars(record)), record


def chain(error: BaseException | None) -> Iterator[str]:
    """Everything that an error shows of itself and of those behind it, the suppressed ones too."""
    while error is not None:
        yield f"{error!s} {error!r} {error.args!r} {vars(error)!r}"
        yield "".join(traceback.format_exception(error))
        error = error.__cause__ or error.__context__


def quiet(error: BaseException) -> None:
    for text in chain(error):
        # A traceback shows the source line of this file, which has the names of the secrets but not the mark.
        assert MARK not in text


@EVERY
def test_refused_arguments_are_in_no_error(sent: Any) -> None:
    schema = TOOL.schema
    assert schema is not None
    for read in (TOOL.call, schema.validate, schema.bind):
        with pytest.raises(ArgumentsError) as caught:
            read(sent)
        quiet(caught.value)


@EVERY
def test_refused_arguments_are_not_in_the_answer(sent: Any) -> None:
    if isinstance(sent, str):
        answer = asyncio.run(TOOL.on_invoke_tool(ToolContext(Vault(), tool_name="enter"), sent))
        assert MARK not in answer


@pytest.mark.parametrize(
    "sent",
    [f'{{"a": "{ARGUMENT}\xff"}}'.encode("latin-1"), {"a": f"{ARGUMENT}\ud83d"}, {"a": ARGUMENT, "b": object()}],
    ids=["no UTF-8", "a lone surrogate", "what JSON cannot"],
)
def test_refused_arguments_of_a_tool_made_by_hand_are_in_no_error(sent: Any) -> None:
    async def enter_by_hand(ctx: ToolContext[Any], text: str) -> str:
        return text

    tool = FunctionTool("enter", "", {"type": "object"}, enter_by_hand, strict_json_schema=False)
    with pytest.raises(ArgumentsError) as caught:
        tool.call(sent)
    quiet(caught.value)


def test_arguments_that_are_ignored_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    def f(a: int) -> int:
        return a

    schema = function_schema(f, unknown_arguments="ignore")
    assert schema.bind(f'{{"a": 1, "b": "{ARGUMENT}", "c": {{"d": "{ARGUMENT}"}}}}') == ((), {"a": 1})
    assert len(caplog.records) == 1


class Account(BaseModel):
    number: int


FORGED = Account.model_construct(number=ARGUMENT)  # type: ignore[arg-type] - which is what is tried


def test_a_field_of_another_type_is_not_told_in_a_warning() -> None:
    def pay(account: Account) -> Account:
        return account

    assert FunctionTool.result_text(FORGED) == f'{{"number":"{ARGUMENT}"}}'
    assert FunctionTool.result_json(FORGED) == {"number": ARGUMENT}
    with pytest.raises(ArgumentsError) as caught:
        function_tool(pay).call({"account": FORGED})
    quiet(caught.value)


@pytest.mark.parametrize(
    ("annotation", "value"),
    [(int, ARGUMENT), (Account, FORGED), (str, f"{ARGUMENT}\ud83d"), (Signature.empty, f"{ARGUMENT}\ud83d")],
    ids=["another type", "a field of another type", "a lone surrogate", "a lone surrogate without an annotation"],
)
def test_a_result_that_does_not_fit_is_in_no_error(annotation: Any, value: Any) -> None:
    with pytest.raises(ResultError) as caught:
        Results(annotation).render(value)
    quiet(caught.value)


def test_what_a_serializer_of_the_authors_raises_is_behind_the_error() -> None:
    def refuse(value: int) -> int:
        raise ValueError("the number is not for you")

    with pytest.raises(ResultError) as caught:
        Results(Annotated[int, PlainSerializer(refuse)]).render(1)
    assert "the number is not for you" in str(caught.value.__cause__)


@every_mode
@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("sent", [RIGHT, *(sent for sent in WRONG.values() if isinstance(sent, str))])
def test_a_run_tells_the_model_only_what_it_said(
    mode: str, api: Any, sent: str, capfd: pytest.CaptureFixture[str]
) -> None:
    model = ScriptedModel(ToolCall("enter", sent), "Done.", is_async=mode.startswith("arun"))
    runner, agent = Runner(model, api=api), Agent(model="m", functions=[TOOL])
    done = drive(mode, runner, agent, context=Vault(), context_variables={"key": VARIABLE})

    assert MARK not in repr(done.texts)
    told = repr(model.requests)
    for secret in (CONTEXT, VARIABLE, RAISED):
        assert secret not in told
    assert MARK not in repr(model.requests[0])
    assert told.count(PASSWORD) == (1 if PASSWORD in sent else 0)  # the model's own call, which goes back to it
    assert MARK not in repr((runner, agent, TOOL, TOOL.schema))
    assert MARK not in "".join(capfd.readouterr())


def test_a_run_that_fails_holds_no_secret_of_its_tools() -> None:
    model = ScriptedModel(ToolCall("enter", RIGHT), ConnectionError("gone"))
    with pytest.raises(Exception, match="gave no answer") as caught:
        Runner(model).run(Agent(functions=[TOOL]), "hi", context=Vault(), context_variables={"key": VARIABLE})

    error: Any = caught.value
    response: Response = error.response
    assert MARK not in str(error)
    assert MARK not in "".join(traceback.format_exception(error))
    assert list(map(type, response.errors.values())) == [RuntimeError]


REPRS = {
    "context": RunContextWrapper(Vault()),
    "tool context": ToolContext(Vault(), "enter", "id", RIGHT),
    "call": Call("enter", enter, (ARGUMENT,), {"login": ARGUMENT}),
    "tool": TOOL,
    "schema": TOOL.schema,
    "runner": Runner(),
}


@pytest.mark.parametrize("made", REPRS.values(), ids=REPRS)
def test_a_repr_shows_none(made: object) -> None:
    assert MARK not in repr(made) + str(made)


def test_a_secret_default_is_not_published() -> None:
    def f(key: SecretStr = SecretStr(ARGUMENT)) -> str:
        return key.get_secret_value()

    tool = function_tool(f)
    assert MARK not in repr((tool.params_json_schema, tool.definition(), tool.definition("mcp"), tool))
    assert tool.call("{}") == ARGUMENT
