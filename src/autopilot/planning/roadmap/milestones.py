"""The milestones of a roadmap: headings above its phases, entries of a list, a column of its progress table.

GSD writes all three: ``### 🚧 v1.1 Security (In Progress)``, ``- 🚧 **v1.1 Security** — Phases 5-6 (in progress)``, and
a table with a column `Milestone`. The heading that a phase stands below decides first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.planning.milestone import Course, Milestone
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import sort_key
from autopilot.planning.roadmap.scan import Scan
from autopilot.planning.roadmap.section import phase_heading
from autopilot.planning.roadmap.shipped import Spans, spans_in
from autopilot.planning.roadmap.standing.progress import progress_tables
from autopilot.planning.roadmap.table import row_phase
from autopilot.text.lines import Line, heading

_LONGEST = 400
_VERSION = r"(v[0-9]{1,4}(?:\.[0-9]{1,4}){0,3}|Milestone\s[0-9]{1,3}(?:\.[0-9]{1,3})?)(?![\w.]*\w)"
_TITLE = re.compile(rf"[^\w\n]{{0,12}}(?:Milestone:?\s{{1,3}}(?=v))?{_VERSION}[\s:–—-]{{0,4}}([^\n]*)", re.IGNORECASE)
_ENTRY = re.compile(r"^\s{0,3}[-*+]\s(?:\[[ xX]\]\s)?")
# What follows a name: its phases, its state, a date, a link to its archive.
_BEHIND = re.compile(r"\*\*|[(\[→]|->|\s[–—-]\s|\bPhases?\s[0-9]", re.IGNORECASE)
_SHIPPED = re.compile(r"✅|✔|\b(?:shipped|completed?|done|released|archived)\b", re.IGNORECASE)
_CURRENT = re.compile(r"🚧|🎯|🔄|\b(?:in progress|in flight|current|active|ongoing)\b", re.IGNORECASE)
_PLANNED = re.compile(r"📋|🔜|⏳|\b(?:planned|future|upcoming|next|later|proposed|not started)\b", re.IGNORECASE)
_PAUSED = re.compile(r"⏸|\b(?:paused|on hold|deferred|parked)\b", re.IGNORECASE)


class _Entry(Struct, frozen=True):
    milestone: Milestone
    spans: Spans


def find_milestones(lines: Sequence[Line], scan: Scan, phases: Sequence[PhaseId]) -> tuple[Milestone, ...]:
    """Those with a phase that is not archived, and those of the list that are still to begin."""
    entries = list(_entries(lines))
    below = _below(lines)
    columns = _columns(lines)
    found: dict[str, Milestone] = {}
    for phase in phases:
        own = _above(phase, scan, below) or _listed(phase, entries) or columns.get(phase)
        if own:
            known = found.get(own.title, own)
            found[own.title] = replace(known, phases=(*known.phases, phase))
    told = [_completed(milestone, entries) for milestone in found.values()]
    named = {milestone.version.casefold() for milestone in told}
    waiting = [entry.milestone for entry in entries if entry.milestone.course in (Course.PLANNED, Course.CURRENT)]
    return (*told, *(each for each in waiting if each.version.casefold() not in named))


def read_title(text: str, *, line: int = 0, listed: int = 0) -> Milestone | None:
    """The milestone that a heading or an entry of a list is about; None where it is about something else."""
    found = _TITLE.match(text[:_LONGEST])
    if not found:
        return None
    name = _BEHIND.split(found[2], maxsplit=1)[0].strip(" *_:–—-")
    return Milestone(found[1], name, course=read_course(text[:_LONGEST]), line=line, listed=listed)


def read_course(text: str) -> Course:
    """In doubt the one that claims less: what is both shipped and going on is going on, what is paused is neither."""
    if _PAUSED.search(text):
        return Course.PLANNED
    if _CURRENT.search(text):
        return Course.CURRENT
    if _PLANNED.search(text):
        return Course.PLANNED
    return Course.SHIPPED if _SHIPPED.search(text) else Course.UNSAID


def _below(lines: Sequence[Line]) -> dict[int, Milestone]:
    """By the number of a line, the milestone whose heading it stands below; GSD gives phases the same level."""
    found: dict[int, Milestone] = {}
    current: Milestone | None = None
    level = 0
    for line in lines:
        head = heading(line) if not line.archived else None
        if head and (own := read_title(head.text, line=line.number)):
            current, level = own, head.level
        elif head and head.level <= level - (phase_heading(head) is not None):
            current = None
        if current:
            found[line.number] = current
    return found


def _above(phase: PhaseId, scan: Scan, below: Mapping[int, Milestone]) -> Milestone | None:
    section = next((section for section in scan.sections if section.phase == phase), None)
    box = scan.boxes.get(phase)
    places = (place.number for place in (section and section.start, box and box.line) if place)
    return next((below[number] for number in places if number in below), None)


def _entries(lines: Sequence[Line]) -> Iterator[_Entry]:
    for line in lines:
        bullet = _ENTRY.match(line.text) if not (line.hidden or line.archived) else None
        if bullet and (milestone := read_title(line.text[bullet.end() :], listed=line.number)):
            yield _Entry(milestone, tuple(spans_in(line.text[:_LONGEST])))


def _listed(phase: PhaseId, entries: Sequence[_Entry]) -> Milestone | None:
    return next((e.milestone for e in entries if any(_is_between(phase, low, high) for low, high in e.spans)), None)


def _is_between(phase: PhaseId, low: PhaseId, high: PhaseId) -> bool:
    """What was inserted after the last phase of a milestone belongs to it: "Phases 1-4" has 4.1."""
    key, last = sort_key(phase), sort_key(high)
    return sort_key(low) <= key and (key <= last or key[:2] == last[:2])


def _columns(lines: Sequence[Line]) -> dict[PhaseId, Milestone]:
    found: dict[PhaseId, Milestone] = {}
    for table in progress_tables(lines):
        column = table.column("milestone")
        for row in table.rows if column is not None else ():
            id = row_phase(table, row)
            if id and column is not None and column < len(row.cells) and (own := read_title(row.cells[column].strip())):
                found[id] = replace(own, course=Course.UNSAID)
    return found


def _completed(milestone: Milestone, entries: Sequence[_Entry]) -> Milestone:
    """With what the list says of it and its heading does not."""
    same = [entry.milestone for entry in entries if entry.milestone.version.casefold() == milestone.version.casefold()]
    exact = [other for other in same if other.name.casefold() == milestone.name.casefold()]
    other = next(iter(exact or (same if len(same) == 1 else [])), None)
    if other is None:
        return milestone
    return replace(
        milestone,
        name=milestone.name or other.name,
        course=milestone.course or other.course,
        listed=milestone.listed or other.listed,
    )
