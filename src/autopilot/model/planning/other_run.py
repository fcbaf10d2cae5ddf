"""A run of another program, as its state.json had it when Autopilot found it: a claim, never evidence."""

from __future__ import annotations

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId

COMPLETED, FAILED, FOR_A_PERSON = "completed", "failed", "needs_human_verification"


class OtherPhase(Struct, frozen=True):
    id: PhaseId
    status: str
    run: str
    score: float | None = None
    name: str = ""  # in the roadmap of that day: a later milestone may use the number again


class OtherRun(Struct, frozen=True):
    run: str
    status: str
    source: str  # the file
    phases: tuple[OtherPhase, ...] = ()
    current_phase: str = ""
    current_step: str = ""
    learnings: str = ""  # of its learnings.md

    @property
    def interrupted(self) -> bool:
        return self.status != COMPLETED

    def those(self, status: str) -> tuple[PhaseId, ...]:
        return tuple(phase.id for phase in self.phases if phase.status == status)
