"""Runs that are over, for tests of reports: one that failed in part, and one with an audit and a version."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from autopilot.events.closing import AuditEnded
from autopilot.events.people import PhasePassedOver
from autopilot.events.pieces import Deferral, Landing, TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.events.talk import AuditState, Release
from autopilot.model.agent import Usage
from autopilot.model.audit import Gap, IntegrationReport, RequirementAudit
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.intent import Intent
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands
from autopilot.model.result import Justification
from autopilot.model.run import PhaseStatus, RunStatus
from tests.unit.making import (
    ONE,
    START,
    THREE,
    TWO,
    alter,
    make_brief,
    make_criterion,
    make_observation,
    make_phase,
    make_policy,
    make_rating,
    make_score,
    make_state,
    make_task,
    make_verdict,
)

FOUR, FIVE = PhaseId("4"), PhaseId("5")
DEFERRAL = Deferral(Justification("04-02", "pay with a real card", 1, 1), (), 4.0, "autopilot/waiting")
ENDED = START + timedelta(minutes=30)
FIX = PhaseId("fix-1")


def done_phase(id: PhaseId = ONE, score: float = 9.6, **more: Any) -> PhaseState:
    """Passed, rated and landed, with one criterion and one check."""
    task = make_task("01-01", make_criterion("01-01.c1", "it counts"))
    fields = {
        "status": PhaseStatus.COMPLETED,
        "score": score,
        "completed_at": START + timedelta(minutes=10),
        "tasks": {"01-01": TaskState(task, status="verified", commit="a" * 40)},
        "observations": (
            make_observation("01-01.c1", exit_code=0, duration_ms=1500, output="d" * 64, commit="b" * 40),
            make_observation("test", exit_code=0, duration_ms=20, commit="b" * 40),
        ),
        "verdicts": (make_verdict(Outcome.PASS, "01-01.c1"), make_verdict(Outcome.PASS, "test")),
        "rating": make_rating(make_score("it counts", score)),
        "landing": Landing("landed"),
        "estimate": 100_000,
        "usage": Usage(tokens_in=50_000, tokens_out=10_000, usd=0.5),
    }
    return make_phase(id, **{**fields, **more})


def failed_phase(id: PhaseId = TWO, **more: Any) -> PhaseState:
    task = make_task("02-01", make_criterion("02-01.c1", "it adds"))
    fields = {
        "status": PhaseStatus.FAILED,
        "completed_at": START + timedelta(minutes=20),
        "failure": "it adds: exit 1",
        "failure_category": "acceptance_criteria_unmet",
        "failure_step": "gate",
        "tasks": {"02-01": TaskState(task, status="failed", debugs=2)},
        "observations": (make_observation("02-01.c1", Seen.FAILED, exit_code=1, excerpt="2 + 2 = 5"),),
        "verdicts": (make_verdict(Outcome.FAIL, "02-01.c1", "exit 1"),),
    }
    return make_phase(id, **{**fields, **more})


def broken_state(**more: Any) -> RunState:
    """`--complete` of a roadmap of six: one passed, one failed, one blocked by it, one waits, one was done before."""
    failed = failed_phase()
    blocked = make_phase(
        THREE, TWO, status=PhaseStatus.SKIPPED, failure="blocked_by_phase_2", blocked_by=TWO, started_at=None
    )
    waiting = make_phase(FOUR, status=PhaseStatus.NEEDS_HUMAN_VERIFICATION, deferral=DEFERRAL, completed_at=ENDED)
    phases = (done_phase(), failed, blocked, waiting)
    outline = (*(phase.brief for phase in phases), make_brief(FIVE), make_brief(PhaseId("6")))
    fields = {
        "status": RunStatus.FAILED,
        "stop_reason": "phases 2, 3 did not pass",
        "exit_status": 1,
        "started_at": START,
        "now": ENDED,
        "version": "0.1.0",
        "intent": Intent(complete=True),
        "command": "autopilot run --complete",
        "outline": outline,
        "ticked": (PhaseId("6"),),
        "passed_over": (PhasePassedOver(FIVE, "run-0", START - timedelta(days=1)),),
        "failures": (failed,),
        "usage": Usage(tokens_in=100_000, tokens_out=20_000, usd=1.25, usd_is_estimate=True),
        "policy": make_policy(commands=Commands(test="make test"), self_audit=True, version_bump=True),
    }
    return alter(make_state(*phases), **fields | more)


def closed_state(**more: Any) -> RunState:
    """A run that was audited: two gaps, one fixed and one left, and a version."""
    gaps = (
        Gap("REQ-2", "1", "no test for zero", "small"),
        Gap("REQ-3", "1", "no limit is kept", "large"),
    )
    results = (
        RequirementAudit("REQ-1", "1", "it counts", "it does", "a.py:1", "pass"),
        RequirementAudit("REQ-2", "1", "zero is known", "it is", "a.py:2", "pass"),
        RequirementAudit("REQ-3", "1", "there is a limit", "there is none", "a.py:3", "gap", "no limit is kept"),
    )
    task = make_task("fix-1-01", title="close the gap of REQ-2")
    fix = make_phase(FIX, tasks={"fix-1-01": TaskState(task, status="verified", commit="f1" * 8)})
    audit = AuditState(
        integration=IntegrationReport(True),
        started=True,
        results=results,
        passes=3,
        first_gaps=gaps,
        gaps=gaps[1:],
        fixed=("REQ-2",),
        rounds=2,
        ended=AuditEnded(PhaseId("audit"), 3, 1, 2, 1, gaps[1:], 2),
    )
    fields = {
        "status": RunStatus.COMPLETED,
        "stop_reason": "every phase passed",
        "exit_status": 0,
        "started_at": START,
        "now": ENDED,
        "closing": {FIX: fix},
        "audit": audit,
        "release": Release("e" * 40, "1.2.3", "1.3.0", ("pyproject.toml",), "an integer phase is a minor version"),
        "policy": make_policy(self_audit=True, version_bump=True),
    }
    return alter(make_state(done_phase()), **fields | more)
