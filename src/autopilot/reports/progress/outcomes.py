"""Progress as outcomes alone: what holds, what does not, what waits. A terminal has the steps among its live lines."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.entry import Stored
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import LandingStage, StepStatus
from autopilot.model.step import Step
from autopilot.reports.evidence.promised import is_judged, ratio_words
from autopilot.reports.live.columns import BETWEEN
from autopilot.reports.markdown import one_line, seconds
from autopilot.reports.progress.lines import progress_lines
from autopilot.reports.status.brief import brief
from autopilot.reports.status.scores import in_words, score_of
from autopilot.reports.status.status_text import render_time

HOLDS, FAILS = "✓", "✗"
NOT_HELD = (StepStatus.FAIL, StepStatus.REFUSED, StepStatus.ERROR, StepStatus.UNPROVEN, StepStatus.POSTPONED)
SHOWN_BELOW = (":   expected: ", ":   actual:   ")  # of a failure: `autopilot why` has all of it


def outcome_lines(stored: Stored, state: RunState) -> Iterator[str]:
    """``state`` is the one after the event."""
    lines = progress_lines(stored, state)
    return map(one_line, _of_step(stored, state, lines) or _of_roadmap(stored, state, lines))


def _of_step(stored: Stored, state: RunState, lines: Iterator[str]) -> Iterator[str] | None:
    """Of a step and of what only tells how it goes; None for any other event."""
    match stored.event:
        case h.StepEnded(status=status) if status in NOT_HELD:
            return lines
        case h.StepStarted() | h.StepEnded() | h.StepSkipped() | h.TaskCommitted() | r.Estimated():
            return iter(())
        case h.PhaseStarted() if state.debugging is None and state.issue is None:
            return iter(())
        case r.TaskRead(assessment=assessment) if assessment is not None and assessment.passed:
            return iter(())
        case h.PhaseObserved() | r.BaselineObserved():
            return (line for line in lines if not line.endswith(" PASS"))
        case _:
            return None


def _of_roadmap(stored: Stored, state: RunState, lines: Iterator[str]) -> Iterator[str]:
    if not state.is_of_roadmap:
        return lines
    match stored.event:
        case h.RunStarted():
            return (line for line in lines if not line.startswith("Starting phase "))
        case h.TaskVerified():
            return _task(stored.event, stored.time, state, lines)
        case h.GateJudged(outcome=Outcome.PASS) | h.Landed():
            return iter(())  # the line of the phase tells it
        case h.PhaseCompleted() | h.PhaseFailed() | h.PhaseSkipped() if stored.event.phase in state.phases:
            return _phase(stored.event, state, state.phases[stored.event.phase])
        case _:
            return lines


def _task(event: h.TaskVerified, now: datetime, state: RunState, lines: Iterator[str]) -> Iterator[str]:
    """Below a failure stand what was expected and what was seen, and no more of it."""
    name = f"task {event.task}"
    if event.outcome is Outcome.PASS:
        phase = state.phase(event.phase)
        yield f"  {HOLDS} {name} {phase.tasks[event.task].task.title} · {_took(phase, event.task, now)}"
        return
    before = f"[Phase {event.phase}] Task {event.task}:"
    for line in lines:
        text = line.removeprefix(before)
        if not text.startswith("  "):
            yield f"  {FAILS} {name}:{text}"
        elif any(shown in line for shown in SHOWN_BELOW):
            yield f"    {text}"


def _took(phase: PhaseState, task: str, now: datetime) -> str:
    """From its first step to this one: with every debug attempt."""
    names = (f"{Step.EXECUTE.value}.{task}", f"{Step.MINI_VERIFY.value}.{task}")
    begun = [known.started_at for name in names if (known := phase.steps.get(name)) is not None]
    return render_time(max(0, int((now - min(begun)).total_seconds()))) if begun else render_time(0)


def _phase(
    event: h.PhaseCompleted | h.PhaseFailed | h.PhaseSkipped, state: RunState, phase: PhaseState
) -> Iterator[str]:
    name = f"phase {phase.id} {phase.brief.name}"
    took = render_time(seconds(phase.started_at, phase.ending.completed_at))
    match event:
        case h.PhaseCompleted():
            yield f"{HOLDS} {name}: {BETWEEN.join((*_result(state, phase), took))}"
        case h.PhaseFailed(reason=reason):
            yield f"{FAILS} {name} failed: {brief(reason)}{BETWEEN}{took}"
        case h.PhaseSkipped(reason=reason, blocked_by=blocker):
            yield f"! {name} skipped: {f'it depends on phase {blocker}, which failed' if blocker else reason}"


def _result(state: RunState, phase: PhaseState) -> Iterator[str]:
    if is_judged(phase):
        yield ratio_words(phase)
    yield in_words(score_of(state, phase))
    if phase.remediation.incomplete:
        yield "incomplete"
    is_landed = phase.landing.state is LandingStage.LANDED
    yield f"landed on {state.line.branch}" if is_landed else "not landed yet"
