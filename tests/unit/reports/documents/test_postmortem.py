"""The post-mortem: root cause, at most twenty turning points, evidence, attempted fixes, a prevention rule."""

from __future__ import annotations

import json
from typing import Any

import pytest

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.entry import Stored
from autopilot.events.fold import fold_all
from autopilot.events.pieces import PhaseDebug, TaskState
from autopilot.events.state import PhaseState
from autopilot.model.assessment import CriterionReading, Failure
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.failure import WORDS
from autopilot.model.run import PhaseStatus, Step
from autopilot.reports.documents.postmortem import category_of, render_postmortem
from autopilot.reports.documents.timeline import MOST
from tests.unit.making import (
    ONE,
    TWO,
    make_brief,
    make_criterion,
    make_judgement,
    make_observation,
    make_phase,
    make_rating,
    make_started,
    make_state,
    make_task,
    make_verdict,
    make_verification,
    store,
)

# covers: OBSV-03, OBSV-04, LRNG-01
TASK = make_task("01-01", make_criterion(text="it works", command="make check"), files=("a.py",))
RED = make_observation("01-01.c1", Seen.FAILED, command="make check", exit_code=1, excerpt="no")


def story() -> list[Stored]:
    """A task that fails, is mended in vain, and takes its phase with it."""
    bad = (make_verdict(Outcome.FAIL, because="the check failed after the change"),)
    verified = h.TaskVerified(ONE, "01-01", "c1", (RED,), bad, Outcome.FAIL)
    return store(
        make_started(make_brief(ONE), make_brief(TWO)),
        h.PhaseStarted(ONE, 1, "base"),
        h.Planned(ONE, "p1", (TASK,), ()),
        h.PlanChecked(ONE, True, None, ()),
        h.StepStarted(ONE, Step.EXECUTE, 1, task="01-01"),
        h.TaskCommitted(ONE, "01-01", "c1", ("a.py",), ()),
        h.StepEnded(ONE, Step.EXECUTE, 1, "completed", "01-01"),
        verified,  # 8
        h.StepStarted(ONE, Step.DEBUG, 1, task="01-01"),
        h.TaskCommitted(ONE, "01-01", "c2", ("a.py",), ()),
        h.StepEnded(ONE, Step.DEBUG, 1, "completed", "01-01"),
        verified,  # 12
        h.PhaseObserved(ONE, "c2", (make_observation("compile", command="make", exit_code=0), RED)),
        h.GateJudged(ONE, "c2", Outcome.FAIL, "01-01.c1: it failed", bad),
        r.PhaseMended(ONE, 1, ("it works: it failed",), "c3", changes=("changed a.py",), remaining=("x",)),
        h.PhaseObserved(ONE, "c3", (RED,)),
        h.GateJudged(ONE, "c3", Outcome.FAIL, "01-01.c1: it failed", bad),
        h.RolledBack(ONE, "back", "autopilot/diagnostic/1"),
        h.PhaseFailed(ONE, "01-01.c1: it failed", "acceptance_criteria_unmet", Step.GATE),  # 19
        h.PhaseStarted(TWO, 1, "base"),
    )


def test_a_failed_phase_has_the_sources_document() -> None:
    entries = story()
    state = fold_all(entries)
    found = json.loads(render_postmortem(state, state.phases[ONE], entries))
    timeline = found.pop("timeline")
    assert found == {
        "phase_id": "1",
        "phase_name": "Part 1",
        "timestamp": "2025-01-01T12:00:19Z",
        "status": "failed",
        "root_cause": {
            "category": "acceptance_criteria_unmet",
            "description": "01-01.c1: it failed",
            "first_observed_at": "2025-01-01T12:00:08Z",
            "step": "mini_verify",
        },
        "evidence": {"commands_run": ["make check -> failed (exit 1): no"], "files_checked": []},
        "attempted_fixes": [
            {
                "attempt": 1,
                "description": "task 01-01, debug round 1: claimed as done, and refused: "
                "it works: the check failed after the change",
                "commit_sha": "c2",
                "resolved": [],
                "remaining": ["claimed as done, and refused: it works: the check failed after the change"],
            },
            {
                "attempt": 2,
                "description": "changed a.py",
                "commit_sha": "c3",
                "resolved": [],
                "remaining": ["it works: it failed"],
            },
        ],
        "prevention_rule": '"it works" (task 01-01: a.py) kept failing: run `make check` and see expect EXIT:0 before '
        "committing; last result: failed (exit 1): no.",
    }
    assert timeline[0] == {
        "timestamp": "2025-01-01T12:00:02Z",
        "step": "phase_runner",
        "event": "attempt 1 began",
        "status": "success",
    }
    assert timeline[-1]["event"] == "the phase failed: 01-01.c1: it failed"
    assert [row["event"] for row in timeline].count("debug attempt 1: changed a.py") == 1
    assert {row["status"] for row in timeline} <= {"success", "failure", "partial", "skipped"}


