"""Everything a roadmap file says about its phases, collected once: sections, boxes, table rows.

What stands in ``<details>`` is shipped history, unless its summary says that it is in progress, or STATE.md is at one
of its phases that is not ticked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.checklist import Box, phase_box
from autopilot.planning.roadmap.language import roadmap_lines
from autopilot.planning.roadmap.section import Oddity, Section, find_sections
from autopilot.planning.roadmap.standing.milestone import headings_above, own_version
from autopilot.planning.roadmap.standing.progress import ProgressRow, progress_rows
from autopilot.text.lines import Line

_SUMMARY = re.compile(r"<summary", re.IGNORECASE)
_GOING_ON = re.compile(r"🚧|\bin[ -]progress\b|\bcurrent\b|\bactive\b|\bongoing\b", re.IGNORECASE)
_OVER = re.compile(r"✅|\bshipped\b|\bcompleted?\b|\bpaused\b|\barchived\b|\bdeferred\b", re.IGNORECASE)


class Scan(Struct, frozen=True):
    sections: tuple[Section, ...]  # open ones, the first of each number
    repeated: tuple[Section, ...]
    boxes: dict[PhaseId, Box]  # the box that counts: one outside the archive first
    rows: dict[PhaseId, ProgressRow]  # of progress tables
    oddities: tuple[Oddity, ...]
    archived: tuple[PhaseId, ...]
    open_in_archive: tuple[Box, ...]
    above: dict[int, tuple[str, ...]]  # the headings a line stands below
    version: str = ""  # of the milestone that the whole roadmap is

    def alone(self) -> tuple[Box, ...]:
        """Checklist lines without a section."""
        named = {section.phase for section in self.sections}
        return tuple(box for id, box in self.boxes.items() if id not in named and not box.line.archived)


def scan_roadmap(text: str, current: PhaseId | None = None) -> Scan:
    """``current``: the phase STATE.md is at, unless it is over."""
    lines = lines_in_use(text, current)
    found, oddities = find_sections(lines)
    first: dict[PhaseId, Section] = {}
    repeated: list[Section] = []
    for section in found:
        if not section.start.archived and first.setdefault(section.phase, section) is not section:
            repeated.append(section)
    listed = checklist(lines, found)
    boxes: dict[PhaseId, Box] = {}
    for box in sorted(listed, key=lambda box: box.line.archived):
        boxes.setdefault(box.phase, box)
    live = first.keys() | {box.phase for box in listed if not box.line.archived}
    shipped = [section.phase for section in found] + [box.phase for box in listed]
    return Scan(
        sections=tuple(first.values()),
        repeated=tuple(repeated),
        boxes=boxes,
        rows=progress_rows(lines),
        oddities=tuple(odd for odd in oddities if not odd.line.archived),
        archived=tuple(dict.fromkeys(id for id in shipped if id not in live)),
        open_in_archive=tuple(box for box in listed if box.phase not in live and not box.ticked),
        above=headings_above(lines),
        version=own_version(lines),
    )


def lines_in_use(text: str, current: PhaseId | None = None) -> tuple[Line, ...]:
    """The lines of a roadmap, with an archive that is in use not marked as one."""
    return _without_archives_in_use(roadmap_lines(text), current)


def checklist(lines: Sequence[Line], sections: Sequence[Section]) -> list[Box]:
    """Phase boxes outside phase sections; inside one, such a line is a task of that phase."""
    inside = {line.number for section in sections for line in section.body}
    return [box for line in lines if line.number not in inside and (box := phase_box(line))]


def _without_archives_in_use(lines: Sequence[Line], current: PhaseId | None) -> tuple[Line, ...]:
    used = [block for block in _archives(lines) if _is_in_use(block, current)]
    opened = {line.number for block in used for line in block}
    return tuple(replace(line, archived=False) if line.number in opened else line for line in lines)


def _archives(lines: Sequence[Line]) -> Iterator[list[Line]]:
    for archived, block in groupby(lines, key=lambda line: line.archived):
        if archived:
            yield list(block)


def _is_in_use(block: Sequence[Line], current: PhaseId | None) -> bool:
    """An open box of the current phase outweighs a summary that says shipped; a section without a mark does not."""
    summary = next((line.text for line in block if _SUMMARY.search(line.text)), "")
    is_over = _OVER.search(summary) is not None
    if _GOING_ON.search(summary) and not is_over:
        return True
    sections, _ = find_sections(block)
    ticked = {box.phase: box.ticked for box in checklist(block, sections)}
    marked = {section.phase: section.mark or is_over for section in sections}
    return current is not None and not {**marked, **ticked}.get(current, True)
