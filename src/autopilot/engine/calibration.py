"""What people's verdicts of earlier runs mean for the next: how sure a verifier has to be, and what to watch for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from autopilot.events.recovery import DeferralAdjusted
from autopilot.events.state import PhaseState, RunState
from autopilot.model.policy import Policy
from autopilot.rails.deferral import adjust_threshold
from autopilot.reports.run.calibration import render_calibration


def carried_threshold(runs: Iterable[RunState], policy: Policy) -> float:
    """The confidence the last run ended with; the user's own value at the very first."""
    last = None
    for run in runs:
        last = run
    return last.policy.deferral_confidence if last is not None else policy.deferral_confidence


def adjustment(runs: Iterable[RunState], current: float, already: int = 0) -> DeferralAdjusted | None:
    """The step the threshold takes for verdicts that no earlier adjustment has used."""
    verdicts = [phase.deferral.verdict for phase in judged(runs) if phase.deferral]
    moved = adjust_threshold(current, verdicts[already:])
    return DeferralAdjusted(moved.old, moved.new, moved.because, len(verdicts)) if moved else None


def calibration(runs: Iterable[RunState]) -> tuple[str, ...]:
    return tuple(render_calibration(phase) for phase in judged(runs))


def judged(runs: Iterable[RunState]) -> Iterator[PhaseState]:
    """Deferred phases that a person has judged, oldest first."""
    for run in runs:
        yield from run.lessons.judged
