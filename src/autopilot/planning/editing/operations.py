"""What can be done with the phases of a roadmap, from adding one to editing it. Each gives an edit, or refuses."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.errors import UsageError
from autopilot.model.planning.edit import Edit
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.planning.editing.carrying import Journey
from autopilot.planning.editing.checking import Intended, check_edit
from autopilot.planning.editing.dependents import dependents_of
from autopilot.planning.editing.new_phase import NewPhase
from autopilot.planning.editing.obstacles import (
    KEEP,
    Deed,
    Work,
    refuse_dependents,
    refuse_disorder,
    refuse_followers,
    refuse_loss,
    refuse_renumbering,
    tell_dependents,
)
from autopilot.planning.editing.phase_text import (
    PhaseChange,
    with_another_dependency,
    with_change,
    without_criteria,
)
from autopilot.planning.editing.project import Project, Wanted, carry_through
from autopilot.planning.editing.renumbering import (
    Renumbering,
    close_gap,
    next_decimal,
    next_integer,
    ranked,
    reorder,
)
from autopilot.planning.editing.roadmap_text import (
    RoadmapText,
    Written,
    crosses_border,
    mentions_in,
    with_phase,
    with_phases_moved,
    without_phase,
)
from autopilot.planning.plan.folders import PHASES
from autopilot.planning.roadmap.dependency import parse_depends
from autopilot.planning.roadmap.graph import topological_order
from autopilot.planning.roadmap.phase_id import folder_prefix, phase_of_folder, slugify, sort_key
from autopilot.planning.roadmap.roadmap import parse_roadmap
from autopilot.text.naming import render_phases


class PhaseRequest(Struct, frozen=True):
    """What the user says of a new phase."""

    name: str
    goal: str = ""
    depends_on: tuple[PhaseId, ...] | None = None  # None: on the one before it
    requirements: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()


def add_phase(project: Project, request: PhaseRequest) -> Edit:
    """At the end of the roadmap, with the next integer."""
    live = project.live
    new = next_integer(live, {*project.roadmap.archived, *project.text.layout.shipped})
    before = max((id for id in live if sort_key(id) < sort_key(new)), key=sort_key, default=None)
    phase = _new_phase(project, request, new, (before,) if before else ())
    return carry_through(
        project,
        Wanted(
            f"docs: add phase {new} ({request.name})",
            new,
            Written(with_phase(project.text, phase)),
            count=1,
            happened=f"Phase {new} added: {request.name}",
            made=_folder(project, new, request.name),
        ),
    )


def insert_phase(project: Project, after: PhaseId, request: PhaseRequest) -> Edit:
    """Between two phases, as a decimal of the one before: no number changes."""
    known = must_know(project, after)
    new = next_decimal(_taken_numbers(project), known.id)
    phase = replace(_new_phase(project, request, new, (after,)), inserted=True)
    return carry_through(
        project,
        Wanted(
            f"docs: insert phase {new} ({request.name}) after phase {after}",
            new,
            Written(with_phase(project.text, phase)),
            count=1,
            happened=f"Phase {new} inserted after Phase {after}: {request.name} (URGENT)",
            made=_folder(project, new, request.name),
            notes=tuple(filter(None, (tell_dependents(project, after, new),))),
        ),
    )


def remove_phase(project: Project, work: Work, phase: PhaseId, *, keep_numbers: bool, force: bool) -> Edit:
    """The phase with its folder; what comes after it moves up, unless the gap is to be kept."""
    known = must_know(project, phase)
    refuse_loss(project, work, phase, Deed.REMOVED, force=force)
    if not keep_numbers:
        refuse_followers(project, phase)
    refuse_dependents(project, phase)
    renumbering = Renumbering({}, frozenset({phase})) if keep_numbers else close_gap(project.live, phase)
    refuse_renumbering(project, work, renumbering, f"add {KEEP}: the phase goes, and its number stays unused")
    return carry_through(
        project,
        Wanted(
            f"docs: remove phase {phase} ({known.name})",
            phase,
            without_phase(project.text, renumbering),
            renumbering,
            count=-1,
        ),
    )


def move_phase(project: Project, work: Work, phase: PhaseId, target: PhaseId, *, before: bool) -> Edit:
    """The phase right before or after another one of its rank; both, and what lies between, get new numbers."""
    known = must_know(project, phase)
    must_know(project, target)
    if target == phase:
        side = "before" if before else "after"
        raise UsageError(f"phase {phase} cannot be moved {side} itself", "name another phase")
    if target not in ranked(project.live, phase):
        kind = f"a decimal of the same phase as {phase}" if "." in phase else "an integer phase"
        hint = "name such a phase; what was inserted after a phase goes with it"
        raise UsageError(f"phase {phase} can be moved before or after {kind}, and {target} is none", hint)
    renumbering, journey = reorder(project.live, phase, target, before=before), Journey(phase, target, before)
    side = "before" if before else "after"
    if renumbering.is_empty and not crosses_border(project.text, journey):
        raise UsageError(f"phase {phase} is right {side} phase {target} already", "nothing was written")
    refuse_loss(project, work, phase, Deed.MOVED)
    refuse_renumbering(project, work, renumbering, "move it only among phases that are still to be done")
    refuse_disorder(project, renumbering, renumbering.new)
    new = renumbering.of(phase)
    return carry_through(
        project,
        Wanted(
            f"docs: move phase {phase} ({known.name}) {side} phase {target}, as phase {new}",
            new,
            with_phases_moved(project.text, renumbering, journey),
            renumbering,
        ),
    )


def split_phase(project: Project, work: Work, phase: PhaseId, parts: Sequence[str], criteria: Sequence[int]) -> Edit:
    """Parts of a phase as decimals behind it, each on top of the one before; who waits for it waits for all of them."""
    known = must_know(project, phase)
    refuse_loss(project, work, phase, Deed.SPLIT)
    waiting = dependents_of(phase, project.text.layout)
    text, taken = project.text, tuple[str, ...]()
    if criteria:
        after, taken = without_criteria(text, phase, criteria)
        text = replace(text, text=after)
    numbers, before = list[PhaseId](), phase
    for name in parts:
        new = next_decimal((*_taken_numbers(project), *numbers), phase)
        goal = f"[To be planned] (split off from phase {phase}: {known.name})"
        part = NewPhase(new, name, goal, f"Phase {before}", (), taken if not numbers else (), inserted=True)
        text = replace(text, text=with_phase(text, part))
        numbers.append(new)
        before = new
    if waiting:
        layout = dependents_of(phase, text.layout)
        lines = {id: line for id, line in layout.items() if id in waiting}
        text = replace(text, text=with_another_dependency(text, lines, phase, before))
    edited = {phase: frozenset({"criteria"})} if criteria else {}
    _check(project, text, Intended(mentions_in(text, Renumbering()), frozenset(numbers), edited))
    return carry_through(
        project,
        Wanted(
            f"docs: split phase {phase} ({known.name}): {', '.join(numbers)}",
            phase,
            Written(text.text),
            count=len(numbers),
            made=tuple(path for id, name in zip(numbers, parts, strict=True) for path in _folder(project, id, name)),
        ),
    )


def edit_phase(project: Project, work: Work, phase: PhaseId, change: PhaseChange) -> Edit:
    known = must_know(project, phase)
    refuse_loss(project, work, phase, Deed.EDITED)
    _must_know_dependencies(project, change.depends_on or "")
    text = with_change(project.text, phase, change, known.name)
    if text == project.text.text:
        raise UsageError(f"phase {phase} says that already", "nothing was written")
    after = replace(project.text, text=text)
    _check(project, after, Intended(mentions_in(after, Renumbering()), edited={phase: change.fields}))
    topological_order(parse_roadmap(text, project.text.path).phases)
    fields = ", ".join(sorted(change.fields)).replace("_", " ")
    return carry_through(
        project,
        Wanted(
            f"docs: edit phase {phase} ({change.name or known.name}): {fields}",
            phase,
            Written(text),
            slugs={phase: slugify(change.name)} if change.name else {},
        ),
    )


def _new_phase(project: Project, request: PhaseRequest, new: PhaseId, default: tuple[PhaseId, ...]) -> NewPhase:
    depends = default if request.depends_on is None else request.depends_on
    for id in depends:
        must_know(project, id)
    depends_on = ", ".join(f"Phase {id}" for id in depends)
    return NewPhase(new, request.name, request.goal, depends_on, request.requirements, request.criteria)


def must_know(project: Project, id: PhaseId) -> Phase:
    found = project.find(id)
    if found is None:
        archived = id in project.roadmap.archived
        why = "it is archived" if archived else render_phases(project.live)
        raise UsageError(f"{project.text.path} has no phase {id}" + (" that is open to edits" if archived else ""), why)
    return found


def _must_know_dependencies(project: Project, text: str) -> None:
    done = {*project.roadmap.archived, *project.text.layout.shipped}
    for id in parse_depends(text).single:
        if id not in done:
            must_know(project, id)


def _taken_numbers(project: Project) -> tuple[PhaseId, ...]:
    """Of the roadmap, its archive, and of folders, which GSD counts by."""
    names = {path.split("/")[2] for path in project.paths if path.startswith(f"{PHASES}/") and path.count("/") > 2}
    folders = (id for name in names if (id := phase_of_folder(name)))
    return (*project.live, *project.roadmap.archived, *folders)


def _folder(project: Project, new: PhaseId, name: str) -> tuple[str, ...]:
    """As GSD makes it, so that it counts on from there."""
    folder = f"{PHASES}/{folder_prefix(new)}-{slugify(name)}"
    return () if any(path.startswith(f"{folder}/") for path in project.paths) else (f"{folder}/.gitkeep",)


def _check(project: Project, after: RoadmapText, intended: Intended) -> None:
    check_edit(project.text.text, after.text, project.text.path, intended)
