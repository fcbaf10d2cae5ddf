"""From past to present: one event at a time, total, deterministic, free of clocks and I/O."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from msgspec import UNSET
from msgspec.structs import replace

from autopilot.events import closing as c
from autopilot.events import happened as h
from autopilot.events import people as e
from autopilot.events import provision as p
from autopilot.events import recovery as r
from autopilot.events.debugging import happened as d
from autopilot.events.debugging.fold import fold_debug, fold_debug_run
from autopilot.events.debugging.fold import reenter as reenter_session
from autopilot.events.drafting import happened as dr
from autopilot.events.drafting.fold import fold_draft
from autopilot.events.drafting.fold import reenter as reenter_draft
from autopilot.events.earlier_journals import stop_kind_of
from autopilot.events.entry import Stored
from autopilot.events.fold_breaker import closed, half_opened, opened, watch
from autopilot.events.fold_closing import begin_closing, fold_closing, record_completed, reopen_completion
from autopilot.events.fold_parts import begin_parts
from autopilot.events.fold_people import defer_ideas, fold_people, fold_talk
from autopilot.events.fold_phase import fold_phase, history_of
from autopilot.events.fold_provision import begin_session, end_limits, fold_provision, learn_from_reply
from autopilot.events.issue import happened as i
from autopilot.events.issue.fold import fold_issue, fold_issue_run, reenter
from autopilot.events.lifetime import Lifetime, RunLifetime, forget, forget_of_run
from autopilot.events.rooms.phase import Totals
from autopilot.events.rooms.run import RunInputs, RunLine, Session
from autopilot.events.state import PhaseState, RunState
from autopilot.events.talk import IdeaDeferred
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import LandingStage, PhaseStatus, Step, StepStatus

ENHANCED_TIER = 2


def fold(state: RunState, stored: Stored) -> RunState:
    """Apply one stored event; its time becomes the state's ``now``."""
    event = stored.event
    state = replace(state, now=stored.time, seq=stored.seq)
    match event:
        case h.RunStarted():
            return _started(event, stored)
        case h.RunResumed():
            return _resumed(state, event)
        case h.RunStopped(status, reason, exit_status):
            session = replace(state.session, stop_reason=reason, stop_kind=stop_kind_of(event), exit_status=exit_status)
            session = replace(session, cap=None if event.cap is UNSET else event.cap)
            return replace(state, status=status, session=session, totals=replace(state.totals, rested_at=state.now))
        case h.RunArchived():
            return replace(state, archived=True)
        case h.CancelRequested(by):
            return replace(state, session=replace(state.session, cancelled_by=by))
        case h.Warned(text, phase):
            return _warned(state, text, phase)
        case r.DeferRateHigh(text):
            return _warned(state, text, None)
        case r.BreakerOpened():
            return replace(state, breaker=opened(state, event))
        case r.BreakerClosed():
            return replace(state, breaker=closed(state.breaker))
        case r.DeferralAdjusted(new=new, verdicts=verdicts):
            policy = replace(state.policy, deferral_confidence=new)
            return replace(state, policy=policy, lessons=replace(state.lessons, verdicts_used=verdicts))
        case p.AgentSwitched() | p.WaitStarted() | p.Woken():
            return fold_provision(state, event)
        case e.FlagsRefused() | e.PhasePassedOver() | e.MappingStarted() | e.MappingEnded():
            return fold_people(state, event)
        case e.HumanAsked() | e.HumanAnswered() | e.PauseRequested() | e.RecordCarried():
            return fold_people(state, event)
        case e.ContextMapped() | e.AreasFound() | e.FollowedUp() | e.Discussed():
            return fold_talk(state, event)
        case c.ClosingBegun():
            return begin_closing(state, event, stored.time)
        case c.IntegrationChecked() | c.AuditStarted() | c.Audited() | c.AuditEnded():
            return fold_closing(state, event, stored.time)
        case c.VersionAdvised() | c.VersionBumped() | c.VersionKept():
            return fold_closing(state, event, stored.time)
        case i.IssueOpened() | i.IssueReentered() | i.RouteTaken() | i.RequirementsApproved() | i.DesignApproved():
            return fold_issue_run(state, event)
        case i.SentBack() | i.Defined() | i.AnchorPinned() | i.WorkTaken() | i.OracleJudged() | i.RateMeasured():
            return fold_issue(state, event, stored.time)
        case i.IterationRecorded() | i.ConvergenceHalted() | i.Converged() | i.Presented() | i.HandedOff():
            return fold_issue(state, event, stored.time)
        case d.SessionOpened() | d.SessionContinued():
            return fold_debug_run(state, event, stored.time)
        case d.SessionClosed() | d.SymptomsGathered() | d.GatheringRefused() | d.ReproductionSeen():
            return fold_debug(state, event, stored.time)
        case d.BisectionBegun() | d.CommitTested() | d.HypothesisStated() | d.HypothesisRefused():
            return fold_debug(state, event, stored.time)
        case d.HypothesisTested() | d.FixTaken() | d.FixJudged():
            return fold_debug(state, event, stored.time)
        case dr.DraftBegun() | dr.Drafted() | dr.DraftSettled():
            return fold_draft(state, event, stored.time)
        case _:
            return watch(_fold_into_phase(state, event, stored.time), event)


