"""The project behind a run: which phases of the roadmap are done, by whom, and what is left."""

from __future__ import annotations

from msgspec import Struct

from autopilot.events.state import RunState
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseStatus

DONE = "All phases complete. Project is done."


class Project(Struct, frozen=True):
    total: int
    done: tuple[PhaseId, ...]
    remaining: tuple[PhaseId, ...]

    @property
    def percentage(self) -> float:
        return round(100 * len(self.done) / self.total, 1) if self.total else 0.0

    @property
    def next_words(self) -> str:
        """The words of the command that carries out what is left; "" when nothing is."""
        return " ".join(("run", *self.remaining)) if self.remaining else ""


def project_of(state: RunState) -> Project:
    """A phase that an earlier run proved stays done, whatever became of doing it again."""
    done = {*state.inputs.proven, *state.inputs.ticked, *(passed.phase for passed in state.inputs.passed_over)}
    done |= {phase.id for phase in state.phases.values() if phase.status is PhaseStatus.COMPLETED}
    names = tuple(brief.id for brief in state.inputs.outline)
    return Project(
        total=len(names),
        done=tuple(name for name in names if name in done),
        remaining=tuple(name for name in names if name not in done),
    )
