"""Versions where they stand in real files, the next one, and edits that leave every other byte as it was.

covers: DONE-1
"""

from __future__ import annotations

import json
import tomllib

import pytest

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.release.semver import is_later, next_version, parse_version
from autopilot.planning.release.version import Trouble, find_versions, part_by_phases, says, write_version

DATE = "2025-03-04"


@pytest.mark.parametrize(
    ("old", "part", "new"),
    [
        ("1.2.3", "minor", "1.3.0"),
        ("1.2.3", "patch", "1.2.4"),
        ("1.2.3", "major", "2.0.0"),
        ("0.0.1", "minor", "0.1.0"),
        ("0.9.9", "patch", "0.9.10"),
        ("v1.2.3", "minor", "1.3.0"),
        ("1.3.0-rc.1", "minor", "1.3.0"),
        ("1.3.0-rc.1", "patch", "1.3.0"),
        ("1.2.4-beta", "patch", "1.2.4"),
        ("1.2.4-beta", "minor", "1.3.0"),
        ("2.0.0-alpha.1", "major", "2.0.0"),
        ("1.3.0rc1", "minor", "1.3.0"),
        ("1.3.0.dev2", "minor", "1.3.0"),
        ("1.2.3.post1", "patch", "1.2.4"),
        ("1.2.3+build.5", "patch", "1.2.4"),
    ],
)
def test_the_next_version_follows_the_part(old: str, part: str, new: str) -> None:
    version = parse_version(old)
    assert version is not None
    assert str(next_version(version, part)) == new


@pytest.mark.parametrize("text", ["1.2", "1", "2024.1", "01.2.3", "1.2.x", "", "latest", "1.2.3.4", "^1.2.3", "1.2.3-"])
def test_what_is_no_version_of_three_numbers_is_none(text: str) -> None:
    assert parse_version(text) is None


def test_a_version_is_later_than_its_pre_release_and_than_those_before() -> None:
    old, pre, new = (parse_version(text) for text in ("1.2.3", "1.3.0-rc.1", "1.3.0"))
    assert old and pre and new
    assert is_later(pre, old) and is_later(new, pre) and not is_later(old, new) and not is_later(new, new)


@pytest.mark.parametrize(
    ("phases", "expected"),
    [
        (("4", "5"), ("minor", "5")),
        (("3.1",), ("patch", "3.1")),
        (("3.1", "4.1"), ("patch", "4.1")),
        (("4", "4.1"), ("minor", "4.1")),
        (("2", "10"), ("minor", "10")),
        (("12A",), ("minor", "12A")),
    ],
)
def test_a_whole_phase_makes_a_minor_version_and_decimals_alone_a_patch(
    phases: tuple[str, ...], expected: tuple[str, str]
) -> None:
    assert part_by_phases(map(PhaseId, phases)) == expected


PACKAGE = (
    '{\n\t"name": "x",\n\t"dependencies": {"y": {"version": "1.2.0"}},\n\t"version" : "1.2.0",\n\t"private": true\n}'
)
PYPROJECT = """# keep "version = '9.9.9'" out of it
[build-system]
requires = ["hatchling"]  # version = "1.2.0"

[project]
name = 'x'
version  =  '1.2.0'   # the one
description = \"\"\"
[project]
version = "1.2.0" is no line of this file
\"\"\"

[tool.other]
version = "1.2.0"
"""
POETRY = '[tool.poetry]\r\nname = "x"\r\nversion = "1.2.0"\r\n\r\n[tool.poetry.dependencies]\r\npython = "^3.9"\r\n'
CARGO = '[package]\nname = "x"\nversion = "1.2.0"\n\n[dependencies]\nserde = { version = "1.2.0" }\n'
WORKSPACE = '[workspace]\nmembers = ["a", "b"]\n\n[workspace.package]\nversion = "1.2.0"\n'
MEMBER = '[package]\nname = "a"\nversion.workspace = true\n'
OTHER = '[package]\nname = "b"\nversion = "0.4.0"\n'
CARGO_LOCK = """version = 3

[[package]]
name = "x"
version = "1.2.0"

[[package]]
name = "x"
version = "1.2.0"
source = "registry+https://github.com/rust-lang/crates.io-index"

[[package]]
name = "serde"
version = "1.2.0"
"""
NPM_LOCK = """{
  "name": "x",
  "version": "1.2.0",
  "lockfileVersion": 3,
  "packages": {
    "": {
      "name": "x",
      "version": "1.2.0"
    },
    "node_modules/y": {"version": "1.2.0"}
  }
}
"""
UV_LOCK = """[[package]]
name = "my-x"
version = "1.2.0"
source = { editable = "." }

[[package]]
name = "z"
version = "1.2.0"
"""


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", PACKAGE),
        ("package.json", '{"version":"1.2.0"}'),
        ("package.json", PACKAGE.replace("\n", "\r\n")),
        ("pyproject.toml", '[project]\nname = "x"\nversion = "1.2.0"\n'),
        ("pyproject.toml", 'project.name = "x"\nproject.version = "1.2.0"\n'),
        ("pyproject.toml", PYPROJECT),
        ("pyproject.toml", POETRY),
        ("Cargo.toml", CARGO),
        ("Cargo.toml", WORKSPACE),
        ("VERSION", "1.2.0"),
        ("VERSION", "v1.2.0\r\n"),
        ("VERSION", "\n1.2.0\n\n"),
    ],
)
def test_a_version_is_replaced_where_it_stands_and_nothing_else_changes(path: str, text: str) -> None:
    files = {path: text}
    found = find_versions(files)
    assert not isinstance(found, Trouble)
    edited = write_version(files, found, "1.3.0", DATE, ())
    [changed] = edited.values()
    assert len(changed) == len(text) and sum(a != b for a, b in zip(changed, text, strict=True)) == 1
    assert says(edited, "1.3.0") and not says(files, "1.3.0")
    if path.endswith(".toml"):
        assert tomllib.loads(changed) != tomllib.loads(text)
    if path.endswith(".json"):
        assert json.loads(changed)["version"] == "1.3.0"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pyproject.toml", '[project]\nname = "x"\ndynamic = ["version"]\n\n[tool.hatch.version]\npath = "x.py"\n'),
        ("pyproject.toml", "[tool.ruff]\nline-length = 100\n"),
        ("pyproject.toml", "[project\n"),
        ("package.json", '{"private": true}'),
        ("package.json", '{"version": 3}'),
        ("package.json", "{broken"),
        ("Cargo.toml", '[workspace]\nmembers = ["a"]\n'),
        ("VERSION", "\n"),
        ("VERSION", "see package.json for it\n"),
    ],
)
def test_a_file_without_a_version_of_its_own_says_none(path: str, text: str) -> None:
    assert find_versions({path: text}) == Trouble("")


