"""The turning points of a phase, in order: what a post-mortem tells of how it came to its end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, Literal

from msgspec import Struct

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.entry import Stored
from autopilot.model.assessment import Recommendation
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import PersonVerdict, Step, StepStatus
from autopilot.reports.markdown import shorten, stamp

MOST = 20
BAD = (StepStatus.FAIL, StepStatus.ERROR, StepStatus.REFUSED, StepStatus.UNPROVEN, StepStatus.CONFLICT)
# A failure tells more than a half success, that more than a success; begin and end are always told.
WEIGHT: Mapping[str, int] = {"failure": 2, "partial": 2, "success": 1, "skipped": 0}
RUNNER: Final = "phase_runner"  # what concerns the phase as a whole
Actor = Step | Literal["phase_runner"]
MomentStatus = Literal["success", "failure", "partial", "skipped"]
Entry = tuple[Actor, str, MomentStatus]  # step, event, status


class Moment(Struct, frozen=True):
    time: datetime
    step: Actor
    event: str
    status: MomentStatus
    is_turn: bool = False  # begin or end of the phase

    def shown(self) -> dict[str, Any]:
        return {"timestamp": stamp(self.time), "step": self.step, "event": self.event, "status": self.status}


def moments(stored: Stored) -> list[Moment]:
    turn = isinstance(stored.event, h.PhaseStarted | h.PhaseFailed)
    return [
        Moment(stored.time, step, shorten(text, 300), status, turn) for step, text, status in _entries(stored.event)
    ]


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
                return Moment(stored.time, step, subject, "failure")
    return None


def _failing(event: h.Event) -> Iterator[tuple[Step, str]]:
    match event:
        case h.TaskVerified(verdicts=verdicts):
            yield from ((Step.MINI_VERIFY, v.subject) for v in verdicts if v.outcome is not Outcome.PASS)
        case h.TaskRefused(task=task):
            yield Step.EXECUTE, f"task {task}"
        case h.PhaseObserved(observations=observations):
            yield from (
                (Step.VERIFY, observation.subject)
                for observation in observations
                if observation.seen in (Seen.FAILED, Seen.TIMED_OUT)
            )
        case h.GateJudged(verdicts=verdicts):
            yield from ((Step.GATE, v.subject) for v in verdicts if v.outcome is not Outcome.PASS)
        case _:
            return


def _entries(event: h.Event) -> list[Entry]:
    match event:
        case h.PhaseStarted(attempt=attempt):
            return [(RUNNER, f"attempt {attempt} began", "success")]
        case h.PhaseFailed(reason=reason, step=step):
            return [(step, f"the phase failed: {reason}", "failure")]
        case h.StepEnded():
            return _step_entries(event)
        case h.StepSkipped(step=step, reason=reason):
            return [(step, f"skipped: {reason}", "skipped")]
        case h.PreflightDone(issues=issues):
            return [(Step.PREFLIGHT, issue, "failure") for issue in issues]
        case h.PlanChecked(passed=passed, blockers=blockers) if not passed:
            return [(Step.PLAN_CHECK, f"the plan was refused: {'; '.join(blockers[:2])}", "failure")]
        case h.TaskCommitted() | h.TaskRefused() | h.TaskVerified():
            return _task_entries(event)
        case h.PhaseVerified(assessment=report):
            return [(Step.VERIFY, f"the verifier {'passed' if report.passed else 'refused'} it", held(report.passed))]
        case h.PhaseJudged(assessment=report):
            word = report.recommendation
            return [(Step.JUDGE, f"the judge recommends {word.value}", held(word is Recommendation.PROCEED))]
        case h.PhaseRated(score=score):
            return [(Step.RATE, f"scored {score}/10", "success")]
        case h.GateJudged(outcome=outcome, reason=reason):
            return [(Step.GATE, f"{outcome.value}: {reason}", held(outcome is Outcome.PASS))]
        case h.RolledBack(diagnostic=branch):
            return [(Step.ROLLBACK, f"the work was rolled back and is kept on {branch}", "success")]
        case _:
            return _recovery_entries(event)


def held(good: bool) -> MomentStatus:
    return "success" if good else "failure"


def _step_entries(event: h.StepEnded) -> list[Entry]:
    """Only what broke: what came of a step that went well has an event of its own."""
    if event.status not in BAD or event.step.value in (Step.GATE, "mini_verify"):
        return []
    of_task = f" of task {event.task}" if event.task else ""
    return [(event.step, f"{event.step}{of_task}: {event.status}, {event.detail or 'no detail'}", "failure")]


def _task_entries(event: h.TaskEvent) -> list[Entry]:
    match event:
        case h.TaskCommitted(task=task, commit=commit):
            return [(Step.EXECUTE, f"task {task} committed as {commit[:12]}", "success")]
        case h.TaskRefused(task=task, reason=reason):
            return [(Step.EXECUTE, f"task {task} was refused: {reason}", "failure")]
        case h.TaskVerified(task=task, verdicts=verdicts, outcome=outcome):
            bad = [v.subject for v in verdicts if v.outcome is not Outcome.PASS]
            counts = f"task {task}: {len(verdicts) - len(bad)} of {len(verdicts)} hold"
            text = f"{counts}; not: {', '.join(bad[:3])}" if bad else counts
            return [(Step.MINI_VERIFY, text, held(outcome is Outcome.PASS))]


def _recovery_entries(event: h.Event) -> list[Entry]:
    match event:
        case r.PhaseMended(attempt=attempt, commit=commit, changes=changes, refusal=refusal):
            if not commit:
                return [(Step.DEBUG, f"debug attempt {attempt} was refused: {refusal}", "failure")]
            return [(Step.DEBUG, f"debug attempt {attempt}: {'; '.join(changes) or commit[:12]}", "partial")]
        case r.HandedOver(task=task, reason=reason):
            return [(Step.EXECUTE, f"task {task} was handed over: {reason}", "partial")]
        case r.RemediationEnded(cycle=cycle, old_score=old, new_score=new):
            return [(RUNNER, f"remediation cycle {cycle}: {old} -> {new}", "partial")]
        case r.Replanned(score=score):
            return [(RUNNER, f"re-planned, the score was {score}", "partial")]
        case r.SplitAgreed(parts=parts, reason=reason):
            return [(RUNNER, f"split into {len(parts)} parts: {reason}", "success")]
        case r.ConflictFound(part=part, because=because):
            return [(Step.INTEGRATE, f"part {part} does not fit: {because}", "failure")]
        case r.StepEnforced(step=step, notice=notice):
            return [(step, f"its report was refused: {notice}", "failure")]
        case r.VerdictGiven(verdict=verdict):
            return [(RUNNER, f"a person's verdict: {verdict}", held(verdict == PersonVerdict.PASS))]
        case _:
            return []
