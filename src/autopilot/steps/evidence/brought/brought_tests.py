"""Whose tests made a criterion green: those that came with the work say only what its author thought of asking."""

from __future__ import annotations

from collections.abc import Sequence, Set

from msgspec.structs import replace

from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.testing import Ended
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.test_reports import report_of


def mark_brought(ctx: StepContext, work: Work, seen: Sequence[Observation]) -> tuple[Observation, ...]:
    """Every run whose passed tests all stand in files that this work added; a file that was moved is not new."""
    moved = {now for _, now in work.moves}
    new = {change.path for change in work.changes if change.status == "A"} - moved
    if not new:
        return tuple(seen)
    return tuple(replace(run, brought=True) if _is_brought(ctx, run, new) else run for run in seen)


def _is_brought(ctx: StepContext, seen: Observation, new: Set[str]) -> bool:
    report = report_of(ctx, seen) if seen.seen is Seen.PASSED else None
    files = {result.file for result in report.results if result.ended is Ended.PASSED} if report else set()
    return bool(files) and files <= new
