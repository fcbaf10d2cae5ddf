"""What an event means to the issue a run is about."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import assert_never

from msgspec.structs import replace

from autopilot.events.issue import happened as i
from autopilot.events.issue.lifetime import IssueLifetime, forget_of_issue
from autopilot.events.issue.rooms import Advice, AuditLog, Convergence, DesignGate, Presentation, Requirements, Round
from autopilot.events.issue.state import IssueState
from autopilot.events.lifetime import Lifetime, forget
from autopilot.events.rooms.phase import Observed
from autopilot.events.state import RunState, complete
from autopilot.model.issue.issue import DESIGN, IMPL, SeedFinding
from autopilot.model.run import PhaseStatus, StepStatus


def fold_issue_run(state: RunState, event: i.IssueRunEvent) -> RunState:
    match event:
        case i.IssueOpened():
            return replace(state, issue=_open(event))
        case i.IssueReentered(options=options, findings=findings, anchors=anchors):
            issue = _issue(state)
            if _has_moved(issue, anchors):
                issue = forget_of_issue(issue, IssueLifetime.ENTRY)
            pinned, remarks = replace(issue.pinned, in_checkout=anchors), (*issue.remarks, *findings)
            return replace(state, issue=replace(issue, options=options, remarks=remarks, pinned=pinned))
        case i.RouteTaken(route=route):
            return _with(state, route=route)
        case i.RequirementsApproved(by=by):
            return _with(state, requirements=replace(_issue(state).requirements, approved_by=by))
        case i.DesignApproved():
            return replace(state, issue=_approve_design(_issue(state), event))
        case _:
            assert_never(event)


def fold_issue(state: RunState, event: i.IssueEvent, time: datetime) -> RunState:
    """Into the phase and the issue at once; our commits move the run's branch."""
    if isinstance(event, i.Defined | i.Presented | i.ConvergenceHalted | i.HandedOff) and event.branch:
        state = _with(state, presentation=replace(_issue(state).presentation, branch=event.branch))
    match event:
        case i.SentBack(findings=findings):
            return _sent_back(state, event, findings)
        case i.Defined():
            return _moved(replace(state, issue=_define(_issue(state), event)), event.commit)
        case i.AnchorPinned():
            return _pinned(state, event)
        case i.WorkTaken() | i.OracleJudged() | i.IterationRecorded():
            return _fold_round(state, event)
        case i.RateMeasured(rate=rate):
            return _with(state, baseline=replace(_issue(state).baseline, rate=rate))
        case i.ConvergenceHalted():
            return _halted(state, event, time)
        case i.Converged(phase=phase):
            return state.with_phase(complete(state.phase(phase), time))
        case i.Presented(number=number):
            before = _issue(state).presentation
            shown = before.last.commit if before.last else ""
            return _with(state, presentation=replace(before, last=event, count=number, shown=shown))
        case i.HandedOff(commit=commit):
            return _moved(_with(state, ending=replace(_issue(state).ending, handed_off=event)), commit)
        case _:
            assert_never(event)


def reenter(state: RunState) -> RunState:
    """The user resumes a stopped run: a new cycle, with what was left to fix. The memory for repetition is kept.

    A stronger model is tried only where a model may have been the reason, and is kept from then on.
    """
    # A step that ended in an error is retried when the user resumes.
    for phase in state.phases.values():
        steps = {name: step for name, step in phase.steps.items() if step.status != StepStatus.ERROR}
        state = state.with_phase(replace(phase, steps=steps))
    issue = _issue(state)
    stuck = issue.ending.halted
    if stuck is None:
        # The user may have changed what was approved.
        return replace(state, issue=forget_of_issue(issue, IssueLifetime.ENTRY))
    rounds, seeds = issue.convergence.rounds, issue.convergence.seeds
    kept = {step: done for step, done in rounds.items() if done.passed and stuck.phase == DESIGN}
    # A halt before an iteration has fixed nothing of what it was given.
    cycle = _new_cycle(issue, IssueLifetime.CYCLE, Convergence(rounds=kept, seeds=stuck.findings or seeds))
    escalated = issue.escalated or (stuck.phase == IMPL and stuck.reason.blames_model)
    state = state.with_phase(forget(state.phase(stuck.phase), Lifetime.ATTEMPT))
    return replace(state, issue=replace(cycle, escalated=escalated))


def _open(event: i.IssueOpened) -> IssueState:
    return IssueState(
        brief=event.brief,
        options=event.options,
        advice=Advice(event.recommended, event.reasons),
        route=event.options.route,
        requirements=Requirements(has_prd=event.has_prd, approved_by=event.approved),
        presentation=Presentation(asked_before=event.asked),
        escalated=event.options.design_heavy,
    )


def _approve_design(issue: IssueState, event: i.DesignApproved) -> IssueState:
    repin = bool(issue.pinned.pins.get("autopilot-design.pin"))
    return replace(
        forget_of_issue(issue, IssueLifetime.DESIGN),
        design=DesignGate(approved_by=event.by),
        cause=replace(issue.cause, agreed=event.cause),
        pinned=replace(issue.pinned, repin=repin),
    )


def _define(issue: IssueState, event: i.Defined) -> IssueState:
    requirements = replace(
        issue.requirements, has_prd=True, drafted=True, questions=event.questions, points=event.points
    )
    return replace(issue, requirements=requirements, convergence=replace(issue.convergence, seeds=()), remarks=())


