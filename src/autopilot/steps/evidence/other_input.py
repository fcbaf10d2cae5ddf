"""Other inputs: a criterion that is one example, asked once more with another value (layer H)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from autopilot.gates.evidence.other_input import judge_other_input
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind, probe_subject
from autopilot.model.planning.criterion import Criterion
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.proving import Proving
from autopilot.steps.evidence.work import Work, observe_work
from autopilot.steps.observing.observing import list_criterion_checks
from autopilot.steps.observing.texts import text_at
from autopilot.testtools.commands.other_input import vary_input
from autopilot.testtools.expectations.site import Draw

MOST_CRITERIA = 6


def run_other_inputs(
    ctx: StepContext, work: Work, criteria: Sequence[Criterion], after: Sequence[Observation]
) -> Proving:
    """Of criteria that run no test: their own command is all that is known of the work."""
    if not ctx.policy.evidence.held_out:
        return Proving()
    seen = {observation.subject: observation for observation in after}
    alone = [c for c in criteria if c.is_new and (green := seen.get(c.id)) and green.seen is Seen.PASSED]
    proving = Proving()
    for criterion in [c for c in alone if seen[c.id].tests is None][:MOST_CRITERIA]:
        proving += _ask(ctx, work, criterion, seen[criterion.id])
    return proving


def _ask(ctx: StepContext, work: Work, criterion: Criterion, green: Observation) -> Proving:
    paths = frozenset(ctx.ports.vault.list(work.evidence))
    command = vary_input(criterion.command, Draw(f"{work.new} {criterion.id}"), paths.__contains__)
    if command is None:
        return Proving()
    (check,) = list_criterion_checks(ctx, [criterion])
    probe = replace(check, subject=probe_subject(ProbeKind.INPUT, criterion.id), command=command)
    (other,) = observe_work(ctx, work, [probe])
    return Proving((other,), judge_other_input(criterion, green, other, command, _added(ctx, work)))


def _added(ctx: StepContext, work: Work) -> dict[str, list[str]]:
    before, after = text_at(ctx, work.old), text_at(ctx, work.new)
    added: dict[str, list[str]] = {}
    for change in work.changes:
        if not work.is_evidence(change.path):
            known = set((before(change.path) or "").splitlines())
            added[change.path] = [line for line in (after(change.path) or "").splitlines() if line not in known]
    return added
