"""From the record to the gate's door: evidence only, each piece judged by its own rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState
from autopilot.gates.check import is_counted, judge_check
from autopilot.gates.criterion import judge_criteria
from autopilot.gates.evidence.replay import overlay
from autopilot.gates.integrity import CROSS_REFERENCE, VALIDITY
from autopilot.model.evidence.objection import verdicts_of
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import whole_task
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.intent import Purpose
from autopilot.model.planning.criterion import Criterion, as_already
from autopilot.model.policy import CHECKS
from autopilot.model.run import TaskStatus


def phase_verdicts(phase: PhaseState) -> tuple[Verdict, ...]:
    """Every check, criterion and script of the phase at its last commit, and every task that was never accepted."""
    after = phase.observed.observations or ()
    # An inspection without anything to inspect proves nothing; it is shown, and not counted.
    looked = [
        observation
        for observation in after
        if is_counted(observation)
        or (observation.subject in (CROSS_REFERENCE, VALIDITY) and observation.seen is not Seen.PASSED)
    ]
    verdicts = [
        *(_with_reason(judge_check(observation), observation) for observation in looked),
        *verdicts_of(phase.observed.objections),
    ]
    if not phase.planned:
        return (*verdicts, *judge_criteria(phase.intake.criteria, phase.intake.triage or (), after))
    before = overlay(
        phase.plan.red or (),
        (*(observation for task in phase.tasks.values() for observation in task.probes), *phase.observed.probes),
    )
    for state in phase.planned:
        verdicts += _task_verdicts(phase, state, before, after)
    verdicts += _left_undone(phase)
    return (
        *verdicts,
        *judge_criteria(_of_roadmap(phase.brief.criteria, before), before, after),
        *judge_criteria(phase.plan.held_out, before, after, repeated=phase.brief.purpose is Purpose.REDO),
    )


def _left_undone(phase: PhaseState) -> Iterator[Verdict]:
    """Issues that a person found and no agent fixed: no score can make up for that."""
    for cycle in phase.remediation.cycles:
        if not cycle.by_person or any(debug.commit for debug in phase.retries.debug_rounds[cycle.debugs_before :]):
            continue
        for state in (phase.tasks[name] for name in cycle.tasks):
            if not state.commit:
                yield Verdict(whole_task(state.task.id), Outcome.FAIL, f"your issue was not fixed: {_not_done(state)}")


def _not_done(state: TaskState) -> str:
    return state.refusal or "; ".join(state.handovers[-1:]) or "no agent changed anything"


def _with_reason(verdict: Verdict, observation: Observation) -> Verdict:
    reason = observation.reason if observation.subject not in CHECKS else ""
    return replace(verdict, because=reason) if reason else verdict


def _task_verdicts(
    phase: PhaseState, state: TaskState, before: Sequence[Observation], after: Sequence[Observation]
) -> Iterator[Verdict]:
    """A task that asks a person is judged by what of it can be run; the rest is the person's."""
    never_taken_in = state.status in (TaskStatus.REFUSED, TaskStatus.HANDED_OVER) and not state.commit
    if never_taken_in and not _may_be_fixed(phase, state):
        yield Verdict(whole_task(state.task.id), Outcome.FAIL, _not_done(state))
    if state.is_unfixed and not _is_fixed(phase):
        yield from verdicts_of(state.objections)
    criteria = state.task.criteria
    # What an earlier task fulfilled was red at the base, and is held to that.
    if (state.status == TaskStatus.ALREADY and not state.made_by) or not state.task.is_automatic:
        criteria = as_already(criteria)
    is_redo = phase.brief.purpose is Purpose.REDO
    yield from judge_criteria(criteria, before, after, state.task.id, ours=phase.plan.ours, repeated=is_redo)


def _is_fixed(phase: PhaseState) -> bool:
    """Whether a fix changed anything since: then the whole is evaluated again."""
    return bool(phase.remediation.cycles) or any(debug.commit for debug in phase.retries.debug_rounds)


def _may_be_fixed(phase: PhaseState, state: TaskState) -> bool:
    """What no executor did a debugger of the phase may have done since: where something can be run, that decides."""
    can_tell = any(c.is_new and c.is_runnable for c in state.task.criteria)
    return can_tell and any(debug.commit for debug in phase.retries.debug_rounds)


def _of_roadmap(criteria: Sequence[Criterion], before: Sequence[Observation]) -> tuple[Criterion, ...]:
    """The roadmap's own criteria hold for the whole phase; what held before it began has to hold still."""
    green = {observation.subject for observation in before if observation.seen is Seen.PASSED}
    return as_already(criteria, green)
