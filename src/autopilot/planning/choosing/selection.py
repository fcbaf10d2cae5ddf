"""Which phases a run is about: ``3``, ``3-7``, ``3,5,8``, ``7 8 9.1 10``, ``all``, ``next``.

A range means roadmap order: everything that stands between its ends in the file, and every number between them
wherever it stands (an inserted 2.1 is often written at the end). A phase proven before, and a phase merely ticked
("done, unproven"), is skipped with its reason, named singly or not. To have a ticked phase
proven, its box is opened again, or `--force` names it. Flags that are about completed phases: ``purposes.py``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum

from msgspec import Struct

from autopilot.model.errors import UsageError
from autopilot.model.intent import Purpose
from autopilot.model.planning.roadmap import Phase, PhaseId, Roadmap
from autopilot.planning.roadmap.graph import topological_order
from autopilot.planning.roadmap.phase_id import ID, parse_phase_id, sort_key

_RANGE = re.compile(rf"({ID})[-–—]({ID})\Z")


class Done(StrEnum):
    """Why a phase is not to be built, as it is shown."""

    PROVEN = "completed in an earlier run"
    UNPROVEN = "ticked in the roadmap: done, unproven"


class Selection(Struct, frozen=True):
    phases: tuple[PhaseId, ...]  # in the order they are run: dependencies first, else roadmap order
    skipped: tuple[tuple[PhaseId, str], ...] = ()
    purposes: Mapping[PhaseId, Purpose] = {}  # of those that are not simply built


class Wanted(Struct, frozen=True):
    """What the arguments of a call name."""

    phases: frozenset[PhaseId]
    keyword: str = ""  # all or next; "" when phases are named


def select_phases(arguments: Sequence[str], roadmap: Roadmap, completed: AbstractSet[PhaseId]) -> Selection:
    wanted = read_arguments(arguments, roadmap)
    picked = [phase for phase in roadmap.phases if phase.id in wanted.phases]
    skipped = [(phase.id, reason) for phase in picked if (reason := why_skipped(phase, completed))]
    order = outstanding(wanted, roadmap, completed)
    if not order:
        raise _nothing_left(skipped, roadmap)
    return Selection(order[:1] if wanted.keyword == "next" else order, tuple(skipped))


def read_arguments(arguments: Sequence[str], roadmap: Roadmap) -> Wanted:
    """UsageError when they name a phase that does not exist; no arguments mean `all`."""
    wanted = [word.strip() for part in arguments for word in re.split(r"[,\s]+", part) if word.strip()] or ["all"]
    lowered = [word.lower() for word in wanted]
    keyword = next((word for word in lowered if word in {"all", "next"}), "")
    if keyword and len(wanted) > 1:
        raise UsageError(f"`{keyword}` cannot be combined with other phases", hint=f"write `autopilot run {keyword}`")
    chosen = {phase.id for phase in roadmap.phases} if keyword else _named(wanted, roadmap)
    return Wanted(frozenset(chosen), keyword)


def outstanding(wanted: Wanted, roadmap: Roadmap, completed: AbstractSet[PhaseId]) -> tuple[PhaseId, ...]:
    """What is still to be built of it, dependencies first, also through phases that are not wanted."""
    waiting = [phase for phase in roadmap.phases if not why_skipped(phase, completed)]
    return tuple(id for id in topological_order(waiting) if id in wanted.phases)


def _named(wanted: Sequence[str], roadmap: Roadmap) -> set[PhaseId]:
    chosen: set[PhaseId] = set()
    for word in wanted:
        ends = _RANGE.match(word)
        if ends:
            chosen |= _between(_known(ends[1], roadmap), _known(ends[2], roadmap), word, roadmap)
        else:
            chosen.add(_known(word, roadmap))
    return chosen


def _between(first: PhaseId, last: PhaseId, word: str, roadmap: Roadmap) -> set[PhaseId]:
    order = [phase.id for phase in roadmap.phases]
    by_place = order[order.index(first) : order.index(last) + 1]
    by_number = [id for id in order if sort_key(first) <= sort_key(id) <= sort_key(last)]
    if not by_place and not by_number:
        raise UsageError(f"the range {word} runs backwards", hint=f"write `autopilot run {last}-{first}`")
    return {*by_place, *by_number}


def _known(word: str, roadmap: Roadmap) -> PhaseId:
    id = parse_phase_id(word)
    if id is None and not word.isdecimal():
        raise UsageError(f"`{word}` is not a phase", hint="name phases as 3, 3-7, 3,5,8, all or next")
    if id is not None and any(phase.id == id for phase in roadmap.phases):
        return id
    if id in roadmap.archived:
        raise UsageError(f"phase {id} is archived in {roadmap.path}", hint="move it out of <details> to run it")
    names = ", ".join(phase.id for phase in roadmap.phases)
    raise UsageError(f"there is no phase {id or word} in {roadmap.path}", hint=f"its phases are {names}")


def why_skipped(phase: Phase, completed: AbstractSet[PhaseId]) -> str:
    if phase.id in completed:
        return Done.PROVEN
    return Done.UNPROVEN if phase.ticked else ""


def _nothing_left(skipped: Sequence[tuple[PhaseId, str]], roadmap: Roadmap) -> UsageError:
    if not skipped:
        return UsageError(f"nothing to run: {roadmap.path} has no phase", hint="`autopilot init` writes a template")
    if len(skipped) == 1:
        id, reason = skipped[0]
        return UsageError(f"nothing to run: phase {id} is {reason}", hint=_how_to_open(id, reason, roadmap))
    names = ", ".join(id for id, _ in skipped)
    return UsageError(f"nothing to run: no open phase among {names}", hint=_how_to_open(*skipped[-1], roadmap))


def _how_to_open(id: PhaseId, reason: str, roadmap: Roadmap) -> str:
    if reason is Done.UNPROVEN:
        return f"open its box in {roadmap.path} to have it run and proven, or: `autopilot run --force {id}`"
    return f"add a phase to {roadmap.path}, or redo a completed one, such as the last: `autopilot run --force {id}`"
