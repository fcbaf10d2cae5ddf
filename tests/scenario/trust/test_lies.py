"""An agent's claim counts for nothing; what it committed is looked at. T2, T4.3, T8.C, GATE, CRIT, RBK, LOOP-1"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenario.kit.calls import Call, claim, commit_all, debugger_claim, once_more, work
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.world import World, make_world

TASK = "01-01"
SCRIPT = ".planning/phases/01-part-1/tests/task-01-01.sh"
STUB = {"write": "part-01-01.sh", "text": "echo to be done\n"}
GITLINK = {"git": ["update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},vendored"]}
COMMIT = {"git": ["commit", "-q", "-m", "done"]}


def force(folder: str) -> Call:
    return {"git": ["add", "-f", "part-01-01.sh", folder]}


LIES: dict[str, tuple[tuple[Call, ...], str]] = {
    "a stub": (
        (STUB, *commit_all(TASK)),
        "Part 01-01 says its name (01-01.c1, also script:01-01): the check failed after the change",
    ),
    "nothing at all": ((), "the agent committed nothing"),
    "work left uncommitted": (
        ({"write": "part-01-01.sh", "text": "echo part 01-01\n"},),
        "the agent committed nothing",
    ),
    "a weaker test script": (
        ({"write": SCRIPT, "text": "echo 'PASS: Part 01-01 says its name'\n"}, *commit_all(TASK)),
        f"{SCRIPT} may not be changed by agents",
    ),
    "a nested repository": ((STUB, {"git": ["add", "-A"]}, GITLINK, COMMIT), "vendored"),
    "compiled code": (
        (STUB, {"write": "__pycache__/part.cpython-311.pyc", "text": "\x00"}, force("__pycache__"), COMMIT),
        "__pycache__/part.cpython-311.pyc is compiled code",
    ),
    "what a package manager made": (
        (STUB, {"write": "node_modules/x/index.js", "text": "x\n"}, force("node_modules"), COMMIT),
        "node_modules/x/index.js lies in node_modules, which setup, package managers or builds make",
    ),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_caught_with_evidence_and_mended_by_the_debugger(world: World, lie: str) -> None:
    actions, evidence = LIES[lie]
    world.play(claim(TASK, *actions), work(TASK, role="debugger"))
    ran = world.run()
    assert ran.status == 0, ran.err
    said = [line for line in ran.err.splitlines() if line.startswith("[Phase 1] Task 01-01: FAILED -- ")]
    assert [line for line in said if evidence in line], said
    assert "[Phase 1] Task 01-01: debug attempt 1" in ran.err
    assert "caught: task 01-01 of phase 1 was claimed as done, and refused: " in ran.out
    assert world.read("part-01-01.sh") == "echo part 01-01\n"
    assert world.git("ls-files", "-s", "vendored") == ""
    assert "exit 1" in world.read(SCRIPT), "the pinned test script is the planner's"


def test_a_lie_never_mended_fails_the_phase_and_gives_its_work_back(world: World) -> None:
    world.play(work(TASK, text="echo to be done\n"), once_more())
    before = world.head
    ran = world.run()
    assert ran.status == 1
    assert world.head == before
    assert world.git("status", "--porcelain") == ""
    (branch,) = (name for name in world.branches if name != "main")
    assert branch.startswith("autopilot/diagnostic-phase-1-run-")
    assert world.git("show", f"{branch}:part-01-01.sh").startswith("echo to be done\n")
    assert f"the attempt is kept on {branch}" in ran.out
    assert "phase 1 failed in gate: " in ran.out
    phase = world.status["phases"]["1"]
    assert (phase["status"], phase["diagnostic_branch"], phase["debug_attempts"]) == ("failed", branch, 5)
    assert phase["failure_category"] == "acceptance_criteria_unmet"


def test_what_a_task_was_refused_for_counts_although_its_debuggers_commit_nothing(tmp_path: Path) -> None:
    """Only the evidence of the task saw it: its script does not run what was built."""
    world = make_world(tmp_path, Plot(files=("total.py",), planned=True))
    total = {"write": "total.py", "text": "def total(prices):\n    return 42\n"}
    world.play(
        claim(TASK, total, {"write": "part-01-01.sh", "text": part_text(TASK)}, *commit_all(TASK)),
        {"role": "debugger", "phase": "1", "reply": debugger_claim()},
    )
    before = world.head
    ran = world.run()
    assert "Task 01-01: FAILED -- the agent committed nothing" in ran.err, "no debugger changed anything"
    assert ran.status == 1, ran.err
    assert "sabotage: still green with `total` returning" in ran.out
    assert world.head == before


def test_the_rollback_is_one_commit_that_restores_the_tree_the_phase_began_with(world: World) -> None:
    world.play(work(TASK, text="echo to be done\n"), once_more())
    states = [recorded.state for recorded in world.drive()]
    state, vault = states[-1], world.assemble().ports.vault
    phase = state.phases["1"]
    assert state.session.exit_status == 1
    assert state.line.tip == phase.ending.rolled_back_to
    assert vault.tree_of(state.line.tip) == vault.tree_of(phase.line.base)
    assert vault.is_ancestor(phase.tasks[TASK].commit, state.line.tip), "history is kept"


def test_reviewers_full_of_praise_cannot_raise_what_was_seen_to_fail(world: World) -> None:
    praise = {"recommendation": "proceed", "concerns": [], "independent_evidence": ["part-01-01.sh:1 is right"]}
    judge = {**praise, "scope_creep": [], "missing_requirements": [], "traces": [], "notes": "splendid"}
    world.play(work(TASK, text="echo to be done\n"), once_more(), {"role": "judge", "reply": judge})
    ran = world.run()
    assert ran.status == 1
    assert "[Phase 1] Gate: FAIL -- " in ran.err


def test_a_reviewer_who_refuses_lowers_what_evidence_would_pass(world: World) -> None:
    refusal = {"recommendation": "halt", "concerns": ["it is the wrong part"], "independent_evidence": ["README.md:1"]}
    judge = {**refusal, "scope_creep": [], "missing_requirements": [], "traces": [], "notes": "no"}
    before = world.head
    world.play({"role": "judge", "reply": judge})
    ran = world.run()
    assert ran.status == 1
    assert "the judge says halt: it is the wrong part" in ran.out
    assert world.head == before
