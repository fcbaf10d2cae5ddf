"""What a run would come to, told before anything is started."""

from __future__ import annotations

from msgspec import Struct

from autopilot.model.intent import Purpose
from autopilot.model.planning.estimate import Estimate
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Budget


class Rate(Struct, frozen=True):
    """What a million tokens cost, and where that is known from, or why it is not."""

    usd: float | None = None
    because: str = "no agent is chosen"


class PhaseForecast(Struct, frozen=True):
    id: PhaseId
    name: str
    purpose: Purpose
    wave: int  # phases of one wave would run in parallel
    estimate: Estimate
    usd: float | None
    context: int | None  # how much is known of it, from 1 to 10; None where that does not matter any more
    lacks: str = ""  # why that is too little


class Forecast(Struct, frozen=True):
    call: str
    phases: tuple[PhaseForecast, ...]
    skipped: tuple[tuple[PhaseId, str], ...]
    tokens: int
    rate: Rate
    usd: float | None
    seconds: float | None  # None where no earlier run tells
    budget: Budget
    warnings: tuple[str, ...] = ()
    taken_up: str = ""  # the unfinished run that would be taken up
    only_maps: bool = False  # it would ask, and carry out nothing
    in_progress: str = ""  # the run that a process drives now: until it ends, any other is refused

    @property
    def waves(self) -> tuple[tuple[PhaseId, ...], ...]:
        numbers = sorted({phase.wave for phase in self.phases})
        return tuple(tuple(p.id for p in self.phases if p.wave == number) for number in numbers)
