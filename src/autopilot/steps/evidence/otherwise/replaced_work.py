"""Replaced work: what tests of the work put something else in place of fails at once; a test has to notice (layer M).

A test double stands for what is outside. One for a function of this very work shows only what the double does.
"""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.evidence.sabotage import is_killed, judge_replaced_work
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.criterion import Criterion
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving, changed_contents, reverted_files, try_mutants
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.test_reports import report_of
from autopilot.steps.observing.texts import text_at
from autopilot.testtools.mutants.replaced import replaced_mutant


def run_replaced_work(
    ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation]
) -> Proving:
    """No run where no test of the work replaces a function of it, which is nearly always."""
    if not ctx.policy.evidence.mutants or not ctx.policy.evidence.sabotage:
        return Proving()
    green = {seen.subject: seen for seen in after if seen.seen is Seen.PASSED and seen.tests}
    asked = [criterion for criterion in criteria if criterion.is_new and criterion.id in green]
    read = text_at(ctx, work.new)
    tests = [read(change.path) or "" for change in work.tests]
    if not asked or not tests:
        return Proving()
    contents = changed_contents(ctx, work, reverted_files(ctx, work, [c.command for c in asked]))
    replaced = replaced_mutant(tests, contents)
    if replaced is None:
        return Proving()
    reports = {criterion.id: report_of(ctx, green[criterion.id]) for criterion in asked}
    tried = try_mutants(ctx, work, asked, reports, [replaced.mutant])
    trials = [trial for criterion in asked for trial in tried.trials.get(criterion.id, ())]
    noticed = any(is_killed(reports[c.id], trial) for c in asked for trial in tried.trials.get(c.id, ()))
    certain = not replaced.has_effects
    objections = () if noticed else judge_replaced_work(asked[0].id, trials, replaced.where, certain=certain)
    return Proving(tuple(tried.probes), objections)
