"""Everything a roadmap file says about its phases, collected once: sections, boxes, table rows."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.checklist import Box, phase_box
from autopilot.planning.roadmap.section import Oddity, Section, find_sections
from autopilot.planning.roadmap.table import cell, row_phase, says_complete, status_tables
from autopilot.text.lines import Line, scan_lines


class Standing(Struct, frozen=True):
    """What the progress table says of a phase."""

    line: int
    complete: bool


class Scan(Struct, frozen=True):
    sections: tuple[Section, ...]  # open ones, the first of each number
    repeated: tuple[Section, ...]
    boxes: dict[PhaseId, Box]  # the box that counts: one outside the archive first
    standings: dict[PhaseId, Standing]
    oddities: tuple[Oddity, ...]
    archived: tuple[PhaseId, ...]
    open_in_archive: tuple[Box, ...]

    def alone(self) -> tuple[Box, ...]:
        """Checklist lines without a section."""
        named = {section.phase for section in self.sections}
        return tuple(box for id, box in self.boxes.items() if id not in named and not box.line.archived)


def scan_roadmap(text: str) -> Scan:
    lines = scan_lines(text)
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
        tuple(first.values()),
        tuple(repeated),
        boxes,
        _standings(lines),
        tuple(odd for odd in oddities if not odd.line.archived),
        tuple(dict.fromkeys(id for id in shipped if id not in live)),
        tuple(box for box in listed if box.phase not in live and not box.ticked),
    )


def checklist(lines: Sequence[Line], sections: Sequence[Section]) -> list[Box]:
    """Phase boxes outside phase sections; inside one, such a line is a task of that phase."""
    inside = {line.number for section in sections for line in section.body}
    return [box for line in lines if line.number not in inside and (box := phase_box(line))]


def _standings(lines: Sequence[Line]) -> dict[PhaseId, Standing]:
    found: dict[PhaseId, Standing] = {}
    for table in status_tables(lines):
        for row in table.rows:
            if id := row_phase(table, row):
                found.setdefault(id, Standing(row.line.number, says_complete(cell(table, row, "status"))))
    return found
