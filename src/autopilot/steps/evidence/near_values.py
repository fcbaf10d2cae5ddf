"""Near values: criteria that were there before the work, put to code that returns other values of the same type (M).

They may ask for little, and that is their owner's choice: it is shown, and never held against the work.
"""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.evidence.sabotage import judge_near
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind
from autopilot.model.planning.criterion import Criterion, Strength
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving, changed_contents, reverted_files, try_mutants
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.test_reports import report_of
from autopilot.testtools.near.near import near_mutant


def run_near_values(
    ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation], tried: Proving
) -> Proving:
    """``tried``: what sabotage asked already. One tree for all that is left, and one run for each of them."""
    if not ctx.policy.evidence.mutants or not ctx.policy.evidence.sabotage:
        return Proving()
    done = {probe.about.without_probe for probe in tried.probes if probe.about.probe is ProbeKind.MUTANT}
    green = {seen.subject: seen for seen in after if seen.seen is Seen.PASSED and seen.subject not in done}
    asked = [c for c in criteria if c.is_new and c.id in green and c.strength is not Strength.GREP]
    near = near_mutant(changed_contents(ctx, work, reverted_files(ctx, work, [c.command for c in asked])))
    if not asked or near is None or not near.is_certain:
        return Proving()
    reports = {c.id: report_of(ctx, green[c.id]) for c in asked}
    found = try_mutants(ctx, work, asked, reports, [near])
    weak = [
        objection for c in asked for objection in judge_near(c.id, reports[c.id], found.trials.get(c.id, ()), own=False)
    ]
    return Proving(tuple(found.probes), tuple(weak))
