"""What many runs show together: how well ratings agree with verdicts, where the money goes, which phases took most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from autopilot.events.entry import Stored
from autopilot.events.happened import AgentReplied
from autopilot.events.state import PhaseState, RunState
from autopilot.model.agent import Usage
from autopilot.model.run import PersonVerdict, PhaseStatus
from autopilot.reports.run.metrics import failure_histogram
from autopilot.reports.status.scores import score_of

BANDS = ((9.0, "9 and more"), (7.0, "7 to 9"), (0.0, "below 7"))


class StepCost(Struct, frozen=True):
    calls: int = 0
    usage: Usage = Usage()
    took_ms: int = 0

    def __add__(self, other: StepCost) -> StepCost:
        return StepCost(self.calls + other.calls, self.usage + other.usage, self.took_ms + other.took_ms)


class Agreement(Struct, frozen=True):
    """Of the phases that a rater gave a score of this band, what became of them."""

    band: str
    rated: int
    completed: int
    failed: int
    passed_by_person: int
    faulted_by_person: int

    @property
    def is_overrated(self) -> bool:
        """Whether a person, or the checks, found fault with something that was rated well."""
        return self.band != BANDS[-1][1] and self.failed + self.faulted_by_person > 0


def cost_of(stored: Stored) -> tuple[str, StepCost] | None:
    """The step an entry speaks of, and what it used; None where no agent was asked."""
    event = stored.event
    if not isinstance(event, AgentReplied):
        return None
    return event.step.value, StepCost(1, event.usage, event.duration_ms)


def sum_costs(costs: Iterable[Mapping[str, StepCost]]) -> list[tuple[str, StepCost]]:
    """By step, the most expensive first: by money, and where none is known by tokens."""
    total: dict[str, StepCost] = {}
    for of_run in costs:
        for step, cost in of_run.items():
            total[step] = total.get(step, StepCost()) + cost
    return sorted(total.items(), key=lambda item: (-item[1].usage.usd, -item[1].usage.tokens, item[0]))


def judge_ratings(states: Iterable[RunState]) -> list[Agreement]:
    """Calibration: a rater is worth its scores where what it rates well also holds."""
    rated: dict[str, list[PhaseState]] = {name: [] for _, name in BANDS}
    for state in states:
        for phase in state.phases.values():
            score = score_of(state, phase)
            if score is not None:
                rated[next(name for least, name in BANDS if score >= least)].append(phase)
    return [_agreement(name, phases) for name, phases in rated.items() if phases]


def count_failures(states: Iterable[RunState]) -> list[tuple[str, int]]:
    counted: Counter[str] = Counter()
    for state in states:
        counted.update(failure_histogram(state))
    return counted.most_common()


def _agreement(band: str, phases: list[PhaseState]) -> Agreement:
    status = Counter(phase.status for phase in phases)
    verdicts = Counter(phase.deferral.verdict for phase in phases if phase.deferral is not None)
    return Agreement(
        band=band,
        rated=len(phases),
        completed=status[PhaseStatus.COMPLETED],
        failed=status[PhaseStatus.FAILED],
        passed_by_person=verdicts[PersonVerdict.PASS],
        faulted_by_person=verdicts[PersonVerdict.FAIL] + verdicts[PersonVerdict.ISSUES_FOUND],
    )
