"""`--complete` as a whole: what was attempted, what was passed over and why, and how far the project is (CMPL-04)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from autopilot.events.state import PhaseState, RunState
from autopilot.model.run import PhaseStatus
from autopilot.reports.evidence.failure_text import why_failed
from autopilot.reports.evidence.failures import Failure
from autopilot.reports.evidence.proofs import count_strengths
from autopilot.reports.evidence.unchecked import unchecked_in_run
from autopilot.reports.inert import make_inert
from autopilot.reports.markdown import bullets, how_long, seconds, shorten, stamp, table
from autopilot.reports.run.metrics import count, is_success
from autopilot.reports.run.project import project_of
from autopilot.reports.run.ways_on import next_lines
from autopilot.reports.status.brief import failure_words
from autopilot.reports.status.files import confidence_path, postmortem_path
from autopilot.reports.status.gates import verdict_words
from autopilot.reports.status.scores import in_words, needs_diagnostic, score_of

ALREADY = "already_completed"
TICKED = "done_unproven"
ATTEMPTED_HEAD = ("Phase", "Status", "Alignment", "Duration", "Notes")


class SkippedPhase(Struct, frozen=True):
    phase_id: str
    phase_name: str
    reason: str
    original_run_timestamp: str | UnsetType = UNSET
    original_run_id: str | UnsetType = UNSET
    blocking_phase: str | UnsetType = UNSET


class BlockedPhase(Struct, frozen=True):
    phase_id: str
    phase_name: str


class DependencyGap(Struct, frozen=True):
    failed_phase_id: str
    failed_phase_name: str
    failure_reason: str
    blocked_phases: tuple[BlockedPhase, ...]


class Batch(Struct, frozen=True):
    run_id: str
    timestamp: str
    mode: str
    total_phases_in_roadmap: int
    completed_phases_total: int
    completion_percentage: float
    phases_attempted: int
    phases_succeeded: int
    phases_failed: int
    phases_skipped: tuple[SkippedPhase, ...]
    phases_deferred: int
    dependency_gaps: tuple[DependencyGap, ...]
    remaining_phases: tuple[str, ...]
    evidence: Mapping[str, Mapping[str, int]] = {}  # by attempted phase: how much is how strong, objections, flags


def build_batch(state: RunState) -> Batch:
    phases, project = tuple(state.phases.values()), project_of(state)
    return Batch(
        run_id=state.run,
        timestamp=stamp(state.now),
        mode="--complete",
        total_phases_in_roadmap=project.total,
        completed_phases_total=len(project.done),
        completion_percentage=project.percentage,
        phases_attempted=len(_attempted(state)),
        phases_succeeded=sum(is_success(state, phase) for phase in phases),
        phases_failed=count(phases, PhaseStatus.FAILED),
        phases_skipped=tuple(_skipped(state)),
        phases_deferred=count(phases, PhaseStatus.NEEDS_HUMAN_VERIFICATION),
        dependency_gaps=tuple(_gaps(state)),
        remaining_phases=project.remaining,
        evidence={phase.id: count_strengths(state, phase) for phase in _attempted(state)},
    )


def render_batch_json(state: RunState) -> str:
    return msgspec.json.format(msgspec.json.encode(build_batch(state)), indent=2).decode() + "\n"


def render_batch(state: RunState) -> str:
    batch = build_batch(state)
    reasons = [skipped.reason for skipped in batch.phases_skipped]
    done = sum(reason in (ALREADY, TICKED) for reason in reasons)
    summary = {
        "Attempted": batch.phases_attempted,
        "Succeeded": batch.phases_succeeded,
        "Failed": batch.phases_failed,
        "Skipped (already done)": done,
        "Skipped (blocked)": len(reasons) - done,
        "Deferred to human": batch.phases_deferred,
    }
    far = f"{batch.completion_percentage:g}% ({batch.completed_phases_total}/{batch.total_phases_in_roadmap} phases)"
    parts = [
        "# Batch Completion Report\n",
        f"**Run ID:** {batch.run_id}  \n**Date:** {batch.timestamp}  \n**Mode:** {batch.mode}  \n"
        f"**Project completion:** {far}\n",
        f"## Phases Attempted\n\n{table(ATTEMPTED_HEAD, (_row(state, phase) for phase in _attempted(state)))}",
        f"## Phases Skipped\n\n{_skipped_table(batch)}",
        f"## Dependency Gaps\n\n{bullets(gap_words(gap) for gap in batch.dependency_gaps)}\n",
        f"## Summary\n\n{bullets(f'{name}: {figure}' for name, figure in summary.items())}\n",
        f"## Not Checked\n\n{bullets(unchecked_in_run(state))}\n",
        f"## Next Steps\n\n{bullets(next_lines(state))}\n",
    ]
    return make_inert("\n".join(parts))


def gap_words(gap: DependencyGap) -> str:
    blocked = ", ".join(f"Phase {phase.phase_id} ({phase.phase_name})" for phase in gap.blocked_phases)
    return f"**Phase {gap.failed_phase_id} failed** -> Blocked: {blocked}. {gap.failure_reason}"


def _attempted(state: RunState) -> list[PhaseState]:
    return [phase for phase in state.phases.values() if phase.started_at]


def _skipped(state: RunState) -> Iterator[SkippedPhase]:
    names = {brief.id: brief.name for brief in state.inputs.outline}
    over = {passed.phase: passed for passed in state.inputs.passed_over}
    for passed in over.values():
        name = names.get(passed.phase, "")
        yield SkippedPhase(passed.phase, name, ALREADY, stamp(passed.completed_at), passed.run)
    for brief in state.inputs.outline:
        if brief.id in state.inputs.ticked and brief.id not in over and brief.id not in state.phases:
            yield SkippedPhase(brief.id, brief.name, TICKED)
    for phase in state.phases.values():
        if phase.status is PhaseStatus.SKIPPED:
            by = phase.ending.blocked_by or UNSET
            yield SkippedPhase(phase.id, phase.brief.name, phase.ending.failure, blocking_phase=by)


def _gaps(state: RunState) -> Iterator[DependencyGap]:
    """The chains: every phase that failed, with all that could not be tried because of it."""
    for failed in state.phases.values():
        blocked = [p for p in state.phases.values() if p.ending.blocked_by == failed.id]
        if failed.status is PhaseStatus.FAILED and blocked:
            reason = (
                f"{failed.ending.failure_category}: {failed.ending.failure}"
                if failed.ending.failure_category
                else failed.ending.failure
            )
            named = tuple(BlockedPhase(phase.id, phase.brief.name) for phase in blocked)
            yield DependencyGap(failed.id, failed.brief.name, shorten(reason, 300), named)


def _row(state: RunState, phase: PhaseState) -> tuple[str, ...]:
    took = how_long(seconds(phase.started_at, phase.ending.completed_at or state.now))
    return phase.id, phase.status.value, in_words(score_of(state, phase)), took, notes_of(state, phase)


def _reported_in(state: RunState, phase: PhaseState) -> str:
    """Only phases of a roadmap leave a post-mortem; a debug session has its own file, and an issue its report."""
    if state.debugging is not None:
        return f" (see `autopilot debug show {state.debugging.brief.slug}`)"
    return f" (see {postmortem_path(phase.id)})" if state.is_of_roadmap else ""


def notes_of(state: RunState, phase: PhaseState, failures: Sequence[Failure] = ()) -> str:
    """What a reader has to know of a phase beyond its status and score, and beyond ``failures`` shown beside it."""
    notes: list[str] = []
    match phase.status:
        case PhaseStatus.FAILED:
            notes.append(f"{shorten(why_failed(phase, failures), 160)}{_reported_in(state, phase)}")
        case PhaseStatus.SKIPPED:
            notes.append(failure_words(phase))
        case PhaseStatus.NEEDS_HUMAN_VERIFICATION if phase.deferral is not None and phase.is_answered:
            notes.append(verdict_words(phase.deferral))
        case PhaseStatus.NEEDS_HUMAN_VERIFICATION:
            notes.append(f"waits for your verdict: `autopilot verdict {phase.id} pass`")
        case _:
            pass
    notes += ["force_incomplete"] if phase.remediation.incomplete else []
    notes += [f"{flag}_exhausted" for flag in phase.remediation.exhausted]
    notes += (
        [f"refinement withdrawn: {shorten(phase.remediation.withdrawn, 160)}"] if phase.remediation.withdrawn else []
    )
    notes += [f"diagnostic: {confidence_path(phase.id)}"] if needs_diagnostic(state, phase) else []
    return "; ".join(notes)


def _skipped_table(batch: Batch) -> str:
    rows: list[tuple[Any, ...]] = []
    for skipped in batch.phases_skipped:
        when = f" ({skipped.original_run_id}, {skipped.original_run_timestamp})" if skipped.original_run_id else ""
        rows.append((f"{skipped.phase_id} {skipped.phase_name}".strip(), f"{skipped.reason}{when}"))
    return table(("Phase", "Reason"), rows) if rows else "None.\n"
