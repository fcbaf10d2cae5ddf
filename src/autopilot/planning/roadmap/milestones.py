"""The milestones of a roadmap: headings above its phases, entries of a list, a column of its progress table.

GSD writes all three: ``### 🚧 v1.1 Security (In Progress)``, ``- 🚧 **v1.1 Security** — Phases 5-6 (in progress)``, and
a table with a column `Milestone`; what is shipped it leaves in the list and in the summary of a ``<details>``. Of a
phase its own field ``**Milestone**:`` decides first, then the heading that it stands below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from autopilot.model.planning.milestone import Course, Milestone
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.fields import fields_of
from autopilot.planning.roadmap.phase_id import sort_key
from autopilot.planning.roadmap.scan import Scan
from autopilot.planning.roadmap.section import phase_heading
from autopilot.planning.roadmap.shipped import spans_in
from autopilot.planning.roadmap.standing.milestone import OWN_FIELDS, own_field
from autopilot.planning.roadmap.standing.progress import progress_tables
from autopilot.planning.roadmap.table import row_phase
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import Line, heading

_LONGEST = 400
_VERSION = (
    r"(v[0-9]{1,4}(?:\.[0-9]{1,4}){0,3}(?:-(?!v[0-9])[a-z][a-z0-9.]{0,20})?|Milestone\s[0-9]{1,3}(?:\.[0-9]{1,3})?)"
    r"(?![\w.]*\w)"
)
_TITLE = lazy_regex(
    rf"(?:[^\w\n]|ℹ){{0,12}}(?:Milestone:?\s{{1,3}}(?=v))?{_VERSION}[\s:–—-]{{0,4}}([^\n]*)", re.IGNORECASE
)
_ENTRY = lazy_regex(r"^\s{0,3}[-*+]\s(?:\[[ xX]\]\s)?")
# What follows a name: its phases, its state, a date, a link to its archive.
_BEHIND = lazy_regex(r"\*\*|[(（\[→]|->|\s[–—-]\s|\bPhases?\s[0-9]", re.IGNORECASE)
_SHIPPED = lazy_regex(r"✅|✔|\b(?:shipped|completed?|done|released|archived)\b", re.IGNORECASE)
_CURRENT = lazy_regex(r"🚧|🎯|🔄|\b(?:in progress|in flight|current|active|ongoing)\b", re.IGNORECASE)
_PLANNED = lazy_regex(r"📋|🔜|⏳|\b(?:planned|future|upcoming|next|later|proposed|not started)\b", re.IGNORECASE)
_PAUSED = lazy_regex(r"⏸|\b(?:paused|on hold|deferred|parked)\b", re.IGNORECASE)
_DATE = lazy_regex(r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b")
_SUMMARY = lazy_regex(r"<summary>(.{1,400}?)(?:</summary>|\Z)", re.IGNORECASE)
_LIST = lazy_regex(r"\W{0,6}milestones\b", re.IGNORECASE)


def find_milestones(lines: Sequence[Line], scan: Scan, phases: Sequence[PhaseId]) -> tuple[Milestone, ...]:
    """In the order of the file; `phases` are those that are not archived."""
    entries = list(_entries(lines, scan))
    below = _below(lines)
    columns = _columns(lines)
    whole = _whole(lines)
    found: dict[str, Milestone] = {}
    for phase in phases:
        own = _above(phase, scan, below) or _listed(phase, entries) or columns.get(phase) or whole
        if own:
            known = found.get(own.title, own)
            found[own.title] = replace(known, phases=(*known.phases, phase))
    collected = [_completed(milestone, entries) for milestone in found.values()]
    for other in (*entries, *_without_phases(lines, below)):
        if not any(_is_same(other, known) for known in collected):
            collected.append(other)
    return tuple(sorted(collected, key=lambda candidate: candidate.listed or candidate.line or len(lines)))


def _is_same(other: Milestone, known: Milestone) -> bool:
    """An entry stands for itself, and two of them may have one version; what has no entry is known by its version."""
    if other.listed:
        return other.listed == known.listed or (not known.listed and other.title.casefold() == known.title.casefold())
    return other.version.casefold() == known.version.casefold()


def read_title(text: str, *, line: int = 0, listed: int = 0) -> Milestone | None:
    """The milestone that a heading or an entry of a list is about; None where it is about something else."""
    found = _TITLE.match(text[:_LONGEST])
    if not found:
        return None
    name = _BEHIND.split(found[2], maxsplit=1)[0].strip(" *_:–—-")
    date = _DATE.search(text[:_LONGEST])
    return Milestone(
        found[1],
        name,
        course=read_course(text[:_LONGEST]),
        line=line,
        listed=listed,
        spans=tuple(spans_in(text[:_LONGEST])),
        date=date[0] if date else "",
    )


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
    if section and (own := _in_field(section.body)):
        return own
    box = scan.boxes.get(phase)
    places = (place.number for place in (section and section.start, box and box.line) if place)
    return next((below[number] for number in places if number in below), None)


def _in_field(lines: Iterable[Line]) -> Milestone | None:
    fields = (field for line in lines for field in fields_of(line))
    return next((own for name, value in fields if name in OWN_FIELDS and (own := read_title(value))), None)


def _whole(lines: Sequence[Line]) -> Milestone | None:
    """What the roadmap as a whole is about."""
    found = own_field(lines)
    return _in_field([found[0]]) if found else None


def _without_phases(lines: Sequence[Line], below: Mapping[int, Milestone]) -> Iterator[Milestone]:
    """Headings that say how their milestone stands, and summaries of what is put away."""
    yield from (own for number, own in below.items() if own.line == number and own.course)
    for line in lines:
        if found := _SUMMARY.search(line.text[:_LONGEST]):
            own = read_title(found[1], line=line.number)
            if own:
                yield replace(own, course=own.course or Course.SHIPPED)


def _entries(lines: Sequence[Line], scan: Scan) -> Iterator[Milestone]:
    """Items of the list of milestones, and elsewhere those that name phases or say how they stand."""
    inside = {line.number for section in scan.sections for line in section.body}
    is_list = False
    for line in lines:
        if found := heading(line):
            is_list = _LIST.match(found.text) is not None
        is_readable = not (line.hidden or line.archived) and line.number not in inside
        bullet = _ENTRY.match(line.text) if is_readable else None
        own = read_title(line.text[bullet.end() :], listed=line.number) if bullet else None
        if own and (is_list or own.spans or own.course):
            yield own


def _listed(phase: PhaseId, entries: Sequence[Milestone]) -> Milestone | None:
    return next(
        (
            candidate
            for candidate in entries
            if any(_is_between(phase, PhaseId(low), PhaseId(high)) for low, high in candidate.spans)
        ),
        None,
    )


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


def _completed(milestone: Milestone, entries: Sequence[Milestone]) -> Milestone:
    """With what the list says of it and its heading does not."""
    same = [entry for entry in entries if entry.version.casefold() == milestone.version.casefold()]
    exact = [other for other in same if other.name.casefold() == milestone.name.casefold()]
    other = next(iter(exact or (same if len(same) == 1 else [])), None)
    if other is None:
        return milestone
    return replace(
        milestone,
        name=milestone.name or other.name,
        course=milestone.course or other.course,
        listed=milestone.listed or other.listed,
        spans=milestone.spans or other.spans,
        date=milestone.date or other.date,
    )
