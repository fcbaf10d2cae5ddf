"""What an event means to the issue a run is about."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import assert_never

from msgspec.structs import replace

from autopilot.events.issue import happened as i
from autopilot.events.issue.state import IssueState, Round
from autopilot.events.lifetime import Lifetime, forget
from autopilot.events.rooms.phase import Observed
from autopilot.events.state import RunState, complete
from autopilot.model.issue.issue import DESIGN, IMPL, Decision, SeedFinding
from autopilot.model.run import PhaseStatus


def fold_issue_run(state: RunState, event: i.IssueRunEvent) -> RunState:
    match event:
        case i.IssueOpened():
            return replace(
                state,
                issue=IssueState(
                    brief=event.brief,
                    options=event.options,
                    recommended=event.recommended,
                    reasons=event.reasons,
                    route=event.options.route,
                    has_prd=event.has_prd,
                    asked_before=event.asked,
                    requirements_by=event.approved,
                    escalated=event.options.design_heavy,
                ),
            )
        case i.IssueReentered(options=options, findings=findings, anchors=anchors):
            issue = _issue(state)
            frozen = None if _has_moved(issue, anchors) else issue.frozen
            return _with(state, options=options, said=(*issue.said, *findings), anchors_here=anchors, frozen=frozen)
        case i.RouteTaken(route=route):
            return _with(state, route=route)
        case i.RequirementsApproved(by=by):
            return _with(state, requirements_by=by)
        case i.DesignApproved(by=by, cause=cause):
            repin = bool(_issue(state).pins.get("autopilot-design.pin"))
            return _with(state, design_by=by, cause=cause, rounds={}, seeds=(), rejected=(), repin=repin, reds=())
        case _:
            assert_never(event)


def fold_issue(state: RunState, event: i.IssueEvent, at: datetime) -> RunState:
    """Into the phase and the issue at once; commits of ours move the run's line."""
    if isinstance(event, i.Defined | i.Presented | i.ConvergenceHalted | i.HandedOff) and event.branch:
        state = _with(state, published=event.branch)
    match event:
        case i.SentBack(findings=findings):
            return _sent_back(state, event, findings)
        case i.Defined(commit=commit, questions=questions, points=points):
            known = _with(state, has_prd=True, drafted=True, seeds=(), said=(), questions=questions, points=points)
            return _moved(known, commit)
        case i.AnchorPinned():
            return _pinned(state, event)
        case i.WorkTaken() | i.OracleJudged() | i.IterationRecorded():
            return _fold_round(state, event)
        case i.RateMeasured(rate=rate):
            return _with(state, rate=rate)
        case i.ConvergenceHalted():
            return _halted(state, event, at)
        case i.Converged(phase=phase):
            return state.with_phase(complete(state.phase(phase), at))
        case i.Presented(number=number):
            issue = _issue(state)
            shown = issue.presented.commit if issue.presented else ""
            return _with(state, presented=event, presentations=number, shown=shown)
        case i.HandedOff(commit=commit):
            return _moved(_with(state, handed_off=event), commit)
        case _:
            assert_never(event)


def reenter(state: RunState) -> RunState:
    """A person takes up what had stopped: a new cycle, with what was left to mend. Sameness remembers.

    A stronger model is tried only where a model may have been the reason, and is kept from then on.
    """
    # What broke down is tried again when somebody asks for it.
    for phase in state.phases.values():
        steps = {name: step for name, step in phase.steps.items() if step.status != "error"}
        state = state.with_phase(replace(phase, steps=steps))
    issue = replace(_issue(state), frozen=None)  # whoever comes back may have changed what was approved
    if issue.halted is None:
        return replace(state, issue=issue)
    stuck = issue.halted
    cycle = replace(
        issue,
        cycle=issue.cycle + 1,
        halted=None,
        rounds={step: kept for step, kept in issue.rounds.items() if kept.passed and stuck.phase == DESIGN},
        seeds=stuck.findings or issue.seeds,  # what halts before an iteration has mended nothing of what it was given
        reds=(),
        escalated=issue.escalated or (stuck.phase == IMPL and stuck.reason.blames_model),
    )
    return replace(state.with_phase(forget(state.phase(stuck.phase), Lifetime.ATTEMPT)), issue=cycle)


