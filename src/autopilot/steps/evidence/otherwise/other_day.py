"""Another day: criteria of work that names a date of today, run with a clock some years ahead (layer H)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.otherwise.other_day import judge_other_day, names_time
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.planning.criterion import Criterion
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.otherwise.other_input import added_lines
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, observe_work
from autopilot.steps.observing.observing import list_criterion_checks
from autopilot.testtools.outside.clock import spell_on_another_day
from autopilot.text.masking import mask


def run_other_day(ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation]) -> Proving:
    """No run where the new code, its comments aside, names no such date."""
    green = {seen.subject for seen in after if seen.seen is Seen.PASSED}
    asked = [criterion for criterion in criteria if criterion.is_new and criterion.id in green]
    new, proving = added_lines(ctx, work), Proving()
    if not asked or not new or not ctx.policy.evidence.held_out:
        return proving
    added = {path: mask(path, "\n".join(lines), strings=False).split("\n") for path, lines in new.items()}
    if not any(names_time(lines, ctx.time) for lines in added.values()):
        return proving
    for check in list_criterion_checks(ctx, asked):
        subject = probe_subject(ProbeKind.INPUT, check.subject)
        seen = observe_work(ctx, work, [replace(check, subject=subject, command=spell_on_another_day(check.command))])
        proving += Proving(seen, judge_other_day(check.subject, seen[0], added, ctx.time))
    return proving
