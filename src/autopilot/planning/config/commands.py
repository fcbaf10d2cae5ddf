"""Project commands from manifests, by conservative rules.

Python (pyproject.toml, setup.py, setup.cfg, requirements*.txt, or Python tests):
- runner: ``uv run`` with uv.lock, ``poetry run`` with poetry.lock; a ``.venv`` of our own when dependencies are
  declared; else the system's ``python3`` and no setup.
- test: pytest only when it is declared (dependency, [tool.pytest], pytest.ini, [tool:pytest]); otherwise
  ``unittest discover`` when there is a tests folder.
- lint: ruff or flake8 when configured or declared. compile: mypy when configured, else compileall of src and tests.
- build: none; an application is not a package.
Node (package.json): the scripts that are there, by the lockfile's tool; npm's "no test specified" is no test.
Make: targets of those names, only where nothing better was found.
The first of Python, Node, Make that knows a command names it. Setup also installs Node packages below the root
(``packages.py``); Python packages below it are not looked for.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from autopilot.model.policy import Commands
from autopilot.planning.config.packages import LOCKS, list_installs

_NAMES = ("setup", "compile", "lint", "build", "test")
_LOCKS = {name: (install.split()[0], install) for name, install in LOCKS.items()}

Found = dict[str, str]


def detect_commands(files: Mapping[str, str]) -> Commands:
    """``files`` maps root manifests to their text; other paths may be given with empty text to say they exist."""
    sources = (_python(files), _node(files), _make(files))
    chosen = {name: next((found[name] for found in sources if name in found), None) for name in _NAMES}
    setups = [chosen["setup"], *list_installs(files)]
    return Commands(**{**chosen, "setup": " && ".join(filter(None, setups)) or None})


def _python(files: Mapping[str, str]) -> Found:
    project = _toml(files.get("pyproject.toml", ""))
    manifests = [
        name for name in files if re.fullmatch(r"setup\.(?:py|cfg)|pyproject\.toml|requirements[\w.-]*\.txt", name)
    ]
    tests = _test_folder(files)
    if not manifests and not tests:
        return {}
    declared = _declared(project, files)
    found: Found = {}
    run, setup = _runner(project, files, declared)
    if setup:
        found["setup"] = setup
    if "pytest" in declared:
        found["test"] = f"{run} -m pytest -q"
    elif tests:
        found["test"] = f"{run} -m unittest discover -s {tests}" + (" -t ." if f"{tests}/__init__.py" in files else "")
    if "ruff" in declared:
        found["lint"] = f"{run} -m ruff check ."
    elif "flake8" in declared:
        found["lint"] = f"{run} -m flake8"
    sources = [folder for folder in ("src", tests) if folder and _has_folder(files, folder)] or ["."]
    found["compile"] = f"{run} -m mypy ." if "mypy" in declared else f"{run} -m compileall -q {' '.join(sources)}"
    return found


def _runner(project: Mapping[str, Any], files: Mapping[str, str], declared: frozenset[str]) -> tuple[str, str]:
    """How Python is called, and what has to be done once before."""
    if "uv.lock" in files:
        return "uv run python", "uv sync --frozen --all-extras"
    if "poetry.lock" in files:
        return "poetry run python", "poetry install --no-interaction"
    wanted = [f"-r {name}" for name in sorted(files) if re.fullmatch(r"requirements[\w.-]*\.txt", name)]
    table = _table(project, "project")
    if table.get("dependencies") or (declared and table):
        extras = [name for name in ("dev", "test", "tests") if name in _table(table, "optional-dependencies")]
        wanted.append(f"-e '.[{','.join(extras)}]'" if extras else "-e .")
    if not wanted:
        return "python3", ""
    return ".venv/bin/python", f"python3 -m venv .venv && .venv/bin/pip install {' '.join(wanted)}"


def _declared(project: Mapping[str, Any], files: Mapping[str, str]) -> frozenset[str]:
    """Which of the tools we know this project asks for."""
    listed: list[Any] = list(_list(_table(project, "project").get("dependencies")))
    for group in (
        *_table(_table(project, "project"), "optional-dependencies").values(),
        *_table(project, "dependency-groups").values(),
    ):
        listed += _list(group)
    poetry = _table(_table(project, "tool"), "poetry")
    listed += [*_table(poetry, "dependencies"), *_table(poetry, "dev-dependencies")]
    for group in _table(poetry, "group").values():
        listed += _table(group if isinstance(group, dict) else {}, "dependencies")
    for name, text in files.items():
        if re.fullmatch(r"requirements[\w.-]*\.txt", name):
            listed += text.split("\n")
    names = {
        found[0].lower() for entry in listed if isinstance(entry, str) and (found := re.match(r"[\w-]+", entry.strip()))
    }
    names |= set(_table(project, "tool"))
    markers = {"pytest": ("pytest.ini", "[tool:pytest]"), "ruff": ("ruff.toml", ""), "flake8": (".flake8", "[flake8]")}
    markers["mypy"] = ("mypy.ini", "[mypy]")
    for tool, (file, section) in markers.items():
        if file in files or (section and section in files.get("setup.cfg", "")):
            names.add(tool)
    return frozenset(names & {"pytest", "ruff", "flake8", "mypy"})


def _node(files: Mapping[str, str]) -> Found:
    try:
        package = json.loads(files.get("package.json", ""))
    except (ValueError, RecursionError):
        return {}
    if not isinstance(package, dict):
        return {}
    tool, install = next((value for name, value in _LOCKS.items() if name in files), ("npm", "npm install"))
    scripts = {
        name: text for name, text in _table(package, "scripts").items() if isinstance(text, str) and text.strip()
    }
    found: Found = {}
    if package.get("dependencies") or package.get("devDependencies"):
        found["setup"] = install
    if "no test specified" not in scripts.get("test", "no test specified"):
        found["test"] = f"{tool} test" if tool != "bun" else "bun run test"
    for name, candidates in (
        ("lint", ("lint",)),
        ("build", ("build",)),
        ("compile", ("typecheck", "type-check", "compile")),
    ):
        script = next((candidate for candidate in candidates if candidate in scripts), "")
        if script:
            found[name] = f"{tool} run {script}"
    return found


def _make(files: Mapping[str, str]) -> Found:
    text = next((files[name] for name in ("GNUmakefile", "makefile", "Makefile") if name in files), "")
    targets = set(re.findall(r"^([A-Za-z][\w-]*)\s*:(?!=)", text, re.MULTILINE))
    return {name: f"make {name}" for name in ("compile", "lint", "build", "test") if name in targets}


def _test_folder(files: Mapping[str, str]) -> str:
    for folder in ("tests", "test"):
        if any(re.match(rf"{folder}/(?:.*/)?test[\w]*\.py\Z|{folder}/\Z", path) for path in files):
            return folder
    return ""


def _has_folder(files: Mapping[str, str], folder: str) -> bool:
    return any(path.startswith(f"{folder}/") for path in files)


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # a number of thousands of digits is no TOMLDecodeError
        return {}


def _table(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
