"""What an audit of a whole run has to check: every requirement of the phases it completed."""

from __future__ import annotations

from msgspec import Struct

from autopilot.events.accounts import accounts_of
from autopilot.events.state import PhaseState, RunState
from autopilot.model.audit import INTEGRATION, Gap
from autopilot.model.evidence.account import Accounted
from autopilot.model.planning.promise import Source
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseStatus
from autopilot.planning.spec.requirement_text import mapped_requirements


class Wanted(Struct, frozen=True):
    id: str
    phase: PhaseId | str  # "" for the wiring of all of them
    text: str
    gap: Gap | None = None  # what an earlier audit found missing


def wanted(state: RunState, spec: str) -> tuple[Wanted, ...]:
    """The first audit covers everything, a later one what was missing then."""
    found: dict[str, Wanted] = {}
    for phase in completed(state):
        for requirement in _of_phase(phase, spec):
            found.setdefault(requirement.id, requirement)
    if not state.completion.audit.passes:
        return tuple(found.values())
    gaps = {gap.requirement: gap for gap in state.completion.audit.gaps}
    return tuple(_again(found.get(name), gap) for name, gap in gaps.items())


def completed(state: RunState) -> tuple[PhaseState, ...]:
    return tuple(phase for phase in state.phases.values() if phase.status is PhaseStatus.COMPLETED)


def _again(known: Wanted | None, gap: Gap) -> Wanted:
    if known is not None:
        return Wanted(known.id, known.phase, known.text, gap)
    text = "the phases fit together" if gap.requirement.startswith(INTEGRATION) else gap.description
    return Wanted(gap.requirement, gap.phase, text, gap)


def _of_phase(phase: PhaseState, spec: str) -> tuple[Wanted, ...]:
    """A phase without requirements is held to its criteria in the roadmap, or at least to its goal.

    One with requirements, besides, to those criteria that only a reviewer has read: a second one reads them here.
    """
    mapped = mapped_requirements(phase.brief, spec)
    if mapped:
        listed = (Wanted(name, phase.id, text or "see the spec") for name, text in mapped.items())
        return (*listed, *_only_judged(phase))
    texts = phase.brief.promises or [phase.brief.goal or phase.brief.name]
    return tuple(Wanted(f"{phase.id}.{n}", phase.id, text) for n, text in enumerate(texts, 1))


def _only_judged(phase: PhaseState) -> tuple[Wanted, ...]:
    judged = (account for account in accounts_of(phase) if account.status is Accounted.JUDGED)
    return tuple(Wanted(f"{phase.id}.{a.name}", phase.id, a.text) for a in judged if a.source is Source.ROADMAP)
