"""The figures of one run (MTRC-01), and the array of them that is kept for a whole repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from autopilot.events.state import PhaseState, RunState
from autopilot.model.run import PhaseStatus, RunStatus
from autopilot.reports.markdown import seconds, stamp
from autopilot.reports.status.phase_record import debugs_of, usage_of
from autopilot.reports.status.scores import score_of

MOST_BYTES, MOST_VALUES = 16_000_000, 1_000_000  # of the file with all runs; one of thirty phases has 300 values
SUCCESS = 7.0  # a completed phase that scored less counts as no success


class PhaseMetrics(Struct, frozen=True):
    phase_id: str
    status: PhaseStatus
    alignment_score: float | None
    estimated_tokens: int | None
    duration_minutes: float
    tokens_used: int
    usd: float


class RunMetrics(Struct, frozen=True):
    run_id: str
    timestamp: str
    phases_attempted: int
    phases_succeeded: int
    phases_failed: int
    phases_human_deferred: int
    phases_skipped: int
    phases_force_incomplete: int
    failure_taxonomy_histogram: Mapping[str, int]
    avg_alignment_score: float | None
    total_duration_minutes: float
    total_estimated_tokens: int
    total_tokens_used: int
    total_usd: float
    usd_is_estimate: bool
    total_debug_loops: int
    total_replan_attempts: int
    success_rate: float
    per_phase_summary: tuple[PhaseMetrics, ...]


class ForeignMetrics(Struct, frozen=True):
    """A row of another program: what its runs and ours have in common."""

    run_id: str
    timestamp: str
    success_rate: float
    avg_alignment_score: float | None = None
    total_estimated_tokens: int | None = None
    total_tokens_used: int | None = None
    failure_taxonomy_histogram: Mapping[str, int] = {}


def is_over(state: RunState) -> bool:
    """Whether there is anything to sum up: a pause, or a question to a person, is the middle of a run.

    An issue is reported by its hand-off, a debug session by its file; their phases have no score and count in no
    statistics.
    """
    if not state.is_of_roadmap:
        return False
    rests = state.halted and state.status is not RunStatus.PAUSED and not state.open_gates
    return (rests or state.archived) and any(phase.started_at for phase in state.phases.values())


def run_metrics(state: RunState) -> RunMetrics:
    phases = tuple(state.phases.values())
    attempted = [phase for phase in phases if phase.started_at]
    succeeded = [phase for phase in attempted if is_success(state, phase)]
    return RunMetrics(
        run_id=state.run,
        timestamp=stamp(state.now),
        phases_attempted=len(attempted),
        phases_succeeded=len(succeeded),
        phases_failed=count(phases, PhaseStatus.FAILED),
        phases_human_deferred=count(phases, PhaseStatus.NEEDS_HUMAN_VERIFICATION),
        phases_skipped=count(phases, PhaseStatus.SKIPPED) + len(state.inputs.passed_over),
        phases_force_incomplete=sum(phase.remediation.incomplete for phase in phases),
        failure_taxonomy_histogram=failure_histogram(state),
        avg_alignment_score=mean_score(state),
        total_duration_minutes=_minutes(seconds(state.started_at, state.now)),
        total_estimated_tokens=sum(phase.intake.estimate or 0 for phase in phases),
        total_tokens_used=state.totals.usage.tokens,
        total_usd=round(state.totals.usage.usd, 4),
        usd_is_estimate=state.totals.usage.usd_is_estimate,
        total_debug_loops=sum(debugs_of(state, phase) for phase in phases),
        total_replan_attempts=sum(phase.retries.replans for phase in phases),
        success_rate=round(len(succeeded) / len(attempted), 4) if attempted else 0.0,
        per_phase_summary=tuple(_phase_metrics(state, phase) for phase in attempted),
    )


def is_success(state: RunState, phase: PhaseState) -> bool:
    """What a person passed has no score, and is none the worse for it."""
    score = score_of(state, phase)
    return phase.status is PhaseStatus.COMPLETED and (score is None or score >= SUCCESS)


def mean_score(state: RunState) -> float | None:
    scores = [score for phase in state.phases.values() if (score := score_of(state, phase)) is not None]
    return round(sum(scores) / len(scores), 1) if scores else None


def failure_histogram(state: RunState) -> dict[str, int]:
    """Why phases failed, what verifiers found, what debuggers fixed; of every attempt."""
    failed = {phase.id for phase in state.lessons.failures}
    others = (p for p in state.phases.values() if not (p.status is PhaseStatus.FAILED and p.id in failed))
    counted = Counter(
        word for phase in (*state.lessons.failures, *others, *state.parts.values()) for word in _categories(phase)
    )
    return dict(sorted(counted.items()))


def merge_metrics(kept: bytes | None, ours: Sequence[RunMetrics], known: Collection[str]) -> bytes:
    """The array as it ought to be: rows of runs that are not ``known`` stay, what is no array is replaced.

    A run that failed and was then resumed has no row until it is over again.
    """
    foreign = [row for row in find_rows(kept) or () if not isinstance(row, dict) or row.get("run_id") not in known]
    rows: list[Any] = [*foreign, *(msgspec.to_builtins(row) for row in ours)]
    ordered = sorted(rows, key=lambda row: str(row.get("timestamp", "")) if isinstance(row, dict) else "")
    return msgspec.json.format(msgspec.json.encode(ordered), indent=2) + b"\n"


def count(phases: Iterable[PhaseState], status: PhaseStatus) -> int:
    return sum(phase.status is status for phase in phases)


def find_rows(kept: bytes | None) -> list[Any] | None:
    """The rows as they stand there, of whatever shape; None where the file is no list, or one that no runs have made.

    Anyone may write there. Of 64 MB of empty lists, two gigabytes would become objects.
    """
    if kept and (len(kept) > MOST_BYTES or kept.count(b",") + kept.count(b"[") + kept.count(b"{") > MOST_VALUES):
        return None
    try:
        return msgspec.json.decode(kept or b"[]", type=list[Any])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def foreign_rows(kept: bytes | None, known: Collection[str], until: str) -> tuple[ForeignMetrics, ...]:
    """What other programs recorded of their runs before ``until``, as far as it can be compared, oldest first."""
    found = []
    for row in find_rows(kept) or ():
        try:
            read = msgspec.convert(row, ForeignMetrics)
        except (msgspec.ValidationError, RecursionError):
            continue
        if read.run_id not in known and read.timestamp <= until and 0 <= read.success_rate <= 1:
            found.append(read)
    return tuple(sorted(found, key=lambda row: row.timestamp))


def _categories(phase: PhaseState) -> Iterator[str]:
    if phase.ending.failure_category:
        yield phase.ending.failure_category
    for fix in phase.retries.debug_rounds:
        yield from fix.categories
    for failure in phase.reviews.verification.failures if phase.reviews.verification else ():
        yield failure.category or "unclassified"


def _phase_metrics(state: RunState, phase: PhaseState) -> PhaseMetrics:
    used = usage_of(state, phase)
    return PhaseMetrics(
        phase_id=phase.id,
        status=phase.status,
        alignment_score=score_of(state, phase),
        estimated_tokens=phase.intake.estimate,
        duration_minutes=_minutes(seconds(phase.started_at, phase.ending.completed_at or state.now)),
        tokens_used=used.tokens,
        usd=round(used.usd, 4),
    )


def _minutes(whole_seconds: int) -> float:
    return round(whole_seconds / 60, 1)
