"""How often a run needed a person (STAT-04)."""

from __future__ import annotations

from msgspec import Struct

from autopilot.events.state import PhaseState, RunState
from autopilot.model.policy import DEFERRAL_RATE_TARGET
from autopilot.model.run import PhaseStatus


class Deferrals(Struct, frozen=True):
    processed: int
    deferred: int
    threshold: float

    @property
    def rate(self) -> float:
        return self.deferred / self.processed if self.processed else 0.0

    @property
    def resolution_rate(self) -> float:
        """0 before anything was processed, as the sources have it."""
        return 1 - self.rate if self.processed else 0.0

    def lines(self) -> list[str]:
        return [
            f"Phases that passed, failed or were left to you: {self.processed}",
            f"Phases left to you: {self.deferred} ({self.rate:.0%}, target below {DEFERRAL_RATE_TARGET:.0%})",
            f"Phases decided without you: {self.processed - self.deferred} ({self.resolution_rate:.0%})",
            f"Confidence of a verifier below which a phase is left to you: {self.threshold:g}/10",
        ]


def deferrals(state: RunState) -> Deferrals:
    # What preflight refused was never judged.
    settled = [phase for phase in processed(state) if not phase.intake.preflight_issues]
    deferred = sum(phase.deferral is not None for phase in settled)
    return Deferrals(len(settled), deferred, state.policy.deferral_confidence)


def processed(state: RunState) -> list[PhaseState]:
    return [p for p in state.phases.values() if p.settled and p.status is not PhaseStatus.SKIPPED]
