"""Integrate: a line of its own comes onto the run's line, and everything promised so far is looked at there again."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.events.recovery import ConflictFound, Integrated
from autopilot.events.state import PhaseState
from autopilot.gates.check import judge_checks
from autopilot.gates.criterion import worst
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import CHECKS
from autopilot.model.run import StepStatus
from autopilot.steps.accepting import public_commit
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.evidence.base import base_of
from autopilot.steps.evidence.collecting import phase_verdicts
from autopilot.steps.evidence.keeping import judge_landed, list_landed_checks
from autopilot.steps.evidence.red_before import mark_red_before
from autopilot.steps.evidence.regression import mark_legacy
from autopilot.steps.observing.observing import Check, list_configured_checks, list_phase_checks, observe


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    line = ctx.state.phase(PhaseId(ctx.task))
    commit, conflict = _merged(ctx, line)
    if conflict is not None:
        return Result(StepStatus.CONFLICT, (conflict,), conflict.because)
    public = public_commit(ctx, commit, ctx.state.line.public_tip, _subject(line))
    if commit == ctx.phase.observed.commit:
        # Nothing came between: it was observed just as it is.
        event = Integrated(ctx.phase.id, line.id, commit, (), ctx.phase.gate.verdicts, public)
        return Result(StepStatus.COMPLETED, (event,), "nothing landed meanwhile")
    checks, landed = _list_checks(ctx, line, commit), list_landed_checks(ctx, line)
    before = base_of(ctx)
    seen = observe(ctx, commit, [*checks, *landed])
    seen = mark_red_before(ctx, before, mark_legacy(ctx, before, seen))
    observations, of_landed = seen[: len(checks)], seen[len(checks) :]
    if nothing := [observation for observation in seen if observation.seen is Seen.NOTHING]:
        return Result(StepStatus.UNPROVEN, detail=f"{nothing[0].subject} could not be run: {nothing[0].reason}")
    verdicts = (*_judge(ctx, line, observations), *map(judge_landed, of_landed))
    if worst(verdicts) is Outcome.FAIL or any(v.outcome is not Outcome.PASS for v in verdicts):
        bad = next(v for v in verdicts if v.outcome is not Outcome.PASS)
        because = f"on the merged tree {bad.subject}: {bad.because}"
        return Result(StepStatus.CONFLICT, (ConflictFound(ctx.phase.id, line.id, commit, (), because),), because)
    event = Integrated(ctx.phase.id, line.id, commit, observations, verdicts, public)
    return Result(StepStatus.COMPLETED, (event,), f"{len(verdicts)} of {len(verdicts)} hold on the merged tree")


def _merged(ctx: StepContext, line: PhaseState) -> tuple[str, ConflictFound | None]:
    """The line on top of the run's: as it is when nothing came between, as a resolver left it, or as git merges it."""
    vault, tip = ctx.ports.vault, ctx.onto(line)
    conflict = ctx.phase.split.conflict
    if conflict is not None and conflict.resolved:
        return conflict.resolved, None
    if vault.is_ancestor(tip, line.line.tip):
        return line.line.tip, None
    merge = vault.merge(tip, line.line.tip)
    because = merge.refused or f"merging it conflicts in {', '.join(merge.conflicts[:3])}"
    tree = merge.tree or vault.tree_of(tip)
    commit = vault.commit(tree, [tip, line.line.tip], _subject(line), ctx.time, AUTHOR)
    if merge.clean:
        return commit, None
    return commit, ConflictFound(ctx.phase.id, line.id, commit, merge.conflicts, because)


def _subject(line: PhaseState) -> str:
    return f"Merge phase {line.id}: {line.brief.name}"


def _together(ctx: StepContext, line: PhaseState) -> list[PhaseState]:
    """Everything that must hold on the merged tree: what is in already, and what comes in now."""
    return [*(ctx.state.parts[name] for name in ctx.phase.split.integrated if name in ctx.state.parts), line]


def _list_checks(ctx: StepContext, line: PhaseState, commit: str) -> list[Check]:
    checks = list_configured_checks(ctx)
    for phase in _together(ctx, line):
        checks += list_phase_checks(ctx, phase, commit)
    return checks


def _judge(ctx: StepContext, line: PhaseState, observations: tuple[Observation, ...]) -> tuple[Verdict, ...]:
    verdicts = [*judge_checks(observations)]
    for phase in _together(ctx, line):
        seen = tuple(observation for observation in observations if observation.subject not in CHECKS)
        verdicts += phase_verdicts(replace(phase, observed=replace(phase.observed, observations=seen)))
    return tuple(verdicts)
