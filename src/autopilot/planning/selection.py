"""Which phases a run is about: ``3``, ``3-7``, ``3,5,8``, ``7 8 9.1 10``, ``all``, ``next``.

A range means roadmap order: everything that stands between its ends in the file, and every number between them
wherever it stands (an inserted 2.1 is often written at the end). A phase proven before, and a phase merely ticked
("done, unproven"), is skipped with its reason, named singly or not. To have a ticked phase
proven, its box is opened again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from msgspec import Struct

from autopilot.model.errors import UsageError
from autopilot.model.roadmap import Phase, PhaseId, Roadmap
from autopilot.planning.graph import topological_order
from autopilot.planning.phase_id import ID, parse_phase_id, sort_key

PROVEN = "completed in an earlier run"
UNPROVEN = "ticked in the roadmap: done, unproven"
_RANGE = re.compile(rf"({ID})[-–—]({ID})\Z")


class Selection(Struct, frozen=True):
    phases: tuple[PhaseId, ...]  # in the order they are run: dependencies first, else roadmap order
    skipped: tuple[tuple[PhaseId, str], ...] = ()


def select_phases(words: Sequence[str], roadmap: Roadmap, completed: AbstractSet[PhaseId]) -> Selection:
    wanted = [word.strip() for part in words for word in re.split(r"[,\s]+", part) if word.strip()] or ["all"]
    lowered = [word.lower() for word in wanted]
    keyword = next((word for word in lowered if word in {"all", "next"}), "")
    if keyword and len(wanted) > 1:
        raise UsageError(f"`{keyword}` stands alone", hint=f"autopilot run {keyword}")
    chosen = {phase.id for phase in roadmap.phases} if keyword else _named(wanted, roadmap)
    picked = [phase for phase in roadmap.phases if phase.id in chosen]
    skipped = [(phase.id, reason) for phase in picked if (reason := _why_skipped(phase, completed))]
    passed_over = {id for id, _ in skipped}
    waiting = [phase for phase in roadmap.phases if not _why_skipped(phase, completed)]
    order = [id for id in topological_order(waiting) if id in chosen and id not in passed_over]
    if not order:
        raise _nothing_left(skipped, roadmap)
    return Selection(tuple(order[:1] if keyword == "next" else order), tuple(skipped))


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
        raise UsageError(f"the range {word} runs backwards", hint=f"autopilot run {last}-{first}")
    return {*by_place, *by_number}


def _known(word: str, roadmap: Roadmap) -> PhaseId:
    id = parse_phase_id(word)
    if id is None:
        raise UsageError(f"`{word}` is not a phase", hint="name phases as 3, 3-7, 3,5,8, all or next")
    if any(phase.id == id for phase in roadmap.phases):
        return id
    if id in roadmap.archived:
        raise UsageError(f"phase {id} is archived in {roadmap.path}", hint="move it out of <details> to run it")
    there = ", ".join(phase.id for phase in roadmap.phases)
    raise UsageError(f"there is no phase {id} in {roadmap.path}", hint=f"its phases are {there}")


def _why_skipped(phase: Phase, completed: AbstractSet[PhaseId]) -> str:
    if phase.id in completed:
        return PROVEN
    return UNPROVEN if phase.ticked else ""


def _nothing_left(skipped: Sequence[tuple[PhaseId, str]], roadmap: Roadmap) -> UsageError:
    if not skipped:
        return UsageError(f"nothing to run: {roadmap.path} has no phase", hint="autopilot init writes a skeleton")
    if len(skipped) == 1:
        id, reason = skipped[0]
        return UsageError(f"nothing to run: phase {id} is {reason}", hint=_how_to_open(reason, roadmap))
    names = ", ".join(id for id, _ in skipped)
    return UsageError(f"nothing to run: no open phase among {names}", hint=_how_to_open(skipped[-1][1], roadmap))


def _how_to_open(reason: str, roadmap: Roadmap) -> str:
    if reason == UNPROVEN:
        return f"open its box in {roadmap.path} to have it run and proven"
    return f"add a phase to {roadmap.path}; what is proven stays proven"
