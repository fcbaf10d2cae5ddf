"""A task that an earlier one has fulfilled needs no commit; what it promises is proven as usual. covers: ALREADY."""

from __future__ import annotations

from pathlib import Path

from tests.scenario.kit.calls import claim, commit_all
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, base_config, make_world

FIRST, SECOND = "01-01", "01-02"
ROADMAP = """# Roadmap

### Phase 1: Part 1
**Goal**: Numbers are doubled and squared
**Success Criteria**:
1. It doubles -- verified by: `python3 -c "import sums; print(sums.double(4))"` (contains "8")
"""
PLAN = """# Plan

<task id="01-01" type="auto">
### Task 01-01: Double
**Files:** sums.py
**Action:** Add double(number) to sums.py.
**Verify:**
- It doubles -- verified by: `python3 -c "import sums; print(sums.double(21))"` (contains "42")
</task>

<task id="01-02" type="auto">
### Task 01-02: Square
**Files:** sums.py
**Action:** Add square(number) to sums.py.
**Verify:**
- It squares -- verified by: `python3 -c "import sums; print(sums.square(12))"` (contains "144")
</task>
"""
DOUBLE = "def double(number):\n    return number + number\n"
SQUARE = "\n\ndef square(number):\n    return number * number\n"
CONSTANT = "\n\ndef square(number):\n    return 144\n"


def _sums(folder: Path, written: str) -> World:
    """The agent of the first task writes this; that of the second changes nothing, whoever asks."""
    world = make_world(folder, Plot(), config={**base_config(), "project": {"commands": {}}})
    world.write(".planning/ROADMAP.md", ROADMAP)
    world.write(f"{world.plot.folder(1)}/01-01-PLAN.md", PLAN)
    world.commit("a plan of two tasks")
    first = claim(FIRST, {"write": "sums.py", "text": written}, *commit_all("sums"))
    debugger = {key: value for key, value in claim(SECOND, role="debugger").items() if key != "task"}
    world.play(first, claim(SECOND), debugger)
    return world


def test_a_task_whose_work_an_earlier_one_did_passes_without_a_commit_and_names_the_commit(tmp_path: Path) -> None:
    world = _sums(tmp_path, DOUBLE + SQUARE)
    ran = world.run()
    assert ran.status == 0, ran.err
    tasks = world.status["phases"]["1"]["steps"]["execute"]["tasks"]
    made = tasks[FIRST]["commit"]
    assert tasks[SECOND]["commit"] is None and tasks[SECOND]["fulfilled_by"] == made
    assert tasks[SECOND]["status"] == "completed" and not tasks[SECOND]["already_implemented"]
    assert f"Task {SECOND}: NOTHING LEFT TO DO -- what it promises was red, and {made[:12]} of an earlier" in ran.err
    folder = world.plot.folder(1)
    assert f"all of it holds since {made[:12]}" in world.read(f"{folder}/EXECUTION-LOG.md")
    assert f"none for {SECOND} Square: {made[:12]} fulfilled it as well" in world.read(f"{folder}/SUMMARY.md")
    rows = [line for line in world.read(f"{folder}/VERIFICATION.md").splitlines() if line.startswith("| It squares")]
    assert any("red at the base, green after the change" in row for row in rows), rows
    assert "Step: DEBUG" not in ran.err


def test_a_task_that_nobody_did_is_refused_as_before(tmp_path: Path) -> None:
    ran = _sums(tmp_path, DOUBLE).run()
    assert ran.status == 1
    assert f"Task {SECOND}: FAILED -- the agent committed nothing" in ran.err


def test_work_on_another_branch_is_not_taken_and_the_branch_is_named(tmp_path: Path) -> None:
    world = _sums(tmp_path, DOUBLE)
    away = ({"git": ["switch", "-q", "-c", "feature/sums"]}, {"write": "sums.py", "text": DOUBLE}, *commit_all("sums"))
    world.play(claim(FIRST, *away, {"git": ["switch", "-q", "-"]}))
    ran = world.run()
    told = "the agent committed nothing on the branch that it was given: its commits are on feature/sums"
    assert f"Task {FIRST}: FAILED -- {told}" in ran.err


def test_what_an_earlier_task_brought_is_asked_with_other_inputs_before_the_later_one_passes(tmp_path: Path) -> None:
    """A lie in the first task about what the second promises, which only the second one's criterion can show."""
    world = _sums(tmp_path, DOUBLE + CONSTANT)
    ran = world.run()
    assert ran.status == 1, ran.err
    assert f"Task {SECOND}: NOTHING LEFT TO DO" in ran.err
    assert "Gate: FAIL -- It squares (01-02.c1)" in ran.err
    assert "sums.py" not in world.git("ls-files")
