"""A phase in which something does not hold: mended by rule, or given back, with everything told.

PCHK, PVRF-01, DBG, GATE, RBK, LOOP-2, VRFY-02, OBSV-03, OBSV-04, LRNG-01, LRNG-02, RESULT
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from autopilot.events.happened import AgentReplied, GateJudged, PlanChecked, TaskCommitted
from autopilot.events.recovery import PhaseMended, TaskRead
from autopilot.model.agent import Role
from autopilot.model.ruling import Action
from tests.scenario.kit.aftermath import happened, log_of, state_of
from tests.scenario.kit.hearing import heard
from tests.scenario.kit.telling import Told, tell
from tests.scenario.stories.pipeline import STORIES

FOLDER = ".planning/phases/01-part-1"
POSTMORTEM = ".autopilot/diagnostics/phase-1-postmortem.json"
WORK = "feat(01): 01-01 - Part 01-01 speaks"
RECORDS = "docs(1): records of phase 1, Part 1"

NOT_NEW = "test what is new, or mark it [keep] if it only has to stay so"


@pytest.fixture(scope="module")
def plan_refused(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(STORIES, "plan_refused", tmp_path_factory.mktemp("plan_refused"))


@pytest.fixture(scope="module")
def task_debugged(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(STORIES, "task_debugged", tmp_path_factory.mktemp("task_debugged"))


@pytest.fixture(scope="module")
def task_failed(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(STORIES, "task_failed", tmp_path_factory.mktemp("task_failed"))


@pytest.fixture(scope="module")
def check_mended(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(STORIES, "check_mended", tmp_path_factory.mktemp("check_mended"))


@pytest.fixture(scope="module")
def debug_exhausted(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(STORIES, "debug_exhausted", tmp_path_factory.mktemp("debug_exhausted"))


@pytest.fixture(scope="module", params=["judge_rolls_back", "judge_halts"])
def judged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Told]:
    word = {"judge_rolls_back": "rollback", "judge_halts": "halt"}[request.param]
    return word, tell(STORIES, request.param, tmp_path_factory.mktemp(request.param))


def phase_of(told: Told) -> dict[str, Any]:
    phase: dict[str, Any] = state_of(told.world)["phases"]["1"]
    return phase


def postmortem_of(told: Told) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(told.world.read(POSTMORTEM))
    return document


def events_of(told: Told, *names: str) -> list[tuple[str, str | None]]:
    """These rows of the event log with the task they are about."""
    rows = [row for row in log_of(told.world) if row["event"] in names and row["phase"] == "1"]
    return [(row["event"], row["details"].get("task")) for row in rows]


# -- the plan


def test_a_plan_is_refused_by_lint_by_what_is_seen_and_by_its_checker_and_then_no_more(plan_refused: Told) -> None:
    # covers: PCHK, PLAN, PLAN-03
    checks = happened(plan_refused.world, PlanChecked)
    assert [(check.passed, check.check is None, check.blockers[0]) for check in checks] == [
        (False, True, f"{FOLDER}/PLAN.md:12: task 01-01 has no criterion with a command"),
        (False, False, f"01-01.c1 (Part 01-01 says its name) passed before any work: {NOT_NEW}"),
        (False, False, "the checker's confidence is 6.5/10"),
    ]
    calls = [event.role for event in happened(plan_refused.world, AgentReplied)]
    assert calls == [Role.PLANNER, Role.PLANNER, Role.PLAN_CHECKER, Role.PLANNER, Role.PLAN_CHECKER]
    assert [row["details"]["round"] for row in log_of(plan_refused.world, "replan_attempt")] == [2, 3]


def test_a_phase_without_a_plan_fails_and_leaves_no_trace_in_the_repository(plan_refused: Told) -> None:
    world = plan_refused.world
    assert world.subjects == ["parts: a beginning"]
    assert world.branches == ["main"], "there is nothing to keep"
    assert world.git("status", "--porcelain") == ""
    assert "phase 1 failed in plan_check: the plan was refused 3 times: " in plan_refused.ran.out
    assert "EXECUTE" not in plan_refused.ran.err
    assert "execute" not in phase_of(plan_refused)["steps"]
    result = phase_of(plan_refused)["result"]
    assert (result["status"], result["recommendation"], result["rollback_performed"]) == ("failed", "halt", False)
    cause = postmortem_of(plan_refused)["root_cause"]
    assert (cause["category"], cause["step"]) == ("coordination_failure", "plan_check")


# -- one task


def test_a_task_is_debugged_twice_at_most_once_for_what_code_saw_and_once_for_what_a_reader_did(
    task_debugged: Told,
) -> None:
    # covers: PVRF-01, DBG
    assert events_of(task_debugged, "task_failed", "task_retried", "task_completed") == [
        *(("task_failed", "01-01"), ("task_retried", "01-01")),
        *(("task_failed", "01-01"), ("task_retried", "01-01")),
        ("task_completed", "01-01"),
    ]
    readings = [event.assessment for event in happened(task_debugged.world, TaskRead)]
    assert [reading and reading.passed for reading in readings] == [False, True], "a red command needs no reader"
    phase = phase_of(task_debugged)
    assert (phase["task_retries"], phase["result"]["debug_attempts"], phase["status"]) == (2, 2, "completed")


def test_a_mended_task_is_one_commit_and_its_log_tells_what_it_took(task_debugged: Told) -> None:
    # covers: PVRF-01, EXEC
    world = task_debugged.world
    assert world.subjects[1:] == [WORK, RECORDS]
    assert len(happened(world, TaskCommitted)) == 3, "each try was committed and looked at"
    assert world.read("part-01-01.sh").startswith("# It says its name and nothing else.\n")
    log = world.read(f"{FOLDER}/EXECUTION-LOG.md")
    assert "- **Status:** COMPLETED" in log
    assert "  - **Debug attempts:** 2" in log
    assert log.count("- claimed as done, and refused: ") == 2
    assert "nothing says what the part is for" in log


def test_a_failed_task_does_not_stop_the_tasks_after_it(task_failed: Told) -> None:
    # covers: PVRF-01
    assert events_of(task_failed, "task_failed", "task_completed", "debug_attempt") == [
        *(("task_failed", "01-01"), ("debug_attempt", "01-01")) * 2,
        ("task_failed", "01-01"),
        ("task_completed", "01-02"),
        ("debug_attempt", None),
    ]
    assert "[Phase 1] Step: EXECUTE ended: 1 of 2 tasks verified." in task_failed.ran.err


def test_what_a_failed_task_left_open_is_seen_by_the_phase_and_mended_there(task_failed: Told) -> None:
    # covers: GATE, DBG, RESULT
    world = task_failed.world
    gates = happened(world, GateJudged)
    assert [gate.action for gate in gates] == [Action.DEBUG, Action.PASS]
    assert gates[0].reason.startswith("01-01.c1: the check failed after the change")
    (mended,) = happened(world, PhaseMended)
    assert mended.findings[0].startswith("Part 01-01 says its name: the check failed after the change; ")
    asked = [event.role for event in happened(world, AgentReplied)]
    assert asked.count(Role.VERIFIER) == 1, "what evidence refuses is read by nobody"
    fix = "fix(01): debug 1 - fix what did not hold"
    assert world.subjects[1:] == [WORK, "feat(01): 01-02 - Part 01-02 speaks", fix, RECORDS]
    log = world.read(f"{FOLDER}/EXECUTION-LOG.md")
    assert "- **Status:** FAILED" in log
    assert log.count("- **At the phase's last commit:** holds") == 2
    phase = phase_of(task_failed)
    assert (phase["steps"]["execute"]["status"], phase["result"]["tasks_completed"]) == ("completed", "2/2")


# -- the phase as a whole


def test_a_check_that_no_task_broke_still_has_to_be_green_in_the_end(check_mended: Told) -> None:
    # covers: GATE, DBG, EXEC
    assert events_of(check_mended, "task_failed") == [], "what was red before the work is not its doing"
    first, second = happened(check_mended.world, GateJudged)
    assert (first.action, first.category) == (Action.DEBUG, "build_failure")
    assert first.reason.startswith("build: the command failed, and cannot be compared with before: ")
    assert second.action is Action.PASS
    assert [line for line in check_mended.ran.err.splitlines() if line.startswith("[Phase 1] b")] == [
        *("[Phase 1] baseline build FAIL", "[Phase 1] baseline test PASS"),
        *(f"[Phase 1] build FAIL -- {first.reason.removeprefix('build: ')}", "[Phase 1] build PASS"),
    ]


def test_the_mend_of_a_phase_is_a_commit_of_its_own_and_on_record(check_mended: Told) -> None:
    # covers: DBG, RESULT
    world = check_mended.world
    assert world.subjects[1:] == [WORK, "fix(01): debug 1 - fix what did not hold", RECORDS]
    assert world.git("diff-tree", "--no-commit-id", "--name-only", "-r", "HEAD~1") == "manifest.txt"
    assert "## Debugging of the whole phase" in world.read(f"{FOLDER}/EXECUTION-LOG.md")
    assert "debug attempt 1 of the whole phase" in world.read(f"{FOLDER}/SUMMARY.md")
    result = phase_of(check_mended)["result"]
    assert (result["debug_attempts"], result["automated_checks"]["build"]) == (1, True)
    assert world.git("rev-parse", "HEAD~1") in result["commit_shas"]


# -- nothing helps


def test_after_three_debug_attempts_the_work_is_given_back_and_kept_on_a_branch(debug_exhausted: Told) -> None:
    # covers: DBG, RBK
    world = debug_exhausted.world
    actions = [gate.action for gate in happened(world, GateJudged) if gate.phase == "1"]
    assert actions == [Action.DEBUG, Action.DEBUG, Action.DEBUG, Action.ROLLBACK]
    phase = phase_of(debug_exhausted)
    branch = phase["diagnostic_branch"]
    assert world.branches == [branch, "main"]
    assert world.git("show", f"{branch}:part-01-01.sh").splitlines() == ["echo to be done", *["# once more"] * 5]
    rollback = world.git("log", "--format=%H", "--grep=^rollback: restore the tree phase 1 began with")
    assert world.git("diff", "--stat", f"{branch}~5", rollback) == ""
    result = phase["result"]
    assert (result["rollback_performed"], result["recommendation"]) == (True, "rollback")
    assert (result["rollback_from"], result["rollback_to"]) == (world.git("rev-parse", branch), rollback)
    assert events_of(debug_exhausted, "rollback_initiated", "rollback_completed", "phase_failed") == [
        *(("rollback_initiated", None), ("rollback_completed", None), ("phase_failed", None))
    ]
    assert f"the attempt is kept on {branch}" in debug_exhausted.ran.out


def test_the_post_mortem_says_what_went_wrong_where_first_and_what_was_tried(debug_exhausted: Told) -> None:
    # covers: OBSV-03, OBSV-04
    document = postmortem_of(debug_exhausted)
    assert set(document) == {
        *("phase_id", "phase_name", "timestamp", "status", "root_cause", "timeline", "evidence", "attempted_fixes"),
        "prevention_rule",
    }
    cause = document["root_cause"]
    assert set(cause) == {"category", "description", "first_observed_at", "step"}
    assert (cause["category"], cause["step"]) == ("acceptance_criteria_unmet", "mini_verify")
    assert len(document["timeline"]) <= 20
    assert all(set(entry) == {"timestamp", "step", "event", "status"} for entry in document["timeline"])
    assert {entry["status"] for entry in document["timeline"]} <= {"success", "failure", "partial", "skipped"}
    assert document["evidence"]["commands_run"][0] == "sh part-01-01.sh -> failed (exit 0): to be done"
    trace = debug_exhausted.world.read(".autopilot/diagnostics/phase-1/TRACE.jsonl").splitlines()
    spawned = [span["step"] for span in map(json.loads, trace) if span["action"] == "agent_spawn"]
    assert spawned == ["plan", "plan_check", "execute", *["debug"] * 5]
    fixes = document["attempted_fixes"]
    assert [fix["attempt"] for fix in fixes] == [1, 2, 3, 4, 5]
    assert all(set(fix) == {"attempt", "description", "commit_sha", "resolved", "remaining"} for fix in fixes)
    assert all(fix["remaining"] and not fix["resolved"] for fix in fixes)
    branch = phase_of(debug_exhausted)["diagnostic_branch"]
    assert fixes[-1]["commit_sha"] == debug_exhausted.world.git("rev-parse", branch)


def test_what_a_failure_teaches_is_written_down_and_told_to_those_who_plan_and_build_next(
    debug_exhausted: Told,
) -> None:
    # covers: LRNG-01, LRNG-02
    learnings = debug_exhausted.world.read(".autopilot/learnings.md")
    rule = postmortem_of(debug_exhausted)["prevention_rule"]
    lines = learnings.splitlines()
    assert lines[0] == "# Learnings (current run)"
    assert lines[2:4] == [
        "### Phase 1 failure -- acceptance_criteria_unmet",
        f"**Prevention rule:** {rule}",
    ]
    assert lines[4].startswith("**Context:** Phase 1 (Part 1) failed with category `acceptance_criteria_unmet`. ")
    for role in ("planner", "executor"):
        (told,) = heard(debug_exhausted.world, role, phase=2)
        assert rule in told, role
    log = debug_exhausted.world.read(".planning/phases/02-part-2/EXECUTION-LOG.md")
    assert "Available learnings: the failure of phase 1." in log


def test_a_phase_that_nothing_depends_on_lets_the_others_pass(debug_exhausted: Told) -> None:
    # covers: LOOP-2
    world = debug_exhausted.world
    assert state_of(world)["phases"]["2"]["status"] == "completed"
    assert not (world.project / "part-01-01.sh").exists()
    assert world.read("part-02-01.sh") == "echo part 02-01\n"
    assert world.git("status", "--porcelain") == ""


# -- the judge's word


def test_a_judges_word_gives_a_green_phase_back_and_stops_the_run_even_for_what_does_not_depend_on_it(
    judged: tuple[str, Told],
) -> None:
    # covers: GATE, LOOP-2, RBK
    word, told = judged
    world, state = told.world, state_of(told.world)
    assert world.subjects == ["parts: a beginning"]
    assert (state["phases"]["1"]["status"], state["phases"]["2"]["status"]) == ("failed", "not_started")
    assert state["_meta"]["stop_reason"] == f"phase 1: the judge says {word}"
    assert world.git("show", f"{state['phases']['1']['diagnostic_branch']}:part-01-01.sh") == "echo part 01-01"
    (gate,) = happened(world, GateJudged)
    assert (gate.action, gate.category) == (Action.ROLLBACK, "executor_wrong_approach")
    assert all(verdict.outcome == "PASS" for verdict in gate.verdicts)
    assert events_of(told, "debug_attempt") == []


def test_a_judges_word_is_shown_with_its_reason_whichever_call_gave_it(judged: tuple[str, Told]) -> None:
    # covers: VRFY-02, OBSV-03
    word, told = judged
    reason = {"rollback": "something else than the goal asks for", "halt": "not the one the roadmap means"}[word]
    report = told.world.read(".autopilot/diagnostics/phase-1/JUDGE-REPORT.md")
    assert f"**Recommendation:** {word}\n" in report
    findings, divergence = report.split("## Divergence Analysis")
    assert reason in (findings if word == "rollback" else divergence)
    assert f"its recommendation then: {'rollback' if word == 'rollback' else 'proceed'}." in findings
    assert reason in told.ran.out
    assert reason in postmortem_of(told)["root_cause"]["description"]
    assert "### Phase 1 failure -- executor_wrong_approach" in told.world.read(".autopilot/learnings.md")
