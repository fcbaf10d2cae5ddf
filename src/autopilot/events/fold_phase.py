"""What an event means to the phase it happened in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import assert_never

from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events.earlier_journals import blocked_by, ending_of, obstacle_of
from autopilot.events.fold_recovery import fold_recovery
from autopilot.events.lifetime import Lifetime, forget
from autopilot.events.pieces import Asked, Landing, OpenStep, StepState, TaskState, step_name
from autopilot.events.provision import AgentCutOff
from autopilot.events.rooms.phase import Line, Observed, PhaseRuling, Plan
from autopilot.events.state import PhaseState, complete
from autopilot.model.agent import Usage
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.failure import Category
from autopilot.model.intent import USUAL, Purpose, Scored
from autopilot.model.planning.criterion import as_already
from autopilot.model.ruling import Action, Band
from autopilot.model.run import LandingStage, PhaseBrief, PhaseStatus, StepStatus, TaskStatus


def fold_phase(phase: PhaseState, event: h.PipelineEvent, time: datetime) -> PhaseState:
    match event:
        case h.PhaseStarted(attempt=attempt, base=base, on_own_branch=on_own_branch):
            return replace(
                forget(phase, Lifetime.ATTEMPT),
                status=PhaseStatus.IN_PROGRESS,
                started_at=time,
                totals=replace(phase.totals, attempt=attempt),
                line=Line(base, tip=base if on_own_branch else "", on_own_branch=on_own_branch),
            )
        case h.PhaseSkipped(reason=reason):
            ending = replace(phase.ending, failure=reason, blocked_by=blocked_by(event))
            return replace(phase, status=PhaseStatus.SKIPPED, ending=ending)
        case h.PhaseCompleted(score=score):
            done = complete(phase, time)
            return _refined(done, score) if phase.brief.purpose.refines else done
        case h.PhaseFailed(reason=reason, category=category, step=step):
            ending = replace(
                phase.ending, completed_at=time, failure=reason, failure_category=category, failure_step=step.value
            )
            return replace(phase, status=PhaseStatus.FAILED, ending=ending, open=None)
        case h.StepStarted() | h.StepEnded() | h.StepSkipped() | h.AgentReplied() | AgentCutOff():
            return _fold_step(phase, event, time)
        case h.PreflightDone(issues=issues, warnings=warnings, spec_commit=spec_commit):
            return replace(
                phase,
                intake=replace(phase.intake, preflight_issues=issues),
                warnings=(*phase.warnings, *warnings),
                line=replace(phase.line, base=spec_commit or phase.line.base),
            )
        case h.Triaged() | h.Rerouted() | h.Researched() | h.Planned() | h.PlanChecked() | h.RedObserved():
            return _fold_planning(phase, event)
        case h.TaskCommitted() | h.TaskRefused() | h.TaskVerified():
            return _fold_task(phase, event)
        case h.PhaseObserved() | h.PhaseVerified() | h.PhaseJudged() | h.PhaseRated() | h.GateJudged():
            return _fold_verification(phase, event, time)
        case h.RecordsCommitted(commit=commit):
            return replace(phase, ending=replace(phase.ending, records_commit=commit))
        case h.LandingStarted() | h.Landed() | h.LandingDeferred():
            return replace(phase, landing=_landing(phase.landing, event))
        case h.RolledBack(commit=commit, diagnostic=diagnostic):
            line = replace(phase.line, diagnostic_branch=diagnostic)
            return replace(phase, line=line, ending=replace(phase.ending, rolled_back_to=commit))
        case _:
            return fold_recovery(phase, event, time)


def _refined(phase: PhaseState, score: float | None) -> PhaseState:
    """Its score is the one it ends with: the old one where the refinement was withdrawn. An incomplete phase stays
    incomplete while its score is below the usual threshold."""
    earlier = phase.brief.earlier
    still = earlier is not None and earlier.incomplete and (score is None or score < USUAL)
    band = Band.NONE if phase.remediation.withdrawn else phase.reviews.band
    remediation = replace(phase.remediation, incomplete=phase.remediation.incomplete or still)
    return replace(phase, reviews=replace(phase.reviews, score=score, band=band), remediation=remediation)


StepFact = h.StepStarted | h.StepEnded | h.StepSkipped | h.AgentReplied | AgentCutOff


def _fold_step(phase: PhaseState, event: StepFact, time: datetime) -> PhaseState:
    match event:
        case h.StepStarted():
            return _step_started(phase, event, time)
        case h.StepEnded():
            return _step_ended(phase, event, time)
        case h.StepSkipped(step=step, reason=reason):
            skipped = StepState(status=StepStatus.SKIPPED, detail=reason, started_at=time, ended_at=time)
            return replace(phase, steps={**phase.steps, step.value: skipped})
        case h.AgentReplied():
            opened = phase.open and replace(phase.open, replies=(*phase.open.replies, event))
            return _charged(replace(phase, open=opened), _asked(event), event.usage)
        case AgentCutOff(role=role, agent=agent, usage=cut, task=task):
            return _charged(phase, Asked(role, agent, cut.tokens, "cut_off", task, counted=cut.tokens_counted), cut)
        case _:
            assert_never(event)


def _charged(phase: PhaseState, asked: Asked, usage: Usage) -> PhaseState:
    agents = replace(phase.agents, asked=(*phase.agents.asked, asked), usage=phase.agents.usage + usage)
    return replace(phase, agents=agents, totals=replace(phase.totals, usage=phase.totals.usage + usage))


def _asked(reply: h.AgentReplied) -> Asked:
    tokens, counted = reply.usage.tokens, reply.usage.tokens_counted
    by = (reply.task, reply.version, reply.model, reply.asked)
    return Asked(reply.role, reply.agent, tokens, reply.ending.value, *by, counted)


def _landing(before: Landing, event: h.LandingStarted | h.Landed | h.LandingDeferred) -> Landing:
    match event:
        case h.LandingStarted(old=old, new=new, branch=branch, snapshot=snapshot):
            return Landing(LandingStage.STARTED, new, old, branch, "", snapshot)
        case h.Landed(commit=commit):
            return replace(before, state=LandingStage.LANDED, commit=commit)
        case h.LandingDeferred(commit=commit, because=because, branch=branch):
            waiting = replace(before, state=LandingStage.DEFERRED, commit=commit, because=because, branch=branch)
            return replace(waiting, obstacle=obstacle_of(event))


def _step_started(phase: PhaseState, event: h.StepStarted, time: datetime) -> PhaseState:
    before = phase.open
    same = before is not None and (before.step, before.attempt, before.task) == (event.step, event.attempt, event.task)
    replies = before.replies if same and before is not None else ()
    name = step_name(event.step, event.task)
    earlier = phase.steps.get(name)
    started = earlier.started_at if same and earlier else time
    state = StepState(attempt=event.attempt, started_at=started)
    if earlier is not None:
        notice = earlier.detail if earlier.status == StepStatus.ERROR else earlier.notice
        state = replace(state, errors=earlier.errors, notice=notice, ending=earlier.ending)
    return replace(
        phase,
        open=OpenStep(event.step, event.attempt, event.number, event.task, replies),
        steps={**phase.steps, name: state},
        totals=replace(phase.totals, attempts={**phase.totals.attempts, name: event.attempt}),
    )


def _step_ended(phase: PhaseState, event: h.StepEnded, time: datetime) -> PhaseState:
    name = step_name(event.step, event.task)
    before = phase.steps[name]
    if event.status == StepStatus.POSTPONED:
        return replace(phase, open=None, steps=_postponed(phase, name), tasks=_put_off(phase, event.task))
    ended = replace(
        before,
        status=event.status,
        detail=event.detail,
        ending=ending_of(event),
        ended_at=time,
        errors=before.errors + (event.status == StepStatus.ERROR),
    )
    if event.status == StepStatus.UNPROVEN and any(
        observation.seen is Seen.NOTHING for observation in phase.observed.observations or ()
    ):
        # Only now, with the attempt closed: until then a killed try must find what it recorded.
        phase = replace(phase, observed=Observed())
    return replace(phase, open=None, steps={**phase.steps, name: ended})


def _postponed(phase: PhaseState, name: str) -> dict[str, StepState]:
    """As if not started: it uses up no attempt. The reason for an earlier error is kept."""
    before = phase.steps[name]
    steps = {other: step for other, step in phase.steps.items() if other != name}
    return {**steps, name: replace(before, status=StepStatus.ERROR, detail=before.notice)} if before.errors else steps


def _put_off(phase: PhaseState, task: str) -> Mapping[str, TaskState]:
    """The next call about it is another attempt."""
    if (before := phase.tasks.get(task)) is None:
        return phase.tasks
    return {**phase.tasks, task: replace(before, postponed=before.postponed + 1)}


def _fold_planning(phase: PhaseState, event: h.PlanningEvent) -> PhaseState:
    match event:
        case h.Triaged():
            return replace(
                phase,
                intake=replace(
                    phase.intake,
                    triage=event.observations,
                    triage_source=event.source,
                    triage_note=event.note,
                    criteria=event.criteria,
                ),
                plan=replace(
                    phase.plan,
                    verify_only=event.verify_only,
                    has_plan=event.has_plan,
                    answers=event.answers,
                    must_haves=event.must_haves,
                    unshown=event.unshown,
                ),
            )
        case h.Rerouted():
            return _left_to_verify(phase, event.reason) if event.verify_only else _rerouted(phase)
        case h.Researched(document=document, approach=approach):
            return replace(phase, plan=replace(phase.plan, research=document, approach=approach))
        case h.Planned():
            return replace(
                phase,
                plan=replace(
                    phase.plan,
                    commit=event.commit,
                    rounds=phase.plan.rounds + 1,
                    ours=event.ours,
                    documents=event.documents,
                    complaints=event.complaints,
                    answers=event.answers,
                    must_haves=event.must_haves,
                    held_out=event.held_out,
                    check=None,
                    blockers=(),
                    checked=False,
                ),
                tasks={task.id: TaskState(task) for task in event.tasks},
            )
        case h.PlanChecked():
            return replace(phase, plan=_checked(phase.plan, event))
        case h.RedObserved(observations=observations):
            return replace(phase, plan=replace(phase.plan, red=observations))
        case _:
            assert_never(event)


def _checked(plan: Plan, event: h.PlanChecked) -> Plan:
    return replace(
        plan,
        checked=True,
        approved=event.passed,
        check=event.check,
        blockers=event.blockers,
        lacks=event.lacks,
        complaints=event.complaints or plan.complaints,
        holds=event.holds,
        clauses_asked=event.clauses or plan.clauses_asked,
    )


def _rerouted(phase: PhaseState) -> PhaseState:
    """Observations and reviews of a phase that triage took for done are void."""
    plan, retries = replace(phase.plan, verify_only=False, unshown=""), replace(phase.retries, rerouted=True)
    return replace(forget(phase, Lifetime.TREE), plan=plan, retries=retries)


def _left_to_verify(phase: PhaseState, reason: str) -> PhaseState:
    """The refused plan goes. A user's own stays what the phase is read by; what already holds need not be red."""
    before, fresh = phase.plan, forget(phase, Lifetime.PLAN)
    plan = replace(fresh.plan, verify_only=True, unshown=reason, has_plan=before.has_plan)
    if not before.ours:
        plan = replace(plan, answers=before.answers, must_haves=before.must_haves)
    return replace(fresh, plan=plan, intake=replace(phase.intake, criteria=as_already(phase.intake.criteria)))


