"""What another try, another cut or a person means to the phase it happened in."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from msgspec.structs import replace

from autopilot.events import recovery as r
from autopilot.events.pieces import Conflict, Cycle, Deferral, Mend, StepState, TaskState
from autopilot.events.state import PhaseState
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.ruling import Action
from autopilot.model.run import PersonVerdict, PhaseStatus, Step, TaskStatus

REVIEWS = ("verify", "judge", "rate", "gate")
KEPT_BY_REPLAN = (
    *("status", "attempt", "public_base", "started_at", "attempts", "warnings", "preflight_issues"),
    *("triage", "triage_source", "triage_note", "criteria", "phase_type", "estimate"),
    *("mends", "scores", "usage", "attempt_usage", "waited_s", "enhanced", "diagnostic_branch"),
    *("asked", "changes", "waits", "history", "line", "apart"),
)


def fold_recovery(phase: PhaseState, event: r.RecoveryEvent, at: datetime) -> PhaseState:
    match event:
        case r.TaskAlreadyThere() | r.TaskRead() | r.HandedOver():
            return _fold_task(phase, event)
        case r.Estimated(tokens=tokens, phase_type=phase_type):
            return replace(phase, estimate=tokens, phase_type=phase_type)
        case r.BaselineObserved(observations=observations):
            return replace(phase, baseline=observations)
        case r.JudgeFound(findings=findings):
            return replace(phase, findings=findings)
        case r.IntegrityChecked(findings=findings):
            return replace(phase, integrity=findings)
        case r.StepEnforced(step=step, notice=notice):
            return _enforced(phase, step, notice)
        case r.ScoresUniform(tier=tier):
            return replace(phase, uniform_tier=tier)
        case r.PhaseMended() | r.RemediationStarted() | r.RemediationEnded() | r.Replanned() | r.MarkedIncomplete():
            return _fold_retry(phase, event)
        case r.Exhausted() | r.Withdrawn():
            return _fold_retry(phase, event)
        case r.PhaseDeferred() | r.ResolvedAlone() | r.VerdictGiven():
            return _fold_person(phase, event, at)
        case r.SplitAgreed() | r.ConflictFound() | r.Resolved() | r.Integrated():
            return _fold_split(phase, event)
        case _:
            assert_never(event)


def void_reviews(phase: PhaseState, *, keep_observations: bool = False) -> PhaseState:
    """What was said of a tree that is not the last one any more counts no longer."""
    voided = replace(
        phase,
        steps={name: step for name, step in phase.steps.items() if name not in REVIEWS},
        verification=None,
        findings=None,
        judgement=None,
        rating=None,
        score=None,
        band="",
        gate=None,
        action=None,
        verdicts=(),
        integrity=(),
    )
    if keep_observations:
        return voided
    return replace(voided, observations=None, observed_commit="", probes=(), objections=())


def reopen_gate(phase: PhaseState) -> PhaseState:
    """While nothing has changed, what was seen and said stands; only the gate has one chance less to give."""
    steps = {name: step for name, step in phase.steps.items() if name != "gate"}
    return replace(phase, steps=steps, gate=None, action=None)


def _enforced(phase: PhaseState, step: Step, notice: str) -> PhaseState:
    """The step is to run again; what came before it, and what was seen, stands."""
    again = void_reviews(phase, keep_observations=True)
    kept = REVIEWS[: REVIEWS.index(step.value)]
    steps = {name: state for name, state in phase.steps.items() if name in kept or name not in REVIEWS}
    if "verify" in kept:
        again = replace(again, verification=phase.verification)
    if "judge" in kept:
        again = replace(again, findings=phase.findings, judgement=phase.judgement)
    told = StepState(status="error", detail=notice, errors=1, notice=notice)
    return replace(again, steps={**steps, step.value: told}, enforced=(*phase.enforced, notice))


def _fold_task(phase: PhaseState, event: r.TaskRecovery) -> PhaseState:
    before = phase.tasks[event.task]
    match event:
        case r.TaskAlreadyThere():
            after = replace(before, status=TaskStatus.ALREADY)
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
            return _mended(phase, event)
        case r.RemediationStarted(cycle=number, score=score, tasks=tasks, by_person=by_person):
            cycle = Cycle(
                number,
                score,
                tuple(task.id for task in tasks),
                by_person,
                len(phase.mends),
                event.flag,
                event.deficiency,
                event.left,
            )
            added = {task.id: TaskState(task) for task in tasks}
            again = reopen_gate(phase)
            return replace(again, cycles=(*phase.cycles, cycle), tasks={**phase.tasks, **added}, enforced=())
        case r.RemediationEnded(cycle=number, new_score=new_score):
            ended = tuple(
                replace(cycle, new_score=new_score, ended=True) if cycle.number == number else cycle
                for cycle in phase.cycles
            )
            return replace(phase, cycles=ended)
        case r.Replanned(score=score, issues=issues):
            return _replanned(phase, score, issues)
        case r.MarkedIncomplete():
            return replace(phase, incomplete=True)
        case r.Exhausted(flag=flag):
            return replace(phase, exhausted=(*phase.exhausted, flag))
        case r.Withdrawn(reason=reason):
            return replace(phase, withdrawn=reason, exhausted=())
        case _:
            assert_never(event)


def _mended(phase: PhaseState, event: r.PhaseMended) -> PhaseState:
    mend = Mend(
        attempt=event.attempt,
        findings=event.findings,
        commit=event.commit,
        changes=event.changes,
        remaining=event.remaining,
        categories=event.categories,
        refusal=event.refusal,
        after_replan=bool(phase.replans),
    )
    phase = replace(phase, mends=(*phase.mends, mend), enforced=())
    if event.commit:
        return void_reviews(phase)
    return reopen_gate(phase)


def _replanned(phase: PhaseState, score: float | None, issues: tuple[str, ...]) -> PhaseState:
    """From research on, nothing of the earlier plan is left but what was wrong with it."""
    fresh = PhaseState(brief=phase.brief)
    return replace(
        fresh,
        **{name: getattr(phase, name) for name in KEPT_BY_REPLAN},
        base=phase.rolled_back_to or phase.base,
        steps={name: step for name, step in phase.steps.items() if name in ("preflight", "triage")},
        rerouted=True,
        replans=phase.replans + 1,
        replan_issues=issues,
        replan_score=score,
    )


def _fold_person(phase: PhaseState, event: r.PersonEvent, at: datetime) -> PhaseState:
    match event:
        case r.PhaseDeferred():
            number = sum(cycle.by_person for cycle in phase.cycles) + 1
            deferral = Deferral(event.justification, event.evidence, event.confidence, event.branch, number=number)
            return replace(phase, status=PhaseStatus.NEEDS_HUMAN_VERIFICATION, deferral=deferral, completed_at=at)
        case r.ResolvedAlone():
            return phase
        case r.VerdictGiven(verdict=verdict, issues=issues):
            waits = phase.deferral is not None and phase.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION
            if phase.deferral is None or not waits or phase.deferral.verdict:
                return phase  # the first word counts
            told = replace(phase.deferral, verdict=verdict, issues=issues, verdict_at=at)
            judged = replace(phase, deferral=told, action=None)
            if verdict == PersonVerdict.PASS:
                # The work's owner has the last word on what no check could settle.
                return replace(judged, gate=Outcome.PASS, action=Action.PASS, gate_reason="a person passed it")
            return judged
        case _:
            assert_never(event)


def _fold_split(phase: PhaseState, event: r.SplitEvent) -> PhaseState:
    match event:
        case r.SplitAgreed(reason=reason, parts=parts):
            return replace(
                phase,
                parts=tuple(part.id for part in parts),
                split_reason=reason,
                split_remediation=any(not cycle.ended for cycle in phase.cycles),
                integrated=(),
                resolutions=(),
            )
        case r.ConflictFound(part=part, commit=commit, paths=paths, because=because):
            rounds = phase.conflict.rounds if phase.conflict and phase.conflict.part == part else 0
            return replace(phase, conflict=Conflict(part, commit, paths, because, rounds))
        case r.Resolved(commit=commit, refusal=refusal):
            assert phase.conflict is not None, "only a conflict can be resolved"
            conflict = replace(phase.conflict, rounds=phase.conflict.rounds + 1, resolved=commit, refusal=refusal)
            return replace(phase, conflict=conflict)
        case r.Integrated(part=part, commit=commit, observations=seen):
            resolved = (part,) if phase.conflict and phase.conflict.resolved else ()
            joined = replace(
                phase,
                integrated=(*phase.integrated, part),
                conflict=None,
                resolutions=(*phase.resolutions, *resolved),
            )
            if part != phase.id:
                return void_reviews(joined)
            if phase.conflict is not None:
                return void_reviews(joined)  # nobody has read yet what a resolver made of it
            # It was looked at again where it will land.
            again = {o.subject for o in seen}
            kept = tuple(o for o in phase.observations or () if o.subject not in again)
            return replace(joined, observations=(*seen, *kept), observed_commit=commit)
        case _:
            assert_never(event)