def fold_all(entries: Iterable[Stored], state: RunState | None = None) -> RunState:
    state = state or RunState()
    for stored in entries:
        state = fold(state, stored)
    return state


def _started(event: h.RunStarted, stored: Stored) -> RunState:
    inputs = RunInputs(
        version=event.version,
        roadmap=event.roadmap,
        spec=event.spec,
        agents=event.agents,
        model=event.model,
        outline=event.outline,
        proven=event.proven,
        ticked=event.ticked,
        intent=event.intent,
        command=event.command,
        context=event.context,
        calibration=event.calibration,
        baseline=event.baseline,
        other_runs=event.other_runs,
        criteria=event.criteria,
        planning=event.planning,
    )
    public_tip = event.base if event.policy.commit_docs else event.head
    return RunState(
        run=event.run,
        started_at=stored.time,
        now=stored.time,
        seq=stored.seq,
        policy=event.policy,
        phases={brief.id: PhaseState(brief, totals=Totals(history=history_of(brief))) for brief in event.phases},
        inputs=inputs,
        line=RunLine(event.branch, event.head, event.base, tip=event.base, public_tip=public_tip),
        session=Session(since=stored.time),
    )


def _resumed(state: RunState, event: h.RunResumed) -> RunState:
    """After a stop, failed phases get their second attempt, and the phases they blocked are open again.

    After a kill the run continues unchanged: no user asked for any of that.
    """
    phases = {key: _clear_unproven(phase) for key, phase in state.phases.items()}
    parts = {key: _clear_unproven(part) for key, part in state.parts.items()}
    breaker = state.breaker
    if state.halted and state.is_of_roadmap:
        phases = _reopened(state, phases)
    if state.halted:
        breaker = half_opened(breaker, state.policy.breaker.same_error)
    if event.spec_changed_to:
        reason = f"spec_hash_mismatch: {state.inputs.spec.path} was locked as {state.inputs.spec.sha256[:12]}"
        reason = f"{reason} and is now {event.spec_changed_to[:12]}"
        phases = {key: _overtaken(phase, reason) for key, phase in phases.items()}
        parts = {key: _overtaken(part, reason) for key, part in parts.items()}
    # Once something ran without a sandbox, every later report says so.
    policy = replace(
        state.policy,
        budget=event.budget,
        caps_named=tuple(dict.fromkeys((*state.policy.caps_named, *event.caps_named))),
        caps_of_config=event.caps_of_config,
        assignments=event.assignments or state.policy.assignments,
        agent_options=event.agent_options or (state.policy.agent_options if event.assignments is None else ""),
        confined=state.policy.confined and event.confined,
        open_egress=tuple(dict.fromkeys((*state.policy.open_egress, *(event.open_egress or ())))),
    )
    resumed = replace(
        forget_of_run(state, RunLifetime.STOP if state.halted else RunLifetime.SESSION),
        policy=policy,
        phases=phases,
        parts=parts,
        breaker=breaker,
        session=Session(since=state.now),
        inputs=replace(state.inputs, spec_changed_to=event.spec_changed_to or state.inputs.spec_changed_to),
        totals=replace(state.totals, resumes=state.totals.resumes + 1, rested_s=_rested_s(state)),
    )
    if state.halted and state.issue is not None:
        resumed = reenter(resumed)
    if state.halted and state.debugging is not None:
        resumed = reenter_session(resumed)
    if state.halted and state.drafting is not None:
        resumed = reenter_draft(resumed)
    return begin_session(reopen_completion(resumed, _clear_unproven), state.halted, event)


