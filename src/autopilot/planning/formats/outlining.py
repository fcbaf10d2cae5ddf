"""A reading as phases and plans: ids that stay when work is added, criteria as they can be looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.criterion import ROADMAP_OWNER, Criterion, criterion_id
from autopilot.model.planning.outline import Listed, Outline
from autopilot.model.planning.plan import Dialect, Plan, Task
from autopilot.model.planning.roadmap import Phase, PhaseId, Roadmap
from autopilot.model.planning.standing import Stand, Standing
from autopilot.model.policy import Commands
from autopilot.planning.formats.found import Piece, Promise, Reading, Step
from autopilot.planning.formats.named_paths import paths_in
from autopilot.planning.plan.criterion import parse_criterion
from autopilot.planning.roadmap.phase_id import carry_id, slugify

MOST_PHASES = 2_000
MOST_TASKS = 1_000  # of one phase
MOST_CRITERIA = 1_000  # of one phase
MOST_OF_TASK = 100  # criteria
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_NAME = 200  # characters


class Named(Struct, frozen=True):
    """A piece of work under the ids by which a run knows it."""

    id: PhaseId
    piece: Piece
    tasks: tuple[tuple[str, Step], ...]


def name_pieces(reading: Reading) -> tuple[Named, ...]:
    """The first of several with one id counts."""
    found: dict[PhaseId, Named] = {}
    for piece in reading.pieces[:MOST_PHASES]:
        id = carry_id(piece.key)
        if id not in found:
            found[id] = Named(id, piece, tuple(_task_ids(piece.steps[:MOST_TASKS])))
    return tuple(found.values())


def make_outline(reading: Reading, commands: Commands) -> Outline:
    named = name_pieces(reading)
    ids = {entry.piece.key: entry.id for entry in named}
    complaints = [*reading.complaints, *_left_out(reading, named)]
    phases: list[Phase] = []
    listed: dict[PhaseId, Listed] = {}
    for entry in named:
        promises = (*entry.piece.criteria, *_of_tasks(entry, commands))
        phases.append(_phase(entry, _criteria(promises, ROADMAP_OWNER, commands, complaints), ids))
        if entry.tasks:
            listed[entry.id] = _listed(entry, commands, complaints)
    ordered = tuple(sorted(complaints, key=lambda complaint: (complaint.path, complaint.line)))
    open_specs = [entry.piece.specs[0] for entry in named if entry.piece.specs and entry.piece.stand is Stand.OPEN]
    return Outline(
        Roadmap(reading.path, tuple(phases), complaints=ordered),
        listed,
        {entry.id: entry.piece.specs for entry in named if entry.piece.specs},
        reading.spec or next(iter(open_specs), ""),
    )


def _phase(entry: Named, criteria: tuple[Criterion, ...], ids: dict[str, PhaseId]) -> Phase:
    piece = entry.piece
    name = piece.name[:_NAME] or piece.key
    needs = (ids[key] for key in piece.needs if key in ids)
    return Phase(
        entry.id,
        name,
        goal=piece.goal,
        depends_on=tuple(dict.fromkeys(id for id in needs if id != entry.id)),
        criteria=criteria,
        ticked=piece.stand is Stand.DONE,
        line=piece.line,
        path=piece.path,
        slug=slugify(name),
        standing=Standing(piece.stand, piece.because, piece.against),
    )


def _listed(entry: Named, commands: Commands, complaints: list[Complaint]) -> Listed:
    tasks = [
        Task(
            id,
            step.name[:_NAME] or id,
            files=paths_in(f"{step.name}\n{step.detail}"),
            action=_action(step),
            criteria=_criteria(_own(entry.piece, step, commands), id, commands, complaints),
            line=step.line,
            path=step.path or entry.piece.path,
        )
        for id, step in entry.tasks
    ]
    return Listed(
        Plan(entry.piece.path, Dialect.MARKDOWN, tuple(tasks)),
        frozenset(id for id, step in entry.tasks if step.done),
        {id: step.held for id, step in entry.tasks if step.held and not step.done},
    )


def _own(piece: Piece, step: Step, commands: Commands) -> tuple[Promise, ...]:
    """What can be run for a task alone. Sentences are asked of the whole phase, as those of a roadmap are."""
    known = set(piece.criteria)
    return tuple(promise for promise in step.criteria if promise not in known and _is_runnable(promise, commands))


def _of_tasks(entry: Named, commands: Commands) -> Iterator[Promise]:
    """The sentences that tasks have beside those of the phase; what is done has to hold as well."""
    known = set(entry.piece.criteria)
    for _, step in entry.tasks:
        for promise in step.criteria if not step.held else ():
            if promise not in known and not _is_runnable(promise, commands):
                known.add(promise)
                yield promise


def _is_runnable(promise: Promise, commands: Commands) -> bool:
    return parse_criterion(promise.text, "", promise.line, commands, promise.path)[0].is_runnable


def _action(step: Step) -> str:
    asked = [f"- {promise.text}" for promise in step.criteria[:MOST_OF_TASK]]
    return "\n".join((step.detail, "", "It is done when:", *asked)) if asked else step.detail


def _criteria(
    promises: tuple[Promise, ...], owner: str, commands: Commands, complaints: list[Complaint]
) -> tuple[Criterion, ...]:
    criteria: list[Criterion] = []
    most = MOST_CRITERIA if owner == ROADMAP_OWNER else MOST_OF_TASK
    if len(promises) > most:
        message = f"{len(promises):,} criteria of {owner}: the first {most:,} are read"
        complaints.append(Complaint(promises[0].path, promises[0].line, message))
    for number, promise in enumerate(promises[:most], start=1):
        id = criterion_id(owner, number)
        criterion, found = parse_criterion(promise.text, id, promise.line, commands, promise.path)
        criteria.append(replace(criterion, path=promise.path))
        complaints += found
    return tuple(criteria)


def _task_ids(steps: tuple[Step, ...]) -> Iterator[tuple[str, Step]]:
    """The format's own ids where they can be kept, else their place; of two alike the second gets a mark."""
    taken = {step.key for step in steps}
    used: set[str] = set()
    for place, step in enumerate(steps, start=1):
        id = _safe(step.key) or f"t{place}"
        while id in used or (not step.key and id in taken):
            id = f"{id}x"
        used.add(id)
        yield id, step


def _safe(key: str) -> str:
    """ "1.1" as it is; what a run could not use as a name of its own is put in other letters."""
    parts = [part for word in key.split(".") if (part := _UNSAFE.sub("-", word).strip("-_"))]
    plain = ".".join(parts)[:40].strip(".-_")
    return f"t-{plain}" if plain.lower().startswith(ROADMAP_OWNER) else plain


def _left_out(reading: Reading, named: tuple[Named, ...]) -> Iterator[Complaint]:
    kept = {id(entry.piece) for entry in named}
    for piece in reading.pieces[:MOST_PHASES]:
        if id(piece) not in kept:
            yield Complaint(piece.path, piece.line, f"`{piece.key[:60]}` is there twice: the first one counts")
        if len(piece.steps) > MOST_TASKS:
            yield Complaint(piece.path, piece.line, f"has {len(piece.steps)} tasks: the first {MOST_TASKS:,} are read")
    if len(reading.pieces) > MOST_PHASES:
        message = f"{len(reading.pieces):,} phases: the first {MOST_PHASES:,} are read"
        yield Complaint(reading.path, 0, message, Severity.WARNING)
