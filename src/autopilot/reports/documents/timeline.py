"""The turning points of a phase, in order: what a post-mortem tells of how it came to its end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from typing import Any

from msgspec import Struct

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.entry import Stored
from autopilot.model.assessment import Recommendation
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import PersonVerdict
from autopilot.reports.markdown import shorten, stamp

MOST = 20
BAD = ("fail", "error", "refused", "unproven", "conflict")
# A failure tells more than a half success, that more than a success; begin and end are always told.
WEIGHT = {"failure": 2, "partial": 2, "success": 1, "skipped": 0}
Entry = tuple[str, str, str]  # step, event, status


class Moment(Struct, frozen=True):
    time: datetime
    step: str
    event: str
    status: str  # success, failure, partial or skipped
    is_turn: bool = False  # begin or end of the phase

    def shown(self) -> dict[str, Any]:
        return {"timestamp": stamp(self.time), "step": self.step, "event": self.event, "status": self.status}


def moments(stored: Stored) -> list[Moment]:
    turn = isinstance(stored.event, h.PhaseStarted | h.PhaseFailed)
    return [Moment(stored.at, step, shorten(text, 300), status, turn) for step, text, status in _entries(stored.event)]


def most_relevant(all_moments: Iterable[Moment], most: int = MOST) -> list[Moment]:
    """At most so many, the ones that say most, in the order they happened; of equals the later ones."""
    known = list(all_moments)
    by_weight = sorted(range(len(known)), key=lambda n: (known[n].is_turn, WEIGHT.get(known[n].status, 0), n))
    return [known[n] for n in sorted(by_weight[-most:])]


def first_seen(entries: Iterable[Stored], subjects: Collection[str]) -> Moment | None:
    """When one of these subjects was first seen not to hold."""
    for stored in entries:
        for step, subject in _failing(stored.event):
            if subject in subjects:
                return Moment(stored.at, step, subject, "failure")
    return None


def _failing(event: h.Event) -> Iterator[tuple[str, str]]:
    match event:
        case h.TaskVerified(verdicts=verdicts):
            yield from (("mini_verify", v.subject) for v in verdicts if v.outcome is not Outcome.PASS)
        case h.TaskRefused(task=task):
            yield "execute", f"task {task}"
        case h.PhaseObserved(observations=observations):
            yield from (
                ("verify", observation.subject)
                for observation in observations
                if observation.seen in (Seen.FAILED, Seen.TIMED_OUT)
            )
        case h.GateJudged(verdicts=verdicts):
            yield from (("gate", v.subject) for v in verdicts if v.outcome is not Outcome.PASS)
        case _:
            return


def _entries(event: h.Event) -> list[Entry]:
    match event:
        case h.PhaseStarted(attempt=attempt):
            return [("phase_runner", f"attempt {attempt} began", "success")]
        case h.PhaseFailed(reason=reason, step=step):
            return [(step.value, f"the phase failed: {reason}", "failure")]
        case h.StepEnded():
            return _step_entries(event)
        case h.StepSkipped(step=step, reason=reason):
            return [(step.value, f"skipped: {reason}", "skipped")]
        case h.PreflightDone(issues=issues):
            return [("preflight", issue, "failure") for issue in issues]
        case h.PlanChecked(passed=passed, blockers=blockers) if not passed:
            return [("plan_check", f"the plan was refused: {'; '.join(blockers[:2])}", "failure")]
        case h.TaskCommitted() | h.TaskRefused() | h.TaskVerified():
            return _task_entries(event)
        case h.PhaseVerified(assessment=report):
            return [("verify", f"the verifier {'passed' if report.passed else 'refused'} it", _held(report.passed))]
        case h.PhaseJudged(assessment=report):
            word = report.recommendation
            return [("judge", f"the judge recommends {word.value}", _held(word is Recommendation.PROCEED))]
        case h.PhaseRated(score=score):
            return [("rate", f"scored {score}/10", "success")]
        case h.GateJudged(outcome=outcome, reason=reason):
            return [("gate", f"{outcome.value}: {reason}", _held(outcome is Outcome.PASS))]
        case h.RolledBack(diagnostic=branch):
            return [("rollback", f"the work was rolled back and is kept on {branch}", "success")]
        case _:
            return _recovery_entries(event)


def _held(good: bool) -> str:
    return "success" if good else "failure"


def _step_entries(event: h.StepEnded) -> list[Entry]:
    """Only what broke: what came of a step that went well has an event of its own."""
    if event.status not in BAD or event.step.value in ("gate", "mini_verify"):
        return []
    of_task = f" of task {event.task}" if event.task else ""
    return [
        (event.step.value, f"{event.step.value}{of_task}: {event.status}, {event.detail or 'no detail'}", "failure")
    ]


def _task_entries(event: h.TaskEvent) -> list[Entry]:
    match event:
        case h.TaskCommitted(task=task, commit=commit):
            return [("execute", f"task {task} committed as {commit[:12]}", "success")]
        case h.TaskRefused(task=task, reason=reason):
            return [("execute", f"task {task} was refused: {reason}", "failure")]
        case h.TaskVerified(task=task, verdicts=verdicts, outcome=outcome):
            bad = [v.subject for v in verdicts if v.outcome is not Outcome.PASS]
            counts = f"task {task}: {len(verdicts) - len(bad)} of {len(verdicts)} hold"
            text = f"{counts}; not: {', '.join(bad[:3])}" if bad else counts
            return [("mini_verify", text, _held(outcome is Outcome.PASS))]


def _recovery_entries(event: h.Event) -> list[Entry]:
    match event:
        case r.PhaseMended(attempt=attempt, commit=commit, changes=changes, refusal=refusal):
            if not commit:
                return [("debug", f"debug attempt {attempt} was refused: {refusal}", "failure")]
            return [("debug", f"debug attempt {attempt}: {'; '.join(changes) or commit[:12]}", "partial")]
        case r.HandedOver(task=task, reason=reason):
            return [("execute", f"task {task} was handed over: {reason}", "partial")]
        case r.RemediationEnded(cycle=cycle, old_score=old, new_score=new):
            return [("phase_runner", f"remediation cycle {cycle}: {old} -> {new}", "partial")]
        case r.Replanned(score=score):
            return [("phase_runner", f"re-planned, the score was {score}", "partial")]
        case r.SplitAgreed(parts=parts, reason=reason):
            return [("phase_runner", f"split into {len(parts)} parts: {reason}", "success")]
        case r.ConflictFound(part=part, because=because):
            return [("integrate", f"part {part} does not fit: {because}", "failure")]
        case r.StepEnforced(step=step, notice=notice):
            return [(step.value, f"its report was refused: {notice}", "failure")]
        case r.VerdictGiven(verdict=verdict):
            return [("phase_runner", f"a person's verdict: {verdict}", _held(verdict == PersonVerdict.PASS))]
        case _:
            return []
