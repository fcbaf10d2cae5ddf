"""``.planning/STATE.md``: at which phase the project is, whether that one is over, and which others it calls complete.

GSD writes front matter (``current_phase``, ``status``) and a body (``Phase: 3 of 9 (Name)``, ``Plan: 2 of 4``,
``Status: …``); people and agents rewrite both. The body counts first: GSD makes the front matter from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.planning.roadmap.phase_id import ID, are_unrelated, normalise, sort_key
from autopilot.planning.roadmap.standing.milestone import leading_version, shipped_versions
from autopilot.planning.roadmap.standing.state_words import (
    listed_phases,
    says_all_plans,
    says_everything,
    says_over,
    status_is_over,
)
from autopilot.text.frontmatter import parse_frontmatter
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import Line, heading, scan_lines

STATE = ".planning/STATE.md"
MOST_CHARS = 400  # of a line: more is prose

_LABEL = lazy_regex(r"^\s{0,8}(?:[-*+]\s{1,4})?\**([A-Za-z ]{1,30}?)\**\s?:\s?\**\s{0,4}(.*)$")
_ROW = lazy_regex(r"^\s{0,3}\|[\s*]{0,6}([A-Za-z ]{1,30}?)[\s*]{0,6}\|([^|]*)\|\s*$")
_AT = lazy_regex(
    rf"[\W_]{{0,6}}(?:Phase\s{{1,3}})?\[?({ID})(?!\w|\.[0-9])\]?(?:\s{{0,3}}(?:of|/)\s{{0,3}}\[?({ID})\b)?",
    re.IGNORECASE,
)
_NAME = lazy_regex(r"[\s\])]{0,4}(?:\(([^()]{3,120})\)|:\s?([^()–—]{3,120}))")
_NO_NAME = lazy_regex(
    r"\b(?:plans?|planned|ready|progress|completed?|done|milestone|executing|started|pending|waves?|verified)\b",
    re.IGNORECASE,
)
_COMPLETED_LABEL = lazy_regex(r"(?:phase|objective) completed?|completed (?:phase|objective)")
_PLAN = lazy_regex(r"\W{0,4}([0-9]{1,4}\s?(?:of|/)\s?[0-9]{1,4})\b")
_COUNT = lazy_regex(r"^\s{1,8}(total_phases|completed_phases):\s{0,4}([0-9]{1,5})\s{0,4}$", re.MULTILINE)


class Position(Struct, frozen=True):
    phase: PhaseId | None = None
    name: str = ""  # of that phase, as it is called there
    doing: str = ""  # as it is shown: "plan 2 of 4, executing"
    over: bool = False  # the phase it is at is complete
    last: bool = False  # it is at the last phase there is
    everything: bool = False  # and so is every phase before it
    complete: frozenset[PhaseId] = frozenset()  # listed as complete
    ranges: tuple[tuple[PhaseId, PhaseId], ...] = ()
    counted: int = 0  # phases, by the progress in its front matter
    completed: int = 0  # of these
    shipped: frozenset[str] = frozenset()  # versions whose milestone is complete
    milestone: str = ""  # the one that is current: "v1.1"

    def calls_complete(self, phase: PhaseId) -> bool:
        key = sort_key(phase)
        if phase in self.complete or any(sort_key(low) <= key <= sort_key(high) for low, high in self.ranges):
            return True
        if self.phase is None:
            return False
        return (self.over and phase == self.phase) or (self.everything and key <= sort_key(self.phase))

    def has_passed(self, phase: PhaseId) -> bool:
        """Whether the last phase is over and this one comes before it."""
        return self.phase is not None and self.over and self.last and sort_key(phase) < sort_key(self.phase)

    def counts_as_complete(self, phases: Sequence[Phase]) -> frozenset[PhaseId]:
        """All phases up to where it is, when it counts the phases of this roadmap and that many are complete."""
        if self.counted != len(phases) or (self.phase is None and not self.everything):
            return frozenset()
        here = sort_key(self.phase) if self.phase else None
        before = {p.id for p in phases if here is None or sort_key(p.id) < here or (self.over and p.id == self.phase)}
        return frozenset(before) if self.completed >= len(before) else frozenset()

    def misnamed(self, phases: Sequence[Phase]) -> Phase | None:
        """The phase of its number with quite another name: an old file tells of a milestone that counted the same."""
        named = (phase for phase in phases if phase.id == self.phase)
        return next((phase for phase in named if are_unrelated(self.name, phase.name)), None)


def parse_position(text: str) -> Position:
    front = parse_frontmatter(text)
    lines = [line for line in scan_lines(text)[front.lines :] if not line.hidden]
    labels = _labels(lines)
    place = _find_place(labels, front.text_of("current_phase"))
    statuses = (labels.get("status", ""), front.text_of("status").replace("_", " "))
    texts = (*place.beside, *statuses)
    everything = any(map(says_everything, (*texts, labels.get("current focus", "")))) or (
        place.last and any(map(says_all_plans, texts))
    )
    over = [id for status in statuses if (id := status_is_over(status)) is not None]
    named = {id for id in over if id}
    # "completed" beside "Phase 7 complete, ready for phase 8" says the same of phase 7, and nothing of phase 8.
    over_here = place.phase in named if named else bool(over)
    complete, ranges = listed_phases(lines)
    counts = {name: int(count) for name, count in _COUNT.findall(text[:4000])}
    return Position(
        place.phase,
        place.name or front.text_of("current_phase_name"),
        _doing(labels, statuses),
        over=everything or any(map(says_over, place.beside)) or over_here,
        last=place.last,
        everything=everything,
        complete=frozenset((*complete, *_labelled(lines), *place.behind, *map(PhaseId, named))),
        ranges=ranges,
        counted=counts.get("total_phases", 0),
        completed=counts.get("completed_phases", 0),
        shipped=shipped_versions(lines),
        milestone=front.text_of("milestone") or _milestone(labels),
    )


def _milestone(labels: Mapping[str, str]) -> str:
    named = (labels.get(name, "") for name in ("current milestone", "milestone"))
    return next((version for text in named if (version := leading_version(text)) and not says_over(text)), "")


class _Place(Struct, frozen=True):
    phase: PhaseId | None
    name: str = ""
    last: bool = False  # of as many as it counts
    beside: tuple[str, ...] = ()  # what stands beside it
    behind: tuple[PhaseId, ...] = ()  # what another label still names, as complete


def _find_place(labels: Mapping[str, str], current: str) -> _Place:
    """GSD keeps ``Current Phase`` where there is one, and ``Phase`` otherwise; a file with both may have an old one."""
    named = [labels.get(name, "") for name in ("current phase", "phase", "active phase")]
    found = [place for text in (*named, current, labels.get("current focus", "")) if (place := _AT.match(text))]
    if not found:
        return _Place(None, beside=tuple(named))
    phase = normalise(found[0][1])
    own = [place for place in found if normalise(place[1]) == phase]
    others = [place for place in found if normalise(place[1]) != phase and says_over(place.string[place.end() :])]
    return _Place(
        phase,
        next((name for place in own if (name := _name(place))), ""),
        any(place[2] is not None and normalise(place[2]) == phase for place in own),
        tuple(place.string[place.end() :] for place in own if place.string in named),
        tuple(normalise(place[1]) for place in others),
    )


def _labels(lines: Sequence[Line]) -> dict[str, str]:
    """``Label: value``, what stands below a heading of that name, rows of two cells; the first of each label."""
    found: dict[str, str] = {}
    for name, value in (*_written(lines), *_below_headings(lines), *_in_rows(lines)):
        found.setdefault(name.strip().lower(), value.strip())
    return found


def _labelled(lines: Sequence[Line]) -> Iterator[PhaseId]:
    """``Phase complete: 3 — Name``, once for each phase."""
    for name, value in _written(lines):
        if _COMPLETED_LABEL.fullmatch(name.strip().lower()) and (found := _AT.match(value)):
            yield normalise(found[1])


def _written(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    return ((found[1], found[2]) for line in lines if (found := _LABEL.match(line.text[:MOST_CHARS])))


def _in_rows(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    return ((found[1], found[2]) for line in lines if (found := _ROW.match(line.text[:MOST_CHARS])))


def _below_headings(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    for index, line in enumerate(lines):
        title = heading(line)
        name, _, value = title.text.partition(":") if title else ("", "", "")
        if name.lower().strip(" *") in ("current phase", "active phase", "current position"):
            following = next((after.text for after in lines[index + 1 : index + 4] if after.text.strip()), "")
            yield "current phase", (value.strip() or following)[:MOST_CHARS]


def _name(found: re.Match[str]) -> str:
    named = _NAME.match(found.string, found.end())
    name = (named[1] or named[2] or "").strip() if named else ""
    return "" if _NO_NAME.search(name) else name


def _doing(labels: Mapping[str, str], statuses: Sequence[str]) -> str:
    plan = _PLAN.match(labels.get("plan", ""))
    status = next((status for status in statuses if status), "").strip(" *_").lower()
    short = re.split(r"[.;(–—]|\s--?\s", status, maxsplit=1)[0].strip(" *_")[:40]
    return ", ".join(part for part in (f"plan {plan[1]}" if plan else "", short) if part)
