"""Which phases wait for another one by its number, and in which line they say so."""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.editing.layout import Layout
from autopilot.planning.roadmap.dependency import parse_depends
from autopilot.planning.roadmap.elsewhere import waits_elsewhere
from autopilot.planning.roadmap.fields import DEPENDS, first_field, read_fields


def dependents_of(phase: PhaseId, layout: Layout) -> Mapping[PhaseId, int]:
    """The phases that name this one among their dependencies, each with the line.

    A range ("Phases 1-5") and "all previous phases" name no phase: they hold for whatever stands there.
    """
    found: dict[PhaseId, int] = {}
    elsewhere = waits_elsewhere(layout.lines, layout.sections.values()).waits
    for id, section in layout.sections.items():
        number, text = first_field(read_fields(section.body), DEPENDS)
        line, wait = (number, parse_depends(text)) if number else elsewhere.get(id, (0, parse_depends("")))
        if phase in wait.single and id != phase:
            found[id] = line
    alone = {id: wait for id, wait in elsewhere.items() if id not in layout.sections and id in layout.boxes}
    return found | {id: line for id, (line, wait) in alone.items() if phase in wait.single and id != phase}
