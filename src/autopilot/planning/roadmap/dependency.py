"""What a phase waits for, read from the words after "Depends on"."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.language import says_nothing
from autopilot.planning.roadmap.phase_id import ID, Key, normalise, sort_key
from autopilot.text.lazy_regex import lazy_regex

_NUMBER = rf"{ID}(?!\w|\.[0-9])"
_ITEM = rf"(?:Phases?\s+)?{_NUMBER}(?:\s*[-–—]\s*(?:Phase\s+)?{_NUMBER})?"
_JOIN = r"\s*(?:,\s*and\b|,|and\b|&|\+|/|\bor\b|;)\s*"
_LIST = lazy_regex(rf"\bPhase[ns]?\s+({_ITEM}(?:{_JOIN}{_ITEM})*)", re.IGNORECASE)
BARE = lazy_regex(rf"\s*({_ITEM}(?:{_JOIN}{_ITEM})*)\s*+\.?\s*\Z", re.IGNORECASE)
_ONE = lazy_regex(rf"({_NUMBER})(?:\s*[-–—]\s*(?:Phase\s+)?({_NUMBER}))?")
_NOTHING = lazy_regex(
    r"\W*(?:nothing|none|no(?:\s+dependenc\w+)?|n/?a|independent|first phase|tbd)\b\W*", re.IGNORECASE
)
_ALL = lazy_regex(r"\ball\s++(?:the\s++)?(?:previous|prior|earlier|preceding|other|above)?\s*phases\b", re.IGNORECASE)
_MILESTONE = lazy_regex(r"\bv[0-9]{1,4}(?:\.[0-9]{1,6}){0,3}\b|\bmilestone\b", re.IGNORECASE)
Spans = Sequence[tuple[PhaseId, PhaseId]]  # first and last number
# A clause with one of these words speaks about a phase without waiting for it.
_REMARK = lazy_regex(
    r"\b(?:parallel|independent|not|without|optional\w*|unlocks|blocks|before|enables)\b", re.IGNORECASE
)


class Wait(Struct, frozen=True):
    """Dependencies as written: single numbers, ranges, or everything before."""

    single: tuple[PhaseId, ...] = ()
    ranges: tuple[tuple[PhaseId, PhaseId], ...] = ()
    everything: bool = False
    understood: bool = True
    milestone: bool = False  # nothing but a milestone is named: "v1.0 foundation"

    def joined(self, other: Wait) -> Wait:
        """What two places say of one phase, together."""
        return Wait(
            single=tuple(dict.fromkeys((*self.single, *other.single))),
            ranges=tuple(dict.fromkeys((*self.ranges, *other.ranges))),
            everything=self.everything or other.everything,
            understood=self.understood and other.understood,
            milestone=self.milestone or other.milestone,
        )


def parse_depends(text: str) -> Wait:
    """Numbers inside brackets are reasons, not dependencies; so are later sentences that only remark on a phase."""
    plain = " ".join(_without_brackets(re.sub(r"[*_`~]", "", text)).split())
    if (
        not plain.strip("-–— .")
        or _NOTHING.fullmatch(plain)
        or says_nothing(plain)
        or re.match(r"\W*(?:nothing|none)\b", plain, re.IGNORECASE)
    ):
        return Wait()
    if _ALL.search(plain):
        return Wait(everything=True)
    clauses = re.split(r"(?<=[.]) | (?:--|[–—]) ", plain)
    kept = [clause for clause in clauses if not _REMARK.search(clause)] or clauses[:1]
    lists = [found[1] for clause in kept for found in _LIST.finditer(clause)]
    if not lists and (bare := BARE.match(plain)):
        lists = [bare[1]]
    wait = _collect(lists)
    return Wait(milestone=True) if not wait.understood and _MILESTONE.search(plain) else wait


class Places(Struct, frozen=True):
    """The phases of a roadmap as dependencies find them: looked up, for every phase of a long roadmap asks."""

    order: tuple[PhaseId, ...]
    place: Mapping[PhaseId, int]
    ascending: tuple[tuple[Key, PhaseId], ...]  # by number, which need not be the order of the file
    settled: frozenset[PhaseId]  # archived or shipped
    spans: Spans

    def between(self, first: PhaseId, last: PhaseId) -> list[PhaseId]:
        start = bisect_left(self.ascending, sort_key(first), key=lambda entry: entry[0])
        end = bisect_right(self.ascending, sort_key(last), key=lambda entry: entry[0])
        return sorted((id for _, id in self.ascending[start:end]), key=self.place.__getitem__)

    def has_settled(self, first: PhaseId, last: PhaseId) -> bool:
        if first == last and first in self.settled:
            return True
        low, high = sort_key(first), sort_key(last)
        return any(sort_key(start) <= high and low <= sort_key(end) for start, end in self.spans)


def find_places(order: Sequence[PhaseId], archived: Spans) -> Places:
    place = {id: index for index, id in reversed(list(enumerate(order)))}
    ascending = sorted((sort_key(id), id) for id in place)
    settled = frozenset(start for start, end in archived if start == end)
    return Places(tuple(order), place, tuple(ascending), settled, tuple(dict.fromkeys(archived)))


def resolve(wait: Wait, phase: PhaseId, places: Places) -> Resolved:
    """Turn what was written into phases of this roadmap; what is archived or shipped waits for nothing."""
    wanted = list(places.order[: places.place[phase]]) if wait.everything else []
    unknown: list[tuple[PhaseId, str]] = []
    for dependency in wait.single:
        if dependency in places.place:
            wanted.append(dependency)
        elif not places.has_settled(dependency, dependency):
            unknown.append((dependency, dependency))
    for first, last in wait.ranges:
        inside = places.between(first, last)
        wanted += [dependency for dependency in inside if dependency != phase]
        if not inside and not places.has_settled(first, last):
            unknown.append((last, f"{first}-{last}"))
    known = tuple(dict.fromkeys(dependency for dependency in wanted if dependency != phase))
    lowest = places.ascending[0][0]
    earlier = tuple(text for last, text in unknown if sort_key(last) < lowest)
    return Resolved(known, tuple(text for _, text in unknown if text not in earlier), phase in wanted, earlier)


class Resolved(Struct, frozen=True):
    known: tuple[PhaseId, ...]
    unknown: tuple[str, ...]
    itself: bool
    earlier: tuple[str, ...] = ()  # numbers below all of this roadmap: of a milestone before it


def _collect(lists: Sequence[str]) -> Wait:
    single: list[PhaseId] = []
    ranges: list[tuple[PhaseId, PhaseId]] = []
    for found in (found for text in lists for found in _ONE.finditer(text)):
        if found[2]:
            ranges.append((normalise(found[1]), normalise(found[2])))
        else:
            single.append(normalise(found[1]))
    return Wait(tuple(dict.fromkeys(single)), tuple(ranges), understood=bool(single or ranges))


def _without_brackets(text: str) -> str:
    depth, kept = 0, []
    for char in text:
        if char in "([":
            depth += 1
        elif char in ")]":
            depth = max(0, depth - 1)
        elif not depth:
            kept.append(char)
    return "".join(kept)
