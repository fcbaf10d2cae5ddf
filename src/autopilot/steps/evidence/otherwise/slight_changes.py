"""Slight changes: one place of the new code after another does a little less; the tests of the criteria should notice.

Code that can be changed without a test that notices may be right, and may be wrong: nothing has looked. So it is shown,
by its line, and never held against the work (layer M).
"""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.evidence.sabotage import judge_unnoticed
from autopilot.inspection.second_look.finding import added_lines
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.criterion import Criterion
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving, changed_contents, reverted_files, try_mutants
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.test_reports import report_of
from autopilot.testtools.mutants.slight import Slight, slight_mutants

MOST = 8  # places of one phase
PATIENCE_MS = 30_000  # for all of them together, by how long the tests took before
MOST_COMMANDS = 3


def run_slight_changes(
    ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation]
) -> Proving:
    """No run where no criterion runs tests, or its tests take too long to be run again and again."""
    if not ctx.policy.evidence.mutants or not ctx.policy.evidence.sabotage:
        return Proving()
    green = {seen.subject: seen for seen in after if seen.seen is Seen.PASSED and seen.tests}
    by_command = {c.command: c for c in criteria if c.is_new and c.id in green}
    asked = list(by_command.values())[:MOST_COMMANDS]
    lasts_ms = sum(green[c.id].duration_ms for c in asked)
    chosen = _chosen(ctx, work, asked)[: min(MOST, PATIENCE_MS // max(lasts_ms, 1))]
    reports = {c.id: report_of(ctx, green[c.id]) for c in asked}
    probes, alive = list[Observation](), list[Slight]()
    for slight in chosen:
        tried = try_mutants(ctx, work, asked, reports, [slight.mutant])
        probes += tried.probes
        if not tried.killed and all(probe.seen is Seen.PASSED for probe in tried.probes):
            alive.append(slight)
    return Proving(tuple(probes), judge_unnoticed([(s.mutant.description, s.where) for s in alive], len(chosen)))


def _chosen(ctx: StepContext, work: Work, asked: Sequence[Criterion]) -> list[Slight]:
    if not asked:
        return []
    changed = changed_contents(ctx, work, reverted_files(ctx, work, [c.command for c in asked]))
    texts = {path: (_text(old) if old is not None else None, _text(new)) for path, (old, new) in changed.items()}
    added = {path: added_lines(old, new) for path, (old, new) in texts.items()}
    return slight_mutants(changed, added, work.new)


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")
