"""llama.cpp's server as the child process of `local`, which runs this file by its path.

The first line of stdin is a JSON object of settings, the first line of stdout the server's address. The process ends
when stdin does: when its parent closes it, or dies, however that dies.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any

_LONGEST_ANSWER = 256  # tokens, of a request that sets no bound: a small model may go on without end
_LATELY = 48  # tokens, in which a small model that has begun to repeat itself is held back from going on
_ONLY_ERRORS = 1


def main() -> None:
    """Serve until the parent is gone."""
    parent = os.getppid()
    settings = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    server = _start(settings)
    print(server.listening_address, flush=True)  # noqa: T201 - the parent waits for it
    while os.getppid() == parent:  # a process that the parent has forked may hold stdin open
        time.sleep(1)
    os._exit(0)


def _end_with_stdin() -> None:
    sys.stdin.buffer.read()
    os._exit(0)  # the server's destructor would wait for the answer that it is at


def _start(settings: Mapping[str, Any]) -> Any:
    """The server, once it listens. It takes a free port of this machine's own address."""
    library: Any = importlib.import_module("xllamacpp")  # it has no types
    params = library.CommonParams()
    params.model.path = settings["weights"]
    params.api_keys = [settings["api_key"]]  # else any web page that is open here could ask it
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.ui = False
    params.n_ctx = settings["context_length"]
    params.n_predict = _LONGEST_ANSWER
    params.sampling.temp = 0  # of a request that sets none: the likeliest token, the same every time
    params.sampling.dry_multiplier = 0.8
    params.sampling.dry_allowed_length = 4
    params.sampling.dry_penalty_last_n = _LATELY
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings["threads"]
    params.warmup = False  # it takes longer than a first answer without it
    params.verbosity = _ONLY_ERRORS
    return library.Server(params)


if __name__ == "__main__":
    main()
