"""What was red before is not the work's fault; what is newly red is, and what never ran is neither. GATE, T8.R, T2"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from autopilot.events.happened import RunStarted
from autopilot.model.evidence.observation import Seen
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import RunStatus
from tests.scenario.kit.calls import Call, claim, commit_all, work
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.ratings import OF_WHAT_IS_THERE
from tests.scenario.kit.world import World, base_config, few_tries, make_world

TASK = "01-01"
# A linter of the project's own that prints what linters print: one finding for each tab.
LINTER = """import pathlib
import sys

found = [
    f"{path}:{number}:1: W191 a tab before {line.strip()}"
    for path in sorted(pathlib.Path(".").glob("*.sh"))
    for number, line in enumerate(path.read_text().splitlines(), 1)
    if line.startswith("\\t")
]
print(*found, f"Found {len(found)} errors.", sep="\\n")
sys.exit(bool(found))
"""
PART = {"write": "part-01-01.sh", "text": "echo part 01-01\n"}
TABBED = {"write": "part-01-01.sh", "text": "if true; then\n\techo part 01-01\nfi\n"}
TIDIED = {"write": "old.sh", "text": "if true; then\n  echo old\nfi\n"}
# Two lines more above the old finding: it stands elsewhere, and is the same.
MOVED = {"write": "old.sh", "text": "# more\n# and more\nif true; then\n\techo old\nfi\n"}


def make_linted(folder: Path, commands: Mapping[str, str], config: Mapping[str, Any] | None = None) -> World:
    project = {"project": {"commands": {"test": "sh check.sh", **commands}}}
    plot = Plot(planned=True, files=("old.sh", "linting/__main__.py"))
    world = make_world(folder, plot, config={**(config or base_config()), **project})
    world.write("linting/__main__.py", LINTER)
    world.write("old.sh", "if true; then\n\techo old\nfi\n")
    world.commit("a linter, and something it finds")
    return world


def lines_of(err: str, start: str) -> list[str]:
    return [line for line in err.splitlines() if line.startswith(start)]


def test_a_check_that_is_red_by_the_findings_of_before_does_not_fail_the_phase(tmp_path: Path) -> None:
    world = make_linted(tmp_path, {"lint": "python3 -m linting"})
    world.play(claim(TASK, PART, MOVED, *commit_all(TASK)))
    ran = world.run()
    assert ran.status == 0, ran.err
    assert "[Phase 1] baseline lint FAIL" in ran.err
    excused = "RED BEFORE -- its 1 finding was there before the work began; nothing else is red"
    assert lines_of(ran.err, "[Phase 1] lint") == [f"[Phase 1] lint {excused}"]
    assert "its 1 finding was there before the work began" in world.read(f"{world.plot.folder(1)}/VERIFICATION.md")
    assert world.read("part-01-01.sh") == "echo part 01-01\n"


LIES: dict[str, tuple[tuple[Call, ...], str]] = {
    "an old finding removed and a new one added": (
        (TABBED, TIDIED),
        "lint: new since the work began: part-01-01.sh: W191 a tab before echo part 01-01",
    ),
    "a linter that does not run any more": (
        (TABBED, {"git": ["rm", "-q", "-r", "linting"]}),
        "lint: the Python module linting is not installed",
    ),
    "a linter that crashes": (
        (TABBED, {"write": "linting/__main__.py", "text": "raise RuntimeError('no rules')\n"}),
        "lint: the command failed, and cannot be compared with before",
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_new_finding_or_a_linter_put_out_of_action_is_refused(tmp_path: Path, lie: str) -> None:
    actions, evidence = LIES[lie]
    world = make_linted(tmp_path, {"lint": "python3 -m linting"}, few_tries())
    undo = {"git": ["checkout", "-q", "HEAD~1", "--", "linting", "old.sh"]}
    world.play(claim(TASK, *actions, *commit_all(TASK)), claim(TASK, undo, PART, *commit_all(TASK), role="debugger"))
    ran = world.run()
    failed = lines_of(ran.err, "[Phase 1] Task 01-01: FAILED -- ")
    assert [line for line in failed if evidence in line], (failed, ran.err)
    assert ran.status == 0, ran.err
    assert world.read("part-01-01.sh") == "echo part 01-01\n", "the debugger's work landed, not the lie"


def test_a_check_whose_tool_is_missing_stops_a_run_and_once_accepted_counts_for_nothing(tmp_path: Path) -> None:
    world = make_linted(tmp_path, {"lint": "nosuchlinter .", "build": "npm run build"})
    world.play(work(TASK))
    stopped = world.run()
    assert stopped.status == 5, stopped.err
    assert "lint: `nosuchlinter .` cannot run here" in stopped.err
    assert "--accept-red lint --accept-red build`" in stopped.err
    assert "there is no unfinished run to resume" in world.resume().err, "nothing was recorded"
    ran = world.run("--accept-red", "lint", "--accept-red", "build")
    assert ran.status == 0, ran.err
    missing = "nosuchlinter is not installed; let `project.commands.setup` install it"
    assert f"[Phase 1] baseline lint NOT RUN -- {missing}" in ran.err
    (said,) = lines_of(ran.err, "[Phase 1] lint")
    assert said == f"[Phase 1] lint NOT RUN -- not run, neither before the work nor after it: {missing}"
    assert f"not run, neither before the work nor after it: {missing}" in world.read(
        f"{world.plot.folder(1)}/VERIFICATION.md"
    )


def test_a_phase_whose_tests_never_ran_fails_at_once_and_no_agent_is_asked_to_debug_it(tmp_path: Path) -> None:
    world = make_linted(tmp_path, {"test": "nosuchtool ."})
    world.play(work(TASK))
    ran = world.run("--accept-red", "test")
    assert ran.status == 1, ran.err
    assert "test: not run, neither before the work nor after it: nosuchtool is not installed" in ran.out + ran.err
    assert "project.commands in .planning/config.json has to change" in ran.out + ran.err
    assert "DEBUG" not in ran.err, "three rounds could change nothing"
    assert not (world.project / "part-01-01.sh").exists()


RED_TEST = """import unittest


