"""What stands in the way of an edit: work that is proven or in progress, and phases that build on another one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum

from msgspec import Struct

from autopilot.model.errors import UsageError
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.editing.dependents import dependents_of
from autopilot.planning.editing.project import Project
from autopilot.planning.editing.renumbering import Renumbering, inserted_after
from autopilot.planning.roadmap.phase_id import sort_key
from autopilot.planning.roadmap.standing.position import STATE
from autopilot.text.naming import name_phases

KEEP = "--keep-numbers"
FORCE = "--force"


class Work(Struct, frozen=True):
    """What the journal knows of the phases of this roadmap."""

    proven: Mapping[PhaseId, str] = {}  # with the run that proved it
    running: Mapping[PhaseId, str] = {}  # with what is the matter: "run-… is at it"
    waiting: Collection[PhaseId] = ()  # of these, those that wait for their owner's verdict


class Deed(StrEnum):
    REMOVED = "removed"
    MOVED = "moved"
    SPLIT = "split"
    EDITED = "edited"


def refuse_loss(project: Project, work: Work, phase: PhaseId, deed: Deed, *, force: bool = False) -> None:
    """Of the phase itself: nothing that was done, or is being done, may lose the phase it was done for."""
    if why := work.running.get(phase):
        hint = "let it end (`autopilot resume`), or give it up: `autopilot run --fresh` archives the run"
        if phase in work.waiting:
            hint = f"decide first: `autopilot verdict {phase} pass`, or fail, or issues_found; then `autopilot resume`"
        raise UsageError(f"phase {phase} cannot be {deed}: {why}", hint)
    if run := work.proven.get(phase):
        hint = "what is proven stays; add a phase for what has to change: `autopilot phase add NAME`"
        raise UsageError(f"phase {phase} cannot be {deed}: it was proven in {run}", hint)
    found = project.find(phase)
    if deed is Deed.EDITED or force or found is None:
        return
    if found.ticked:
        hint = f"done work stays in the roadmap; with {FORCE} it is {deed} all the same (git keeps what it was)"
        raise UsageError(f"phase {phase} cannot be {deed}: it is done, {found.standing.because}", hint)
    if deed is Deed.REMOVED and project.roadmap.current == phase:
        hint = f"go on to another phase in {STATE} first, or add {FORCE}"
        raise UsageError(f"phase {phase} cannot be removed: {STATE} is at it", hint)


def refuse_followers(project: Project, phase: PhaseId) -> None:
    """What was inserted after a phase has its number from it."""
    if behind := inserted_after(project.live, phase):
        hint = f"remove {name_phases(behind)} first, from the last on"
        raise UsageError(f"phase {phase} cannot be removed: {name_phases(behind)} follow it by number", hint)


def refuse_dependents(project: Project, phase: PhaseId) -> None:
    """What depends on a phase by its number would wait for another one, or for nothing."""
    if waiting := dependents_of(phase, project.text.layout):
        first, line = next(iter(waiting.items()))
        found = project.find(first)
        others = [id for id in (found.depends_on if found else ()) if id != phase]
        way = f"autopilot phase edit {first} --depends-on {','.join(others) or 'none'}"
        raise UsageError(
            f"phase {phase} cannot be removed: {name_phases(waiting)} depend{'s' if len(waiting) == 1 else ''} on it "
            f"({project.text.path}:{line})",
            f"let {'it' if len(waiting) == 1 else 'each of them'} depend on something else first: `{way}`",
        )


def refuse_renumbering(project: Project, work: Work, renumbering: Renumbering, way: str) -> None:
    """Of the phases around it: what is proven, in progress or done keeps the number it was done under."""
    for id in sorted(renumbering.new, key=sort_key):
        found = project.find(id)
        why = work.running.get(id) or (f"it was proven in {work.proven[id]}" if id in work.proven else "")
        if not why and found is not None and found.ticked:
            why = f"it is done, {found.standing.because}"
        if why:
            raise UsageError(f"phase {id} would become {renumbering.of(id)}, and must keep its number: {why}", way)


def refuse_disorder(project: Project, renumbering: Renumbering, touched: Collection[PhaseId]) -> None:
    """A phase may not come before one that it depends on, unless it did already."""
    for phase in project.roadmap.phases:
        for needed in phase.depends_on:
            was, is_ = (_is_before(*pair) for pair in ((phase.id, needed), _both(renumbering, phase.id, needed)))
            if is_ and not was and {phase.id, needed} & set(touched):
                raise UsageError(
                    f"phase {phase.id} depends on phase {needed}, and would come before it",
                    f"change that first: `autopilot phase edit {phase.id} --depends-on LIST`",
                )


def tell_dependents(project: Project, after: PhaseId, new: PhaseId) -> str:
    """Which later phases do not wait for an inserted one, as GSD leaves them, and the command for it; "" for none."""
    waiting = [id for id in dependents_of(after, project.text.layout) if _is_before(new, id)]
    if not waiting:
        return ""
    found = project.find(waiting[0]) if len(waiting) == 1 else None
    depends = ",".join((*(found.depends_on if found else (after,)), new))
    which, still = (waiting[0], "still depends") if len(waiting) == 1 else ("PHASE", "still depend")
    way = f"`autopilot phase edit {which} --depends-on {depends}`"
    return f"{name_phases(waiting)} {still} on {after} alone; to wait for {new} too: {way}"


def _is_before(phase: PhaseId, other: PhaseId) -> bool:
    return sort_key(phase) < sort_key(other)


def _both(renumbering: Renumbering, phase: PhaseId, other: PhaseId) -> tuple[PhaseId, PhaseId]:
    return renumbering.of(phase), renumbering.of(other)
