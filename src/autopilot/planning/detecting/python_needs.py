"""What the tests of a Python project need installed: extras, groups, requirement files, test tools and their plugins.

Every package comes from a list of the repository's own, or from the short tables in ``python_tools.py``. A name that is
only imported somewhere is never installed: on the package index it may belong to anybody.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from autopilot.planning.detecting.python_tools import find_imports, find_plugins, find_tools, is_for_tests
from autopilot.planning.detecting.tables import read_toml, strings, table
from autopilot.planning.detecting.witnesses import command_lines, ini_values, nox_installs

TESTING = ("test", "tests", "testing", "unittest", "pytest", "dev", "develop", "development")
_PURPOSE = "test|tests|testing|dev|develop|development|ci"
_REQUIREMENT_FILE = re.compile(
    rf"(?:requirements[/_.-])?(?:{_PURPOSE})(?:[_.-]requirements)?\.(?:txt|in)|requirements(?:/base)?\.txt|"
    r"(?:test|tests|dev)/requirements\.txt"
)
_REQUIREMENT = re.compile(r"[A-Za-z0-9][\w.-]*(?:\[[\w, .-]*\])?\s*(?:[<>=!~]{1,3}[^;#]{1,100})?\Z")
# Options of `pip install` that are followed by a value.
_VALUED = (
    *("-r", "-c", "-e", "-i", "-t", "--requirement", "--constraint", "--editable"),
    *("--index-url", "--extra-index-url", "--target"),
)


class Needs(Struct, frozen=True):
    extras: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()  # files
    packages: tuple[str, ...] = ()  # as pip takes them
    packages_beside: tuple[str, ...] = ()  # folders of this repository's own packages that its root depends on
    tools: frozenset[str] = frozenset()  # pytest, ruff, flake8, mypy: those the repository asks for
    source: str = ""  # the file that says most of it

    @property
    def pytest(self) -> bool:
        return "pytest" in self.tools


def find_needs(files: Mapping[str, str]) -> Needs:
    project = read_toml(files.get("pyproject.toml", ""))
    requirements = _requirement_files(files)
    imported = find_imports(files)
    found = (*_groups(project), *_installed_elsewhere(files))
    # A release check installs the project by its name: on an index that name may be anybody's.
    own = {_name(folder) for path in files for folder in _top_folders(path)}
    listed = [package for package in found if is_for_tests(_name(package), imported) and _name(package) not in own]
    tools = find_tools(project, files, [*listed, *_declared(project, files)])
    packages = [*listed, *(find_plugins(files) if "pytest" in tools else ()), *sorted(tools)]
    given = {_name(line) for name in requirements for line in files[name].splitlines()}
    source = next((name for name in ("pyproject.toml", "tox.ini", "setup.py", "setup.cfg") if name in files), "")
    return Needs(
        _extras(project, files),
        requirements,
        _without_repeats(package for package in packages if _name(package) not in given),
        _packages_beside(project, files),
        tools,
        source or (requirements or ("its tests",))[0],
    )


def _requirement_files(files: Mapping[str, str]) -> tuple[str, ...]:
    """Those for tests rather than those for all that developers do; a `.txt` rather than the `.in` it is made of."""
    found = [name for name in sorted(files) if _REQUIREMENT_FILE.fullmatch(name)]
    found = [name for name in found if not (name.endswith(".in") and f"{name[:-3]}.txt" in found)]
    if any("test" in name for name in found):
        found = [name for name in found if not re.search(r"dev|\bci\b", name)]
    return tuple(found)


def _extras(project: Mapping[str, Any], files: Mapping[str, str]) -> tuple[str, ...]:
    """Those for tests; where there are none, those for developers."""
    named = [*table(project, "project", "optional-dependencies"), *table(project, "tool", "poetry", "extras")]
    section = files.get("setup.cfg", "").partition("[options.extras_require]")[2].partition("\n[")[0]
    named += [found[1] for found in re.finditer(r"^(\w[\w-]*)\s*=", section, re.MULTILINE)]
    if "extras_require" in (text := files.get("setup.py", "")):
        named += [name for name in TESTING if re.search(rf"""["']{name}["']\s*:""", text)]
    found = [name for name in dict.fromkeys(named) if name.lower() in TESTING]
    return tuple([name for name in found if not name.lower().startswith("dev")] or found)


def _groups(project: Mapping[str, Any]) -> Iterator[str]:
    """The test groups of PEP 735, poetry, pdm and hatch, as plain requirements."""
    groups = table(project, "dependency-groups")
    testing = [name for name in groups if _is_testing(name)]
    for name in [name for name in testing if not name.lower().startswith("dev")] or testing:
        yield from _group(groups, name, set())
    poetry = table(project, "tool", "poetry")
    for name, group in (("dev", {"dependencies": poetry.get("dev-dependencies")}), *table(poetry, "group").items()):
        if _is_testing(name):
            yield from (package for package in table(group, "dependencies") if package != "python")
    for name, listed in table(project, "tool", "pdm", "dev-dependencies").items():
        yield from strings(listed) if _is_testing(name) else ()
    for name, environment in table(project, "tool", "hatch", "envs").items():
        if _is_testing(name) or name in ("default", "hatch-test"):
            own = environment if isinstance(environment, dict) else {}
            yield from (*strings(own.get("dependencies")), *strings(own.get("extra-dependencies")))


def _top_folders(path: str) -> tuple[str, ...]:
    """Where the project's own packages stand: at its root, or in ``src``."""
    parts = path.split("/")[:-1]
    return (parts[0], *(parts[1:2] if parts[0] == "src" else ())) if parts else ()


def _group(groups: Mapping[str, Any], name: str, seen: set[str]) -> Iterator[str]:
    """Each group once: one that includes itself, by whatever way, has an end."""
    entries = groups.get(name) if name not in seen else None
    seen.add(name)
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, str):
            yield entry
        elif isinstance(included := table({"": entry}, "").get("include-group"), str):
            yield from _group(groups, included, seen)


