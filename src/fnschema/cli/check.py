"""``fnschema check``: what is wrong with the tools of modules and packages."""

from __future__ import annotations

import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import click

from .. import dialects
from ..dialects import Strict
from ..lint import (
    REPORTS,
    Finding,
    LintedTool,
    Place,
    Selection,
    UnreadableModule,
    UnusableFunction,
    findings,
    read_request,
    sentence,
)
from .settings import Settings, read_settings
from .strictness import asked, strict_in, strict_options
from .target import Target, TargetError, requests_of
from .walk import Source, sources

__all__ = ["check"]

_COLOURS = {"error": "red", "warning": "yellow"}
_MANY = 10  # modules; a progress bar for fewer would be gone before it is read


@click.command(short_help="Find what a provider refuses and a model stumbles over.")
@click.argument("targets", metavar="TARGET...", nargs=-1, required=True, type=Target.parse)
@click.option(
    "--dialect",
    metavar="NAME",
    multiple=True,
    type=click.Choice(dialects.names()),
    help="The provider, once for each; openai if not set.",
)
@strict_options
@click.option(
    "--select", metavar="RULES", multiple=True, help="Only these rules: FNS102, or FNS1 for all that begin so."
)
@click.option("--ignore", metavar="RULES", multiple=True, help="All rules but these. Commas separate several.")
@click.option("--format", "form", type=click.Choice(["text", *REPORTS]), default="text", help="How to print findings.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def check(
    targets: tuple[Target, ...],
    dialect: tuple[str, ...],
    strict: bool | None,
    if_possible: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    form: str,
    as_json: bool,
) -> int:
    """Find what a provider would refuse and what a model would stumble over.

    TARGET is a module, a package, a file or a folder; what is below a package or a folder is looked at too. Tools are
    those made with function_tool and the functions of agents; in a module without any, its public functions.

    The exit code is 1 when there is an error, 0 when there are only warnings. [tool.fnschema] in pyproject.toml may set
    select, ignore, dialect and strict. The page docs/reference/check-rules.md describes every rule.
    """
    settings = read_settings(Path.cwd())
    selection = _selection(settings, select, ignore)
    modules = _sources(targets)
    report = REPORTS.get("json" if as_json else form)
    chosen = _dialects(settings, dialect)
    wanted = asked(strict, if_possible=if_possible)
    subjects = list(_subjects(modules, chosen, settings.strict if wanted is None else wanted))
    found = sorted(map(_from_here, dict.fromkeys(findings(subjects, selection))), key=_file_and_line)
    click.echo(report(found) if report else "".join(map(_line, found)), nl=False)
    if not report:
        click.echo(_summary(found, _tools(subjects) // len(chosen), modules), err=True)
    return int(any(finding.severity == "error" for finding in found))


def _selection(settings: Settings, select: Sequence[str], ignore: Sequence[str]) -> Selection:
    """What the command line says replaces what the settings say."""
    return Selection(_listed(select) or settings.select, _listed(ignore) or settings.ignore)


def _listed(options: Sequence[str]) -> tuple[str, ...]:
    return tuple(rule.strip() for option in options for rule in option.split(","))


def _dialects(settings: Settings, asked: Sequence[str]) -> tuple[str, ...]:
    return tuple(dialects.get(name).name for name in dict.fromkeys(asked or settings.dialect or ["openai"]))


def _sources(targets: Sequence[Target]) -> list[Source]:
    return list(dict.fromkeys(source for target in targets for source in sources(target)))


def _subjects(found: Sequence[Source], chosen: Sequence[str], strict: Strict) -> Iterator[object]:
    hidden = len(found) < _MANY or not sys.stderr.isatty()
    broken: set[Path] = set()  # packages; each module below would fail for the same reason
    with click.progressbar(found, label="Checking", file=sys.stderr, hidden=hidden) as shown:
        for source in shown:
            if not broken.isdisjoint(source.file.parents):
                continue
            module = _imported(source)
            if isinstance(module, UnreadableModule):
                yield module
                if source.is_package:
                    broken.add(source.file.parent)
            else:
                for functions in requests_of(source.target, module):
                    for dialect in chosen:
                        place = Place(str(source.file))
                        yield from read_request(functions, dialect, place, strict_in(dialect, strict))


def _imported(source: Source) -> ModuleType | UnreadableModule:
    try:
        return source.target.module()
    except TargetError as error:
        line = _line_of_failure(source.file, error.__cause__)
        return UnreadableModule(Place(str(source.file), line), str(error))


def _line_of_failure(file: Path, error: BaseException | None) -> int:
    """The last line of the file that ran before the error, or that Python could not parse."""
    if isinstance(error, SyntaxError) and error.lineno and _is_same(file, error.filename):
        return error.lineno
    frames = reversed(traceback.extract_tb(error.__traceback__ if error else None))
    return next((frame.lineno or 1 for frame in frames if _is_same(file, frame.filename)), 1)


def _is_same(file: Path, other: str | None) -> bool:
    return other is not None and file.resolve() == Path(other).resolve()


def _from_here(finding: Finding) -> Finding:
    """The finding with its file as seen from the current folder, where the file is below it."""
    file = Path(finding.place.file).resolve()
    if not file.is_relative_to(Path.cwd()):
        return finding
    return replace(finding, place=replace(finding.place, file=file.relative_to(Path.cwd()).as_posix()))


def _file_and_line(finding: Finding) -> tuple[str, int]:
    return finding.place.file, finding.place.line


def _line(finding: Finding) -> str:
    place = f"{finding.place.file}:{finding.place.line}"
    return f"{place}: {click.style(finding.rule, fg=_COLOURS[finding.severity])} {sentence(finding)}\n"


def _tools(subjects: Sequence[object]) -> int:
    return sum(isinstance(subject, (LintedTool, UnusableFunction)) for subject in subjects)


def _summary(found: Sequence[Finding], tools: int, modules: Sequence[Source]) -> str:
    severities = Counter(finding.severity for finding in found)
    errors, warnings = (_counted(severities[kind], kind) for kind in ("error", "warning"))
    return f"{errors} and {warnings} in {_counted(tools, 'tool')} of {_counted(len(modules), 'module')}."


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