def _fold_task(phase: PhaseState, event: h.TaskEvent) -> PhaseState:
    before = phase.tasks[event.task]
    match event:
        case h.TaskCommitted():
            phase = forget(phase, Lifetime.TREE)  # of a remediation: the reviews were about the tree before it
            # A fix replaces the task's commit while that is the last one; on top of others it adds to it.
            kept = before if before.commit and event.parent != before.parent else TaskState(before.task)
            after = replace(
                before,
                status=TaskStatus.COMMITTED,
                commit=event.commit,
                parent=event.parent,
                public_parent=event.public_parent,
                files=tuple(dict.fromkeys((*kept.files, *event.files))),
                outside=tuple(dict.fromkeys((*kept.outside, *event.outside))),
                claimed=event.claimed,
                confidence=event.confidence,
                refusal="",
                reading=None,
                reading_problem="",
            )
        case h.TaskRefused(reason=reason, claimed=claimed):
            caught = (*before.caught, _refused(claimed, reason))
            refused = replace(before, status=TaskStatus.REFUSED, refusal=reason, claimed=claimed, caught=caught)
            died_at_work = event.died and not _came_from_debug(phase)
            after = replace(
                refused, untouched=event.untouched, died=event.died, deaths=before.deaths + int(died_at_work)
            )
        case h.TaskVerified(observations=observations, verdicts=verdicts, outcome=outcome):
            after = replace(
                before,
                observations=observations,
                verdicts=verdicts,
                probes=event.probes,
                objections=event.objections,
                packages=event.packages,
            )
            ours = all(v.ours for v in verdicts if v.outcome is not Outcome.PASS)
            if outcome is Outcome.PASS:
                after = replace(after, status=TaskStatus.VERIFIED)
            elif outcome is Outcome.FAIL or not ours:
                caught = (*before.caught, _refused(before.claimed, _describe_failure(before, event)))
                after = replace(after, status=TaskStatus.FAILED, caught=caught)
        case _:
            assert_never(event)
    if _came_from_debug(phase):
        after = replace(after, debugs=before.debugs + 1)
    return replace(phase, tasks={**phase.tasks, event.task: after})