def test_a_timeline_has_at_most_twenty_entries_and_keeps_what_matters() -> None:
    good = h.TaskVerified(ONE, "01-01", "c1", (), (make_verdict(Outcome.PASS),), Outcome.PASS)
    bad = h.TaskVerified(ONE, "01-01", "c1", (), (make_verdict(Outcome.FAIL),), Outcome.FAIL)
    entries = store(
        h.PhaseStarted(ONE, 1, "base"),
        bad,
        *[good] * 60,
        h.PhaseFailed(ONE, "no", "tool_failure", Step.GATE),
    )
    timeline = timeline_of(entries)
    assert len(timeline) == MOST
    assert [row["status"] for row in timeline[:2]] == ["success", "failure"]
    assert timeline[-1]["event"] == "the phase failed: no"
    assert timeline == sorted(timeline, key=lambda row: row["timestamp"])


def timeline_of(entries: list[Stored], **more: Any) -> list[dict[str, Any]]:
    phase = make_phase(status=PhaseStatus.FAILED, **more)
    found: list[dict[str, Any]] = json.loads(render_postmortem(make_state(phase), phase, entries))["timeline"]
    return found


def test_what_an_earlier_attempt_did_is_not_told_again() -> None:
    entries = store(
        h.PhaseStarted(ONE, 1, "base"),
        h.PhaseFailed(ONE, "first", "tool_failure", Step.GATE),
        h.PhaseStarted(ONE, 2, "base"),
        h.PhaseFailed(ONE, "second", "tool_failure", Step.GATE),
    )
    assert [row["event"] for row in timeline_of(entries)] == ["attempt 2 began", "the phase failed: second"]


def test_what_happened_to_the_parts_belongs_to_the_phase() -> None:
    part = "1a"
    entries = store(
        h.PhaseStarted(ONE, 1, "base"),
        r.SplitAgreed(ONE, "too many files", (make_brief(part),), (("01-01",),)),  # type: ignore[arg-type]
        h.TaskRefused(part, "01-01", "the agent committed nothing"),  # type: ignore[arg-type]
        r.ConflictFound(ONE, part, "m", ("a.py",), "it conflicts in a.py"),  # type: ignore[arg-type]
        h.PhaseFailed(ONE, "part 1a: no", "tool_failure", Step.INTEGRATE),
        h.TaskRefused(TWO, "02-01", "of another phase"),
    )
    told = [row["event"] for row in timeline_of(entries, parts=(part,))]
    assert told == [
        "attempt 1 began",
        "split into 1 parts: too many files",
        "task 01-01 was refused: the agent committed nothing",
        "part 1a does not fit: it conflicts in a.py",
        "the phase failed: part 1a: no",
    ]


EVENTS: list[tuple[h.Event, str, str, str]] = [
    (h.PreflightDone(ONE, ("no git",), ()), "preflight", "no git", "failure"),
    (h.PlanChecked(ONE, False, None, ("b1", "b2", "b3")), "plan_check", "the plan was refused: b1; b2", "failure"),
    (h.StepSkipped(ONE, Step.RESEARCH, "a plan exists"), "research", "skipped: a plan exists", "skipped"),
    (h.StepEnded(ONE, Step.RATE, 1, "error", detail="no reply"), "rate", "rate: error, no reply", "failure"),
    (h.PhaseVerified(ONE, "c", make_verification(False), 1), "verify", "the verifier refused it", "failure"),
    (h.PhaseJudged(ONE, "c", make_judgement()), "judge", "the judge recommends proceed", "success"),
    (h.PhaseRated(ONE, "c", make_rating(), 6.1, "x"), "rate", "scored 6.1/10", "success"),
    (h.RolledBack(ONE, "b", "keep"), "rollback", "the work was rolled back and is kept on keep", "success"),
    (r.PhaseMended(ONE, 1, (), refusal="nothing"), "debug", "debug attempt 1 was refused: nothing", "failure"),
    (r.HandedOver(ONE, "01-01", "full"), "execute", "task 01-01 was handed over: full", "partial"),
    (r.RemediationEnded(ONE, 1, 8.0, 8.5, 9.0), "phase_runner", "remediation cycle 1: 8.0 -> 8.5", "partial"),
    (r.Replanned(ONE, 6.0, ()), "phase_runner", "re-planned, the score was 6.0", "partial"),
    (r.StepEnforced(ONE, Step.JUDGE, "no evidence"), "judge", "its report was refused: no evidence", "failure"),
    (r.VerdictGiven(ONE, "fail", (), "you"), "phase_runner", "a person's verdict: fail", "failure"),
]


