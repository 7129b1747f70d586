"""A provider on 127.0.0.1 that follows a script of right answers and of faults, for the real `openai` client."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from fnschema.testing import ScriptedModel

Body = dict[str, Any]
Reply = Callable[[BaseHTTPRequestHandler, Body], None]


def call(name: str, arguments: str, id: str = "a") -> Body:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def says(text: str) -> Reply:
    return answers({"content": text})


def asks(*calls: Body) -> Reply:
    return answers({"content": None, "tool_calls": list(calls)})


def answers(message: Body, *, after: threading.Event | None = None) -> Reply:
    """A right answer, whole or as a stream, whichever is asked for."""

    def reply(handler: BaseHTTPRequestHandler, body: Body) -> None:
        if after is not None:
            after.wait(10)
        if body.get("stream"):
            send(handler, events(*chunks(message)), "text/event-stream")
        else:
            send(handler, json.dumps(completion(message)))

    return reply


def plays(model: ScriptedModel) -> Reply:
    """The Responses API, as a scripted model speaks it."""

    def reply(handler: BaseHTTPRequestHandler, body: Body) -> None:
        answer = model.responses.create(**body)
        if body.get("stream"):
            send(handler, "".join(f"data: {json.dumps(event)}\n\n" for event in answer), "text/event-stream")
        else:
            send(handler, json.dumps(answer))

    return reply


def completion(message: Body) -> Body:
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}
    return {"id": "r", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}


def chunks(message: Body) -> list[Body]:
    """A stream that has every character of the arguments in a chunk of its own."""
    deltas: list[Body] = [{"role": "assistant", "content": message["content"]}]
    for index, one in enumerate(message.get("tool_calls", ())):
        function = one["function"]
        deltas.append({"tool_calls": [{"index": index, **one, "function": {**function, "arguments": ""}}]})
        deltas += (
            {"tool_calls": [{"index": index, "function": {"arguments": text}}]} for text in function["arguments"]
        )
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    return [*map(chunk, deltas), chunk({}, finish)]


def chunk(delta: Body, finish: str | None = None) -> Body:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "r", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}


def events(*payloads: Body) -> str:
    return "".join(f"data: {json.dumps(payload)}\n\n" for payload in payloads) + "data: [DONE]\n\n"


def send(
    handler: BaseHTTPRequestHandler,
    text: str,
    kind: str = "application/json",
    status: int = 200,
    length: int | None = None,
    **headers: str,
) -> None:
    content = text.encode()
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(length or len(content)))
    if not handler.server.keeps_connections:  # type: ignore[attr-defined]
        handler.send_header("Connection", "close")  # sets close_connection, and leaves the client nothing to close
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(content)


# Faults


def refuses(status: int) -> Reply:
    """An error status; the client may try again at once."""
    text = json.dumps({"error": {"message": f"status {status}"}})
    return lambda handler, _: send(handler, text, status=status, retry_after_ms="1")


def breaks_off(message: Body) -> Reply:
    """An answer whose second half never comes."""

    def reply(handler: BaseHTTPRequestHandler, body: Body) -> None:
        text = events(*chunks(message)) if body.get("stream") else json.dumps(completion(message))
        kind = "text/event-stream" if body.get("stream") else "application/json"
        send(handler, text[: len(text) // 2], kind, length=len(text))

    return reply


def hangs_up(handler: BaseHTTPRequestHandler, _: Body) -> None:
    """No answer at all."""
    handler.close_connection = True


def stays_silent(until: threading.Event) -> Reply:
    """No answer until the client has lost patience."""

    def reply(handler: BaseHTTPRequestHandler, _: Body) -> None:
        until.wait(10)
        handler.close_connection = True

    return reply


def talks_garbage(handler: BaseHTTPRequestHandler, body: Body) -> None:
    if body.get("stream"):
        send(handler, "data: {oops\n\n", "text/event-stream")
    else:
        send(handler, "{oops")


def shows_a_page(handler: BaseHTTPRequestHandler, _: Body) -> None:
    send(handler, "<html>Bad gateway</html>", "text/html")


def fails_within_200(handler: BaseHTTPRequestHandler, body: Body) -> None:
    error = {"error": {"message": "Tool call validation failed", "failed_generation": "{"}}
    if body.get("stream"):
        send(handler, events(chunk({"content": "I w"}), error), "text/event-stream")
    else:
        send(handler, json.dumps(error))


@contextlib.contextmanager
def serving(*replies: Reply, connections: list[Any] | None = None) -> Iterator[tuple[str, list[Body]]]:
    """Gives the base URL, and the bodies of the requests as they come; each request takes the next reply.

    With a list of `connections`, which then fills, they are kept open; it is up to the client to close them.
    """
    requests: list[Body] = []
    script = iter(replies)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            if connections is not None:
                connections.append(self.client_address)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            requests.append(body)
            next(script)(self, body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.keeps_connections = connections is not None  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