def _rested_s(state: RunState) -> float:
    """With the time since it stopped; after a kill it is not known when the work ended."""
    since = state.totals.rested_at if state.halted else None
    return state.totals.rested_s + (max(0.0, (state.now - since).total_seconds()) if since else 0.0)


def _overtaken(phase: PhaseState, reason: str) -> PhaseState:
    """A phase in flight was planned by the old spec: it fails as in preflight. Those to come read the new one.

    One that passed its gate is done: it may have landed already when the run was killed.
    """
    if phase.status is not PhaseStatus.IN_PROGRESS or phase.ruling.outcome is Outcome.PASS:
        return phase
    return replace(phase, intake=replace(phase.intake, preflight_issues=(reason,)), open=None)


def _reopened(state: RunState, phases: Mapping[PhaseId, PhaseState]) -> dict[PhaseId, PhaseState]:
    """What builds on a phase that gets no further attempt stays left out: nothing about it has changed."""
    failed = [phase for phase in phases.values() if phase.status is PhaseStatus.FAILED]
    retried = {phase.id for phase in failed if phase.totals.attempt < state.policy.attempts.phases}
    lost = state.building_on(phase.id for phase in failed if phase.id not in retried)
    skipped = {phase.id for phase in phases.values() if phase.status is PhaseStatus.SKIPPED}
    open_again = retried | (skipped - lost)
    return {key: forget(phase, Lifetime.ATTEMPT) if key in open_again else phase for key, phase in phases.items()}


def _clear_unproven(phase: PhaseState) -> PhaseState:
    """What could not be observed is observed again, and then judged again."""
    steps = {name: step for name, step in phase.steps.items() if step.status != StepStatus.UNPROVEN}
    paused = phase.ruling.outcome is Outcome.UNPROVEN and Step.GATE.value not in steps
    phase = replace(phase, steps=steps, line=replace(phase.line, held_at=None, held_for=""))
    return forget(phase, Lifetime.TREE) if paused else phase


def _warned(state: RunState, text: str, phase: PhaseId | None) -> RunState:
    known = state.phases.get(phase) if phase else None
    if known is not None:
        return state.with_phase(replace(known, warnings=(*known.warnings, text)))
    return replace(state, totals=replace(state.totals, warnings=(*state.totals.warnings, text)))


