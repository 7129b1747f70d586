"""The console script `fnschema`, also ``python -m fnschema``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; without its extra, say in one line how to get it.

    Returns:
        The exit code: 0 is success, 1 a failed call, 2 a wrong use of the command line.
    """
    try:
        from .cli import main as command_line
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        sys.stderr.write('Error: the command line needs one more package: python -m pip install "fnschema[cli]"\n')
        return 2
    return command_line()


if __name__ == "__main__":
    sys.exit(main())
