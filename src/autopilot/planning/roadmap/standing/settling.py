"""Every phase of a roadmap with how it stands, and what it then still waits for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.model.planning.standing import Stand, Standing
from autopilot.planning.roadmap.phase_id import sort_key
from autopilot.planning.roadmap.scan import Scan
from autopilot.planning.roadmap.standing.position import STATE, Position
from autopilot.planning.roadmap.standing.standing import Surroundings, find_standing


class Settled(Struct, frozen=True):
    phases: tuple[Phase, ...]
    current: PhaseId | None
    disagreements: tuple[tuple[PhaseId, Complaint], ...]


def settle_standings(phases: Sequence[Phase], scan: Scan, around: Surroundings, path: str) -> Settled:
    """The phases, and one line for each about which its witnesses disagree."""
    disagreements = []
    if phase := around.position.misnamed(phases):
        text = (
            f"{STATE} is at phase {phase.id} ({around.position.name}), which is another phase here: left out of account"
        )
        disagreements.append((phase.id, Complaint(path, phase.line, text)))
        around = replace(around, position=Position())
    found = _find_standings(phases, scan, around)
    if _is_through(around.position, found):
        around = replace(around, position=replace(around.position, over=True, last=True))
        found = {**_find_standings(phases, scan, around), **_of_current(around.position, found)}
    dropped = {id for id, standing in found.items() if standing.stand is Stand.DROPPED}
    left = {id for id, standing in found.items() if standing.stand is Stand.OPEN}
    settled = []
    for phase in phases:
        standing, unmet = found[phase.id], _passed_over(phase, around.position, left)
        waits = tuple(id for id in phase.depends_on if id not in dropped and id not in unmet)
        settled.append(replace(phase, depends_on=waits, standing=standing, ticked=standing.stand is Stand.DONE))
        texts = [f"phase {phase.id}: {standing}"] if standing.against else []
        if unmet:
            before = f"phase {phase.id} depends on {', '.join(unmet)}, still open"
            texts.append(f"{before}, but {STATE} is at {phase.id} already: not waited for")
        disagreements += [(phase.id, Complaint(path, phase.line, text)) for text in texts]
    return Settled(tuple(settled), around.position.phase, tuple(disagreements))


def _find_standings(phases: Sequence[Phase], scan: Scan, around: Surroundings) -> dict[PhaseId, Standing]:
    sections = {section.phase: section for section in scan.sections}
    counted = around.position.counts_as_complete(phases)
    return {
        phase.id: find_standing(phase, sections.get(phase.id), scan, around, counted=phase.id in counted)
        for phase in phases
    }


def _is_through(position: Position, found: Mapping[PhaseId, Standing]) -> bool:
    """Whether it is at the last phase of the roadmap, and others call that one done: few files count "15 of 15"."""
    here = position.phase
    if here is None or (position.over and position.last) or here not in found:
        return False
    return found[here].stand is Stand.DONE and here == max(found, key=sort_key)


def _of_current(position: Position, found: Mapping[PhaseId, Standing]) -> dict[PhaseId, Standing]:
    """By its own witnesses: STATE.md did not call it complete, others did."""
    return {id: standing for id, standing in found.items() if id == position.phase}


def _passed_over(phase: Phase, position: Position, left: Collection[PhaseId]) -> tuple[PhaseId, ...]:
    """Who is at a phase has decided that what it depends on is good enough, whatever its box says."""
    is_there = phase.id == position.phase and phase.id in left
    return tuple(id for id in phase.depends_on if id in left) if is_there else ()
