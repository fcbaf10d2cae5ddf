"""Tests that do not compile without the work are run with constants in its place: there they have to fail."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.events.issue.happened import WorkTaken
from autopilot.gates.issue.oracle import Ran, is_uncompiled
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.evaluation import Evaluation
from autopilot.steps.evidence.proving import Proving, changed_contents, reverted_files
from autopilot.steps.evidence.work import commit_with, survey
from autopilot.steps.issue.issue_context import AT, issue_of, issue_task
from autopilot.steps.observing.observing import Check, observe_made
from autopilot.testtools.mutants.mutant import mutants


def run_with_constants(ctx: StepContext, work: WorkTaken, check: Check, red: Ran, evaluation: Evaluation) -> Evaluation:
    """Every constant, though sabotage is content with the first that a test notices: here each test is to be red."""
    green = next((seen for seen in evaluation.observations if seen.subject == AT), None)
    if evaluation.undone or not is_uncompiled(red) or green is None or green.seen is not Seen.PASSED:
        return evaluation
    whole = survey(ctx, "issue", issue_of(ctx).baseline.commit, work.commit, (issue_task(ctx),))
    probe = replace(check, subject=probe_subject(ProbeKind.MUTANT, AT))
    probes: list[Observation] = []
    try:
        for mutant in mutants(changed_contents(ctx, whole, reverted_files(ctx, whole, [check.command]))):
            made = commit_with(ctx, whole.evidence, mutant.edits)
            probes += observe_made(ctx, made, whole.evidence, [probe], is_spoiled=True)
    finally:
        if whole.is_restored:
            ctx.ports.workspaces.forget(whole.evidence)
    return Evaluation(evaluation.observations, evaluation.proving + Proving(tuple(probes)))
