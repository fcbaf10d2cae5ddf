"""What the end of a run means to it: the audit, rounds of fixes, a version."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import assert_never

from msgspec.structs import replace

from autopilot.events import closing as c
from autopilot.events.fold_parts import BEFORE_WORK
from autopilot.events.pieces import StepState, TaskState
from autopilot.events.rooms.phase import Intake, Line, Plan, Totals
from autopilot.events.state import Completion, PhaseState, RunState, complete
from autopilot.events.talk import AuditState, Release
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, Step, StepStatus

AUDIT = PhaseId("audit")
VERSION = PhaseId("version")


def begin_closing(state: RunState, event: c.ClosingBegun, time: datetime) -> RunState:
    """Its tasks are its plan: it begins where a planned phase has its plan approved."""
    skipped = StepState(status=StepStatus.SKIPPED, detail="part of the completion", started_at=time, ended_at=time)
    never = (*BEFORE_WORK, Step.SPLIT)
    before = state.completion.earlier.get(event.brief.id)
    totals = before.totals if before else Totals()
    phase = PhaseState(
        brief=event.brief,
        status=PhaseStatus.IN_PROGRESS,
        started_at=time,
        steps={step.value: skipped for step in never},
        totals=replace(totals, attempt=totals.attempt + 1),
        line=Line(event.base, public_base=state.line.public_tip),
        intake=Intake(preflight_issues=(), triage=()),
        plan=Plan(checked=True, approved=True, ours=False, red=event.red),  # no agent plans it
        tasks={task.id: TaskState(task) for task in event.tasks},
    )
    completion = state.completion
    audit = replace(completion.audit, rounds=completion.audit.rounds + bool(event.tasks))
    closing = {**completion.closing, phase.id: phase}
    return replace(state, completion=replace(completion, closing=closing, audit=audit))


def fold_closing(state: RunState, event: c.ClosingEvent, time: datetime) -> RunState:
    audit = state.completion.audit
    match event:
        case c.IntegrationChecked(report=report, gaps=gaps):
            return _with_audit(state, replace(audit, integration=report, first_gaps=gaps, gaps=gaps))
        case c.AuditStarted():
            return _with_audit(state, replace(audit, started=True))
        case c.Audited():
            return _with_audit(state, _audited(audit, event))
        case c.AuditEnded():
            return _done(_with_audit(state, replace(audit, ended=event)), event.phase, time)
        case c.VersionAdvised():
            return _with_audit(state, replace(audit, advised=event))
        case c.VersionBumped(phase=phase, commit=commit, public=public):
            release = Release(commit, event.old, event.new, event.files, event.because)
            # What is to land is this commit as it was observed; it needs no records of its own.
            before = state.completion.closing[phase]
            seen = replace(
                before,
                observed=replace(before.observed, commit=commit, observations=event.observations),
                ruling=replace(before.ruling, outcome=Outcome.PASS),
                gate=replace(before.gate, reason="every check holds with the new version"),
                ending=replace(before.ending, records_commit=commit),
            )
            public_tip = commit if state.policy.commit_docs else public or state.line.public_tip
            moved = replace(state, line=replace(state.line, tip=commit, public_tip=public_tip))
            return _with_release(moved.with_phase(seen), release)
        case c.VersionKept(phase=phase, because=because):
            return _done(_with_release(state, Release(because=because)), phase, time)
        case _:
            assert_never(event)


def _audited(audit: AuditState, event: c.Audited) -> AuditState:
    """A later pass covers only what was missing: a requirement that it does not name keeps its last result."""
    results = {result.requirement_id: result for result in (*audit.results, *event.results)}
    first = event.cycle == 0
    return replace(
        audit,
        results=tuple(results.values()),
        passes=audit.passes + 1,
        first_gaps=(*audit.first_gaps, *event.gaps) if first else audit.first_gaps,
        gaps=(*audit.gaps, *event.gaps) if first else event.gaps,
        fixed=(*audit.fixed, *event.closed),
        fixed_since=False,
    )


def record_completed(state: RunState, phase: PhaseState) -> RunState:
    """After a round of fixes the audit checks again what was missing; after a phase of the roadmap, all of it."""
    if phase.id not in state.completion.closing:
        return _complete_anew(state)
    audit = state.completion.audit
    return _with_audit(state, replace(audit, fixed_since=bool(phase.tasks) or audit.fixed_since))


def _complete_anew(state: RunState) -> RunState:
    """A phase passed after what had completed was audited, in a run that was resumed: the whole is audited again."""
    completion = state.completion
    if not completion.closing:
        return state
    return replace(state, completion=Completion(earlier={**completion.earlier, **completion.closing}))


def reopen_completion(state: RunState, reopen: Callable[[PhaseState], PhaseState]) -> RunState:
    """After a resume: what could not be observed is retried in closing phases too."""
    closing = {name: reopen(phase) for name, phase in state.completion.closing.items()}
    return replace(state, completion=replace(state.completion, closing=closing))


def _with_audit(state: RunState, audit: AuditState) -> RunState:
    return replace(state, completion=replace(state.completion, audit=audit))


def _with_release(state: RunState, release: Release) -> RunState:
    return replace(state, completion=replace(state.completion, release=release))


def _done(state: RunState, phase: PhaseId, time: datetime) -> RunState:
    return state.with_phase(complete(state.phase(phase), time))
