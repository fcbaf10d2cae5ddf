"""A phase that goes well, whichever way it takes: every document, every event, one result.

ROUTE, TRI, PLAN, PLAN-03, EXEC, PVRF-01, ALREADY, VRFY-02, GATE, OBSV-01, OBSV-02, RESULT
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from autopilot.events.happened import AgentReplied, PhaseJudged, PhaseVerified, Planned, StepSkipped, TaskCommitted
from autopilot.events.recovery import JudgeFound, TaskAlreadyThere
from autopilot.model.agent import Role
from tests.scenario.kit.aftermath import happened, log_of, stored
from tests.scenario.kit.hearing import heard
from tests.scenario.kit.plot import plan_files
from tests.scenario.kit.telling import Told, tell
from tests.scenario.stories.pipeline import STORIES

FOLDER = ".planning/phases/01-part-1"
# 000 §4, and what is added to it.
RESULT = {
    *("phase", "status", "alignment_score", "tasks_completed", "tasks_failed", "commit_shas", "automated_checks"),
    *("issues", "debug_attempts", "replan_attempts", "recommendation", "summary", "checkpoint_sha", "evidence"),
    *("verification_duration_seconds", "phase_type", "pipeline_steps", "human_verify_justification"),
    *("diagnostic_branch", "rollback_performed", "deferral_evidence", "autonomous_confidence", "split_details"),
    *("already_implemented", "force_incomplete", "remediation_cycles", "rollback_from", "rollback_to"),
}
PROVEN = "| new | script | PASS | red at the base, green after the change |"
SPAN = {"timestamp", "phase_id", "step", "action", "input_summary", "output_summary", "duration_ms", "status"}
ACTIONS = {"file_read", "file_write", "command_run", "tool_call", "agent_spawn", "decision"}


@pytest.fixture(scope="module")
def happy(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(STORIES, "happy", tmp_path_factory.mktemp("happy"))


@pytest.fixture(scope="module")
def verify_only(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(STORIES, "verify_only", tmp_path_factory.mktemp("verify_only"))


@pytest.fixture(scope="module")
def already_there(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(STORIES, "already_there", tmp_path_factory.mktemp("already_there"))


@pytest.fixture(scope="module")
def supplemented(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(STORIES, "supplemented", tmp_path_factory.mktemp("supplemented"))


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(STORIES, "batch", tmp_path_factory.mktemp("batch"))


def result_of(told: Told) -> dict[str, Any]:
    result: dict[str, Any] = told.world.status["phases"]["1"]["result"]
    return result


def asked(told: Told, role: Role) -> list[AgentReplied]:
    return [event for event in happened(told.world, AgentReplied) if event.role is role]


# -- nothing goes wrong


def test_a_phase_that_passed_has_one_result_in_the_shape_of_the_sources(happy: Told) -> None:
    # covers: RESULT
    result = result_of(happy)
    assert result.keys() >= RESULT
    assert (result["status"], result["recommendation"], result["alignment_score"]) == ("completed", "proceed", 9.6)
    assert (result["tasks_completed"], result["tasks_failed"], result["issues"]) == ("1/1", "0/1", [])
    assert result["evidence"]["git_diff_summary"] == "1 file changed, 1 insertion(+)"
    assert result["automated_checks"] == {"compile": "n/a", "lint": "n/a", "build": "n/a", "test": True}
    assert result["commit_shas"] == [happy.world.git("log", "-1", "--format=%H", "--grep=^feat")]
    assert result["checkpoint_sha"] == happy.world.head
    assert {step: shown["agent_spawned"] for step, shown in result["pipeline_steps"].items()} == {
        **dict.fromkeys(("preflight", "triage"), False),
        **dict.fromkeys(("research", "plan", "plan_check", "execute", "verify", "judge", "rate"), True),
    }
    assert "sh part-01-01.sh -> passed (exit 0)" in result["evidence"]["commands_run"]
    assert any(line.startswith("part-01-01.sh:1 -- ") for line in result["evidence"]["files_checked"])


def test_every_step_leaves_its_document(happy: Told) -> None:
    world = happy.world
    for path, text in plan_files(world.plot, 1).items():
        assert world.read(path) == text
    said = {
        "TRIAGE.json": '"routing_decision": "full_pipeline"',
        "RESEARCH.md": "## Recommended approach",
        "EXECUTION-LOG.md": "| test | `sh check.sh` | passed (exit 0) |",
        "VERIFICATION.md": f"| Part 01-01 says its name {PROVEN}",
        "JUDGE-REPORT.md": "## Divergence Analysis\n\nThe judge agrees with the verifier.",
        "SCORECARD.md": "**Alignment Score: 9.6/10** (excellence)",
        "SUMMARY.md": "requirements-completed: [PART-01]",
    }
    assert [name for name, words in said.items() if words not in world.read(f"{FOLDER}/{name}")] == []
    mini = "  - **Result:** PASS\n  - **Criteria checked:** 3\n  - **Criteria passed:** 3\n"
    assert mini in world.read(f"{FOLDER}/EXECUTION-LOG.md")


def test_the_trace_tells_every_step_in_spans_of_the_given_form(happy: Told) -> None:
    # covers: OBSV-01, OBSV-02
    spans = [json.loads(line) for line in happy.world.read(f"{FOLDER}/TRACE.jsonl").splitlines()]
    assert [span for span in spans if span.keys() != SPAN or span["phase_id"] != "1"] == []
    assert {span["action"] for span in spans} <= ACTIONS
    assert {span["status"] for span in spans} <= {"success", "failure", "skipped"}
    assert max(len(span[name]) for span in spans for name in ("input_summary", "output_summary")) <= 200
    steps = ["research", "plan", "plan_check", "execute", "mini_verify", "verify", "judge", "judge", "rate"]
    assert [span["step"] for span in spans if span["action"] == "agent_spawn"] == steps
    assert [span["timestamp"] for span in spans] == sorted(span["timestamp"] for span in spans)
    own = [json.loads(line) for line in happy.world.read(f"{FOLDER}/execute-trace.jsonl").splitlines()]
    assert own == [span for span in spans if span["step"] == "execute"]
    assert ("file_write", "part-01-01.sh") in [(span["action"], span["input_summary"]) for span in own]


def test_the_judge_gives_its_own_findings_before_it_sees_the_verifiers(happy: Told) -> None:
    # covers: VRFY-02, T3
    events = [type(entry.event) for entry in stored(happy.world)]
    assert events.index(PhaseVerified) < events.index(JudgeFound) < events.index(PhaseJudged)
    first, second = heard(happy.world, "judge")
    assert "observations.json" in first
    assert "VERIFICATION.md" not in first
    assert ".autopilot/VERIFICATION.md" in second
    for role in ("verifier", "rater"):
        (seen,) = heard(happy.world, role)
        assert [name for name in ("VERIFICATION", "JUDGE", "EXECUTION-LOG", "findings") if name in seen] == []


def test_the_event_log_of_a_good_phase_tells_each_step_once(happy: Told) -> None:
    rows = log_of(happy.world)
    names = [row["event"] for row in rows]
    assert (names[0], names[1]) == ("run_started", "phase_started")
    once = ("run_completed", "phase_completed", "task_completed")
    assert [names.count(name) for name in once] == [1, 1, 1]
    assert not {"step_failed", "task_failed", "task_retried", "debug_attempt", "rollback_initiated"} & set(names)
    started = [row["step"] for row in rows if row["event"] == "step_started"]
    assert started == [
        *("preflight", "triage", "research", "plan", "plan_check", "execute", "mini_verify"),
        *("verify", "judge", "rate", "gate", "land"),
    ]


def test_each_step_of_a_good_phase_is_one_commit_of_ours(happy: Told) -> None:
    assert happy.world.subjects[1:] == [
        "docs(1): plan Part 1",
        "feat(01): 01-01 - Part 01-01 speaks",
        "docs(1): records of phase 1, Part 1",
    ]


# -- it is there already


def test_a_phase_done_by_hand_is_only_verified_and_called_already_there(verify_only: Told) -> None:
    # covers: TRI, ROUTE, ALREADY
    skipped = {event.step.value: event.reason for event in happened(verify_only.world, StepSkipped)}
    assert skipped == dict.fromkeys(("research", "plan", "plan_check", "execute"), "triage found it done")
    assert {event.role for event in happened(verify_only.world, AgentReplied)} == {
        *(Role.VERIFIER, Role.JUDGE, Role.RATER)
    }
    result = result_of(verify_only)
    assert (result["status"], result["already_implemented"], result["commit_shas"]) == ("completed", True, [])
    assert result["pipeline_steps"]["triage"]["status"] == "verify_only"
    assert verify_only.world.subjects[2:] == ["docs(1): records of phase 1, Part 1"]
    shown = verify_only.world.read(f"{FOLDER}/VERIFICATION.md")
    assert "| Part 1 says its name | already there | command | PASS | green before and after |" in shown
    triage = json.loads(verify_only.world.read(f"{FOLDER}/TRIAGE.json"))
    assert (triage["pass_ratio"], triage["criteria_source"]) == (1.0, "roadmap")


def test_a_task_that_is_there_already_costs_no_call_and_no_commit(already_there: Told) -> None:
    # covers: ALREADY
    world = already_there.world
    assert [event.task for event in happened(world, TaskAlreadyThere)] == ["01-01"]
    assert [call.task for call in asked(already_there, Role.EXECUTOR)] == ["01-02"]
    assert [subject for subject in world.subjects if subject.startswith("feat")] == [
        "feat(01): 01-02 - Part 01-02 speaks"
    ]
    (row,) = [row for row in log_of(world, "task_completed") if row["details"]["task"] == "01-01"]
    assert row["details"] == {"task": "01-01", "commit": None, "already_implemented": True}
    assert {call.role for call in happened(world, AgentReplied)} >= {Role.VERIFIER, Role.JUDGE}


def test_a_task_that_is_there_already_is_shown_so_wherever_the_phase_is_told(already_there: Told) -> None:
    # covers: ALREADY, PROG
    world = already_there.world
    assert "[Phase 1] Task 01-01: ALREADY THERE" in already_there.ran.err
    assert "[Phase 1] Step: EXECUTE (6/9) -- 2 tasks" in already_there.ran.err
    log = world.read(f"{FOLDER}/EXECUTION-LOG.md")
    assert "- **Commit SHA:** none" in log
    assert "- **Evidence:** already there: every criterion held before the work began" in log
    verification = world.read(f"{FOLDER}/VERIFICATION.md")
    assert "| Part 01-01 says its name | already there | script | PASS | green before and after |" in verification
    assert f"| Part 01-02 says its name {PROVEN}" in verification
    assert "- none for 01-01 Part 01-01 speaks: already there" in world.read(f"{FOLDER}/SUMMARY.md")
    tasks = world.status["phases"]["1"]["steps"]["execute"]["tasks"]
    assert {name: task["already_implemented"] for name, task in tasks.items()} == {"01-01": True, "01-02": False}
    assert result_of(already_there)["tasks_completed"] == "2/2"


# -- a user's plan that cannot be checked


def test_what_a_users_plan_lacks_is_written_beside_it_and_the_plan_stays_as_it_is(supplemented: Told) -> None:
    # covers: PLAN, PLAN-03, T4.2
    world = supplemented.world
    plan, beside = world.read(f"{FOLDER}/PLAN.md"), world.read(f"{FOLDER}/PLAN.autopilot.md")
    assert plan == world.git("show", "HEAD~3:.planning/phases/01-part-1/PLAN.md") + "\n"
    assert "verified by" not in plan
    assert "verified by: `sh part-01-01.sh`" in beside
    script = f"{FOLDER}/tests/task-01-01.sh"
    assert world.read(script) == plan_files(world.plot, 1)[script]
    assert [event.ours for event in happened(world, Planned)] == [False, False], "it is still the user's plan"
    assert world.subjects[2:] == [
        "docs(1): plan Part 1",
        "feat(01): 01-01 - Part 01-01 speaks",
        "docs(1): records of phase 1, Part 1",
    ]


def test_a_supplement_is_judged_like_any_criterion_and_its_checker_has_read_it(supplemented: Told) -> None:
    # covers: PCHK, PLAN
    world = supplemented.world
    shown = world.read(f"{FOLDER}/VERIFICATION.md")
    assert f"| Part 01-01 says its name {PROVEN}" in shown
    assert len(asked(supplemented, Role.PLANNER)) == 1
    assert len(asked(supplemented, Role.PLAN_CHECKER)) == 1, "what lint refuses costs no checker"
    (seen,) = heard(world, "plan_checker")
    assert ".autopilot/plan/02-PLAN.autopilot.md" in seen
    assert "task 01-01 has no criterion that can be run and no test script" in supplemented.ran.err


# -- over eight tasks


def test_more_than_eight_tasks_are_one_call_and_still_one_commit_each(batch: Told) -> None:
    # covers: PVRF-01, EXEC
    world, tasks = batch.world, batch.world.plot.task_ids(1)
    assert [call.task for call in asked(batch, Role.EXECUTOR)] == [""]
    assert [event.task for event in happened(world, TaskCommitted)] == tasks
    assert world.subjects[1:-1] == [f"feat(01): {task} - Part {task} speaks" for task in tasks]
    for number, task in enumerate(tasks):
        commit = f"HEAD~{len(tasks) - number}"
        assert world.git("diff-tree", "--no-commit-id", "--name-only", "-r", commit) == f"part-{task}.sh"


def test_each_task_of_a_batch_is_proven_by_itself(batch: Told) -> None:
    # covers: PVRF-01
    tasks = batch.world.plot.task_ids(1)
    assert [call.task for call in asked(batch, Role.MINI_VERIFIER)] == tasks
    assert [row["details"]["task"] for row in log_of(batch.world, "task_completed")] == tasks
    log = batch.world.read(f"{FOLDER}/EXECUTION-LOG.md")
    assert log.count("  - **Result:** PASS") == len(tasks)
    assert (result_of(batch)["tasks_completed"], batch.ran.status) == ("9/9", 0)