class Old(unittest.TestCase):
    def test_old(self):
        self.assertEqual(1, 2)

    def test_sound(self):
        self.assertEqual(2, 2)
"""
UNITTEST = "python3 -m unittest discover -s checks -t ."


def make_red(folder: Path) -> World:
    world = make_world(folder, Plot(planned=True), config={"project": {"commands": {"test": UNITTEST}}})
    world.write("checks/__init__.py", "")
    world.write("checks/test_old.py", RED_TEST)
    world.commit("a test that is red")
    world.play(work(TASK))
    return world


def test_a_red_test_stops_a_run_before_any_agent_and_may_stay_red_once_it_is_accepted(tmp_path: Path) -> None:
    world = make_red(tmp_path)
    stopped = world.run()
    assert stopped.status == 5, stopped.err
    assert "1 test is red before any work: checks.test_old.Old.test_old" in stopped.err
    assert "`autopilot doctor`" in stopped.err and "--accept-red checks.test_old.Old.test_old`" in stopped.err
    assert world.autopilot("doctor").status == 5, "doctor says the same"
    config = json.loads(world.read(".planning/config.json"))
    config["project"]["accept_red"] = ["checks/test_old.py"]
    world.write(".planning/config.json", json.dumps(config))
    world.commit("the red test is known")
    state = [recorded.state for recorded in world.drive()][-1]
    assert state.status is RunStatus.COMPLETED, state.session.stop_reason
    accepted = "red before the work, and accepted: checks.test_old.Old.test_old"
    assert any(text.startswith(accepted) for text in state.totals.warnings)
    assert state.phase(PhaseId("1")).plan.baseline == state.inputs.baseline, "nothing was run twice"


def test_a_phase_that_is_to_fix_a_red_test_is_not_stopped_by_it(tmp_path: Path) -> None:
    world = make_red(tmp_path)
    roadmap = world.read(".planning/ROADMAP.md")
    world.write(".planning/ROADMAP.md", roadmap.replace("**Goal**:", "**Goal**: `test_old` passes again, and", 1))
    world.commit("the red test is the aim")
    state = world.drive_until(RunStarted)
    assert any("turn green: checks.test_old.Old.test_old" in text for text in state.totals.warnings)
    assert [seen.seen for seen in state.inputs.baseline] == [Seen.FAILED]


def make_built(folder: Path, goal: str) -> World:
    """The phase's work is there; a linter has a finding, and a test is red and accepted."""
    commands = {"test": UNITTEST, "lint": "python3 -m linting"}
    project = {"project": {"commands": commands, "accept_red": ["checks/test_old.py"]}}
    world = make_world(folder, Plot(criteria=True), config=few_tries() | project)
    world.write("checks/__init__.py", "")
    world.write("checks/test_old.py", RED_TEST)
    world.write("linting/__main__.py", LINTER)
    world.write("old.sh", "if true; then\n\techo old\nfi\n")
    world.write("part-01-01.sh", part_text("01-01"))
    roadmap = world.read(".planning/ROADMAP.md")
    world.write(".planning/ROADMAP.md", roadmap.replace("**Goal**:", f"**Goal**: {goal}", 1))
    world.commit("the part, by hand")
    world.play(OF_WHAT_IS_THERE)
    return world


def test_work_that_is_there_is_not_refused_for_what_was_red_when_the_run_began(tmp_path: Path) -> None:
    # covers: ALREADY, TRI
    world = make_built(tmp_path, "")
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    assert "[Phase 1] Routing: verify only" in ran.err and "Rerouted" not in ran.err
    assert lines_of(ran.err, "[Phase 1] lint RED BEFORE -- its 1 finding was there before the work began")
    assert not [subject for subject in world.subjects if subject.startswith("feat")], "nothing was left to do"


def test_work_that_is_there_is_not_done_while_the_red_test_that_its_goal_names_is_red(tmp_path: Path) -> None:
    # covers: ALREADY, TRI
    ran = make_built(tmp_path, "`test_old` passes again, and").run()
    assert ran.status == 1, ran.out + ran.err
    assert "Rerouted to the full pipeline: triage found the phase done, but test: the command failed" in ran.err
