"""Which number a new phase gets, and which numbers change when one is removed or moved: GSD's rules.

A phase at the end is the next integer. One between others is a decimal of the phase it follows. A removal closes the
gap: what comes after moves up by one, and what was inserted after a phase keeps its place behind it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import sort_key

BACKLOG = 999  # GSD keeps ideas that are not planned yet as phases 999.1, 999.2, …


class Renumbering(Struct, frozen=True):
    new: Mapping[PhaseId, PhaseId] = {}  # only what changes
    removed: frozenset[PhaseId] = frozenset()

    def of(self, phase: PhaseId) -> PhaseId:
        return self.new.get(phase, phase)

    @property
    def permutes(self) -> bool:
        """Whether phases only change places: nothing is gone, so a range of numbers still holds as many."""
        return bool(self.new) and not self.removed

    @property
    def is_empty(self) -> bool:
        return not self.new and not self.removed


def next_integer(live: Iterable[PhaseId], archived: Iterable[PhaseId]) -> PhaseId:
    """The number of a phase at the end. Numbers go on over milestones, unless a milestone counts from one again: then
    its phases have numbers of archived ones, from the lowest on."""
    own, old = ([n for id in known if (n := sort_key(id)[0]) < BACKLOG] for known in (live, archived))
    counts_anew = bool(own and old) and min(own) <= min(old) <= max(own)
    numbers = own if counts_anew else [*own, *old]
    return PhaseId(str(max(numbers, default=0) + 1))


def next_decimal(known: Iterable[PhaseId], after: PhaseId) -> PhaseId:
    """The number of a phase that follows another one: behind all that were inserted there before."""
    depth = len(sort_key(after)[2])
    taken = [sort_key(id)[2][depth] for id in inserted_after(known, after)]
    return PhaseId(f"{after}.{max(taken, default=0) + 1}")


def inserted_after(known: Iterable[PhaseId], phase: PhaseId) -> list[PhaseId]:
    """The decimals of a phase, in order."""
    number, letter, decimals = sort_key(phase)
    depth = len(decimals)
    found = (id for id in known if (key := sort_key(id))[:2] == (number, letter) and len(key[2]) > depth)
    return sorted((id for id in found if sort_key(id)[2][:depth] == decimals), key=sort_key)


def close_gap(live: Iterable[PhaseId], removed: PhaseId) -> Renumbering:
    """What moves up by one after a removal. Of letters nothing does: "20B" was not counted from "20A"."""
    number, letter, decimals = sort_key(removed)
    new: dict[PhaseId, PhaseId] = {}
    for id in live:
        key = sort_key(id)
        if not letter and not decimals and number < key[0] < BACKLOG:
            new[id] = _joined(key[0] - 1, key[1], key[2])
        elif decimals and key[:2] == (number, letter) and _is_later_sibling(key[2], decimals):
            depth = len(decimals) - 1
            new[id] = _joined(number, letter, (*key[2][:depth], key[2][depth] - 1, *key[2][depth + 1 :]))
    return Renumbering(new, frozenset({removed}))


def reorder(live: Sequence[PhaseId], phase: PhaseId, target: PhaseId, *, before: bool) -> Renumbering:
    """The numbers after ``phase`` was put right before or after ``target``, which is of its rank.

    The same numbers are given out again in the new order; decimals go with the phase they follow.
    """
    rank = ranked(live, phase)
    order = [id for id in rank if id != phase]
    order.insert(order.index(target) + (not before), phase)
    new: dict[PhaseId, PhaseId] = {}
    for old, number in zip(order, rank, strict=True):
        if old != number:
            new[old] = number
            new |= {id: PhaseId(f"{number}{id[len(old) :]}") for id in inserted_after(live, old)}
    return Renumbering(new)


def ranked(live: Iterable[PhaseId], phase: PhaseId) -> list[PhaseId]:
    """The phases of the same rank, in order: integers, or the decimals of one phase."""
    number, letter, decimals = sort_key(phase)
    if not decimals:
        own = [id for id in live if not sort_key(id)[2] and (not sort_key(id)[1] or id == phase)]
        return sorted((id for id in own if sort_key(id)[0] < BACKLOG), key=sort_key)
    depth = len(decimals)
    siblings = (id for id in live if (key := sort_key(id))[:2] == (number, letter) and len(key[2]) == depth)
    return sorted((id for id in siblings if sort_key(id)[2][:-1] == decimals[:-1]), key=sort_key)


class Padding(Struct, frozen=True):
    """Whether a file writes two digits, "Phase 06". GSD does so for decimals alone: "Phase 6", "Phase 06.1"."""

    integers: bool = False
    decimals: bool = False

    def of(self, phase: PhaseId) -> bool:
        return self.decimals if sort_key(phase)[2] else self.integers


def spell(phase: PhaseId, like: str = "", *, padded: bool = False) -> str:
    """The number as the place has it: "06" stays two digits wide, "6" one; of "10" only the file can tell."""
    number, letter, decimals = sort_key(phase)
    digits = len(like) - len(like.lstrip("0123456789"))
    width = digits if like.startswith("0") and digits > 1 else 2 if padded and digits != 1 else 1
    own = letter.lower() if like[digits : digits + 1].islower() else letter
    return f"{number:0{width}d}{own}" + "".join(f".{part}" for part in decimals)


def newest(known: Collection[PhaseId], below: PhaseId) -> PhaseId | None:
    """The phase after which one with this number belongs."""
    earlier = [id for id in known if sort_key(id) < sort_key(below)]
    return max(earlier, key=sort_key, default=None)


def _is_later_sibling(key: tuple[int, ...], decimals: tuple[int, ...]) -> bool:
    depth = len(decimals) - 1
    return len(key) > depth and key[:depth] == decimals[:depth] and key[depth] > decimals[depth]


def _joined(number: int, letter: str, decimals: Iterable[int]) -> PhaseId:
    return PhaseId(f"{number}{letter}" + "".join(f".{part}" for part in decimals))