def _refused(claimed: bool, because: str) -> str:
    return f"claimed as done, and refused: {because}" if claimed else f"refused: {because}"


def _describe_failure(task: TaskState, event: h.TaskVerified) -> str:
    """Each criterion that did not hold, as the plan states it, with what was observed."""
    texts = task.task.promises
    seen = {observation.subject: observation for observation in event.observations}
    bad = [verdict for verdict in event.verdicts if verdict.outcome is not Outcome.PASS and not verdict.ours]
    sentences = []
    # The script's own verdict only repeats what its lines report about the criteria.
    for verdict in [v for v in bad if v.subject in texts] or bad:
        observation = seen.get(verdict.subject)
        because = observation.reason if observation is not None and observation.reason else verdict.because
        sentences.append(f"{texts.get(verdict.subject, verdict.subject)}: {because}")
    return "; ".join(sentences)


def _came_from_debug(phase: PhaseState) -> bool:
    """A task's result that came out of a debug step counts against its debug rounds."""
    return phase.open is not None and phase.open.step.value == "debug"


def _fold_verification(phase: PhaseState, event: h.VerificationEvent, time: datetime) -> PhaseState:
    match event:
        case h.PhaseObserved(observations=observations, commit=commit):
            intake = replace(phase.intake, phase_type=event.phase_type or phase.intake.phase_type)
            observed = Observed(commit, observations, event.probes, event.objections, event.unasked, event.visual)
            return replace(phase, intake=intake, observed=observed)
        case h.PhaseVerified(assessment=verification, duration_ms=duration_ms):
            reviews = replace(phase.reviews, verification=verification, verification_ms=duration_ms)
            return replace(phase, reviews=reviews)
        case h.PhaseJudged(assessment=judgement):
            return replace(phase, reviews=replace(phase.reviews, judgement=judgement))
        case h.PhaseRated():
            return _rated(phase, event, time)
        case h.GateJudged():
            return _ruled(phase, event)
        case _:
            assert_never(event)


