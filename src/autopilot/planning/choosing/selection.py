"""Which phases a run is about: ``3``, ``3-7``, ``3,5,8``, ``7 8 9.1 10``, ``all``, ``next``.

A range means roadmap order: everything that stands between its ends in the file, and every number between them
wherever it stands (an inserted 2.1 is often written at the end). A phase proven before, one that anybody calls done
("done, unproven") and one that was given up is skipped with its reason, named singly or not; `--force` runs it.
``next`` is the phase STATE.md is at; when that one is done, the next open one after it. Without numbers, and by
``next``, a run stays within the current milestone (``current_milestone.py``); ``all`` means every one. Flags that are
about completed phases: ``purposes.py``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from difflib import get_close_matches
from enum import StrEnum

from msgspec import Struct

from autopilot.model.errors import NothingOpen, UsageError
from autopilot.model.intent import Purpose
from autopilot.model.planning.roadmap import Phase, PhaseId, Roadmap
from autopilot.planning.choosing.current_milestone import Bounds, find_bounds
from autopilot.planning.roadmap.graph import topological_order
from autopilot.planning.roadmap.phase_id import ID, parse_phase_id, sort_key
from autopilot.text.naming import render_phases

MOST_SHOWN = 12
SIMILAR = 0.75  # the share of equal letters
UNPROVEN = "done, unproven"
_RANGE = re.compile(rf"({ID})[-–—]({ID})\Z")


class Done(StrEnum):
    """Why a phase is not to be built, as it is shown."""

    PROVEN = "completed in an earlier run"
    UNPROVEN = "ticked in the roadmap (done, unproven)"  # what else says so is in the phase's standing


class Selection(Struct, frozen=True):
    phases: tuple[PhaseId, ...]  # in the order they are run: dependencies first, else roadmap order
    skipped: tuple[tuple[PhaseId, str], ...] = ()
    purposes: Mapping[PhaseId, Purpose] = {}  # of those that are not simply built
    reason: str = ""  # why `next` is another one than the first open phase


class Wanted(Struct, frozen=True):
    """What the arguments of a call name."""

    phases: frozenset[PhaseId]
    keyword: str = ""  # all or next; "" when phases are named
    bounded: bool = False  # to the current milestone: no phase and not `all` was written


def select_phases(arguments: Sequence[str], roadmap: Roadmap, completed: AbstractSet[PhaseId]) -> Selection:
    wanted = read_arguments(arguments, roadmap)
    picked = [phase for phase in roadmap.phases if phase.id in wanted.phases]
    skipped = [(phase.id, reason) for phase in picked if (reason := why_skipped(phase, completed))]
    order = outstanding(wanted, roadmap, completed)
    order, beyond = within_milestone(wanted, roadmap, order)
    if beyond and not order:
        raise _milestone_over(roadmap, find_bounds(roadmap, frozenset(id for id, _ in beyond)))
    skipped += beyond
    if not order:
        raise _nothing_open(skipped, roadmap) if wanted.keyword else _nothing_left(skipped, roadmap)
    if wanted.keyword != "next":
        return Selection(order, tuple(skipped))
    chosen = choose_next(order, roadmap)
    return Selection((chosen,), tuple(skipped), reason=_why_next(chosen, order, roadmap))


def within_milestone(
    wanted: Wanted, roadmap: Roadmap, order: tuple[PhaseId, ...]
) -> tuple[tuple[PhaseId, ...], list[tuple[PhaseId, str]]]:
    """Of the phases to build those that a run without numbers stays within; the others, each with the reason."""
    bounds = find_bounds(roadmap, frozenset(order)) if wanted.bounded else Bounds()
    current = bounds.current.called if bounds.current else "what is current"
    reasons = [
        (id, f"of {candidate.called}; this run stays within {current} (`autopilot run all` does not)")
        for id, candidate in bounds.beyond.items()
    ]
    return tuple(id for id in order if id not in bounds.beyond), reasons


def skipped_lines(skipped: Sequence[tuple[PhaseId, str]]) -> list[str]:
    """One for each reason, one for all that nothing speaks against: of a long roadmap nearly every phase is done."""
    undisputed = [reason for _, reason in skipped if reason.endswith(f"({UNPROVEN})")]
    common = f"{UNPROVEN}, by the planning files" if len(set(undisputed)) > 1 else ""
    groups: dict[str, list[PhaseId]] = {}
    for phase, reason in skipped:
        groups.setdefault(common if common and reason in undisputed else reason, []).append(phase)
    return [
        f"phase {ids[0]} is skipped: {reason}" if len(ids) == 1 else f"phases {', '.join(ids)} are skipped: {reason}"
        for reason, ids in groups.items()
    ]


def read_arguments(arguments: Sequence[str], roadmap: Roadmap) -> Wanted:
    """UsageError when they name a phase that does not exist; no arguments mean `all`."""
    wanted = [word.strip() for part in arguments for word in re.split(r"[,\s]+", part) if word.strip()] or ["all"]
    lowered = [word.lower() for word in wanted]
    keyword = next((word for word in lowered if word in {"all", "next"}), "")
    if keyword and len(wanted) > 1:
        raise UsageError(f"`{keyword}` cannot be combined with other phases", hint=f"write `autopilot run {keyword}`")
    chosen = {phase.id for phase in roadmap.phases} if keyword else _named(wanted, roadmap)
    return Wanted(frozenset(chosen), keyword, bounded=not arguments or keyword == "next")


def outstanding(
    wanted: Wanted, roadmap: Roadmap, completed: AbstractSet[PhaseId], to_prove: AbstractSet[PhaseId] = frozenset()
) -> tuple[PhaseId, ...]:
    """What is still to be built of it, dependencies first, also through phases that are not wanted.

    ``to_prove``: phases that are claimed to be done, and go the same way.
    """
    waiting = [phase for phase in roadmap.phases if phase.id in to_prove or not why_skipped(phase, completed)]
    return tuple(id for id in topological_order(waiting) if id in wanted.phases)


def choose_next(order: Sequence[PhaseId], roadmap: Roadmap) -> PhaseId:
    """Of the open phases, in the order they would run: the current one, or the next after it that waits for nothing."""
    current = roadmap.current
    if current is None or current in order:
        return current or order[0]
    later = sorted((id for id in order if sort_key(id) > sort_key(current)), key=sort_key)
    waits = {phase.id: set(phase.depends_on) & set(order) for phase in roadmap.phases}
    return next((id for id in later if not waits[id]), later[0] if later else order[0])


def _why_next(chosen: PhaseId, order: Sequence[PhaseId], roadmap: Roadmap) -> str:
    if chosen == order[0] or roadmap.current is None:
        return ""
    over = "" if chosen == roadmap.current else ", which is done"
    return f"`next` is phase {chosen}: STATE.md is at phase {roadmap.current}{over}; phase {order[0]} is open as well"


def _named(wanted: Sequence[str], roadmap: Roadmap) -> set[PhaseId]:
    chosen: set[PhaseId] = set()
    for word in wanted:
        ends = None if any(phase.id == word for phase in roadmap.phases) else _RANGE.match(word)
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
    if any(phase.id == word for phase in roadmap.phases):
        return PhaseId(word)
    if id is None and not word.isdecimal():
        guess = _guess(word, ("all", "next", *(phase.id for phase in roadmap.phases)))
        raise UsageError(f"`{word}` is not a phase", hint=f"{guess}name phases as 3, 3-7, 3,5,8, all or next")
    if id is not None and any(phase.id == id for phase in roadmap.phases):
        return id
    if id in roadmap.archived:
        raise UsageError(f"phase {id} is archived in {roadmap.path}", hint="move it out of <details> to run it")
    names = [phase.id for phase in roadmap.phases]
    hint = f"{_guess(word, names)}{render_phases(names)}" if names else "it has no open phase: add one"
    raise UsageError(f"there is no phase {id or word} in {roadmap.path}", hint=hint)


def _guess(word: str, names: Sequence[str]) -> str:
    """No guess for a number: every other number looks like it."""
    similar = [] if word.isdecimal() else get_close_matches(word, names, n=1, cutoff=SIMILAR)
    return f"did you mean {similar[0]}? " if similar else ""


def why_skipped(phase: Phase, completed: AbstractSet[PhaseId]) -> str:
    if phase.id in completed:
        return Done.PROVEN
    if phase.ticked or phase.dropped:
        return str(phase.standing) if phase.standing.because else Done.UNPROVEN
    return ""


def _milestone_over(roadmap: Roadmap, bounds: Bounds) -> NothingOpen:
    """What is planned next begins when the user says so."""
    following = next(iter(bounds.beyond.values()))
    phases = [id for id, candidate in bounds.beyond.items() if candidate is following]
    is_left = any(
        candidate.phases and bounds.beyond.keys().isdisjoint(candidate.phases) for candidate in roadmap.milestones
    )
    archive = "`autopilot milestone complete` archives what is done, then " if is_left else ""
    return NothingOpen(
        f"no phase of the current milestone is open in {roadmap.path}; {following.called} is planned next",
        f"{archive}`autopilot milestone start {following.version}` begins it; or name its phases: "
        f"`autopilot run {phases[0]}`",
    )


def _nothing_open(skipped: Sequence[tuple[PhaseId, str]], roadmap: Roadmap) -> NothingOpen:
    """A project at the end of its roadmap is in order."""
    ids = [id for id, _ in skipped]
    message, hint = f"nothing is open in {roadmap.path}", f"add a phase to {roadmap.path}, or start a milestone"
    if not ids:
        return NothingOpen(message, hint)
    shown = ", ".join(ids[:MOST_SHOWN]) + (", …" if len(ids) > MOST_SHOWN else "")
    are = f"phases {shown} are" if len(ids) > 1 else f"phase {shown} is"
    given_up = {phase.id for phase in roadmap.phases if phase.dropped}
    held = [phase.id for phase in roadmap.phases if phase.held and phase.id in ids]
    last = next((id for id in reversed(ids) if id not in given_up), ids[-1])
    over = "done or given up" if given_up else "done"
    if held:
        over, hint = f"done, or {'waits' if len(ids) == 1 else 'wait'} for you", f"settle what holds phase {held[0]}"
    return NothingOpen(f"{message}: {are} {over}", f"{hint}; `autopilot run --force {last}` builds phase {last} again")


def _nothing_left(skipped: Sequence[tuple[PhaseId, str]], roadmap: Roadmap) -> UsageError:
    """Every phase that was named is done or given up; where all are proven, the call has what it asked for."""
    kind = NothingOpen if all(reason == Done.PROVEN for _, reason in skipped) else UsageError
    id, reason = skipped[-1]
    if held := next((phase for phase in roadmap.phases if phase.held and phase.id in dict(skipped)), None):
        hint = f"settle that first; `autopilot run --force {held.id}` builds it all the same"
        return UsageError(f"nothing to run: phase {held.id} is held: {held.standing}", hint)
    redo = "build it again" if len(skipped) == 1 else "build one again"
    hint = f"add a phase to {roadmap.path}, or {redo}: `autopilot run --force {id}`"
    if len(skipped) == 1:
        return kind(f"nothing to run: phase {id} is skipped: {reason}", hint=hint)
    return kind(f"nothing to run: no open phase among {', '.join(id for id, _ in skipped)}", hint=hint)
