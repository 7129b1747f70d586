"""What `Runner` adds to a run over HTTP, with the `openai` client on both sides of the comparison.

    python benchmarks/loop_http.py

A server in another process answers at once: 9 calls of `add`, then a text. Printed are milliseconds a run.
"""

# ruff: noqa: T201 - it prints what it measured

from __future__ import annotations

import json
import multiprocessing
import statistics
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from typing import Any

from openai import OpenAI

from fnschema import Agent, Runner, function_tool

CALLS = 9  # of a run
ROUNDS = 40
USER: list[Any] = [{"role": "user", "content": "hi"}]


def add(left: int, right: int) -> int:
    """Add two numbers."""
    return left + right


class Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        called = sum(message["role"] == "tool" for message in request["messages"])
        body = json.dumps(_completion(called)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def _completion(called: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": "Bye." if called == CALLS else None}
    if called < CALLS:
        function = {"name": "add", "arguments": '{"left": 1, "right": 2}'}
        message["tool_calls"] = [{"id": f"call_{called}", "type": "function", "function": function}]
    choice = {"index": 0, "message": message, "finish_reason": "stop" if called == CALLS else "tool_calls"}
    return {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}


def _serve(port: Connection) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        port.send(server.server_port)
        server.serve_forever()


def by_hand(client: OpenAI, tools: list[Any]) -> str | None:
    messages = [{"role": "system", "content": "You are a helpful agent."}, *USER]
    while True:
        message = client.chat.completions.create(model="m", messages=messages, tools=tools).choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls:
            result = add(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": str(result)})


def main() -> None:
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(there,), daemon=True)
    server.start()
    client = OpenAI(base_url=f"http://127.0.0.1:{here.recv()}", api_key="none")
    runner, agent, tools = Runner(client), Agent(model="m", functions=[add]), [function_tool(add).definition()]
    ways: dict[str, Callable[[], object]] = {
        "by hand": lambda: by_hand(client, tools),
        "Runner.run": lambda: runner.run(agent, USER),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, run in ways.items():
            start = time.perf_counter()
            run()
            times[name].append((time.perf_counter() - start) * 1e3)
    hand = statistics.median(times["by hand"])
    for name, taken in times.items():
        print(f"{name:12} {statistics.median(taken):6.2f} ms a run, {statistics.median(taken) / hand:.2f} of by hand")
    server.terminate()


if __name__ == "__main__":
    main()
