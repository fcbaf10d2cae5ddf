"""`doctor` and `run` say the same of a repository: nothing that one calls ok may stop the other in its first minute."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autopilot.events.happened import RunStarted
from tests.scenario.doors.test_doctor import CIRCLE
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, base_config, make_world


def _configure(world: World, **project: Any) -> None:
    world.write(".planning/config.json", json.dumps({**base_config(), "project": project}))


def _remove_roadmap(world: World) -> None:
    world.git("rm", "-q", ".planning/ROADMAP.md")


def _commit_records(world: World) -> None:
    world.write(".autopilot/notes.md", "mine\n")


def _add_submodule(world: World) -> None:
    world.write(".gitmodules", "")


RED = "import unittest\n\n\nclass Old(unittest.TestCase):\n    def test_old(self):\n        self.fail()\n"


def _add_red_test(world: World) -> None:
    world.write("test_old.py", RED)
    _configure(world, commands={"test": "python3 -m unittest"})


# How it is broken, and what both have to say about it.
BROKEN: dict[str, tuple[Callable[[World], None], str]] = {
    "phases in a circle": (
        lambda world: world.write(".planning/ROADMAP.md", CIRCLE),
        "phases depend on each other in a circle: 1 -> 2 -> 1",
    ),
    "no roadmap": (_remove_roadmap, "there is no roadmap"),
    "a config that is no JSON": (
        lambda world: world.write(".planning/config.json", "{"),
        ".planning/config.json:1: not valid JSON",
    ),
    "records that are committed": (_commit_records, ".autopilot is committed in this repository"),
    "documents that are committed and must not be": (
        lambda world: world.write(".planning/config.json", '{"planning": {"commit_docs": false}}'),
        "planning.commit_docs is false, yet some of .planning is committed",
    ),
    "submodules": (_add_submodule, "submodules are not supported yet"),
    "a red test": (_add_red_test, "1 test is red before any work: test_old.Old.test_old"),
    "a test tool that is missing": (
        lambda world: _configure(world, commands={"test": "python3 -m nosuchtool"}),
        "No module named nosuchtool",
    ),
    "a linter of the config that is missing": (
        lambda world: _configure(world, commands={"lint": "nosuchlinter"}),
        "nosuchlinter: command not found",
    ),
    "a setup that fails": (
        lambda world: _configure(world, commands={"setup": "echo no such package >&2; exit 3", "test": "true"}),
        "no such package",
    ),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_what_stops_a_run_before_it_begins_is_a_problem_to_doctor_with_a_remedy(tmp_path: Path, broken: str) -> None:
    break_it, phrase = BROKEN[broken]
    world = make_world(tmp_path, Plot(planned=True))
    world.play()
    break_it(world)
    world.commit("broken")
    world.set_settings(f'agents.default = "scripted"\n[scripted]\nscript = "{world.script}"\n')
    ran, examined = world.run(), world.autopilot("doctor", "--json")
    assert ran.status in (2, 5) and phrase in ran.err, ran.err
    findings = json.loads(examined.out)
    found = [finding for finding in findings if phrase in finding["detail"]]
    assert [finding["state"] for finding in found] == ["problem"], (broken, findings)
    assert all(finding["remedy"] for finding in findings if finding["state"] in ("warning", "problem")), findings
    assert examined.status == 5


def test_what_a_failing_setup_kept_from_being_tried_is_said_not_to_have_been(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    _configure(world, commands={"setup": "exit 3", "test": "true"})
    world.commit("broken")
    assert "note      baseline: not tried: test (setup failed before)" in world.autopilot("doctor").out


def test_a_run_begins_where_doctor_finds_no_problem(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.play()
    world.set_settings(f'agents.default = "scripted"\n[scripted]\nscript = "{world.script}"\n')
    examined = world.autopilot("doctor")
    assert examined.status == 0, examined.out
    assert world.drive_until(RunStarted).phases


HELD = """# Roadmap

### Phase 1: Part 1
**Goal**: Part 1 says its name
**Success Criteria**:
1. Part 1 says its name -- verified by: `sh part-01-01.sh` (contains "part 01-01")
2. The readme names the parts -- verified by: `cat README.md` (contains "parts")
3. [keep] The scripts parse -- verified by: `sh -n check.sh`

### Phase 2: The readme
**Goal**: There is a readme
**Success Criteria**:
1. It is there -- verified by: `test -s README.md`
"""
ONE = (
    '.planning/ROADMAP.md:7: phase 1: `cat README.md` (text containing "parts") holds already:'
    " it will prove nothing of the work"
)
WHOLE = (
    ".planning/ROADMAP.md:13: phase 2: its criterion holds already:"
    " a run verifies it and builds nothing, unless its plan asks for more"
)


def test_criteria_that_hold_before_any_work_are_named_alike_by_both_before_an_agent_is_started(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot())
    world.write(".planning/ROADMAP.md", HELD)
    world.commit("two that hold")
    world.set_settings(f'agents.default = "scripted"\n[scripted]\nscript = "{world.script}"\n')
    findings = json.loads(world.autopilot("doctor", "--json").out)
    held = {each["detail"]: each for each in findings if " already: " in each["detail"]}
    assert list(held) == [ONE, WHOLE], "what is marked [keep], and what is red, is not named"
    assert [each["state"] for each in held.values()] == ["warning", "warning"]
    state = world.drive_until(RunStarted)
    told = [text for text in state.totals.warnings if " already: " in text]
    assert told == [f"{detail}; {each['remedy']}" for detail, each in held.items()]
    assert "[keep]" in told[0]


def test_plan_check_names_what_holds_of_a_plan_before_its_work_and_says_nothing_twice(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    plan = f"{world.plot.folder(1)}/PLAN.md"
    held = '- The readme names the parts -- verified by: `cat README.md` (contains "parts")\n\n**Done:**'
    world.write(plan, world.read(plan).replace("\n**Done:**", held))
    world.commit("a plan of which a part holds")
    ran = world.run()
    line = world.read(plan).splitlines().index(held.splitlines()[0]) + 1
    [told] = [each for each in ran.err.splitlines() if "holds already" in each]
    assert f"{plan}:{line}: phase 1: `cat README.md`" in told and "[keep]" in told
    assert ran.status == 0, ran.err
