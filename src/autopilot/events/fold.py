"""From past to present: one event at a time, total, deterministic, free of clocks and I/O."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events.entry import Stored
from autopilot.events.fold_phase import fold_phase
from autopilot.events.state import PhaseState, RunState, add_usage
from autopilot.model.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, RunStatus, Step
from autopilot.model.verdict import Outcome


def fold(state: RunState, stored: Stored) -> RunState:
    """Apply one stored event; its time becomes the state's ``now``."""
    event = stored.event
    state = replace(state, now=stored.at, seq=stored.seq)
    match event:
        case h.RunStarted():
            return _started(event, stored)
        case h.RunResumed():
            return _resumed(state, event)
        case h.RunStopped(status, reason, exit_status):
            return replace(state, status=status, stop_reason=reason, exit_status=exit_status)
        case h.RunArchived():
            return replace(state, archived=True)
        case h.CancelRequested(by):
            return replace(state, cancelled_by=by)
        case h.Warned(text, phase):
            return _warned(state, text, phase)
        case _:
            return _fold_into_phase(state, event, stored.at)


def fold_all(entries: Iterable[Stored], state: RunState | None = None) -> RunState:
    state = state or RunState()
    for stored in entries:
        state = fold(state, stored)
    return state


def _started(event: h.RunStarted, stored: Stored) -> RunState:
    return RunState(
        run=event.run,
        version=event.version,
        started_at=stored.at,
        now=stored.at,
        seq=stored.seq,
        roadmap=event.roadmap,
        spec=event.spec,
        policy=event.policy,
        branch=event.branch,
        head=event.head,
        base=event.base,
        tip=event.base,
        public_tip=event.base if event.policy.commit_docs else event.head,
        agents=event.agents,
        model=event.model,
        outline=event.outline,
        proven=event.proven,
        ticked=event.ticked,
        active_since=stored.at,
        phases={brief.id: PhaseState(brief=brief) for brief in event.phases},
    )


def _resumed(state: RunState, event: h.RunResumed) -> RunState:
    """Failed phases get their second attempt; what they blocked is open again."""
    phases = {key: _reopened(phase, state.policy.max_phase_attempts) for key, phase in state.phases.items()}
    if event.spec_changed_to:
        words = f"spec_hash_mismatch: {state.spec.path} was locked as {state.spec.sha256[:12]}"
        words = f"{words} and is now {event.spec_changed_to[:12]}"
        phases = {key: _overtaken(phase, words) for key, phase in phases.items()}
    # Once something ran without a sandbox, every later report says so.
    policy = replace(state.policy, budget=event.budget, confined=state.policy.confined and event.confined)
    return replace(
        state,
        status=RunStatus.RUNNING,
        stop_reason="",
        exit_status=None,
        cancelled_by="",
        policy=policy,
        phases=phases,
        active_since=state.now,
        resumes=state.resumes + 1,
        landing_tried=False,
        spec_changed_to=event.spec_changed_to or state.spec_changed_to,
    )


def _overtaken(phase: PhaseState, words: str) -> PhaseState:
    """A phase in flight was planned by the old spec: it fails as in preflight. Those to come read the new one.

    One that passed its gate is done: it may have landed already when the run was killed.
    """
    if phase.status is not PhaseStatus.IN_PROGRESS or phase.gate is Outcome.PASS:
        return phase
    return replace(phase, preflight_issues=(words,), open=None)


def _reopened(phase: PhaseState, max_attempts: int) -> PhaseState:
    failed_once = phase.status is PhaseStatus.FAILED and phase.attempt < max_attempts
    if failed_once or phase.status is PhaseStatus.SKIPPED:
        return PhaseState(brief=phase.brief, attempt=phase.attempt, attempts=phase.attempts, usage=phase.usage)
    # What could not be observed for our own reasons is looked at again, and then judged again.
    steps = {name: step for name, step in phase.steps.items() if step.status != "unproven"}
    if phase.gate is Outcome.UNPROVEN and Step.GATE.value not in steps:
        phase = replace(phase, gate=None, verdicts=(), observations=None, observed_commit="")
    return replace(phase, steps=steps)


def _warned(state: RunState, text: str, phase: PhaseId | None) -> RunState:
    known = state.phases.get(phase) if phase else None
    if known is not None:
        return state.with_phase(replace(known, warnings=(*known.warnings, text)))
    return replace(state, warnings=(*state.warnings, text))


def _fold_into_phase(state: RunState, event: h.PhaseEvent, at: datetime) -> RunState:
    phase = fold_phase(state.phases[event.phase], event, at)
    state = state.with_phase(phase)
    match event:
        case h.AgentReplied(usage=usage):
            return replace(state, usage=add_usage(state.usage, usage))
        case h.PreflightDone(spec_commit=spec_commit) if spec_commit:
            return _moved(state, spec_commit)
        case h.PlanChecked(passed=True):
            return _moved(state, phase.plan_commit)
        case h.TaskCommitted(commit=commit, public=public) | h.RolledBack(commit=commit, public=public):
            return _moved(state, commit, public)
        case h.RecordsCommitted(commit=commit):
            return _moved(state, commit)
        case h.Landed(commit=commit):
            # Over commits of the user's the landing is a merge, and the run goes on from there.
            tip = commit if state.policy.commit_docs else state.tip
            return replace(_all_landed(state), head=commit, tip=tip, public_tip=commit)
        case h.LandingDeferred():
            return replace(state, landing_tried=True)
        case _:
            return state


def _moved(state: RunState, tip: str, public: str = "") -> RunState:
    public_tip = tip if state.policy.commit_docs else public or state.public_tip
    return replace(state, tip=tip, public_tip=public_tip)


def _all_landed(state: RunState) -> RunState:
    """A landing takes the run's tip, so earlier phases that had to wait landed with it."""
    landed = {
        key: replace(phase, landing=replace(phase.landing, state="landed"))
        if phase.landing.state == "deferred"
        else phase
        for key, phase in state.phases.items()
    }
    return replace(state, phases=landed)
