"""Reading: criteria whose run opens plans, the spec or tests, run once more with other words in these (layer H)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.reading import judge_reading
from autopilot.inspection.control.kinds import control_kind
from autopilot.model.evidence.control import ControlKind
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.planning.criterion import Criterion
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.base import base_of
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, commit_with
from autopilot.steps.observing.observing import list_criterion_checks, observe_made
from autopilot.steps.observing.texts import files_opened
from autopilot.testtools.expectations.expectation import change_expectations
from autopilot.text.file_kind import is_ours
from autopilot.text.other_words import other_words

MOST_FILES = 40


def run_reading(ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation]) -> Proving:
    """Only where such a file was opened; no run else."""
    proving = Proving()
    if not ctx.policy.evidence.held_out:
        return proving
    green = {seen.subject: seen for seen in after if seen.seen is Seen.PASSED and seen.opened}
    for criterion in [c for c in criteria if c.id in green]:
        judging = _judging(ctx, work, criterion, green[criterion.id])
        texts = {path: ctx.ports.vault.read(work.evidence, path) or b"" for path in judging[:MOST_FILES]}
        edits = {path: other for path, text in texts.items() if (other := _with_other_words(path, text, work.new))}
        if edits:
            (check,) = list_criterion_checks(ctx, [criterion])
            probe = replace(check, subject=probe_subject(ProbeKind.INPUT, criterion.id))
            seen = observe_made(ctx, commit_with(ctx, work.evidence, edits), work.evidence, [probe])
            proving += Proving(seen, judge_reading(criterion.id, list(edits), seen[0]))
    return proving


def _judging(ctx: StepContext, work: Work, criterion: Criterion, seen: Observation) -> list[str]:
    """Of the files it opened. A test tool opens tests, and who names a file in a command wants it opened; a product
    that was about plans before the work may read them after it."""
    known = frozenset(ctx.ports.vault.list(work.evidence))
    opened = [path for path in files_opened(ctx, seen) if path in known and path not in criterion.command]
    documents = [path for path in opened if is_ours(path) or path in ctx.state.inputs.papers]
    if any(is_ours(path) for run in base_of(ctx).values() for path in files_opened(ctx, run)):
        documents = []
    tests = [path for path in opened if seen.tests is None and control_kind(path) is ControlKind.TEST]
    return [*documents, *tests]


def _with_other_words(path: str, text: bytes, seed: str) -> bytes | None:
    """Of a test its expectations alone: it may be read by what compiles or checks the whole project."""
    if control_kind(path) is ControlKind.TEST:
        changed = change_expectations(path, text, 0, seed)
        return changed.text if changed else None
    return other_words(text)
