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
    going = [each for each in roadmap.milestones if not open_phases.isdisjoint(each.phases)]
    current = _current(roadmap, going, open_phases)
    beyond = {PhaseId(id): each for each in going if each is not current for id in each.phases if id in open_phases}
    return Bounds(current, beyond)


def find_current(roadmap: Roadmap, open_phases: AbstractSet[PhaseId]) -> Milestone | None:
    """The milestone the project is at: the one that a run stays within, else one that waits to be completed."""
    bounds = find_bounds(roadmap, open_phases)
    if bounds.current or bounds.beyond:
        return bounds.current
    left = [each for each in roadmap.milestones if each.course is not Course.SHIPPED]
    begun = [each for each in left if each.course is Course.CURRENT]
    stated = [each for each in left if _is_named(each, roadmap.milestone)]
    return next(iter((*stated, *begun, *(each for each in left if each.phases))), None)


def _current(roadmap: Roadmap, going: Sequence[Milestone], open_phases: AbstractSet[PhaseId]) -> Milestone | None:
    """Where STATE.md is, by phase or by name; else what the roadmap marks; else the first, unless another is over."""
    at = next((each for each in going if roadmap.current in each.phases and roadmap.current in open_phases), None)
    stated = [each for each in going if _is_named(each, roadmap.milestone)]
    marked = [each for each in going if each.course is Course.CURRENT]
    if chosen := at or next(iter((*stated, *marked)), None):
        return chosen
    first = going[0] if going else None
    is_next = first is not None and first.course is Course.PLANNED and _has_history(roadmap, open_phases)
    return None if is_next else first


def _is_named(milestone: Milestone, version: str) -> bool:
    return bool(version) and milestone.version.casefold() == version.casefold()


def _has_history(roadmap: Roadmap, open_phases: AbstractSet[PhaseId]) -> bool:
    """Something was done before: then what is only planned waits for the user to start it."""
    return bool(roadmap.archived) or any(phase.id not in open_phases for phase in roadmap.phases)