def _fold_round(state: RunState, event: i.WorkTaken | i.OracleJudged | i.IterationRecorded) -> RunState:
    issue = _issue(state)
    before = issue.convergence.rounds.get(event.step, Round())
    match event:
        case i.WorkTaken(commit=commit):
            seeds = (*(issue.convergence.seeds if event.iteration == 1 else before.findings), *issue.remarks)
            state = _moved(replace(state, issue=_take_work(issue, event)), commit)
            return _in_round(state, event.step, Round(event.iteration, event, seeds=seeds))
        case i.OracleJudged(phase=phase):
            observed = Observed(event.commit, event.observations, event.probes, event.objections)
            state = state.with_phase(replace(state.phase(phase), observed=observed))
            reds = (*issue.convergence.reds, *((event.red.commit,) if event.red else ()))
            convergence = replace(issue.convergence, reds=tuple(dict.fromkeys(reds)))
            state = _with(state, baseline=replace(issue.baseline, red=event.red_seen), convergence=convergence)
            return _in_round(state, event.step, replace(before, judged=event))
        case i.IterationRecorded(row=row, commit=commit, drift=drift, broken=broken):
            state = _with(state, audit=AuditLog((*issue.audit.rows, row), event.lines, event.log_head))
            return _in_round(_moved(state, commit), event.step, replace(before, row=row, drift=drift, broken=broken))
        case _:
            assert_never(event)


def _take_work(issue: IssueState, work: i.WorkTaken) -> IssueState:
    """Remarks are given to this iteration, and to the first of every later step."""
    others = tuple(d for d in issue.decisions if d.file not in work.files)  # a rewritten file brings its own
    return replace(
        issue,
        convergence=replace(issue.convergence, seeds=(*issue.convergence.seeds, *issue.remarks)),
        remarks=(),
        cause=replace(issue.cause, proposed=work.cause or issue.cause.proposed),
        decisions=tuple(dict.fromkeys((*others, *work.decisions))),
    )


def _has_moved(issue: IssueState, anchors: Mapping[str, str]) -> bool:
    """Whether the checkout has other requirements than those that were pinned; a kill must not hide it."""
    alone = {pin.files[0]: pin.sha256 for pin in issue.pinned.pins.values() if len(pin.files) == 1}
    return any(anchors.get(path, sha256) != sha256 for path, sha256 in alone.items())


def _sent_back(state: RunState, event: i.SentBack, findings: tuple[SeedFinding, ...]) -> RunState:
    """A rejection starts a new convergence: iterations count from one again, the memory for repetition is kept."""
    issue = _issue(state)
    presentation = replace(issue.presentation, sent_back=(*issue.presentation.sent_back, event.gate))
    remarks = tuple(remark for remark in issue.remarks if remark not in findings)
    issue, seeds = replace(issue, presentation=presentation, remarks=remarks), Convergence(seeds=findings)
    if issue.requirements.approved_by == "":
        issue = forget_of_issue(issue, IssueLifetime.REQUIREMENTS)
        return replace(state, issue=replace(issue, convergence=seeds))
    # What was implemented by the design of before is open again too, whether in progress, judged or handed off already.
    for name in (IMPL,) if event.phase == IMPL else (DESIGN, IMPL):
        state = state.with_phase(forget(state.phase(name), Lifetime.ATTEMPT))
    if event.phase == IMPL:
        return replace(state, issue=_new_cycle(issue, IssueLifetime.CYCLE, seeds))
    cycle = _new_cycle(issue, IssueLifetime.DESIGN, seeds)
    return replace(state, issue=replace(cycle, design=DesignGate(rejected=findings)))


def _new_cycle(issue: IssueState, lifetime: IssueLifetime, convergence: Convergence) -> IssueState:
    return replace(forget_of_issue(issue, lifetime), cycle=issue.cycle + 1, convergence=convergence)


def _pinned(state: RunState, event: i.AnchorPinned) -> RunState:
    issue = _issue(state)
    pins = issue.pinned.pins if event.verified else {**issue.pinned.pins, event.pin: event}
    # Whatever implementation there is by then is not part of the baseline, however often the phase is entered.
    baseline = issue.baseline.commit or (event.commit if event.phase == IMPL else "")
    state = _with(
        state,
        pinned=replace(issue.pinned, pins=pins, repin=False),
        frozen=event.phase,
        audit=replace(issue.audit, lines=event.lines, head=event.log_head),
        baseline=replace(issue.baseline, commit=baseline),
    )
    state = _moved(state, event.commit)
    phase = state.phase(event.phase)
    base = baseline if event.phase == IMPL else event.commit
    return state.with_phase(replace(phase, line=replace(phase.line, base=base)))


def _halted(state: RunState, event: i.ConvergenceHalted, time: datetime) -> RunState:
    before = state.phase(event.phase)
    ending = replace(before.ending, completed_at=time, failure=event.reason.value, failure_step=event.step)
    failed = replace(before, status=PhaseStatus.FAILED, ending=ending, open=None)
    issue = _issue(state)
    state = _with(state.with_phase(failed), ending=replace(issue.ending, halted=event))
    if event.commit:
        audit = replace(issue.audit, lines=event.lines, head=event.log_head)
        state = _moved(_with(state, audit=audit), event.commit)
    return state


def _in_round(state: RunState, step: str, now: Round) -> RunState:
    convergence = _issue(state).convergence
    return _with(state, convergence=replace(convergence, rounds={**convergence.rounds, step: now}))


def _moved(state: RunState, commit: str) -> RunState:
    return replace(state, line=replace(state.line, tip=commit, public_tip=commit)) if commit else state


def _with(state: RunState, **fields: object) -> RunState:
    return replace(state, issue=replace(_issue(state), **fields))


def _issue(state: RunState) -> IssueState:
    assert state.issue is not None, "only the run of an issue has such events"
    return state.issue
