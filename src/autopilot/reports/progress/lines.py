"""Progress as plain lines a person can read and a program can parse."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events import people as e
from autopilot.events import recovery as r
from autopilot.events.entry import Stored
from autopilot.events.state import PhaseState, RunState
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import BreakerStatus
from autopilot.reports.debugging.progress import DEBUG, of_session, session_lines
from autopilot.reports.documents.tasks import parts_of
from autopilot.reports.drafting import DRAFT, draft_lines, subject_of
from autopilot.reports.evidence.failure_text import head_line
from autopilot.reports.evidence.failures import failures_of
from autopilot.reports.issue.progress import (
    ISSUE,
    begin_lines,
    issue_lines,
    issue_phase_lines,
    issue_step_lines,
    of_issue,
)
from autopilot.reports.issue.wording import stands_at
from autopilot.reports.markdown import one_line, seconds, stamp
from autopilot.reports.progress.closing_lines import CLOSING, closing_lines, closing_phase_lines
from autopilot.reports.progress.people_lines import GATES, MAPPING, TALK, gate_lines, mapping_lines, talk_lines
from autopilot.reports.progress.provision import PROVISION, provision_lines
from autopilot.reports.progress.recovery_lines import RECOVERY, recovery_lines
from autopilot.reports.progress.steps import check_lines, step_lines, summary_lines
from autopilot.reports.progress.task_lines import objection_lines, task_lines
from autopilot.reports.status.brief import brief
from autopilot.reports.status.caught import without_codes
from autopilot.reports.status.scores import in_words, score_of
from autopilot.text.naming import name_phases


def progress_lines(stored: Stored, state: RunState, *, verbose: bool = False) -> Iterator[str]:
    """What this event looks like on the screen; ``state`` is the one after it. ``verbose``: all that agents said."""
    if isinstance(stored.event, PROVISION):
        lines = map(one_line, provision_lines(stored.event, stored.time, state, verbose=verbose))
    else:
        lines = map(one_line, _lines(stored if verbose else _in_brief(stored), state, verbose))
    if state.debugging is not None:
        return map(of_session, lines)
    if state.drafting is not None:
        return (line.removeprefix("[Phase draft] ") for line in lines)
    return lines if state.issue is None else (of_issue(line, state.issue) for line in lines)


def _in_brief(stored: Stored) -> Stored:
    texts = {name: getattr(stored.event, name, "") for name in ("detail", "reason", "because")}
    short = {name: brief(text) for name, text in texts.items() if text}
    return replace(stored, event=replace(stored.event, **short))


def _lines(stored: Stored, state: RunState, verbose: bool) -> Iterator[str]:
    match stored.event:
        case h.RunStarted() | h.RunResumed() | h.Warned() | r.BreakerOpened() | r.BreakerClosed():
            yield from _run_lines(stored.event, state)
        case r.DeferralAdjusted() | r.DeferRateHigh():
            yield from _run_lines(stored.event, state)
        case h.PhaseStarted() | h.PhaseCompleted() | h.PhaseFailed() | h.PhaseSkipped() | r.PhaseDeferred():
            yield from _phase_lines(stored.event, state, verbose)
        case h.StepStarted() | h.StepEnded() | h.StepSkipped():
            if state.issue is not None:
                yield from issue_step_lines(stored.event, state)
            else:
                yield from step_lines(stored.event, state, verbose=verbose)
        case h.TaskCommitted() | h.TaskRefused() | h.TaskVerified():
            yield from task_lines(stored.event, state)
        case r.TaskAlreadyThere() | r.TaskRead() | r.HandedOver() | r.ResolvedAlone():
            yield from task_lines(stored.event, state)
        case h.AgentReplied(phase=phase, agent=agent, refused_hosts=hosts, left_out=folders) if hosts or folders:
            if hosts:
                yield f"[Phase {phase}] {agent} may not reach {', '.join(hosts)}; to allow it: hosts in [agent.{agent}]"
            if folders:
                remedy = "if it belongs to the project, list it in the task's files, or commit some of it yourself"
                yield f"[Phase {phase}] left out of the commit, as builds make it: {', '.join(folders)}; {remedy}"
        case h.Rerouted(phase, reason, verify_only=True):
            yield f"[Phase {phase}] Rerouted to verification: {reason}"
        case h.Rerouted(phase, reason):
            yield f"[Phase {phase}] Rerouted to the full pipeline: {reason}"
        case h.PreflightDone(phase, _, warnings):
            for text in warnings:
                yield f"[Phase {phase}] warning: {text}"
        case h.PhaseObserved(phase, _, observations, objections=objections):
            yield from check_lines(f"[Phase {phase}]", observations)
            yield from objection_lines(f"[Phase {phase}]", objections)
        case h.GateJudged(phase, _, outcome, reason, _):
            because = _refused(state, state.phase(phase)) or without_codes(reason)
            yield f"[Phase {phase}] Gate: {outcome.value} -- {because}"
        case h.Landed() | h.LandingDeferred() | h.RolledBack():
            yield _landing_line(stored.event, state)
        case event if isinstance(event, MAPPING):
            yield from mapping_lines(event, state)
        case event if isinstance(event, TALK):
            yield from talk_lines(event, state)
        case event if isinstance(event, CLOSING):
            yield from closing_lines(event)
        case event if isinstance(event, ISSUE):
            yield from issue_lines(event, state)
        case event if isinstance(event, DEBUG) and state.debugging is not None:
            yield from session_lines(event, state.debugging)
        case event if isinstance(event, DRAFT):
            yield from draft_lines(event)
        case event if isinstance(event, GATES):
            yield from gate_lines(event, state)
        case e.PhasePassedOver(phase=phase, run=run, completed_at=completed_at):
            yield f"Phase {phase} already completed ({run}, {stamp(completed_at)}). Skipping."
        case event if isinstance(event, RECOVERY):
            yield from recovery_lines(event, state)
        case _:
            return


def _run_lines(event: h.RunEvent, state: RunState) -> Iterator[str]:
    match event:
        case h.RunStarted() if state.debugging is not None:
            return  # the session says itself what it is
        case h.RunStarted() if state.drafting is not None:
            yield f"Autopilot: drafting {subject_of(state.drafting)} | Model profile: {state.inputs.model}"
        case h.RunStarted() if state.issue or not state.inputs.roadmap:
            yield from begin_lines(state)
        case h.RunStarted():
            names = name_phases(state.phases).replace("p", "P", 1)
            spec = f"{state.inputs.spec.path} ({state.inputs.spec.sha256[:7]})"
            yield f"Autopilot: {names} | Spec: {spec} | Model profile: {state.inputs.model}"
            if not (state.inputs.intent.map or state.inputs.intent.discuss):  # their user is asked first
                yield f"Starting phase {next(iter(state.phases))}..."
        case h.RunResumed(ended_orphans=ended):
            yield f"Autopilot: resuming {state.run}{_where(state)}"
            if ended:
                noun = "process" if len(ended) == 1 else "processes"
                yield f"stopped {len(ended)} {noun} that an earlier run left behind when it was killed"
            if state.breaker.state == BreakerStatus.HALF_OPEN:
                yield "Circuit breaker: HALF-OPEN -- one step without progress opens it again"
        case h.Warned(text) | r.DeferRateHigh(text):
            yield f"warning: {text}"
        case r.BreakerOpened(reason):
            yield f"Circuit breaker: OPEN -- {reason}"
        case r.BreakerClosed(reason):
            yield f"Circuit breaker: CLOSED -- {reason}"
        case r.DeferralAdjusted(old, new, reason):
            yield f"Deferral threshold: {old} -> {new} -- {reason}"


def _where(state: RunState) -> str:
    """The step in progress; of a split phase, the steps of its parts."""
    if state.issue is not None:
        return f" at {stands_at(state)}"
    if state.debugging is not None:
        return f", debug session {state.debugging.brief.slug}"
    if state.drafting is not None:
        return f", a draft of {subject_of(state.drafting)}"
    phases = state.at_work or ((state.current,) if state.current else ())
    return f" {' and '.join(_in_phase(state, phase) for phase in phases)}" if phases else ""


def _in_phase(state: RunState, phase: PhaseState) -> str:
    at_work = [active.open for active in (phase, *parts_of(state, phase)) if active.open]
    steps = ", ".join(dict.fromkeys(f"{active.step.label} {active.task}".rstrip() for active in at_work))
    return f"at {steps} of phase {phase.id}" if steps else f"in phase {phase.id}"


def _phase_lines(event: h.LifeEvent | r.PhaseDeferred, state: RunState, verbose: bool) -> Iterator[str]:
    """In full also with every step once more, as a list."""
    phase = state.phase(event.phase)
    if state.issue is not None:
        yield from () if isinstance(event, r.PhaseDeferred) else issue_phase_lines(event, state)
        return
    if state.debugging is not None:
        return  # a session has one phase, and says itself how it stands
    if state.drafting is not None:
        return
    if phase.parent:
        yield from _part_lines(event, phase)
        return
    if phase.id in state.completion.closing:
        yield from () if isinstance(event, r.PhaseDeferred) else closing_phase_lines(event, phase)
        return
    mark, steps = _mark(state, phase.id), summary_lines(state, phase) if verbose else ()
    took = seconds(phase.started_at, phase.ending.completed_at)
    match event:
        case h.PhaseStarted(attempt=attempt):
            retry = f" (attempt {attempt})" if attempt > 1 else ""
            yield f"--- {mark} {phase.brief.name}{retry} ---"
        case h.PhaseCompleted():
            yield from steps
            incomplete = " | force_incomplete" if phase.remediation.incomplete else ""
            yield f"--- {mark} Complete: {in_words(score_of(state, phase))} | {took}s{incomplete} ---"
        case h.PhaseFailed(reason=reason):
            yield from steps
            yield f"--- {mark} Failed: {reason} | {took}s ---"
        case h.PhaseSkipped(reason=reason, blocked_by=blocker):
            why = f"it depends on phase {blocker}, which failed" if blocker else reason
            yield f"--- {mark} Skipped: {why} ---"
        case r.PhaseDeferred(justification=asked, evidence=evidence, branch=branch):
            yield from steps
            label = f"{asked.label[:1].upper()}{asked.label[1:]}"
            yield f"[Phase {phase.id}] {label}: needs a person -- {asked.task_description}"
            for item in evidence:
                yield f"[Phase {phase.id}] Not proven: {item.criterion} -- {item.why_insufficient}"
            yield f"[Phase {phase.id}] The work is on branch {branch}."
            yield f"--- {mark} Deferred: waits for your verdict: autopilot verdict {phase.id} pass | {took}s ---"


def _refused(state: RunState, phase: PhaseState) -> str:
    """What does not hold, each once and by its words; "" where a review decided, which is not asked after a failure."""
    failures = failures_of(state, phase) if phase.reviews.judgement is None else ()
    return "; ".join(map(head_line, failures))


def _mark(state: RunState, phase: PhaseId) -> str:
    """Its place in the roadmap, also where it runs alone."""
    roadmap = [brief.id for brief in state.inputs.outline]
    places = roadmap if phase in roadmap else list(state.phases)
    return f"[PHASE {places.index(phase) + 1}/{len(places)}]"


def _part_lines(event: h.LifeEvent | r.PhaseDeferred, part: PhaseState) -> Iterator[str]:
    took = seconds(part.started_at, part.ending.completed_at)
    match event:
        case h.PhaseCompleted():
            yield f"[Phase {part.id}] Part complete: {in_words(part.reviews.score)} | {took}s"
        case h.PhaseFailed(reason=reason):
            yield f"[Phase {part.id}] Part failed: {reason} | {took}s"
        case _:
            return


def _landing_line(event: h.Landed | h.LandingDeferred | h.RolledBack, state: RunState) -> str:
    prefix = f"[Phase {event.phase}]"
    match event:
        case h.Landed(commit=commit):
            return f"{prefix} Landed on {state.line.branch} at {commit[:12]}."
        case h.LandingDeferred(because=because, branch=branch):
            return f"{prefix} Landing waits: {because}. The work is on branch {branch}."
        case h.RolledBack(diagnostic=diagnostic):
            return f"{prefix} Rolled back; the attempt is kept on branch {diagnostic}."
