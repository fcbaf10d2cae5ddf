"""What a phase waits for, read from the words after "Depends on"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import ID, normalise, sort_key

_NUMBER = rf"{ID}(?!\w|\.[0-9])"
_ITEM = rf"(?:Phases?\s+)?{_NUMBER}(?:\s*[-–—]\s*(?:Phase\s+)?{_NUMBER})?"
_JOIN = r"\s*(?:,\s*and\b|,|and\b|&|\+|/|\bor\b|;)\s*"
_LIST = re.compile(rf"\bPhase[ns]?\s+({_ITEM}(?:{_JOIN}{_ITEM})*)", re.IGNORECASE)
_BARE = re.compile(rf"\s*({_ITEM}(?:{_JOIN}{_ITEM})*)\s*+\.?\s*\Z", re.IGNORECASE)
_ONE = re.compile(rf"({_NUMBER})(?:\s*[-–—]\s*(?:Phase\s+)?({_NUMBER}))?")
_NOTHING = re.compile(
    r"\W*(?:nothing|none|no(?:\s+dependenc\w+)?|n/?a|independent|first phase|tbd)\b\W*", re.IGNORECASE
)
_ALL = re.compile(r"\ball\s++(?:the\s++)?(?:previous|prior|earlier|preceding|other|above)?\s*phases\b", re.IGNORECASE)
_MILESTONE = re.compile(r"\bv[0-9]{1,4}(?:\.[0-9]{1,6}){0,3}\b|\bmilestone\b", re.IGNORECASE)
Spans = Sequence[tuple[PhaseId, PhaseId]]  # first and last number
# A clause with one of these words speaks about a phase without waiting for it.
_REMARK = re.compile(
    r"\b(?:parallel|independent|not|without|optional\w*|unlocks|blocks|before|enables)\b", re.IGNORECASE
)


class Wait(Struct, frozen=True):
    """Dependencies as written: single numbers, ranges, or everything before."""

    single: tuple[PhaseId, ...] = ()
    ranges: tuple[tuple[PhaseId, PhaseId], ...] = ()
    everything: bool = False
    understood: bool = True
    milestone: bool = False  # nothing but a milestone is named: "v1.0 foundation"


def parse_depends(text: str) -> Wait:
    """Numbers inside brackets are reasons, not dependencies; so are later sentences that only remark on a phase."""
    plain = " ".join(_without_brackets(re.sub(r"[*_`~]", "", text)).split())
    if (
        not plain.strip("-–— .")
        or _NOTHING.fullmatch(plain)
        or re.match(r"\W*(?:nothing|none)\b", plain, re.IGNORECASE)
    ):
        return Wait()
    if _ALL.search(plain):
        return Wait(everything=True)
    clauses = re.split(r"(?<=[.]) | (?:--|[–—]) ", plain)
    kept = [clause for clause in clauses if not _REMARK.search(clause)] or clauses[:1]
    lists = [found[1] for clause in kept for found in _LIST.finditer(clause)]
    if not lists and (bare := _BARE.match(plain)):
        lists = [bare[1]]
    wait = _collect(lists)
    return Wait(milestone=True) if not wait.understood and _MILESTONE.search(plain) else wait


def resolve(wait: Wait, phase: PhaseId, order: Sequence[PhaseId], archived: Spans) -> Resolved:
    """Turn what was written into phases of this roadmap; what is archived or shipped waits for nothing."""
    before = order[: order.index(phase)]
    wanted = list(before) if wait.everything else []
    unknown: list[tuple[PhaseId, str]] = []
    for dependency in wait.single:
        if dependency in order:
            wanted.append(dependency)
        elif not _overlap(dependency, dependency, archived):
            unknown.append((dependency, dependency))
    for first, last in wait.ranges:
        inside = [dependency for dependency in order if sort_key(first) <= sort_key(dependency) <= sort_key(last)]
        wanted += [dependency for dependency in inside if dependency != phase]
        if not inside and not _overlap(first, last, archived):
            unknown.append((last, f"{first}-{last}"))
    known = tuple(dict.fromkeys(dependency for dependency in wanted if dependency != phase))
    lowest = min(map(sort_key, order))
    earlier = tuple(text for last, text in unknown if sort_key(last) < lowest)
    return Resolved(known, tuple(text for _, text in unknown if text not in earlier), phase in wanted, earlier)


class Resolved(Struct, frozen=True):
    known: tuple[PhaseId, ...]
    unknown: tuple[str, ...]
    itself: bool
    earlier: tuple[str, ...] = ()  # numbers below all of this roadmap: of a milestone before it


def _overlap(first: PhaseId, last: PhaseId, spans: Spans) -> bool:
    return any(sort_key(start) <= sort_key(last) and sort_key(first) <= sort_key(end) for start, end in spans)


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
