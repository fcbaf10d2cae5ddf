"""Numbers for phases that have names: GSD's roadmaps know numbers alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.planning.roadmap.phase_id import is_numbered, sort_key


def number_phases(phases: Sequence[Phase]) -> Mapping[PhaseId, PhaseId]:
    """A number stays what it is; names get the integers after the highest one, in the order of the plan."""
    highest = max((sort_key(phase.id)[0] for phase in phases if is_numbered(phase.id)), default=0)
    names = [phase.id for phase in phases if not is_numbered(phase.id)]
    new = {id: PhaseId(str(number)) for number, id in enumerate(names, start=highest + 1)}
    return {phase.id: new.get(phase.id, phase.id) for phase in phases}
