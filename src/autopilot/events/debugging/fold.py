"""What an event means to the debug session a run is."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from msgspec.structs import replace

from autopilot.events.debugging import happened as d
from autopilot.events.debugging.facts import facts_of
from autopilot.events.debugging.state import Bisection, DebugState, Ending, Idea
from autopilot.events.rooms.phase import Observed
from autopilot.events.state import RunState, complete
from autopilot.model.debugging.session import Status
from autopilot.model.run import PhaseStatus, StepStatus


def fold_debug_run(state: RunState, event: d.DebugRunEvent, time: datetime) -> RunState:
    match event:
        case d.SessionOpened(brief=brief):
            return replace(state, debugging=DebugState(brief, opened_at=time, updated_at=time))
        case d.SessionContinued():
            return _continued(state, event, time)
        case _:
            assert_never(event)


def fold_debug(state: RunState, event: d.DebugEvent, time: datetime) -> RunState:
    session = session_of(state)
    facts = facts_of(event, session, time)
    session = replace(session, updated_at=time, facts=(*session.facts, *facts))
    session = _apply(session, event, time)
    state = replace(state, debugging=session)
    match event:
        case d.SessionClosed(status=status):
            return _closed(state, event, status, time)
        case d.SymptomsGathered(commit=commit):
            phase = state.phase(event.phase)
            own = replace(phase.line, base=commit)
            return _moved(state.with_phase(replace(phase, line=own)), commit)
        case d.ReproductionSeen(red=red, baseline=baseline):
            phase = state.phase(event.phase)
            plan = replace(phase.plan, baseline=baseline, red=(red,) if red else ())
            return state.with_phase(replace(phase, plan=plan))
        case d.FixTaken(commit=commit, public=public) if commit:
            return _moved(state, commit, public)
        case d.FixJudged():
            return _judged(state, event)
        case _:
            return state


def session_of(state: RunState) -> DebugState:
    assert state.debugging is not None, "only a debug session has such events"
    return state.debugging


def _apply(session: DebugState, event: d.DebugEvent, time: datetime) -> DebugState:
    match event:
        case d.SessionClosed():
            return replace(session, ending=Ending(event, time))
        case d.SymptomsGathered(symptoms=symptoms, commit=commit, files=files):
            if session.is_reproduced:
                return session  # what was seen red is not described anew
            gathered = replace(session, symptoms=symptoms, commit=commit, files=files, red=None, trouble="")
            return replace(gathered, gatherings=session.gatherings + 1)
        case d.GatheringRefused(reason=reason):
            return replace(session, gatherings=session.gatherings + 1, trouble=reason, symptoms=None)
        case d.ReproductionSeen(repeats=repeats, red=red, problem=problem):
            return replace(session, repeats=repeats, red=red, trouble=problem)
        case d.BisectionBegun():
            return replace(session, bisection=Bisection(event))
        case d.CommitTested():
            assert session.bisection is not None, "a commit is tested in a bisection"
            tested = {**session.bisection.tested, event.index: event}
            return replace(session, bisection=replace(session.bisection, tested=tested))
        case d.HypothesisStated(hypothesis=hypothesis):
            return replace(session, ideas=(*session.ideas, Idea(hypothesis)))
        case d.HypothesisRefused(hypothesis=hypothesis, reason=reason):
            return replace(session, ideas=(*session.ideas, Idea(hypothesis, reason)))
        case d.HypothesisTested(number=number):
            ideas = tuple(
                replace(idea, tested=event, tested_at=time) if idea.hypothesis.number == number else idea
                for idea in session.ideas
            )
            return replace(session, ideas=ideas)
        case d.FixTaken():
            return replace(session, fixes=(*session.fixes, event))
        case d.FixJudged():
            return replace(session, judged=event)
        case _:
            assert_never(event)


def _continued(state: RunState, event: d.SessionContinued, time: datetime) -> RunState:
    """A person wants it to go on: limits count anew, and what was eliminated stays so."""
    session = session_of(state)
    brief = replace(session.brief, find_only=event.find_only, good=event.good or session.brief.good)
    remarks = (*session.remarks, event.remark) if event.remark else session.remarks
    found_anew = event.good and event.good != session.brief.good
    session = replace(
        session,
        brief=brief,
        remarks=remarks,
        gatherings=0,
        ideas_before=len(session.ideas),
        fixes_before=len(session.fixes),
        bisection=None if found_anew else session.bisection,
        ending=None,
        updated_at=time,
    )
    for phase in state.phases.values():
        begun = PhaseStatus.IN_PROGRESS if phase.started_at else PhaseStatus.NOT_STARTED
        state = state.with_phase(replace(phase, status=begun))
    return replace(state, debugging=session)


def reenter(state: RunState) -> RunState:
    """A resumed session tries again what ended in an error."""
    for phase in state.phases.values():
        steps = {name: step for name, step in phase.steps.items() if step.status != StepStatus.ERROR}
        state = state.with_phase(replace(phase, steps=steps))
    return state


def _closed(state: RunState, event: d.SessionClosed, status: Status, time: datetime) -> RunState:
    phase = state.phase(event.phase)
    if status in (Status.RESOLVED, Status.DIAGNOSED):
        return state.with_phase(complete(phase, time))
    ending = replace(phase.ending, completed_at=time, failure=event.because)
    return state.with_phase(replace(phase, status=PhaseStatus.FAILED, ending=ending, open=None))


def _judged(state: RunState, event: d.FixJudged) -> RunState:
    """A fix that is not proven is taken off the line again: the next one begins where the bug was seen."""
    phase = state.phase(event.phase)
    observed = Observed(event.commit, event.observations, event.probes, event.objections)
    state = state.with_phase(replace(phase, observed=observed))
    if event.proven:
        return state
    tip = session_of(state).commit
    public_tip = tip if state.policy.commit_docs else state.line.head
    return replace(state, line=replace(state.line, tip=tip, public_tip=public_tip))


def _moved(state: RunState, tip: str, public: str = "") -> RunState:
    public_tip = tip if state.policy.commit_docs else public or state.line.public_tip
    return replace(state, line=replace(state.line, tip=tip, public_tip=public_tip))
