"""Idle work: what always gives one answer gives it and does nothing else; new tests of it have to notice (layer M)."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.evidence.sabotage import is_killed, judge_idle_work
from autopilot.model.evidence.control import ControlKind
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.criterion import Criterion
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving, changed_contents, reverted_files, try_mutants
from autopilot.steps.evidence.work import Work
from autopilot.steps.observing.test_reports import report_of
from autopilot.steps.observing.texts import text_at
from autopilot.testtools.mutants.idle import idle_mutant


def run_idle_work(ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation]) -> Proving:
    """No run where the work has no such function, or brings no test that speaks of one."""
    if not ctx.policy.evidence.mutants or not ctx.policy.evidence.sabotage:
        return Proving()
    read = text_at(ctx, work.new)
    tests = [read(c.path) or "" for c in work.tests if c.kind is ControlKind.TEST and c.status == "A"]
    green = {seen.subject: seen for seen in after if seen.seen is Seen.PASSED and seen.tests}
    asked = [criterion for criterion in criteria if criterion.is_new and criterion.id in green]
    if not tests or not asked:
        return Proving()
    idle = idle_mutant(changed_contents(ctx, work, reverted_files(ctx, work, [c.command for c in asked])))
    named = [name for name in idle.names if any(name.rpartition(".")[2] in source for source in tests)] if idle else []
    if idle is None or not named:
        return Proving()
    reports = {criterion.id: report_of(ctx, green[criterion.id]) for criterion in asked}
    tried = try_mutants(ctx, work, asked, reports, [idle.mutant])
    trials = [trial for criterion in asked for trial in tried.trials.get(criterion.id, ())]
    noticed = any(is_killed(reports[c.id], trial) for c in asked for trial in tried.trials.get(c.id, ()))
    objections = () if noticed else judge_idle_work(asked[0].id, trials, certain=_is_certain(named))
    return Proving(tuple(tried.probes), objections)


def _is_certain(names: Sequence[str]) -> bool:
    """That a program ended well is often all that a test of its door asks for."""
    return any(name.rpartition(".")[2] not in ("main", "run", "cli") for name in names)
