"""The command line. Each command is one module; `target.py` finds what a TARGET means.

Exit codes: 0 is success, 1 a call that failed or a tool that cannot be shown, 2 a wrong use of the command line. Every
error is a line on stderr.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from .. import __version__
from ..errors import UserError
from .call import call
from .check import check
from .mcp import mcp
from .run import run
from .show import show

__all__ = ["main"]


@click.group(
    commands=[show, check, call, run, mcp],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
)
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
def commands() -> None:
    """Python functions as tools of a language model.

    TARGET is package.module or path/to/file.py, with :NAME for one function of it.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: what stands after the program's name; `None` takes it from `sys.argv`.

    Returns:
        The exit code.
    """
    try:
        return commands.main(arguments, prog_name="fnschema", standalone_mode=False) or 0
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "fnschema"
        _complain(f"{error.format_message()} See {where} --help.")
    except click.ClickException as error:
        _complain(error.format_message())
        return 1
    except UserError as error:
        _complain(str(error))
    except click.Abort:
        return 130  # as a shell has it for Ctrl-C
    return 2


def _complain(text: str) -> None:
    click.echo(f"{click.style('Error:', fg='red')} {text}", err=True)