def _fold_into_phase(state: RunState, event: h.PipelineEvent, time: datetime) -> RunState:
    before = state.phase(event.phase)
    phase = fold_phase(before, event, time)
    state = state.with_phase(phase)
    match event:
        case h.PhaseStarted():
            begun = replace(
                phase,
                line=replace(phase.line, public_base=state.line.public_tip),
                retries=replace(phase.retries, enhanced=state.lessons.enhanced_next),
            )
            enhanced_next = state.lessons.enhanced_next and _is_critical(state)
            return replace(state.with_phase(begun), lessons=replace(state.lessons, enhanced_next=enhanced_next))
        case h.PhaseCompleted() if not phase.parent:
            return record_completed(state, phase)
        case h.PhaseFailed() if not phase.parent:
            return replace(state, lessons=replace(state.lessons, failures=(*state.lessons.failures, phase)))
        case h.AgentReplied(usage=usage):
            return learn_from_reply(
                replace(state, totals=replace(state.totals, usage=state.totals.usage + usage)), event
            )
        case p.AgentCutOff(usage=usage):
            return replace(state, totals=replace(state.totals, usage=state.totals.usage + usage))
        case h.StepEnded(status=status) if status != StepStatus.POSTPONED and before.open is not None:
            return end_limits(state, before.open.replies)
        case h.PreflightDone():
            return _begun_on_spec(state, phase, event)
        case h.PlanChecked(passed=True):
            return _moved(state, phase, phase.plan.commit)
        case h.TaskCommitted(commit=commit, public=public) | h.RolledBack(commit=commit, public=public) if commit:
            return _moved(state, phase, commit, public)
        case r.PhaseMended(commit=commit, public=public) if commit:
            return _moved(state, phase, commit, public)
        case r.Integrated(part=part, commit=commit, public=public):
            if part != phase.id:
                return _moved(state, phase, commit, public)
            # From here on its change is what it adds to what landed meanwhile; a rollback takes off that much.
            own = replace(phase.line, tip="", base=state.line.tip, public_base=state.line.public_tip)
            joined = replace(phase, line=own)
            return _moved(state.with_phase(joined), joined, commit, public)
        case r.PhaseDeferred():
            if before.line.tip:  # deferred once more: it is on a line of its own already
                return state
            return _on_own_branch(state, phase)
        case r.PhaseHeld():
            return _moved_out(state, phase)
        case r.VerdictGiven() if phase is not before:
            return _judged(state, phase, event.deferred)
        case r.SplitAgreed():
            return begin_parts(state, phase, event, time)
        case r.ScoresUniform(tier=tier):
            return replace(state, lessons=replace(state.lessons, enhanced_next=tier >= ENHANCED_TIER))
        case h.RecordsCommitted(commit=commit):
            return _moved(state, phase, commit)
        case h.Landed(commit=commit):
            return _landed(state, commit)
        case h.LandingDeferred():
            return replace(state, session=replace(state.session, landing_tried=True))
        case _:
            return state


def _moved_out(state: RunState, phase: PhaseState) -> RunState:
    """It goes on there as a phase does that began beside others."""
    if phase.line.tip:
        return state
    return _on_own_branch(state, replace(phase, line=replace(phase.line, on_own_branch=True)))


def _on_own_branch(state: RunState, phase: PhaseState) -> RunState:
    waiting = replace(phase, line=replace(phase.line, tip=state.line.tip))
    line = replace(state.line, tip=phase.line.base, public_tip=phase.line.public_base)
    return replace(state.with_phase(waiting), line=line)


def _judged(state: RunState, phase: PhaseState, ideas: tuple[str, ...]) -> RunState:
    judged = replace(state, lessons=replace(state.lessons, judged=(*state.lessons.judged, phase)))
    return defer_ideas(judged, (IdeaDeferred(idea, idea, phase.id) for idea in ideas))


def _is_critical(state: RunState) -> bool:
    """From the highest tier on every phase to come is reviewed more strictly, below it only the next."""
    return any(phase.remediation.uniform_tier > ENHANCED_TIER for phase in state.phases.values())


def _begun_on_spec(state: RunState, phase: PhaseState, event: h.PreflightDone) -> RunState:
    """A spec that changed lies below this phase, and those after it."""
    if event.spec_changed_to:
        state = replace(state, inputs=replace(state.inputs, spec_changed_to=event.spec_changed_to))
    return _moved(state, phase, event.spec_commit) if event.spec_commit else state


def _moved(state: RunState, phase: PhaseState, tip: str, public: str = "") -> RunState:
    if phase.line.tip:
        return state.with_phase(replace(phase, line=replace(phase.line, tip=tip)))
    public_tip = tip if state.policy.commit_docs else public or state.line.public_tip
    return replace(state, line=replace(state.line, tip=tip, public_tip=public_tip))


def _landed(state: RunState, commit: str) -> RunState:
    """Over commits of the user's the landing is a merge, and the run goes on from there."""
    tip = commit if state.policy.commit_docs else state.line.tip
    line = replace(state.line, head=commit, tip=tip, public_tip=commit)
    completion = replace(state.completion, closing=_with_the_rest(state.completion.closing))
    return replace(state, phases=_with_the_rest(state.phases), completion=completion, line=line)


def _with_the_rest(phases: Mapping[PhaseId, PhaseState]) -> dict[PhaseId, PhaseState]:
    """A landing takes the run's tip, so earlier phases that had to wait landed with it."""
    return {
        key: replace(phase, landing=replace(phase.landing, state=LandingStage.LANDED)) if phase.landing.state else phase
        for key, phase in phases.items()
    }
