"""The result of a phase: the sources' shape, filled from the record alone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from autopilot.events.fold import fold_all
from autopilot.events.pieces import Cycle, Deferral, PhaseDebug, StepState, TaskState
from autopilot.events.state import PhaseState
from autopilot.model.assessment import CannotVerify, CriterionReading, Failure, MiniVerification, PlanCheck
from autopilot.model.assessment import Recommendation as Word
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands, Policy
from autopilot.model.result import Justification, PhaseResult
from autopilot.model.ruling import Action
from autopilot.model.run import PhaseStatus, Step
from autopilot.reports.status.pipeline import review_step
from autopilot.reports.status.result import build_result
from tests.unit.events.golden.reading import FOLDER, read_golden
from tests.unit.making import (
    TWO,
    make_criterion,
    make_judgement,
    make_observation,
    make_phase,
    make_rating,
    make_state,
    make_task,
    make_verdict,
    make_verification,
)

# covers: RESULT, STAT-01, STAT-02, CTXE-01
COMMANDS = Policy(commands=Commands(compile="make", lint="lint"))


def result_of(phase: PhaseState, diff: str = "", **more: Any) -> PhaseResult:
    return build_result(make_state(phase, **more), phase, diff)


def task(id: str, status: str, commit: str = "", **more: Any) -> TaskState:
    return TaskState(make_task(id, make_criterion(f"{id}.c1", f"{id} works")), status, commit, **more)


def done(**more: Any) -> PhaseState:
    fields: dict[str, Any] = {
        "status": PhaseStatus.COMPLETED,
        "tasks": {"01-01": task("01-01", "verified", "c1")},
        "verdicts": (make_verdict(Outcome.PASS), make_verdict(Outcome.PASS, "compile")),
        "observations": (
            make_observation("compile", command="make", exit_code=0),
            make_observation("01-01.c1", command="check\n it", exit_code=0),
        ),
        "gate": Outcome.PASS,
        "gate_reason": "2 of 2 observed, score 9.6",
        "score": 9.6,
        "band": "excellence",
        "records_commit": "r1",
        "verification": make_verification(
            criteria_results=(
                CriterionReading("01-01 works", "verified", "shelf/a.py:3 -- it is there"),
                CriterionReading("01-01 works", "verified", "I believe so"),
            )
        ),
        "verification_ms": 123_456,
        "judgement": make_judgement(),
        "rating": make_rating(),
        "steps": {
            "research": StepState("skipped", detail="a plan exists"),
            "plan": StepState("completed"),
            "plan_check": StepState("pass"),
            "execute.01-01": StepState("completed"),
            "verify": StepState("pass"),
        },
        "plan_approved": True,
        "plan_check": PlanCheck(True, (), 8.0),
        "preflight_issues": (),
        "triage": (make_observation("phase.c1"), make_observation("phase.c2", Seen.FAILED)),
        "phase_type": "mixed",
    }
    return make_phase(**{**fields, **more})


def test_a_completed_phase_has_a_result_in_the_sources_shape() -> None:
    result = result_of(done(), "1 file changed", policy=COMMANDS)
    found = msgspec.json.decode(msgspec.json.encode(result))
    assert found == {
        "phase": "1",
        "status": "completed",
        "alignment_score": 9.6,
        "tasks_completed": "1/1",
        "tasks_failed": "0/1",
        "commit_shas": ["c1"],
        "automated_checks": {"compile": True, "lint": None, "build": "n/a", "test": "n/a"},
        "issues": [],
        "debug_attempts": 0,
        "replan_attempts": 0,
        "recommendation": "proceed",
        "summary": "2 of 2 checks proven, score 9.6/10. 2 of 2 observed, score 9.6.",
        "checkpoint_sha": "r1",
        "verification_duration_seconds": 123.456,
        "evidence": {
            "files_checked": ["shelf/a.py:3 -- it is there"],
            "commands_run": ["make -> passed (exit 0)", "check it -> passed (exit 0)"],
            "git_diff_summary": "1 file changed",
        },
        "phase_type": "mixed",
        "pipeline_steps": {
            "preflight": {"status": "pass", "agent_spawned": False},
            "triage": {"status": "full_pipeline", "agent_spawned": False, "pass_ratio": 0.5},
            "research": {"status": "skipped", "agent_spawned": False, "skip_reason": "a plan exists"},
            "plan": {"status": "completed", "agent_spawned": True, "skip_reason": None},
            "plan_check": {"status": "pass", "agent_spawned": True, "confidence": 8.0},
            "execute": {"status": "completed", "agent_spawned": True},
            "verify": {"status": "pass", "agent_spawned": True},
            "judge": {"status": "pass", "agent_spawned": True},
            "rate": {"status": "pass", "agent_spawned": True, "alignment_score": 9.6, "score_band": "excellence"},
        },
        "human_verify_justification": None,
        "deferral_evidence": [],
        "autonomous_confidence": 9.0,
        "split_details": None,
        "diagnostic_branch": None,
        "rollback_performed": False,
        "rollback_from": None,
        "rollback_to": None,
        "remediation_cycles": 0,
        "force_incomplete": False,
        "already_implemented": False,
    }


@pytest.mark.parametrize(
    ("status", "shown"),
    [("pass", "pass"), ("fail", "pass"), ("refused", "fail"), ("error", "fail"), ("skipped", "skipped")],
)
def test_a_review_by_a_program_asked_no_agent_and_one_that_the_project_does_not_want_is_skipped(
    status: str, shown: str
) -> None:
    """No step of today is one: the gate, which has no role either, stands in for a review that will be added."""
    phase = done(steps={"gate": StepState(status)})
    assert review_step(make_state(phase), phase, Step.GATE) == ("gate", {"status": shown, "agent_spawned": False})


def test_a_phase_of_an_earlier_journal_still_has_a_result() -> None:
    state = fold_all(read_golden(FOLDER / "journal-1.jsonl"))
    for phase in state.phases.values():
        result = build_result(state, phase)
        assert (result.status, result.recommendation) == ("completed", "proceed")
        assert {
            step["agent_spawned"] for name, step in result.pipeline_steps.items() if name in ("verify", "rate")
        } == {True}


def test_work_that_evidence_refuses_is_not_called_done_whatever_its_task_said() -> None:
    phase = done(
        status=PhaseStatus.IN_PROGRESS,
        gate=Outcome.FAIL,
        action=Action.DEBUG,
        verdicts=(make_verdict(Outcome.FAIL, because="the check failed after the change"),),
        observations=(make_observation("01-01.c1", Seen.FAILED, command="check it", exit_code=1, excerpt="no\n"),),
    )
    result = result_of(phase)
    assert (result.tasks_completed, result.tasks_failed) == ("0/1", "1/1")
    assert result.pipeline_steps["execute"]["status"] == "partial"
    assert result.recommendation == "debug"
    assert result.issues == ("01-01 works: the check failed after the change",)
    assert result.evidence.commands_run == ("check it -> failed (exit 1): no",)
    assert result.evidence.files_checked == ("shelf/a.py:3 -- it is there (read as verified, observed: FAIL)",)


def test_a_task_that_a_later_mend_made_right_is_done() -> None:
    phase = done(tasks={"01-01": task("01-01", "failed", "c1", debugs=2)}, debug_rounds=(debug(1, "m1"),))
    result = result_of(phase)
    assert (result.tasks_completed, result.tasks_failed, result.debug_attempts) == ("1/1", "0/1", 3)
    assert result.commit_shas == ("c1", "m1")


def debug(attempt: int, commit: str = "", **more: Any) -> PhaseDebug:
    return PhaseDebug(attempt, ("it fails",), commit, (), more.pop("remaining", ()), (), **more)


@pytest.mark.parametrize(
    ("more", "status", "recommendation"),
    [
        ({"status": PhaseStatus.COMPLETED}, "completed", "proceed"),
        ({"status": PhaseStatus.FAILED, "rolled_back_to": "b"}, "failed", "rollback"),
        ({"status": PhaseStatus.FAILED}, "failed", "halt"),
        ({"status": PhaseStatus.IN_PROGRESS, "action": Action.REMEDIATE}, "in_progress", "debug"),
        ({"status": PhaseStatus.IN_PROGRESS, "action": Action.PAUSE}, "in_progress", "halt"),
        ({"status": PhaseStatus.IN_PROGRESS, "judgement": make_judgement(Word.HALT)}, "in_progress", "halt"),
        ({"status": PhaseStatus.IN_PROGRESS, "judgement": make_judgement()}, "in_progress", "proceed"),
        (
            {
                "status": PhaseStatus.IN_PROGRESS,
                "judgement": make_judgement(),
                "verdicts": (make_verdict(Outcome.FAIL),),
            },
            "in_progress",
            "debug",
        ),
    ],
)
def test_status_and_recommendation_follow_the_record(more: dict[str, Any], status: str, recommendation: str) -> None:
    result = result_of(done(**more))
    assert (result.status, result.recommendation) == (status, recommendation)


def test_a_failed_phase_tells_its_issues_in_the_order_they_came() -> None:
    phase = done(
        status=PhaseStatus.FAILED,
        failure="it did not hold",
        tasks={"01-01": task("01-01", "failed", "c1", handovers=("full",))},
        debug_rounds=(debug(1, "m1", remaining=("the half of it",)), debug(2, refusal="the agent committed nothing")),
        verdicts=(make_verdict(Outcome.FAIL),),
        verification=make_verification(False, failures=(Failure("x is wrong", ""), Failure("y", "lint_failure"))),
        judgement=make_judgement(missing_requirements=("REQ-1",)),
        rolled_back_to="back",
        observed_commit="m1",
        diagnostic_branch="autopilot/diagnostic/1",
    )
    result = result_of(phase)
    assert result.issues == (
        "context_exhaustion: task 01-01 was handed over to a fresh agent: full",
        "debug attempt 1: the half of it",
        "debug attempt 2 was refused: the agent committed nothing",
        "01-01 works: so it was seen",
        "unclassified: x is wrong",
        "lint_failure: y",
        "REQ-1",
        "it did not hold",
    )
    assert (result.rollback_performed, result.rollback_from, result.rollback_to) == (True, "m1", "back")
    assert result.diagnostic_branch == "autopilot/diagnostic/1"


def test_what_could_not_be_run_is_neither_true_nor_false() -> None:
    phase = done(observations=(make_observation("compile", Seen.NOTHING, reason="no sandbox"),))
    result = result_of(phase, policy=COMMANDS)
    assert result.automated_checks["compile"] is None
    assert result.evidence.commands_run == ("check compile -> could not be run: no sandbox",)


def test_evidence_also_comes_from_the_readings_of_tasks() -> None:
    reading = MiniVerification(True, (CriterionReading("01-01 works", "verified", "shelf/b.py:9 -- here"),), (), ())
    phase = done(verification=None, tasks={"01-01": task("01-01", "verified", "c1", reading=reading)})
    result = result_of(phase)
    assert result.evidence.files_checked == ("shelf/b.py:9 -- here",)
    assert result.verification_duration_seconds is None


def test_nothing_committed_and_everything_held_is_called_already_there() -> None:
    there = done(tasks={"01-01": task("01-01", "already")})
    assert result_of(there).already_implemented and result_of(there).tasks_completed == "1/1"
    assert result_of(done(tasks={}, verify_only=True)).already_implemented
    assert not result_of(done()).already_implemented


def test_a_phase_that_waits_says_for_whom_and_why() -> None:
    justification = Justification("01-02", "look at the page", 1, 1)
    evidence = (CannotVerify("it looks right", ("read the code",), "colours cannot be run"),)
    phase = done(
        status=PhaseStatus.NEEDS_HUMAN_VERIFICATION, deferral=Deferral(justification, evidence, 4.0, "autopilot/wait")
    )
    result = result_of(phase)
    assert result.status == "needs_human_verification" and result.autonomous_confidence == 4.0
    assert result.human_verify_justification == justification
    assert result.deferral_evidence == (
        {
            "criterion": "it looks right",
            "methods_attempted": ("read the code",),
            "why_insufficient": "colours cannot be run",
        },
    )


def test_remediation_and_incompleteness_are_in_the_result() -> None:
    phase = done(score=8.2, incomplete=True, cycles=(Cycle(1, 8.0, ("01-r1",)), Cycle(2, 8.1, ("01-r2",))))
    result = result_of(phase)
    assert (result.remediation_cycles, result.force_incomplete) == (2, True)
    assert "incomplete" in result.summary
    assert result.pipeline_steps["rate"]["status"] == "fail"


def test_a_split_phase_speaks_for_its_parts() -> None:
    names = PhaseId("2a"), PhaseId("2b")
    parts = {
        name: msgspec.structs.replace(
            done(score=score, tasks={id: task(id, "verified", f"c{id}")}, verdicts=(), parent=TWO),
            brief=msgspec.structs.replace(make_phase(TWO).brief, id=name, name=f"part {name}", goal="half of it"),
        )
        for name, score, id in ((names[0], 9.7, "02-01"), (names[1], 9.2, "02-02"))
    }
    tasks = {id: task(id, "pending") for id in ("02-01", "02-02")}
    whole = make_phase(TWO, tasks=tasks, parts=names, split_reason="too many files")
    result = build_result(make_state(whole, parts=parts), whole)
    assert result.status == "split_request"
    assert (result.tasks_completed, result.commit_shas) == ("2/2", ("c02-01", "c02-02"))
    assert result.alignment_score == 9.4
    assert result.pipeline_steps["verify"] == {"status": "pass", "agent_spawned": True}
    assert result.split_details is not None
    first = result.split_details["recommended_sub_phases"][0]
    assert {key: result.split_details[key] for key in ("reason", "total_sub_phases", "original_issue_count")} == {
        "reason": "too many files",
        "total_sub_phases": 2,
        "original_issue_count": 2,
    }
    assert first == {
        "sub_phase_id": "2a",
        "name": "part 2a",
        "scope": "half of it",
        "issues": ["02-01: do 02-01"],
        "estimated_complexity": "medium",
        "status": "completed",
        "alignment_score": 9.7,
    }
    part = build_result(make_state(whole, parts=parts), parts[names[0]])
    assert part.split_details == {"parent_phase": "2", **first}


def test_steps_that_never_ran_are_skipped_and_nobody_was_asked() -> None:
    steps = result_of(make_phase(status=PhaseStatus.FAILED, preflight_issues=("no git",))).pipeline_steps
    assert steps["preflight"]["status"] == "fail"
    for name in ("research", "plan", "plan_check", "execute", "verify", "judge", "rate"):
        assert (steps[name]["status"], steps[name]["agent_spawned"]) == ("skipped", False), name


def test_a_verification_that_evidence_stopped_failed_without_a_verifier() -> None:
    phase = done(verification=None, judgement=None, rating=None, steps={Step.VERIFY.value: StepState("fail")})
    steps = result_of(phase).pipeline_steps
    assert steps["verify"] == {"status": "fail", "agent_spawned": False}
    assert steps["judge"] == {"status": "skipped", "agent_spawned": False}
