"""The version of a project in the files that say it, and the smallest edits that make them say the next one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.release.changelog import add_section
from autopilot.planning.release.python_version import (
    MANIFESTS,
    SETUP_CFG,
    SETUP_PY,
    in_module,
    in_setup_cfg,
    in_setup_py,
    version_modules,
)
from autopilot.planning.release.semver import is_placeholder, parse_version
from autopilot.planning.roadmap.phase_id import sort_key
from autopilot.text.json_span import find
from autopilot.text.toml_span import Text, find_string, parse_toml, strings

SOURCES = ("package.json", "pyproject.toml", SETUP_PY, SETUP_CFG, "Cargo.toml", "VERSION")
LOCKS = ("package-lock.json", "npm-shrinkwrap.json", "Cargo.lock", "uv.lock")
CHANGELOG = "CHANGELOG.md"
FILES = (*SOURCES, *LOCKS, CHANGELOG)
NOWHERE = (-1, -1)
LONGEST_SHOWN = 60
MOST_MANIFESTS = 200  # of a Cargo workspace

Files = Mapping[str, str]  # by path; those that are there


class Written(Struct, frozen=True):
    """A version where it stands."""

    path: str
    version: str  # without a leading "v"
    start: int
    end: int


class Trouble(Struct, frozen=True):
    """Why the version stays as it is; "" when there simply is none to raise."""

    because: str


def find_versions(files: Files) -> tuple[Written, ...] | Trouble:
    """Where the version stands. Files that disagree, or hold no version of three numbers, are for the user to fix."""
    found = [written for path in SOURCES if path in files for written in _read(path, files[path])]
    found += _of_modules(files, {written.version for written in found})
    if not found:
        return Trouble("")
    if odd := [w for w in found if is_placeholder(w.version)]:
        return Trouble(f"{odd[0].path} leaves the version to a release tool ({_shown(odd[0])})")
    if odd := [w for w in found if parse_version(w.version) is None]:
        return Trouble(f"{odd[0].path} has the version {_shown(odd[0])!r}, which does not have three numbers")
    if hidden := [w for w in found if (w.start, w.end) == NOWHERE]:
        return Trouble(f"{hidden[0].path} writes its version in a way that cannot be changed in place")
    if len({w.version for w in found}) > 1:
        statements = ", ".join(f"{w.path} says {w.version}" for w in found)
        return Trouble(f"the version files do not agree: {statements}")
    return tuple(found)


def _of_modules(files: Files, known: Collection[str]) -> list[Written]:
    """`__version__` of the product: where it says what the manifests say, or where no manifest says anything.

    Another number there is its own: of a package that was copied in, or of a part with a history of its own.
    """
    is_python = any(path in files for path in MANIFESTS)
    modules = version_modules(files) if is_python else []
    found = [Written(path, *place) for path in modules for place in in_module(files[path])]
    return [written for written in found if not known or written.version in known]


def write_version(
    files: Files, written: Sequence[Written], new: str, date: str, lines: Sequence[str]
) -> dict[str, str]:
    """The files that change, with their new text. ``lines`` is what the changelog says where it says nothing yet."""
    old = written[0].version
    edited = {w.path: _put(files[w.path], [(w.start, w.end)], new) for w in written}
    for path in LOCKS:
        if path in files and (spans := _spans_in_lock(path, files, old)):
            edited[path] = _put(files[path], spans, new)
    if CHANGELOG in files:
        edited[CHANGELOG] = add_section(files[CHANGELOG], old, new, date, lines)
    return {path: text for path, text in edited.items() if text != files[path]}


def read_version_files(read: Callable[[str], str | None], paths: Callable[[], Iterable[str]]) -> Files:
    """Those that are there: of a Cargo workspace also its members' manifests, of a Python project its modules.

    ``paths``: every file of the project; asked for only where one of those may be.
    """
    found = {path: text for path in FILES if (text := read(path)) is not None}
    more: list[str] = []
    if "Cargo.toml" in found:
        more += [path for path in paths() if path.endswith("/Cargo.toml")][:MOST_MANIFESTS]
    if any(path in found for path in MANIFESTS):
        more += version_modules(paths())
    return found | {path: text for path in more if (text := read(path)) is not None}


def says(files: Files, new: str) -> bool:
    """Whether every version file says it, read anew."""
    found = find_versions(files)
    return not isinstance(found, Trouble) and {w.version for w in found} == {new}


def describe_bump(files: Files) -> str:
    """What a run does with the version when its phases have passed; "" where there is none that it would raise."""
    found = find_versions(files)
    if isinstance(found, Trouble):
        return ""
    places = ", ".join(dict.fromkeys(written.path for written in found))
    beside = f", with an entry in {CHANGELOG}" if CHANGELOG in files else ""
    return f"when the last open phase has passed, a run raises the version ({found[0].version} in {places}){beside}"


def part_by_phases(phases: Iterable[PhaseId]) -> tuple[str, PhaseId]:
    """minor when a whole phase is among them, patch when all are decimals; and the highest of them."""
    ordered = sorted(phases, key=sort_key)
    return ("minor" if any("." not in phase for phase in ordered) else "patch"), ordered[-1]


def _shown(odd: Written) -> str:
    """What a file says may be anything: a version is short, and what is no text has no place in the record."""
    return odd.version[:LONGEST_SHOWN].encode("utf-8", "replace").decode()


def _read(path: str, text: str) -> list[Written]:
    match path:
        case "package.json":
            return _of_json(path, text)
        case "setup.py" | "setup.cfg":
            return [Written(path, *place) for place in (in_setup_py if path == SETUP_PY else in_setup_cfg)(text)]
        case "VERSION":
            return _of_plain(path, text)
        case _:
            data = parse_toml(text)
            keys = _keys_in(path, data) if data is not None else ()
            found = find_string(text, keys) if keys else None
            value = _at(data, keys)
            if not isinstance(value, str):
                return []
            # A line inside a longer string may look like it; only the parser knows, so both have to agree.
            place = (found.start, found.end) if found is not None and found.value == value else NOWHERE
            return [Written(path, value, *place)]


def _of_json(path: str, text: str) -> list[Written]:
    spans = _json_spans(text, (("version",),))
    return [Written(path, json.loads(text[start - 1 : end + 1]), start, end) for start, end in spans]


def _of_plain(path: str, text: str) -> list[Written]:
    """A file of one line; the first line that says anything is the version."""
    found = re.match(r"\s*(v?)(\S+)\s*\Z", text)
    return [Written(path, found[2], found.start(2), found.end(2))] if found else []


def _keys_in(path: str, data: dict[str, Any]) -> tuple[str, ...]:
    """Where a manifest keeps its own version; () where it is worked out elsewhere."""
    if path == "Cargo.toml":
        own = _at(data, ("package", "version"))
        return ("package", "version") if isinstance(own, str) else ("workspace", "package", "version")
    dynamic = _at(data, ("project", "dynamic"))
    if isinstance(dynamic, list) and "version" in dynamic:
        return ()
    return ("project", "version") if _at(data, ("project", "version")) else ("tool", "poetry", "version")


def _at(data: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _spans_in_lock(path: str, files: Files, old: str) -> list[tuple[int, int]]:
    text = files[path]
    if path.endswith(".json"):
        paths = (("version",), ("packages", "", "version"))
        return [(start, end) for start, end in _json_spans(text, paths) if text[start:end] == old]
    if path == "Cargo.lock":
        names = {n for n in crate_names(files) if n}
        return [
            _span(v)
            for name, v, others in _packages(text)
            if name in names and v.value == old and "source" not in others
        ]
    project = _at(parse_toml(files.get("pyproject.toml", "")), ("project", "name"))
    wanted = re.sub(r"[-_.]+", "-", str(project)).lower()
    return [_span(v) for name, v, _ in _packages(text) if name == wanted and v.value == old]


def crate_names(files: Files) -> list[str]:
    """The crates whose version is the root's: its own, and those of its workspace that take it from there."""
    names = []
    for path, text in files.items():
        data = parse_toml(text) if path.endswith("Cargo.toml") else None
        version = _at(data, ("package", "version"))
        if path == "Cargo.toml" or (isinstance(version, dict) and version.get("workspace") is True):
            names.append(str(_at(data, ("package", "name")) or ""))
    return names


def _packages(text: str) -> list[tuple[str, Text, set[str]]]:
    """(name, version, other keys) of every ``[[package]]``."""
    tables: dict[int, dict[str, Text]] = {}
    for string in strings(text):
        if len(string.keys) == 2 and string.keys[0] == "package":
            tables.setdefault(string.table, {})[string.keys[1]] = string
    complete = [table for table in tables.values() if {"name", "version"} <= table.keys()]
    return [(table["name"].value, table["version"], set(table)) for table in complete]


def _span(found: Text) -> tuple[int, int]:
    return found.start, found.end


def _json_spans(text: str, paths: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """Spans of the strings at these paths, without their quotes; none when the text is no JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):  # a number of thousands of digits is no JSONDecodeError
        return []
    found = [member for path in paths if (member := find(text, path)) is not None]
    return [(m.start + 1, m.end - 1) for m in found if text[m.start] == '"']


def _put(text: str, spans: Sequence[tuple[int, int]], new: str) -> str:
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text