def _rated(phase: PhaseState, event: h.PhaseRated, time: datetime) -> PhaseState:
    reviews = replace(
        phase.reviews, rating=event.assessment, score=event.score, band=event.band, deductions=event.deductions
    )
    retries = replace(phase.retries, scores=(*phase.retries.scores, event.score))
    totals = replace(phase.totals, history=(*phase.totals.history, _scored(phase, event.score, time)))
    return replace(phase, reviews=reviews, retries=retries, totals=totals)


def _ruled(phase: PhaseState, event: h.GateJudged) -> PhaseState:
    ordered = event.action or (Action.PASS if event.outcome is Outcome.PASS else Action.ROLLBACK)
    category = event.category or Category.ACCEPTANCE_CRITERIA_UNMET
    return replace(
        phase,
        ruling=PhaseRuling(event.outcome, ordered),
        gate=replace(
            phase.gate,
            reason=event.reason,
            category=category,
            verdicts=event.verdicts,
            unseen=event.unseen,
            diff=event.diff,
        ),
        remediation=replace(phase.remediation, exhausted=()),  # recorded again by the step that follows this ruling
        reviews=phase.reviews if event.score is None else replace(phase.reviews, score=event.score),
    )


def _scored(phase: PhaseState, score: float, time: datetime) -> Scored:
    """With what led to it: a cycle that aims at more, a second making, or the phase's own first making."""
    aimed = next((cycle for cycle in reversed(phase.remediation.cycles) if cycle.flag), None)
    if aimed is not None:
        return Scored(score, time, aimed.flag, aimed.number)
    flag = "force" if phase.brief.purpose is Purpose.REDO else "initial"
    return Scored(score, time, flag, len(phase.remediation.cycles))


def history_of(brief: PhaseBrief) -> tuple[Scored, ...]:
    return brief.earlier.history if brief.earlier else ()
