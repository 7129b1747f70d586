"""What type checkers must say of tools. A line that ends in `# wrong` must be refused, every other accepted."""

from typing import Any, assert_type

from fnschema import FunctionTool, RunContextWrapper, function_tool


@function_tool
def repeat(times: int, text: str = "") -> str:
    """Repeat a text."""
    return text * times


assert_type(repeat(1, "x"), str)
assert_type(repeat(times=1), str)
assert_type(repeat.__wrapped__(1), str)
repeat("x")  # wrong
repeat(1, "x", 2)  # wrong
repeat(1, txt="x")  # wrong
number: int = repeat(1)  # wrong


@function_tool(name_override="twice", timeout=2.5, strict_mode=False, hide=["text"])
def configured(times: int, text: str = "") -> str:
    """Repeat a text."""
    return text * times


assert_type(configured(1, "x"), str)
configured("x")  # wrong


@function_tool()
async def fetch(url: str) -> bytes:
    """Fetch."""
    return url.encode()


async def fetch_all() -> None:
    assert_type(await fetch("x"), bytes)
    await fetch(1)  # wrong
    assert_type(await fetch.acall({"url": "x"}), bytes)
    assert_type(await repeat.acall({"times": 1}), str)


assert_type(fetch.call({"url": "x"}), bytes)
assert_type(repeat.call({"times": 1}), str)


def length(text: str) -> int:
    return len(text)


assert_type(function_tool(length)("x"), int)
assert_type(function_tool(length, timeout=1)("x"), int)
function_tool(length, time_out=1)  # wrong
function_tool(length, open_objects="close")  # wrong
function_tool(length, timeout="1")  # wrong


def explain(context: RunContextWrapper[Any], error: Exception) -> str:
    return "failed"


async def is_open(context: RunContextWrapper[Any], agent: Any) -> bool:
    return True


function_tool(length, failure_error_function=explain, is_enabled=is_open)
function_tool(length, failure_error_function=None, is_enabled=False)
function_tool(length, failure_error_function=len)  # wrong


class Desk:
    @function_tool
    def open_ticket(self, title: str) -> int:
        """Open a ticket."""
        return len(title)

    @function_tool(timeout=1)
    async def close_ticket(self, number: int) -> bool:
        """Close a ticket."""
        return number > 0


assert_type(Desk().open_ticket("leak"), int)
assert_type(Desk.open_ticket(Desk(), "leak"), int)
assert_type(Desk().close_ticket.call({"number": 1}), bool)
Desk().open_ticket(1)  # wrong
Desk().open_ticket()  # wrong
Desk().open_ticket(Desk(), "leak")  # wrong


async def entry(context: object, text: str) -> str:
    return text


by_hand = FunctionTool("echo", "", {}, entry)
tools: list[FunctionTool] = [by_hand, repeat, fetch, Desk().open_ticket]
FunctionTool("echo", "", {}, len)  # wrong
FunctionTool("echo", "", {})  # wrong
by_hand.call('{"text": "x"}')
repeat.call(["times"])  # wrong
