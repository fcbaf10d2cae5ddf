"""From the record to the gate's door: evidence only, each piece judged by its own rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from autopilot.events.state import PhaseState, TaskState
from autopilot.gates.phase import judge_check
from autopilot.gates.task import judge_criteria
from autopilot.model.criterion import Criterion, Kind
from autopilot.model.evidence import Observation, Seen
from autopilot.model.policy import CHECKS
from autopilot.model.verdict import Outcome, Verdict


def phase_verdicts(phase: PhaseState) -> tuple[Verdict, ...]:
    """Every check, criterion and script of the phase at its last commit, and every task that was never taken in."""
    after = phase.observations or ()
    verdicts = [judge_check(o) for o in after if o.subject in CHECKS]
    if not phase.tasks:
        return (*verdicts, *judge_criteria(phase.criteria, phase.triage or (), after))
    before = phase.red or ()
    for state in phase.tasks.values():
        verdicts += _task_verdicts(state, before, after, phase.plan_ours)
    return (*verdicts, *judge_criteria(_of_roadmap(phase.brief.criteria, before), before, after))


def _task_verdicts(
    state: TaskState, before: Sequence[Observation], after: Sequence[Observation], ours: bool
) -> Iterator[Verdict]:
    subject = f"task {state.task.id}"
    if not state.task.is_automatic:
        yield Verdict(subject, Outcome.UNPROVEN, "it asks a person, and nobody was asked")
        return
    if state.status == "refused" and not state.commit:
        yield Verdict(subject, Outcome.FAIL, state.refusal)
    yield from judge_criteria(state.task.criteria, before, after, f"script:{state.task.id}", ours=ours)


def _of_roadmap(criteria: Sequence[Criterion], before: Sequence[Observation]) -> list[Criterion]:
    """The roadmap's own criteria hold for the whole phase; what held before it began has to hold still."""
    green = {o.subject for o in before if o.seen is Seen.PASSED}
    return [replace(c, kind=Kind.ALREADY) if c.kind is Kind.NEW and c.id in green else c for c in criteria]
