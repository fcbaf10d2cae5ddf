"""What setup, package managers and builds make is no part of an agent's work, whatever .gitignore says."""

from __future__ import annotations

import pytest

from autopilot.gates.work_area import WorkAreas, find_left_out, find_work_areas, refuse_work_area
from autopilot.model.git import Change

# covers: T8.C
TRACKED = ("package.json", "src/app.js", "web/package.json", "crate/Cargo.toml", "lib/pyproject.toml")


@pytest.mark.parametrize(
    ("path", "area"),
    [
        ("node_modules/a/b.js", "node_modules"),
        ("web/node_modules/a.js", "web/node_modules"),
        ("node_modules", "node_modules"),  # a link in its place
        (".venv/bin/python", ".venv"),
        ("venv/bin/python", "venv"),
        ("lib/venv/x", "lib/venv"),  # beside a manifest
        ("src/venv/x", ""),  # sources may be called so
        ("src/shop.egg-info/PKG-INFO", "src/shop.egg-info"),
        ("src/loose.pyc", "src/loose.pyc"),
        ("htmlcov/index.html", "htmlcov"),
        ("src/__pycache__/x.json", "src/__pycache__"),
        (".pytest_cache/README.md", ".pytest_cache"),
        ("crate/target/debug/x", "crate/target"),
        ("out/made/x", "out/made"),
        ("new.lock", "new.lock"),
        ("src/app.js", ""),
        ("src/dist/kept.js", ""),  # beside no manifest: it may be anything
        ("build/webpack.config.js", ""),  # node projects keep scripts there
        ("target/x", ""),
        ("out/made.txt", ""),
        ("node_modules.md", ""),
        ("venvs/x", ""),
    ],
)
def test_a_work_area_is_known_by_its_name_its_manifest_or_set_up(path: str, area: str) -> None:
    assert find_work_areas(TRACKED, made=("out/made", "new.lock")).area_of(path) == area


@pytest.mark.parametrize(
    ("tracked", "path"),
    [
        ("node_modules/own/index.js", "node_modules/own/more.js"),
        ("tests/fixtures/node_modules/a.js", "tests/fixtures/node_modules/b.js"),
        ("shop.egg-info/PKG-INFO", "other.egg-info/PKG-INFO"),
        ("out/made/x", "out/made/y"),
    ],
)
def test_what_is_tracked_is_part_of_the_project(tracked: str, path: str) -> None:
    assert find_work_areas((*TRACKED, tracked), made=("out/made",)).area_of(path) == ""


@pytest.mark.parametrize(
    ("declared", "path", "area"),
    [
        ("crate/target/x", "crate/target/x", ""),
        ("crate/target/", "crate/target/x", ""),
        ("./crate/target", "crate/target/x", ""),
        ("new.lock", "new.lock", ""),
        ("tests/fixtures/node_modules/a.js", "tests/fixtures/node_modules/a.js", ""),
        ("crate/", "crate/target/a", "crate/target"),  # a folder above it means the sources there
        ("web/src/a.js", "web/node_modules/a.js", "web/node_modules"),
    ],
)
def test_what_a_task_lists_may_be_committed(declared: str, path: str, area: str) -> None:
    assert find_work_areas(TRACKED, made=("new.lock",), declared=(declared,)).area_of(path) == area


@pytest.mark.parametrize(
    ("tracked", "declared", "left_out"),
    [
        ((), (), {"dist": 2, "lib/build": 1, "src/env": 2}),
        (("dist/kept.js",), (), {"lib/build": 1, "src/env": 2}),  # what is tracked is part of the project
        ((), ("lib/build/x.py", "dist/"), {"src/env": 2}),  # and what a task lists
    ],
)
def test_what_may_be_sources_is_seen_by_git_and_left_out_by_its_place_or_by_what_it_holds(
    tracked: tuple[str, ...], declared: tuple[str, ...], left_out: dict[str, int]
) -> None:
    areas = find_work_areas((*TRACKED, *tracked), declared=declared)
    brought = ["dist/a.js", "dist/b/c.js", "lib/build/x.py", "src/env/pyvenv.cfg", "src/env/bin/python"]
    assert find_left_out([*brought, "src/venv/x.py", "src/dist/kept.js", "build/webpack.config.js"], areas) == left_out
    assert not {"dist", "lib/build", "/dist", "/lib/build"} & set(areas.patterns), "an agent's git does not hide them"


def added(*paths: str, status: str = "A") -> list[Change]:
    return [Change(path, status, "000000", "100644") for path in paths]  # type: ignore[arg-type]


def test_a_commit_that_brings_a_work_area_is_refused_with_the_rule_and_the_number_of_files() -> None:
    areas = find_work_areas(TRACKED)
    said = refuse_work_area(added("src/a.js", *(f"node_modules/{n}.js" for n in range(24_128))), areas)
    assert said.startswith("node_modules/0.js (and 24,127 more files) lies in node_modules, which setup, package")
    assert "git rm -r --cached node_modules" in said
    assert "list it in the task of the plan" in said


def test_a_commit_without_one_that_changes_or_removes_one_or_brings_compiled_code_has_no_such_reason() -> None:
    areas = find_work_areas(TRACKED)
    assert refuse_work_area(added("src/a.js"), areas) == ""
    assert refuse_work_area(added("node_modules/a.js", status="D"), areas) == ""
    assert refuse_work_area(added("node_modules/a.js", status="M"), areas) == ""
    assert refuse_work_area(added("src/__pycache__/a.cpython-311.pyc"), areas) == "", "compiled code says so itself"


def test_patterns_are_spelled_as_git_reads_them() -> None:
    assert WorkAreas(frozenset({"venv"}), frozenset({"a b/c*d", "#x"}), frozenset({".pyc"})).patterns == (
        *("venv", "*.pyc", "/\\#x", "/a\\ b/c\\*d"),
    )
