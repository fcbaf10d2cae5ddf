"""The patterns of test files that settings name: of pytest, and of the test tools for JavaScript."""

from __future__ import annotations

import configparser
import json
import posixpath
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from autopilot.inspection.control.behind import ReadText

_PYTEST_INI = {"pytest.ini": "pytest", ".pytest.ini": "pytest", "tox.ini": "pytest", "setup.cfg": "tool:pytest"}
_COMMENT = re.compile(r"^[ \t]{0,200}+(?://|#).*$", re.MULTILINE)
_SPEC_LINE = re.compile(r"^spec:[ \t]*(.*(?:\n[ \t]*-[^\n]*)*)", re.MULTILINE)
_RC_NAMES = (".mocharc.json", ".mocharc.jsonc", ".mocharc.yml", ".mocharc.yaml")
# Of a tool's part of package.json, or of a file of its own, the key that holds its patterns.
_KEYS = {"mocha": "spec", "ava": "files", "tap": "files", "jasmine": "spec_files"}


def pytest_patterns(folder: str, read: ReadText) -> tuple[str, ...]:
    """``python_files`` of the settings in a folder, as globs of paths below it."""
    found: list[str] = []
    for name, section in _PYTEST_INI.items():
        text = read(posixpath.join(folder, name)) or ""
        found += _of_ini(text, section) if "python_files" in text else []
    project = read(posixpath.join(folder, "pyproject.toml")) or ""
    found += _of_toml(project) if "python_files" in project else []
    return tuple(posixpath.join(folder, "**", pattern) for pattern in found)


def script_patterns(tool: str, folder: str, read: ReadText) -> tuple[str, ...]:
    """Relative to the folder, as the tool's own settings spell them."""
    key = _KEYS.get(tool)
    if key is None:
        return ()
    settings = _json(read(posixpath.join(folder, "package.json"))).get(tool)
    found = [*_texts(settings.get(key))] if isinstance(settings, Mapping) else []
    if tool == "mocha":
        found += _of_mocha(folder, read)
    if tool == "jasmine":
        own = _json(read(posixpath.join(folder, "spec/support/jasmine.json")))
        inside = str(own.get("spec_dir", "spec"))
        found += [posixpath.join(inside, name) for name in _texts(own.get(key))]
    return tuple(found)


def _of_mocha(folder: str, read: ReadText) -> Iterator[str]:
    for name in _RC_NAMES:
        text = read(posixpath.join(folder, name)) or ""
        if name.endswith((".json", ".jsonc")):
            yield from _texts(_json(_COMMENT.sub("", text)).get("spec"))
        elif found := _SPEC_LINE.search(text):
            yield from (word.strip("'\"") for word in re.split(r"[\s,\[\]]+", found[1]) if word not in ("", "-"))
    options = (read(posixpath.join(folder, "test/mocha.opts")) or "").split()
    yield from (word for word in options if re.search(r"[/*]", word) and not word.startswith("-"))
    if "--recursive" in options:
        yield "test/**"


def _of_ini(text: str, section: str) -> list[str]:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
        return parser.get(section, "python_files", fallback="").split()
    except configparser.Error:
        return []


def _of_toml(text: str) -> list[str]:
    try:
        tools = tomllib.loads(text).get("tool", {})
    except (ValueError, RecursionError):
        return []
    pytest = tools.get("pytest", {}) if isinstance(tools, dict) else {}
    options = pytest.get("ini_options", {}) if isinstance(pytest, dict) else {}
    value = options.get("python_files") if isinstance(options, dict) else None
    return value.split() if isinstance(value, str) else [*_texts(value)]


def _texts(value: object) -> Iterator[str]:
    for pattern in value if isinstance(value, list) else [value]:
        if isinstance(pattern, str) and pattern and not pattern.startswith("!"):
            yield pattern


def _json(text: str | None) -> Mapping[str, Any]:
    try:
        found = json.loads(text or "")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