@pytest.mark.parametrize(("event", "step", "text", "status"), EVENTS)
def test_every_turning_point_has_its_words(event: h.Event, step: str, text: str, status: str) -> None:
    [row] = timeline_of(store(event))
    assert (row["step"], row["event"], row["status"]) == (step, text, status)


def test_a_phase_that_failed_in_preflight_has_a_post_mortem_too() -> None:
    entries = store(
        make_started(),
        h.PhaseStarted(ONE, 1, "base"),
        h.PreflightDone(ONE, ("node is not installed",), ()),
        h.PhaseFailed(ONE, "node is not installed", "tool_failure", Step.PREFLIGHT),
    )
    state = fold_all(entries)
    found = json.loads(render_postmortem(state, state.phases[ONE], entries))
    assert found["root_cause"] == {
        "category": "tool_failure",
        "description": "node is not installed",
        "first_observed_at": "2025-01-01T12:00:03Z",
        "step": "preflight",
    }
    assert found["attempted_fixes"] == [] and "node is not installed" in found["prevention_rule"]


def failed(**more: Any) -> PhaseState:
    return make_phase(status=PhaseStatus.FAILED, **more)


@pytest.mark.parametrize(
    ("phase", "category"),
    [
        (failed(failure_category="lint_failure"), "lint_failure"),
        (failed(failure_category="made up"), "coordination_failure"),
        (
            failed(
                verification=make_verification(False, failures=(Failure("x", "who knows"), Failure("y", "scope_creep")))
            ),
            "scope_creep",
        ),
        (
            failed(
                debug_rounds=(
                    PhaseDebug(1, (), "", (), (), ("tool_failure",)),
                    PhaseDebug(2, (), "", (), (), ("build_failure",)),
                )
            ),
            "build_failure",
        ),
    ],
)
def test_the_category_is_always_one_of_the_taxonomy(phase: PhaseState, category: str) -> None:
    assert category_of(phase) == category and category in WORDS


def test_a_mend_resolved_what_was_not_found_again() -> None:
    rounds = (
        PhaseDebug(1, ("it works: exit 1", "it lasts: exit 2"), "m1", (), (), ()),
        PhaseDebug(2, ("it works: exit 9",), "", (), (), (), refusal="the agent committed nothing"),
    )
    phase = failed(
        debug_rounds=rounds, tasks={"01-01": TaskState(TASK, "failed")}, verdicts=(make_verdict(Outcome.FAIL),)
    )
    first, second = json.loads(render_postmortem(make_state(phase), phase, []))["attempted_fixes"]
    assert (first["resolved"], first["remaining"]) == (["it lasts: exit 2"], ["it works: exit 1"])
    assert (second["resolved"], second["remaining"]) == ([], ["it works: exit 9"])
    assert second["description"] == "refused: the agent committed nothing"


def test_evidence_shows_what_failed_before_what_passed() -> None:
    reading = CriterionReading("it works", "verified", "a.py:3 -- here\x1b[2J")
    phase = failed(
        tasks={"01-01": TaskState(TASK, "failed")},
        observations=(make_observation("compile", command="make", exit_code=0), RED),
        verification=make_verification(criteria_results=(reading,)),
    )
    text = render_postmortem(make_state(phase), phase, [])
    assert json.loads(text)["evidence"] == {
        "commands_run": ["make check -> failed (exit 1): no", "make -> passed (exit 0)"],
        "files_checked": ["a.py:3 -- here"],
    }
    assert "\\u001b" not in text
