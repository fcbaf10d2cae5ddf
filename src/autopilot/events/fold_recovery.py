"""What another try, another cut or a person means to the phase it happened in."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from msgspec.structs import replace

from autopilot.events import recovery as r
from autopilot.events.lifetime import Lifetime, forget
from autopilot.events.pieces import Conflict, Cycle, Deferral, PhaseDebug, StepState, TaskState
from autopilot.events.rooms.phase import PhaseRuling, Reviews, Split
from autopilot.events.state import PhaseState
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.ruling import Action
from autopilot.model.run import PersonVerdict, PhaseStatus, StepStatus, TaskStatus
from autopilot.model.step import REVIEWS, Step


def fold_recovery(phase: PhaseState, event: r.RecoveryEvent, time: datetime) -> PhaseState:
    match event:
        case r.TaskAlreadyThere() | r.TaskRead() | r.HandedOver():
            return _fold_task(phase, event)
        case r.Estimated(tokens=tokens, phase_type=phase_type):
            return replace(phase, intake=replace(phase.intake, estimate=tokens, phase_type=phase_type))
        case r.BaselineObserved(observations=observations, near=near):
            return replace(phase, plan=replace(phase.plan, baseline=observations, near=near))
        case r.JudgeFound(findings=findings):
            return replace(phase, reviews=replace(phase.reviews, findings=findings))
        case r.IntegrityChecked(findings=findings):
            return replace(phase, gate=replace(phase.gate, integrity=findings))
        case r.StepEnforced(step=step, notice=notice):
            return _enforced(phase, step, notice)
        case r.ScoresUniform(tier=tier):
            return replace(phase, remediation=replace(phase.remediation, uniform_tier=tier))
        case r.PhaseMended() | r.RemediationStarted() | r.RemediationEnded() | r.Replanned() | r.MarkedIncomplete():
            return _fold_retry(phase, event)
        case r.Exhausted() | r.Withdrawn():
            return _fold_retry(phase, event)
        case r.PhaseDeferred() | r.ResolvedAlone() | r.VerdictGiven():
            return _fold_person(phase, event, time)
        case r.SplitAgreed() | r.ConflictFound() | r.Resolved() | r.Integrated():
            return _fold_split(phase, event)
        case r.PhaseHeld(reason=reason):
            return replace(phase, line=replace(phase.line, held_at=time, held_for=reason))
        case _:
            assert_never(event)


def _enforced(phase: PhaseState, step: Step, notice: str) -> PhaseState:
    """The step is to run again; what came before it, and what was seen, stands."""
    reopened = forget(phase, Lifetime.REVIEW)
    kept = REVIEWS[: REVIEWS.index(step)]
    steps = {name: state for name, state in phase.steps.items() if name in kept or name in reopened.steps}
    reviews = Reviews()
    if Step.VERIFY in kept:
        before = phase.reviews
        reviews = replace(reviews, verification=before.verification, verification_ms=before.verification_ms)
    if Step.JUDGE in kept:
        reviews = replace(reviews, findings=phase.reviews.findings, judgement=phase.reviews.judgement)
    refused = StepState(status=StepStatus.ERROR, detail=notice, errors=1, notice=notice)
    remediation = replace(phase.remediation, enforced=(*phase.remediation.enforced, notice))
    return replace(reopened, steps={**steps, step.value: refused}, reviews=reviews, remediation=remediation)


def _fold_task(phase: PhaseState, event: r.TaskRecovery) -> PhaseState:
    before = phase.tasks[event.task]
    match event:
        case r.TaskAlreadyThere():
            after = replace(before, status=TaskStatus.ALREADY, unshown=event.unshown, made_by=event.made_by)
            if before.untouched and before.caught and not event.unshown:
                # Who changed nothing was right: that is no false claim, however often it was refused.
                after = replace(after, caught=tuple(why for why in before.caught if why != before.caught[-1]))
        case r.TaskRead(assessment=reading, problem=problem):
            after = replace(before, reading=reading, reading_problem=problem)
        case r.HandedOver(reason=reason, counted=counted):
            # Without a commit to show for it, a debugger that ran out of context used up a round all the same.
            # One that a limit stopped used up none: the round that its commit was counted as is given back.
            debugging = phase.open is not None and phase.open.step is Step.DEBUG
            committed = before.status == TaskStatus.COMMITTED
            spent = debugging * (int(not committed) if counted else -int(committed))
            after = replace(
                before,
                status=TaskStatus.HANDED_OVER,
                handovers=(*before.handovers, reason),
                uncounted=before.uncounted + (not counted),
                debugs=before.debugs + spent,
            )
        case _:
            assert_never(event)
    return replace(phase, tasks={**phase.tasks, event.task: after})


def _fold_retry(phase: PhaseState, event: r.RetryEvent) -> PhaseState:
    match event:
        case r.PhaseMended():
            return _debugged(phase, event)
        case r.RemediationStarted(cycle=number, score=score, tasks=tasks, by_person=by_person):
            cycle = Cycle(
                number,
                score,
                tuple(task.id for task in tasks),
                by_person,
                len(phase.retries.debug_rounds),
                event.flag,
                event.deficiency,
                event.left,
            )
            added = {task.id: TaskState(task) for task in tasks}
            unruled = forget(phase, Lifetime.RULING)  # nothing has changed yet: what was seen and said stands
            remediation = replace(phase.remediation, cycles=(*phase.remediation.cycles, cycle), enforced=())
            return replace(unruled, tasks={**phase.tasks, **added}, remediation=remediation)
        case r.RemediationEnded(cycle=number, new_score=new_score):
            ended = tuple(
                replace(cycle, new_score=new_score, ended=True) if cycle.number == number else cycle
                for cycle in phase.remediation.cycles
            )
            return replace(phase, remediation=replace(phase.remediation, cycles=ended))
        case r.Replanned(score=score, issues=issues):
            return _replanned(phase, score, issues)
        case r.MarkedIncomplete():
            return replace(phase, remediation=replace(phase.remediation, incomplete=True))
        case r.Exhausted(flag=flag):
            exhausted = (*phase.remediation.exhausted, flag)
            return replace(phase, remediation=replace(phase.remediation, exhausted=exhausted))
        case r.Withdrawn(reason=reason):
            return replace(phase, remediation=replace(phase.remediation, withdrawn=reason, exhausted=()))
        case _:
            assert_never(event)


def _debugged(phase: PhaseState, event: r.PhaseMended) -> PhaseState:
    debug = PhaseDebug(
        attempt=event.attempt,
        findings=event.findings,
        commit=event.commit,
        changes=event.changes,
        remaining=event.remaining,
        categories=event.categories,
        refusal=event.refusal,
        after_replan=bool(phase.retries.replans),
    )
    retries = replace(phase.retries, debug_rounds=(*phase.retries.debug_rounds, debug))
    phase = replace(phase, retries=retries, remediation=replace(phase.remediation, enforced=()))
    # While nothing has changed, what was seen and said stands; only the gate has one chance less to give.
    return forget(phase, Lifetime.TREE if event.commit else Lifetime.RULING)


def _replanned(phase: PhaseState, score: float | None, issues: tuple[str, ...]) -> PhaseState:
    """From research on, nothing of the earlier plan is left but what was wrong with it."""
    retries = replace(
        phase.retries, rerouted=True, replans=phase.retries.replans + 1, replan_issues=issues, replan_score=score
    )
    line = replace(phase.line, base=phase.ending.rolled_back_to or phase.line.base)
    return replace(forget(phase, Lifetime.PLAN), line=line, retries=retries)


def _fold_person(phase: PhaseState, event: r.PersonEvent, time: datetime) -> PhaseState:
    match event:
        case r.PhaseDeferred():
            number = sum(cycle.by_person for cycle in phase.remediation.cycles) + 1
            deferral = Deferral(event.justification, event.evidence, event.confidence, event.branch, number=number)
            ending = replace(phase.ending, completed_at=time)
            return replace(phase, status=PhaseStatus.NEEDS_HUMAN_VERIFICATION, deferral=deferral, ending=ending)
        case r.ResolvedAlone():
            return phase
        case r.VerdictGiven(verdict=verdict, issues=issues):
            waits = phase.deferral is not None and phase.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION
            if phase.deferral is None or not waits or phase.deferral.verdict:
                return phase  # the first word counts
            judged = replace(phase.deferral, verdict=verdict, issues=issues, verdict_at=time)
            phase = replace(phase, agents=replace(phase.agents, waited_s=0.0))
            if verdict == PersonVerdict.PASS:
                # The work's owner has the last word on what no check could settle.
                gate = replace(phase.gate, reason="a person passed it")
                return replace(phase, deferral=judged, ruling=PhaseRuling(Outcome.PASS, Action.PASS), gate=gate)
            return replace(phase, deferral=judged, ruling=replace(phase.ruling, action=None))
        case _:
            assert_never(event)


def _fold_split(phase: PhaseState, event: r.SplitEvent) -> PhaseState:
    match event:
        case r.SplitAgreed(reason=reason, parts=parts):
            names, remediates = tuple(part.id for part in parts), any(not c.ended for c in phase.remediation.cycles)
            # A conflict that is still open is left as it is.
            return replace(phase, split=Split(names, reason, remediates, conflict=phase.split.conflict))
        case r.ConflictFound(part=part, commit=commit, paths=paths, because=because):
            before = phase.split.conflict
            conflict = Conflict(part, commit, paths, because, before.rounds if before and before.part == part else 0)
            return replace(phase, split=replace(phase.split, conflict=conflict))
        case r.Resolved(commit=commit, refusal=refusal):
            before = phase.split.conflict
            assert before is not None, "only a conflict can be resolved"
            conflict = replace(before, rounds=before.rounds + 1, resolved=commit, refusal=refusal)
            return replace(phase, split=replace(phase.split, conflict=conflict))
        case r.Integrated():
            return _integrated(phase, event)
        case _:
            assert_never(event)


def _integrated(phase: PhaseState, event: r.Integrated) -> PhaseState:
    conflict = phase.split.conflict
    resolved = (event.part,) if conflict and conflict.resolved else ()
    split = replace(
        phase.split,
        integrated=(*phase.split.integrated, event.part),
        conflict=None,
        resolutions=(*phase.split.resolutions, *resolved),
    )
    joined = replace(phase, split=split)
    if event.part != phase.id or conflict is not None:
        return forget(joined, Lifetime.TREE)  # nobody has read yet what a resolver made of it
    # It was looked at again where it will land.
    repeated = {observation.subject for observation in event.observations}
    kept = tuple(
        observation for observation in phase.observed.observations or () if observation.subject not in repeated
    )
    observed = replace(phase.observed, observations=(*event.observations, *kept), commit=event.commit)
    return replace(joined, observed=observed)
