"""``autopilot doctor`` finds what `run` would refuse, files it under its own name, and checks a machine anywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autopilot.planning.plan.plan import NO_TASK
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world

# covers: CMD-DOCTOR

CIRCLE = """# Roadmap

### Phase 1: A
**Depends on**: Phase 2

### Phase 2: B
**Depends on**: Phase 1
"""


def find(world: World, subject: str, *wrapper: str) -> tuple[str, str]:
    """State and detail of the only finding about a subject."""
    process = world.start("doctor", "--json", wrapper=wrapper)
    out, _ = process.communicate(timeout=60)
    [found] = [finding for finding in json.loads(out) if finding["what"] == subject]
    return found["state"], found["detail"]


def test_doctor_refuses_a_circle_of_phases_as_a_run_does(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.write(".planning/ROADMAP.md", CIRCLE)
    assert find(world, "planning") == ("problem", "phases depend on each other in a circle: 1 -> 2 -> 1")


def test_a_spec_that_config_names_and_that_is_not_there_is_named_with_its_line(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.write("docs/spec.md", "# Spec\n")
    world.write(".planning/config.json", '{"project": {\n"spec_paths": ["doc/spec.md", "docs/spec.md", "later.md"]}}')
    told = ".planning/config.json:2: project.spec_paths names `doc/spec.md`, which does not exist: ignored"
    assert find(world, "config") == ("warning", told)


def test_doctor_files_a_broken_config_under_config(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.write(".planning/config.json", "{")
    state, detail = find(world, "config")
    assert (state, detail.startswith(".planning/config.json:1: not valid JSON")) == ("problem", True)


def test_a_roadmap_that_is_a_folder_is_called_one(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    (world.project / ".planning/ROADMAP.md").unlink()
    (world.project / ".planning/ROADMAP.md").mkdir()
    assert find(world, "planning") == ("problem", ".planning/ROADMAP.md is a folder, not a file")


@pytest.mark.parametrize(
    ("kind", "remote", "said"),
    [("gh", "origin", "gh is not installed"), ("git", "nope", "this repository has no remote named nope")],
)
def test_doctor_warns_of_a_forge_that_cannot_be_used(tmp_path: Path, kind: str, remote: str, said: str) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.set_settings(f'[forge]\nkind = "{kind}"\nremote = "{remote}"\n')
    assert find(world, "forge") == ("warning", said)


def test_doctor_checks_the_machine_outside_of_a_repository(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    (world.project / ".git").rename(tmp_path / "git")
    assert find(world, "repository")[0] == "problem"
    assert find(world, "sandbox")[0] == find(world, "disk")[0] == "ok"


def test_doctor_says_once_that_git_is_missing_and_claims_nothing_about_the_repository(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    process = world.start("doctor", wrapper=("env", "PATH=/nonexistent"))
    out, _ = process.communicate(timeout=60)
    assert out.count("git is not installed") == 1
    assert "repository:" not in out


def test_doctor_tries_the_place_of_the_records(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    (file := tmp_path / "file").touch()
    for place, reason in ((file, f"{file} is a file, not a folder"), (Path("/proc/x"), "/proc cannot be written")):
        state, detail = find(world, "records", "env", f"AUTOPILOT_STATE_HOME={place}")
        assert state == "problem"
        assert detail.startswith(f"Autopilot cannot keep its records in {place}: {reason}")


def test_doctor_and_init_say_which_version_a_run_will_raise_and_nothing_where_it_is_switched_off(
    tmp_path: Path,
) -> None:
    world = make_world(tmp_path, Plot(planned=True), config={"autopilot": {}})
    world.write("setup.py", 'from setuptools import setup\n\nsetup(name="parts", version="1.2.3")\n')
    world.write("parts/__init__.py", '__version__ = "1.2.3"\n')
    world.commit("a version")
    state, detail = find(world, "version")
    assert state == "note" and "raises the version (1.2.3 in setup.py, parts/__init__.py)" in detail
    told = world.autopilot("init", "--no-try").out
    assert f'version: {detail}; "version_bump": false below "autopilot" in .planning/config.json' in told
    world.write(".planning/config.json", '{"autopilot": {"version_bump": false}}')
    findings = json.loads(world.autopilot("doctor", "--no-try", "--json").out)
    assert "version" not in {finding["what"] for finding in findings}
    assert "version:" not in world.autopilot("init", "--no-try").out


UNREAD = """# Roadmap

### Phase 1: Pot
**Goal**: a pot
**Requirements**: a nice pot
**Depends on**: the moon
"""


def test_doctor_lists_what_the_readers_passed_over_once_with_file_and_line(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot())
    folder = ".planning/phases/completed/01-pot"
    world.write(".planning/ROADMAP.md", UNREAD)
    world.write(f"{folder}/01-01-PLAN.md", "# Plan\n\nWe make a pot.\n")
    world.write(f"{folder}/HOT-FIX-PLAN.md", "# Fix\n")
    out, _ = world.start("doctor", "--json").communicate(timeout=60)
    found = [(each["state"], each["detail"]) for each in json.loads(out) if each["what"] in ("roadmap", "plans")]
    assert found[1:] == [
        ("note", ".planning/ROADMAP.md:5: no requirement id was read in: a nice pot"),
        ("warning", ".planning/ROADMAP.md:6: phase 1: dependency not understood: the moon"),
        ("note", f"{folder}/HOT-FIX-PLAN.md: looks like a plan and is not read: plans are called like 01-01-PLAN.md"),
        ("warning", f"{folder}/01-01-PLAN.md: {NO_TASK}"),
        ("warning", ".planning/ROADMAP.md:3: phase 1 has no success criteria"),
    ]