def _packages_beside(project: Mapping[str, Any], files: Mapping[str, str]) -> tuple[str, ...]:
    """Those below the root that it depends on: from the index would come the copy of a release, and not this code."""
    wanted = {_name(entry) for entry in (*_declared(project, files), *table(project, "tool", "poetry", "dependencies"))}
    inner = [path for path in sorted(files) if path.endswith("/pyproject.toml")]
    names = {path: table(read_toml(files[path]), "project").get("name") for path in inner}
    return tuple(path.rpartition("/")[0] for path, name in names.items() if _name(str(name or "")) in wanted - {""})


def _is_testing(name: str) -> bool:
    return name.lower() in TESTING


def _installed_elsewhere(files: Mapping[str, str]) -> Iterator[str]:
    """What tox, nox, CI and an old setup.py install for tests beside the project itself."""
    for value in (*ini_values(files.get("tox.ini", ""), "testenv", "deps"), *nox_installs(files)):
        conditional = re.match(r"[\w.,{}!-]+\s*:\s+(.*)", value)  # py311: package
        yield from _packages([conditional[1] if conditional else value])
    for line in command_lines(files):
        call = re.search(r"\bpip3? install\s+(.*)", line.command) if line.source.startswith(".") else None
        yield from _packages(_package_arguments(call[1])) if call else ()
    wanted = re.search(r"tests_require\s*=\s*\[([^\]]{0,1000})\]", files.get("setup.py", ""))
    yield from _packages(re.findall(r"""["']([^"'\n]{1,100})["']""", wanted[1])) if wanted else ()


def _packages(arguments: Iterable[str]) -> Iterator[str]:
    for argument in (argument.partition(";")[0].strip() for argument in arguments):
        if _REQUIREMENT.match(argument):
            yield argument


def _package_arguments(text: str) -> list[str]:
    """The packages of a `pip install` line: options, files and the project itself are left out."""
    try:
        arguments = shlex.split(re.split(r"[|&;]", text, maxsplit=1)[0], comments=True)
    except ValueError:
        return []
    values = {index + 1 for index, argument in enumerate(arguments) if argument in _VALUED}
    named = [argument for index, argument in enumerate(arguments) if argument and index not in values]
    return [argument for argument in named if argument[0] not in "-.$" and "/" not in argument]


def _declared(project: Mapping[str, Any], files: Mapping[str, str]) -> Iterator[str]:
    """Everything that is declared anywhere, to find tools by name."""
    yield from strings(table(project, "project").get("dependencies"))
    for listed in (
        *table(project, "project", "optional-dependencies").values(),
        *table(project, "dependency-groups").values(),
    ):
        yield from strings(listed)
    for group in table(project, "tool", "poetry", "group").values():
        yield from table(group, "dependencies")
    yield from (line for name, text in files.items() if _REQUIREMENT_FILE.fullmatch(name) for line in text.splitlines())
    old = files.get("setup.py", "") + files.get("setup.cfg", "")
    yield from re.findall(r"\b(?:pytest|ruff|flake8|mypy)\b", old)


def _without_repeats(packages: Iterable[str]) -> tuple[str, ...]:
    """Of several spellings of a package the first: it is the one with the project's own limits.

    What is no plain requirement, such as an option of pip or an address, is left out.
    """
    by_name: dict[str, str] = {}
    for package in (package.partition(";")[0].strip() for package in packages):
        if _REQUIREMENT.match(package):
            by_name.setdefault(_name(package), package)
    return tuple(by_name.values())


def _name(requirement: str) -> str:
    return re.split(r"[\[<>=!~ ;@#]", requirement.strip(), maxsplit=1)[0].lower().replace("_", "-")
