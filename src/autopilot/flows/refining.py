"""Refining a completed phase (`--quality`, `--gaps`): remediation alone, and whatever comes of it it stays completed.

Cycles towards more than the threshold are made here for every phase; that a refinement begins without a plan, may find
nothing to do, and is withdrawn instead of failing, is the rest of it.
"""

from __future__ import annotations

from autopilot.events.criteria import criteria_to_keep
from autopilot.events.happened import Event, PhaseCompleted, Warned
from autopilot.events.recovery import Exhausted, RemediationEnded, RemediationStarted, Withdrawn
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import Command, Record
from autopilot.flows.remediation import Item, plan_remediation
from autopilot.gates.aim import Aim, aim_of, goes_on, is_exhausted, target_of
from autopilot.model.intent import Deficiency, Purpose
from autopilot.model.policy import Policy
from autopilot.planning.gaps.gap_list import gaps_left

REASONS = {
    Purpose.REFINE: "--quality refines the existing work",
    Purpose.GAPS: "--gaps closes gaps in the existing work",
}


def next_cycle(state: RunState, phase: PhaseState, policy: Policy) -> RemediationStarted:
    """The cycle that a gate, or the beginning of a refinement, asks for."""
    aim, score, number = _aim(state, phase, policy), _current_score(phase), len(phase.remediation.cycles) + 1
    if not aim.one_at_a_time:
        # Before the first review of this run all that is known is what earlier ones left.
        known = phase.brief.earlier.deficiencies if phase.brief.earlier and phase.reviews.rating is None else ()
        tasks = plan_remediation(phase, number, items=[_item(deficiency) for deficiency in known])
        return RemediationStarted(phase.id, number, score, aim.target, tasks, flag=aim.flag)
    first, *rest = gaps_left(phase, aim.target)
    tasks = plan_remediation(phase, number, items=[_item(first)])
    return RemediationStarted(
        phase.id, number, score, aim.target, tasks, flag=aim.flag, deficiency=first.label, left=len(rest)
    )


def begin(state: RunState, phase: PhaseState, policy: Policy) -> Command | None:
    """The first cycle of a refinement; or its end, where there is nothing to work at or to hold the work to."""
    if not phase.brief.purpose.refines or phase.remediation.cycles:
        return None
    if because := _nothing_to_do(phase, policy):
        return Record(f"{phase.id}/refine/{phase.totals.attempt}", (Warned(because, phase.id), _as_before(phase)))
    return Record(f"{phase.id}/refine/{phase.totals.attempt}", (next_cycle(state, phase, policy),))


def pass_over_fruitless(state: RunState, phase: PhaseState, policy: Policy) -> Command | None:
    """A refinement that has changed nothing so far needs no reviewer: the phase stands where it stood."""
    cycle = phase.remediation.cycles[-1] if phase.remediation.cycles else None
    if not phase.brief.purpose.refines or cycle is None or cycle.ended or state.tip_of(phase) != phase.line.base:
        return None
    aim, attempts, score = _aim(state, phase, policy), phase.other_chances, _current_score(phase)
    target = target_of(cycle.flag, phase.brief, policy)
    ended = RemediationEnded(
        phase.id, cycle.number, cycle.old_score, cycle.old_score, target, cycle.flag, cycle.deficiency, cycle.left
    )
    left = len(gaps_left(phase, aim.target)) if aim.one_at_a_time else 1
    then: tuple[Event, ...]
    if goes_on(aim, attempts, score or 0.0, left):
        then = (next_cycle(state, phase, policy),)
    else:
        untried = left if aim.one_at_a_time else 0
        used_up = Exhausted(phase.id, aim.flag, score, aim.target, aim.cycles(attempts), untried)
        then = (*((used_up,) if is_exhausted(aim, attempts, score) else ()), _as_before(phase))
    return Record(f"{phase.id}/fruitless-{cycle.number}/{phase.totals.attempt}", (ended, *then))


def withdraw(state: RunState, phase: PhaseState, reason: str) -> Record:
    """Its work was rolled back before; the phase keeps its earlier result, which is short of what was aimed at."""
    earlier = phase.brief.earlier.score if phase.brief.earlier else None
    attempts = phase.other_chances
    aim = aim_of(phase.brief, state.inputs.intent, state.policy, attempts, earlier)
    untried = len(gaps_left(phase, aim.target)) if aim.one_at_a_time else 0
    short = Exhausted(phase.id, aim.flag, earlier, aim.target, aim.cycles(attempts), untried)
    events = (
        Withdrawn(phase.id, reason),
        *((short,) if is_exhausted(aim, attempts, earlier) else ()),
        _as_before(phase),
    )
    return Record(f"{phase.id}/withdraw/{phase.totals.attempt}", events)


def _aim(state: RunState, phase: PhaseState, policy: Policy) -> Aim:
    return aim_of(phase.brief, state.inputs.intent, policy, phase.other_chances, _current_score(phase))


def _current_score(phase: PhaseState) -> float | None:
    return (
        phase.reviews.score
        if phase.reviews.score is not None or phase.brief.earlier is None
        else phase.brief.earlier.score
    )


def _as_before(phase: PhaseState) -> PhaseCompleted:
    earlier = phase.brief.earlier
    return PhaseCompleted(phase.id, earlier.score if earlier else None, phase.ending.rolled_back_to)


def _nothing_to_do(phase: PhaseState, policy: Policy) -> str:
    if not (phase.brief.earlier and phase.brief.earlier.deficiencies):
        return f"phase {phase.id}: no report says what it lacks, so there is nothing to refine"
    if not policy.commands.checks() and not criteria_to_keep(phase):
        return f"phase {phase.id}: no criterion of it has a command, so Autopilot could not check a refinement"
    return ""


def _item(found: Deficiency) -> Item:
    scored = f" (scored {found.score:.1f})" if found.score is not None else ""
    text = f"{found.criterion}: {found.text}" if found.criterion else found.text
    return Item(f"{text}{scored}", found.file, found.criterion)
