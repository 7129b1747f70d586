"""The package as a whole: its names, what importing it costs, the order of its rooms, what is shipped."""

import ast
import functools
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import metadata, requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import fnschema

PROJECT = Path(__file__).parents[1]
SOURCE = Path(fnschema.__file__).parent

NAMES = """
    Agent ArgumentsError Dialect DocstringStyle FnSchemaError FuncDocumentation FuncSchema FunctionTool
    MaxTurnsExceeded ModelBehaviorError Problem Response Result RunContextWrapper RunError Runner SchemaError
    SignatureError ToolContext ToolTimeoutError UnknownToolError UserError default_tool_error_function dialects
    ensure_strict_json_schema function_schema function_tool generate_func_documentation run_demo_loop
""".split()

# The only rooms that may know a library; everyone else goes through them.
ONLY_IMPORTERS = {
    "griffe": {"_documentation"},
    "click": {"cli"},
    "openai": {"runner"},
    "mcp": {"mcp"},
}


@functools.cache
def _modules() -> tuple[tuple[str, ast.Module], ...]:
    """The dotted name and the syntax tree of every module."""
    return tuple(
        (
            ".".join(("fnschema", *file.relative_to(SOURCE).with_suffix("").parts)),
            ast.parse(file.read_text(encoding="utf-8")),
        )
        for file in sorted(SOURCE.rglob("*.py"))
    )


def _imports(module: str, tree: ast.AST) -> Iterator[str]:
    """The dotted names that a module imports when it runs; what only type checkers see does not count."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = module.split(".")[: -node.level] if node.level else []
            base = ".".join([*package, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)
        else:
            yield from _imports(module, node)


def _rooms() -> list[str]:
    """The modules in the order of the explanation's table; each imports only from those above it."""
    page = (PROJECT / "docs" / "explanation" / "how-it-works.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


def _room(module: str) -> str:
    return module.split(".")[1]


def _loaded(statement: str) -> set[str]:
    """The modules loaded by a statement in a new interpreter."""
    code = f"import json, sys; {statement}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    return set(json.loads(done.stdout))


def test_the_public_names_are_these() -> None:
    assert set(fnschema.__all__) - {"__version__"} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_there(name: str) -> None:
    assert hasattr(fnschema, name)


def test_dir_shows_the_public_names() -> None:
    assert set(NAMES) <= set(dir(fnschema))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'fnschema' has no attribute 'function_tol'"):
        fnschema.function_tol  # noqa: B018


@pytest.mark.parametrize("library", ["griffe", "openai", "asyncio", "click"])
def test_importing_fnschema_does_not_load(library: str) -> None:
    assert library not in _loaded("import fnschema")


def test_a_tool_without_a_docstring_does_not_load_griffe() -> None:
    assert "griffe" not in _loaded("import fnschema; fnschema.function_tool(lambda x: x, name_override='same')")


def test_every_module_has_its_place_in_the_order() -> None:
    assert {_room(module) for module, _ in _modules()} - {"__init__"} == set(_rooms())


def test_a_module_imports_only_from_those_above_it() -> None:
    rooms = _rooms()
    wrong = [
        f"{module} imports {name}"
        for module, tree in _modules()
        if _room(module) != "__init__"
        for name in _imports(module, tree)
        if name.startswith("fnschema.") and name != "fnschema.__version__"
        if rooms.index(_room(name)) > rooms.index(_room(module))
    ]

    assert wrong == []


def test_no_module_is_reached_past_a_package_that_imports_it() -> None:
    """Of two threads that begin with the package and with the module, Python would give one half a module."""
    eager = {
        inner: package
        for module, tree in _modules()
        if (package := module.removesuffix(".__init__")) != module
        for name in _imports(module, tree)
        if (inner := name.rpartition(".")[0]).startswith(f"{package}.")
    }
    past = [
        f"{module} imports {name}"
        for module, tree in _modules()
        if _room(module) != "cli"  # imports while its process has one thread
        for name in _imports(module, tree)
        if not f"{module}.".startswith(f"{eager.get(name.rpartition('.')[0], module)}.")
    ]

    assert past == []


@pytest.mark.parametrize("library", ONLY_IMPORTERS)
def test_a_library_is_known_to_one_module_only(library: str) -> None:
    importers = {
        _room(module) for module, tree in _modules() for name in _imports(module, tree) if name.split(".")[0] == library
    }

    assert importers <= ONLY_IMPORTERS[library]


def test_the_core_needs_two_packages() -> None:
    core = [line for line in requires("fnschema") or [] if "extra ==" not in line]

    assert sorted(re.split(r"[^\w-]", line)[0] for line in core) == ["griffelib", "pydantic"]


def test_the_version_is_in_one_place() -> None:
    assert version("fnschema") == fnschema.__version__


def test_the_newest_change_is_of_this_version() -> None:
    headings = re.findall(r"^## \[?([^\] ]+)", (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert next(heading for heading in headings if heading != "Unreleased") == fnschema.__version__


def test_the_classifiers_begin_with_the_lowest_python() -> None:
    facts = metadata("fnschema")
    pythons = [line.rpartition(" ")[2] for line in facts.get_all("Classifier", []) if "Python :: 3." in line]

    assert facts["Requires-Python"] == f">={pythons[0]}"


def test_the_wheel_holds_the_package_and_nothing_else(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    shipped = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    source = PROJECT / "src"

    assert shipped == {
        file.relative_to(source).as_posix()
        for file in (source / "fnschema").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def test_the_lock_satisfies_the_metadata() -> None:
    """`nox -s lock` renews it."""
    locked = {
        pin.name: pin
        for line in (PROJECT / "requirements-dev.txt").read_text(encoding="utf-8").splitlines()
        if line and not line.lstrip().startswith("#")
        for pin in [Requirement(line)]
    }
    wanted = [line for line in map(Requirement, _development()) if not line.marker or line.marker.evaluate()]
    for requirement in wanted:
        pin = locked[canonicalize_name(requirement.name)]
        (version_,) = [part.version for part in pin.specifier]
        assert version_ in requirement.specifier, (pin, requirement)
    assert all(str(pin.specifier).startswith("==") and not pin.url for pin in locked.values())


def _development() -> list[str]:
    """What a developer installs: the extras and the group ``dev``."""
    facts = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = facts["dependency-groups"]

    def group(name: str) -> list[str]:
        lines = groups[name]
        return [line for item in lines for line in ([item] if isinstance(item, str) else group(item["include-group"]))]

    project = facts["project"]
    extras = [line for name, lines in project["optional-dependencies"].items() if name != "all" for line in lines]
    return [*project["dependencies"], *extras, *group("dev")]
