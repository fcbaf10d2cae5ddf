"""Files of which only a part configures tests, lint, types or scripts: only that part is a control file."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from typing import Any

from autopilot.inspection.control.code_parts import blocks_of, gradle_part, lines_of, pom_part, vite_part
from autopilot.inspection.control.kinds import control_kind
from autopilot.inspection.control.names import TOOLS, split_names
from autopilot.inspection.control.recipes import JUSTFILES, MAKEFILES, judging, make_part, scripts_of

Table = dict[str, Any]
_PYTHON_TOOLS = split_names(
    """
    pytest coverage ruff mypy pyright basedpyright black isort pylint flake8 bandit tox nox nose unittest pyre pytype ty
    pyrefly importlinter vulture interrogate pydocstyle doit poe poethepoet taskipy pytest-enabler pyproject-fmt
    pytest_env hypothesis mutmut cosmic-ray djlint yapf autopep8 check-manifest deptry
    """
)
_NODE_KEYS = split_names(
    "jest mocha ava tap c8 nyc vitest eslintConfig eslintIgnore prettier stylelint xo standard babel husky lint-staged "
    "wireit tsd"
)
_DEPENDENCIES = (
    "dependencies",
    "devDependencies",
    "optionalDependencies",
    "peerDependencies",
    "require",
    "require-dev",
)
_CHECK_KEYS = re.compile(r"(?:pre|post)?(?:test|lint|e2e|check|type-?check|build)(?:[:_-].*)?|fmt|compilerOptions")
_INI_SECTIONS = re.compile(
    r"(?:tool:)?pytest|flake8.*|mypy.*|coverage:.*|isort|pylint.*|pycodestyle|pydocstyle|pep8|aliases|tox.*|testenv.*|"
    r"importlinter.*|bandit|yapf|nosetests|doc8|check-manifest",
    re.IGNORECASE,
)


def steering_part(path: str, text: str) -> str | None:
    """What of a mixed file steers, to be compared before and after; None where the path is no mixed file.

    A file that cannot be parsed counts as a whole: which of its changes matter is not known.
    """
    part = _part_of(path.rsplit("/", 1)[-1])
    if part is None:
        return None
    try:
        return part(text)
    except (ValueError, TypeError, AttributeError, RecursionError):  # TOML and JSON errors are ValueErrors
        return text


def is_mixed(path: str) -> bool:
    return _part_of(path.rsplit("/", 1)[-1]) is not None


def _part_of(name: str) -> Callable[[str], str] | None:
    if name in MAKEFILES or name in JUSTFILES or name.endswith(".mk"):
        return make_part
    if re.fullmatch(r"(?:requirements|test-requirements|dev-requirements)[\w.-]*\.(?:txt|in)", name):
        return _requirements
    if re.fullmatch(r"(?:vite|rsbuild|rspack)\.config\.[cm]?[jt]s", name):
        return vite_part
    return _PARTS.get(name)


def _pyproject(text: str) -> str:
    data = tomllib.loads(text)
    tools = _table(data, "tool")
    part: Table = {name: value for name, value in tools.items() if name in _PYTHON_TOOLS}
    project = _table(data, "project")
    part["plugins"] = _table(project, "entry-points").get("pytest11")
    part["poetry-plugins"] = _table(_table(tools, "poetry"), "plugins").get("pytest11")
    part["hatch"] = _pick(_table(_table(tools, "hatch"), "envs"), lambda _: True)
    part["pdm"] = _table(tools, "pdm").get("scripts")
    part["uv"] = _pick(_table(_table(tools, "uv"), "sources"), _is_tool)
    listed = [*project.get("dependencies", ())]
    for held in (_table(project, "optional-dependencies"), _table(data, "dependency-groups")):
        listed += [entry for group in held.values() for entry in group]
    part["elsewhere"] = sorted(entry for entry in listed if isinstance(entry, str) and _from_elsewhere(entry))
    poetry = _table(tools, "poetry")
    groups = [_table(group, "dependencies") for group in _table(poetry, "group").values()]
    for number, group in enumerate([_table(poetry, "dependencies"), _table(poetry, "dev-dependencies"), *groups]):
        part[f"poetry{number}"] = {k: v for k, v in group.items() if _is_tool(k) and isinstance(v, dict) and _local(v)}
    return _spell(part)


def _cargo(text: str) -> str:
    data = tomllib.loads(text)
    part: Table = {name: data.get(name) for name in ("test", "lints", "patch", "replace")}
    part["workspace"] = _table(data, "workspace").get("lints")
    part["package"] = _pick(_table(data, "package"), lambda key: key in {"autotests", "autobenches"})
    part["profile"] = _pick(_table(data, "profile"), lambda key: key == "test")
    switches = {"test", "doctest", "harness"}
    part["lib"] = _pick(_table(data, "lib"), lambda key: key in switches)
    part["bin"] = [_pick(target, lambda key: key in switches) for target in data.get("bin", ())]
    return _spell(part)


def _bunfig(text: str) -> str:
    return _spell(_pick(tomllib.loads(text), lambda key: key in {"test", "preload", "run"}))


def _package(text: str) -> str:
    data = _object(text)
    part = _pick(data, lambda key: key in _NODE_KEYS)
    part["scripts"] = judging(scripts_of(text) or {}, lifecycle=True)
    part["imports"] = _pick_values(_table(data, "imports"), _leads_to_tests)
    for name in _DEPENDENCIES:
        entries = _table(data, name)
        part[name] = {
            k: v for k, v in entries.items() if _is_tool(k) and not re.match(r"[\^~<>=v*\d]|latest\b", str(v))
        }
    pnpm = _table(data, "pnpm")
    for holder, name in (
        (data, "overrides"),
        (data, "resolutions"),
        (pnpm, "overrides"),
        (pnpm, "patchedDependencies"),
    ):
        part[f"forced {name}"] = {
            **part.get(f"forced {name}", {}),
            **_pick(_table(holder, name), lambda key: _is_tool(key.rsplit("/", 1)[-1].split("@")[0]) or _is_tool(key)),
        }
    part["autoload-dev"] = data.get("autoload-dev")
    return _spell(part)


def _checks_anywhere(text: str) -> str:
    """Targets of a workspace file (angular.json, project.json, deno.json): whatever stands under a check's name."""
    found: list[tuple[str, Any]] = []

    def walk(value: Any, place: str) -> None:
        for key, inner in value.items() if isinstance(value, dict) else ():
            if _CHECK_KEYS.fullmatch(key):
                found.append((f"{place}/{key}", inner))
            else:
                walk(inner, f"{place}/{key}")

    walk(_object(re.sub(r"^[^\S\n]*//[^\n]*$", "", text, flags=re.MULTILINE)), "")
    return _spell(dict(found))


