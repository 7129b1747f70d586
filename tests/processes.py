"""Servers as processes of their own."""

import contextlib
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def over_http(file: Path) -> Iterator[str]:
    """The URL of `fnschema mcp --http` on a file."""
    command = [sys.executable, "-m", "fnschema", "mcp", str(file), "--http", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            line = next((line for line in process.stderr if line.startswith("Serving ")), "")
            url = re.search(r"http://127\.0\.0\.1:\d+/mcp", line)
            assert url is not None, line
            yield url[0]
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate()
