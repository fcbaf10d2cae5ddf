"""Which milestone a run stays within: the one the project is at, never the next one by itself."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from msgspec import Struct

from autopilot.model.planning.milestone import Course, Milestone
from autopilot.model.planning.roadmap import PhaseId, Roadmap


class Bounds(Struct, frozen=True):
    """Phases that a run without numbers leaves alone, each with its milestone."""

    current: Milestone | None = None  # None: no milestone, or the next one has not been started
    beyond: dict[PhaseId, Milestone] = {}


def find_bounds(roadmap: Roadmap, open_phases: AbstractSet[PhaseId]) -> Bounds:
    """A phase of no milestone belongs to every run; a roadmap with one milestone has no bounds."""
    going = [candidate for candidate in roadmap.milestones if not open_phases.isdisjoint(candidate.phases)]
    current = _current(roadmap, going, open_phases)
    beyond = {
        PhaseId(id): candidate
        for candidate in going
        if candidate is not current
        for id in candidate.phases
        if id in open_phases
    }
    return Bounds(current, beyond)


def find_current(roadmap: Roadmap, open_phases: AbstractSet[PhaseId]) -> Milestone | None:
    """The milestone the project is at: the one that a run stays within, else one that waits to be completed."""
    bounds = find_bounds(roadmap, open_phases)
    if bounds.current or bounds.beyond:
        return bounds.current
    left = [candidate for candidate in roadmap.milestones if candidate.course is not Course.SHIPPED]
    begun = [candidate for candidate in left if candidate.course is Course.CURRENT]
    stated = [candidate for candidate in left if _is_named(candidate, roadmap.milestone)]
    return next(iter((*stated, *begun, *(candidate for candidate in left if candidate.phases))), None)


def _current(roadmap: Roadmap, going: Sequence[Milestone], open_phases: AbstractSet[PhaseId]) -> Milestone | None:
    """Where STATE.md is, by phase or by name; else what the roadmap marks; else the first, unless another is over."""
    here = next(
        (candidate for candidate in going if roadmap.current in candidate.phases and roadmap.current in open_phases),
        None,
    )
    stated = [candidate for candidate in going if _is_named(candidate, roadmap.milestone)]
    marked = [candidate for candidate in going if candidate.course is Course.CURRENT]
    if chosen := here or next(iter((*stated, *marked)), None):
        return chosen
    first = going[0] if going else None
    is_next = first is not None and first.course is Course.PLANNED and _has_history(roadmap, open_phases)
    return None if is_next else first


def _is_named(milestone: Milestone, version: str) -> bool:
    return bool(version) and milestone.version.casefold() == version.casefold()


def _has_history(roadmap: Roadmap, open_phases: AbstractSet[PhaseId]) -> bool:
    """Something was done before: then what is only planned waits for the user to start it."""
    return bool(roadmap.archived) or any(phase.id not in open_phases for phase in roadmap.phases)