def _setup_cfg(text: str) -> str:
    kept: list[str] = []
    section = ""
    for line in (line.rstrip() for line in text.splitlines()):
        if found := re.match(r"\[([^\]]+)\]", line):
            section = found[1].strip()
        if (
            line.strip()
            and not line.startswith(("#", ";"))
            and (_INI_SECTIONS.fullmatch(section) or "pytest11" in line)
        ):
            kept.append(line)
    return "\n".join(kept)


def _requirements(text: str) -> str:
    lines = [line.split(" #")[0].strip() for line in text.splitlines()]
    options = re.compile(r"(?:-i|-f|--index-url|--extra-index-url|--find-links|--no-index|-c|--constraint)\b")
    local = re.compile(r"(?:(?:-e|--editable)[ =])?\.{0,2}/[\w.-]")
    return "\n".join(line for line in lines if options.match(line) or local.match(line) or _from_elsewhere(line))


def _from_elsewhere(requirement: str) -> bool:
    """``pytest @ file:///…``: the tool does not come from the registry."""
    found = re.match(r"([\w.-]+)\s*+(?:\[[^\]]*\])?\s*@", requirement)
    return found is not None and _is_tool(found[1])


def _local(source: Table) -> bool:
    return not {"path", "git", "url", "file"}.isdisjoint(source)


def _is_tool(name: str) -> bool:
    plain = name.casefold()
    known = {plain, plain.replace("-", "_"), plain.split("/")[0], plain.split("/")[-1]}
    return not TOOLS.isdisjoint(known) or plain.startswith(("pytest-", "eslint-", "jest-"))


def _object(text: str) -> Table:
    data = json.loads(text)
    if not isinstance(data, dict):
        raise ValueError("no object")
    return data


def _table(data: Table, key: str) -> Table:
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def _pick(table: Table, wanted: Callable[[str], bool]) -> Table:
    return {key: value for key, value in table.items() if wanted(key)}


def _pick_values(table: Table, wanted: Callable[[Any], bool]) -> Table:
    return {key: value for key, value in table.items() if wanted(value)}


def _leads_to_tests(target: Any) -> bool:
    """``"#same": "./test/same.js"``: what tests import by that name must not become another file."""
    return any(control_kind(path.removeprefix("./")) for path in re.findall(r"[\w@./*-]+", json.dumps(target)))


def _spell(part: Table) -> str:
    """Keys in order, nothing empty: moved lines and comments are no change."""
    full = {key: value for key, value in part.items() if value and value != [{}]}
    return json.dumps(full, sort_keys=True, default=str) if full else ""


_PARTS: dict[str, Callable[[str], str]] = {
    "pyproject.toml": _pyproject,
    "Cargo.toml": _cargo,
    "bunfig.toml": _bunfig,
    "package.json": _package,
    "composer.json": _package,
    "deno.json": _checks_anywhere,
    "deno.jsonc": _checks_anywhere,
    "angular.json": _checks_anywhere,
    "project.json": _checks_anywhere,
    "setup.cfg": _setup_cfg,
    "setup.py": lines_of(r"pytest11|test_suite|cmdclass|tests_require|test_loader"),
    "go.mod": blocks_of(r"(?:replace|toolchain|exclude)\b"),
    "Gemfile": lines_of(
        r"gem\s+['\"](?:rspec|minitest|rubocop|test-unit|cucumber|capybara)\S*.*\b(?:path|git|github):"
    ),
    "CMakeLists.txt": lines_of(
        r"(?i)\b(?:add_test|enable_testing|gtest_|catch_discover|set_tests_properties|include\s*\(\s*ctest)"
    ),
    "meson.build": lines_of(r"^\s*test\s*\("),
    "mix.exs": lines_of(r"\btest_\w+:|\"?test\"?:\s*\[|ExUnit"),
    "Package.swift": blocks_of(r"\.testTarget\s*\("),
    "pom.xml": pom_part,
    "build.gradle": gradle_part,
    "build.gradle.kts": gradle_part,
    ".gitattributes": lines_of(r"export-(?:ignore|subst)|filter=|merge=ours"),
}