@pytest.mark.parametrize(
    ("files", "because"),
    [
        (
            {"package.json": '{"version": "1.2.0"}', "VERSION": "1.2.1\n"},
            "the version files do not agree: package.json says 1.2.0, VERSION says 1.2.1",
        ),
        (
            {"package.json": '{"version": "1.2"}'},
            "package.json has the version '1.2', which does not have three numbers",
        ),
        (
            {"package.json": '{"version": "0.0.0-development"}'},
            "package.json leaves the version to a release tool (0.0.0-development)",
        ),
        (
            {"pyproject.toml": 'project = {name = "x", version = "1.2.0"}\n'},
            "pyproject.toml writes its version in a way that cannot be changed in place",
        ),
    ],
)
def test_what_only_the_user_can_mend_is_said_by_name(files: dict[str, str], because: str) -> None:
    assert find_versions(files) == Trouble(because)


DIGITS = "9" * 5_000  # more than Python makes a number of


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", f'{{"version": "1.2.3", "x": {DIGITS}}}'),
        ("pyproject.toml", f'[project]\nversion = "1.2.3"\nx = {DIGITS}\n'),
        ("pyproject.toml", '[project]\nversion = "1.2.3"\ndynamic = 5\n'),
        ("pyproject.toml", '[project]\nversion = "1.2.3"\n' + " " * 5_000 + "\n" + " " * 5_000 + "# x\n"),
        ("Cargo.toml", '[package]\nversion = "1.2.3"\nabout = """\n' + "a " * 50_000 + '\n"""\n'),
        ("VERSION", "0.0.0-dev\udcff"),
        ("VERSION", "x" * 100_000),
    ],
)
def test_whatever_stands_in_a_version_file_is_read_without_harm(path: str, text: str) -> None:
    """A number without end, a wrong type, lines that a search would not get through, bytes that are no text."""
    found = find_versions({path: text})
    if isinstance(found, Trouble):
        assert len(found.because.encode("utf-8")) < 300
    else:
        assert [w.version for w in found] == ["1.2.3"]


def test_a_line_inside_a_longer_string_is_never_taken_for_the_version() -> None:
    text = '[tool.x]\nhelp = """\n[project]\nversion = "1.2.0"\n"""\n\n[project]\nversion = "1.4.0"\n'
    found = find_versions({"pyproject.toml": text})
    assert isinstance(found, Trouble) and "cannot be changed in place" in found.because


def test_npm_locks_change_in_their_two_places() -> None:
    files = {"package.json": PACKAGE, "package-lock.json": NPM_LOCK}
    found = find_versions(files)
    assert not isinstance(found, Trouble)
    lock = json.loads(write_version(files, found, "1.3.0", DATE, ())["package-lock.json"])
    assert (lock["version"], lock["packages"][""]["version"]) == ("1.3.0", "1.3.0")
    assert lock["packages"]["node_modules/y"]["version"] == "1.2.0"


def test_a_cargo_lock_changes_in_its_own_entry_alone() -> None:
    files = {"Cargo.toml": CARGO, "Cargo.lock": CARGO_LOCK}
    found = find_versions(files)
    assert not isinstance(found, Trouble)
    packages = tomllib.loads(write_version(files, found, "1.3.0", DATE, ())["Cargo.lock"])["package"]
    assert [package["version"] for package in packages] == ["1.3.0", "1.2.0", "1.2.0"]


def test_a_workspace_changes_the_entries_of_those_that_take_its_version() -> None:
    lock = CARGO_LOCK.replace('"x"', '"a"').replace('"serde"', '"b"')
    files = {"Cargo.toml": WORKSPACE, "a/Cargo.toml": MEMBER, "b/Cargo.toml": OTHER, "Cargo.lock": lock}
    found = find_versions(files)
    assert not isinstance(found, Trouble)
    edited = write_version(files, found, "1.3.0", DATE, ())
    packages = tomllib.loads(edited["Cargo.lock"])["package"]
    assert [(p["name"], p["version"]) for p in packages] == [("a", "1.3.0"), ("a", "1.2.0"), ("b", "1.2.0")]
    assert set(edited) == {"Cargo.toml", "Cargo.lock"}


def test_a_uv_lock_changes_in_the_entry_of_the_project() -> None:
    files = {"pyproject.toml": '[project]\nname = "My_X"\nversion = "1.2.0"\n', "uv.lock": UV_LOCK}
    found = find_versions(files)
    assert not isinstance(found, Trouble)
    lock = write_version(files, found, "1.3.0", DATE, ())["uv.lock"]
    assert lock == UV_LOCK.replace("1.2.0", "1.3.0", 1)