def _fold_round(state: RunState, event: i.WorkTaken | i.OracleJudged | i.IterationRecorded) -> RunState:
    issue = _issue(state)
    before = issue.rounds.get(event.step, Round())
    match event:
        case i.WorkTaken(iteration=iteration, commit=commit):
            seeds = (*(issue.seeds if iteration == 1 else before.findings), *issue.said)
            issue = replace(
                issue,
                seeds=(*issue.seeds, *issue.said),
                said=(),
                proposed=event.cause or issue.proposed,
                decisions=tuple(dict.fromkeys((*_others(issue, event), *event.decisions))),
            )
            state = _moved(replace(state, issue=issue), commit)
            return _in_round(state, event.step, Round(iteration, event, seeds=seeds))
        case i.OracleJudged(phase=phase):
            observed = Observed(event.commit, event.observations, event.probes, event.objections)
            seen = replace(state.phase(phase), observed=observed)
            reds = (*issue.reds, event.red.commit) if event.red and event.red.commit not in issue.reds else issue.reds
            state = _with(state.with_phase(seen), red_seen=event.red_seen, reds=reds)
            return _in_round(state, event.step, replace(before, judged=event))
        case i.IterationRecorded(row=row, commit=commit, drift=drift, broken=broken):
            state = _with(state, rows=(*issue.rows, row), lines=event.lines, log_head=event.log_head)
            return _in_round(_moved(state, commit), event.step, replace(before, row=row, drift=drift, broken=broken))
        case _:
            assert_never(event)


def _has_moved(issue: IssueState, anchors: Mapping[str, str]) -> bool:
    """Whether the checkout has other requirements than those that were pinned; a kill is no reason to overlook it."""
    alone = {pin.files[0]: pin.sha256 for pin in issue.pins.values() if len(pin.files) == 1}
    return any(anchors.get(path, sha256) != sha256 for path, sha256 in alone.items())


def _others(issue: IssueState, work: i.WorkTaken) -> tuple[Decision, ...]:
    """A file that was written anew brings its own decisions."""
    return tuple(d for d in issue.decisions if d.file not in work.files)


def _sent_back(state: RunState, event: i.SentBack, findings: tuple[SeedFinding, ...]) -> RunState:
    """A person's word begins a new convergence: iterations count from one again, sameness remembers."""
    issue = _issue(state)
    said = tuple(each for each in issue.said if each not in findings)
    issue = replace(issue, sent_back=(*issue.sent_back, event.gate), said=said)
    if issue.requirements_by == "":
        return replace(state, issue=replace(issue, seeds=findings, has_prd=False))
    # What was implemented by the design of before is open again too, be it under way, judged or handed off already.
    for name in (IMPL,) if event.phase == IMPL else (DESIGN, IMPL):
        state = state.with_phase(forget(state.phase(name), Lifetime.ATTEMPT))
    cycle = replace(
        issue, cycle=issue.cycle + 1, rounds={}, seeds=findings, reds=(), frozen=None, halted=None, handed_off=None
    )
    if event.phase == DESIGN:
        cycle = replace(cycle, rejected=findings, design_by="")
    return replace(state, issue=cycle)


def _pinned(state: RunState, event: i.AnchorPinned) -> RunState:
    issue = _issue(state)
    pins = issue.pins if event.verified else {**issue.pins, event.pin: event}
    # Whatever implementation there is by then is not part of the baseline, however often the phase is entered.
    baseline = issue.baseline or (event.commit if event.phase == IMPL else "")
    issue = replace(
        issue,
        pins=pins,
        repin=False,
        frozen=event.phase,
        lines=event.lines,
        log_head=event.log_head,
        baseline=baseline,
    )
    state = _moved(replace(state, issue=issue), event.commit)
    phase = state.phase(event.phase)
    base = baseline if event.phase == IMPL else event.commit
    return state.with_phase(replace(phase, line=replace(phase.line, base=base)))


def _halted(state: RunState, event: i.ConvergenceHalted, at: datetime) -> RunState:
    before = state.phase(event.phase)
    ending = replace(before.ending, completed_at=at, failure=event.reason.value, failure_step=event.step)
    failed = replace(before, status=PhaseStatus.FAILED, ending=ending, open=None)
    state = _with(state.with_phase(failed), halted=event)
    if event.commit:
        state = _moved(_with(state, lines=event.lines, log_head=event.log_head), event.commit)
    return state


def _in_round(state: RunState, step: str, now: Round) -> RunState:
    issue = _issue(state)
    return replace(state, issue=replace(issue, rounds={**issue.rounds, step: now}))


def _moved(state: RunState, commit: str) -> RunState:
    return replace(state, line=replace(state.line, tip=commit, public_tip=commit)) if commit else state


def _with(state: RunState, **fields: object) -> RunState:
    return replace(state, issue=replace(_issue(state), **fields))


def _issue(state: RunState) -> IssueState:
    assert state.issue is not None, "only the run of an issue has such events"
    return state.issue
