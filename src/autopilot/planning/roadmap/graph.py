"""Which phase waits for which: order and cycles."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from autopilot.model.errors import UsageError
from autopilot.model.planning.roadmap import Phase, PhaseId

Name = TypeVar("Name")


def topological_order(phases: Sequence[Phase]) -> tuple[PhaseId, ...]:
    """Dependencies first; otherwise in the order given. Dependencies on phases not given do not count.

    At every turn the first phase of the roadmap that waits for nothing goes next, so the order is the roadmap's own
    wherever dependencies allow it.
    """
    waits = _waits(phases)
    order: list[PhaseId] = []
    left = list(waits)
    while left:
        ready = next((id for id in left if waits[id] <= set(order)), None)
        if ready is None:
            cycle = find_cycle(waits, left)
            message = f"phases depend on each other in a circle: {' -> '.join(cycle)}"
            raise UsageError(message, hint=f"remove one of these dependencies: {_name_pairs(phases, cycle)}")
        order.append(ready)
        left.remove(ready)
    return tuple(order)


def describe_circle(phases: Sequence[Phase]) -> str:
    """Why no run of what is open can begin, and what helps; "" where no phase waits for itself."""
    try:
        topological_order([phase for phase in phases if not phase.ticked and not phase.dropped])
    except UsageError as error:
        return f"{error}; no run begins before you {error.hint}"
    return ""


def _name_pairs(phases: Sequence[Phase], cycle: Sequence[PhaseId]) -> str:
    places = {phase.id: f"{phase.path}:{phase.line}" if phase.path else f"line {phase.line}" for phase in phases}
    return " or ".join(f"of phase {id} on phase {other} ({places[id]})" for id, other in pairwise(cycle))


def open_dependencies(
    phase: PhaseId, waits: Mapping[PhaseId, Sequence[PhaseId]], met: Container[PhaseId]
) -> list[PhaseId]:
    """What a phase still depends on, in the order given, with what these depend on themselves."""
    found: set[PhaseId] = set()
    ahead = [phase]
    while ahead:
        new = [id for id in waits.get(ahead.pop(), ()) if id not in met and id not in found]
        found.update(new)
        ahead += new
    return [*(id for id in waits if id in found), *sorted(found - set(waits))]


def _waits(phases: Sequence[Phase]) -> dict[PhaseId, set[PhaseId]]:
    given = {phase.id for phase in phases}
    return {phase.id: set(phase.depends_on) & given for phase in phases}


def find_cycle(waits: Mapping[Name, set[Name]], left: Sequence[Name]) -> list[Name]:
    """Walk along dependencies among what is left until one comes round again: there must be one."""
    walk = [left[0]]
    while True:
        following = next(id for id in left if id in waits[walk[-1]])
        if following in walk:
            return [*walk[walk.index(following) :], following]
        walk.append(following)
