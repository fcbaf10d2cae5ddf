"""The boxes of the roadmap: ticked for what was proven, where the roadmap asks for no more than that."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.happened import Warned
from autopilot.model.planning.criterion import Criterion
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.edits import tick_phase
from autopilot.planning.roadmap.roadmap import parse_roadmap
from autopilot.reports.markdown import shorten
from autopilot.steps.context import StepContext


def tick(ctx: StepContext, roadmap: bytes) -> bytes:
    """For every phase that has its records: a roadmap that the user edited meanwhile knows of none of them."""
    text = roadmap.decode("utf-8", "surrogateescape")
    more = _find_more(ctx, text)
    for phase in _recorded(ctx):
        if phase not in more:
            text = tick_phase(text, phase, f"{ctx.time:%Y-%m-%d}")
    return text.encode("utf-8", "surrogateescape")


def warn_of_more(ctx: StepContext, roadmap: bytes) -> Iterator[Warned]:
    """A box that stays open although the phase passed, in the words of what it asks for since."""
    more = _find_more(ctx, roadmap.decode("utf-8", "surrogateescape"))
    for phase in _recorded(ctx):
        if phase in more:
            asked = shorten(str(more[phase]), 120)
            text = f"phase {phase} passed as the roadmap was when the run began, and is not ticked: it asks for"
            warning = f"{text} more since ({asked}); `autopilot run --force {phase}` builds that too"
            if warning not in ctx.state.phase(phase).warnings:
                yield Warned(warning, phase)


def _recorded(ctx: StepContext) -> tuple[PhaseId, ...]:
    recorded = (phase.id for phase in ctx.state.phases.values() if phase.ending.records_commit)
    return tuple(dict.fromkeys((*recorded, ctx.phase.id)))


def _find_more(ctx: StepContext, text: str) -> dict[PhaseId, Criterion]:
    """By phase the first criterion that the roadmap did not have, or had with another check, when the run began."""
    if not text:
        return {}
    path = ctx.state.inputs.roadmap
    before = (ctx.ports.vault.read(ctx.state.line.base, path) or b"").decode("utf-8", "surrogateescape")
    known, now = _criteria(ctx, before), _criteria(ctx, text)
    return {
        phase: new[0]
        for phase, asked in now.items()
        if phase in known and (new := [asked[key] for key in asked if key not in known[phase]])
    }


def _criteria(ctx: StepContext, text: str) -> dict[PhaseId, dict[tuple[str, ...], Criterion]]:
    phases = parse_roadmap(text, ctx.state.inputs.roadmap, ctx.policy.commands).phases
    return {phase.id: {(c.identity, *c.check): c for c in phase.criteria} for phase in phases}
