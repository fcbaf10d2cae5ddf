"""Set-up before: criteria with the scripts of the project's set-up as they were before the work (layer H)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.otherwise.set_up_before import judge_set_up_before
from autopilot.inspection.control.behind import files_run, scripts_behind
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.planning.criterion import Criterion
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, commit_with
from autopilot.steps.observing.observing import list_criterion_checks, observe
from autopilot.steps.observing.texts import text_at

MOST_CRITERIA = 6


def run_set_up_before(
    ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation]
) -> Proving:
    """One set-up and one run of the criteria where the work changed such a script, which is rare."""
    setup = ctx.policy.commands.setup if ctx.policy.evidence.held_out else None
    if not setup:
        return Proving()
    scripts = {*(run.path for run in files_run(setup)), *scripts_behind((), text_at(ctx, work.old), [setup])}
    changed = [change.path for change in work.changes if change.status == "M" and change.path in scripts]
    green = {seen.subject for seen in after if seen.seen is Seen.PASSED}
    asked = [criterion for criterion in criteria if criterion.id in green][:MOST_CRITERIA]
    if not changed or not asked:
        return Proving()
    checks = [replace(c, subject=probe_subject(ProbeKind.INPUT, c.subject)) for c in list_criterion_checks(ctx, asked)]
    commit = commit_with(ctx, work.evidence, {path: ctx.ports.vault.read(work.old, path) for path in changed})
    try:
        seen = observe(ctx, commit, checks, at_base=True, kept=False)
    finally:
        ctx.ports.workspaces.forget(commit)
    return Proving(seen, judge_set_up_before(work.subject, changed, seen))
