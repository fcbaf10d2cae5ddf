"""Where each phase stands in a roadmap: the lines of its section, of its checklist entries, of its table rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.fields import fields_of
from autopilot.planning.roadmap.scan import checklist, lines_in_use
from autopilot.planning.roadmap.section import Section, find_sections
from autopilot.planning.roadmap.standing.progress import progress_tables
from autopilot.planning.roadmap.table import Row, Table, row_phase
from autopilot.text.lines import Line, heading

_RULE = re.compile(r"^\s{0,3}([-*_])(?:\s{0,3}\1){2,80}\s*$")
_LISTED = re.compile(r"^\s*(?:[-*+]|\d+[.)]|\|)\s")


class Block(Struct, frozen=True):
    """Lines by their index in the file, the last one excluded."""

    start: int
    end: int


class Place(Struct, frozen=True):
    """A row of a progress table."""

    index: int
    row: Row
    table: Table


class Layout(Struct, frozen=True):
    raw: tuple[str, ...]  # the lines as they are in the file, line ends of Windows included
    lines: tuple[Line, ...]  # as they are read; in English
    sections: Mapping[PhaseId, Section]
    blocks: Mapping[PhaseId, Block]  # a section from its heading to its last line that says something
    boxes: Mapping[PhaseId, tuple[Block, ...]]
    rows: Mapping[PhaseId, tuple[Place, ...]]
    twice: frozenset[PhaseId]  # numbers with more than one section
    shipped: frozenset[PhaseId] = frozenset()  # numbers that archived phases had, be they used again or not
    last: Section | None = None  # in the file, archived or not: how a phase is written here

    def is_blank(self, index: int) -> bool:
        return not self.raw[index].strip()

    def is_rule(self, index: int) -> bool:
        return not self.lines[index].hidden and _RULE.match(self.lines[index].text) is not None

    def gap_before(self, index: int) -> int:
        """Where the empty lines and rules begin that stand before a line."""
        while index > 0 and (self.is_blank(index - 1) or self.is_rule(index - 1)):
            index -= 1
        return index

    def gap_after(self, index: int) -> int:
        while index < len(self.raw) and (self.is_blank(index) or self.is_rule(index)):
            index += 1
        return index

    def has_rule(self, start: int, end: int) -> bool:
        return any(self.is_rule(index) for index in range(start, end))

    def has_section_at(self, index: int) -> bool:
        return any(block.start <= index < block.end for block in self.blocks.values())


@lru_cache(maxsize=4)  # one edit asks several times
def lay_out(text: str, current: PhaseId | None = None) -> Layout:
    lines = lines_in_use(text, current)
    found, _ = find_sections(lines)
    sections: dict[PhaseId, Section] = {}
    twice: set[PhaseId] = set()
    for section in found:
        if not section.start.archived and sections.setdefault(section.phase, section) is not section:
            twice.add(section.phase)
    boxes: dict[PhaseId, tuple[Block, ...]] = {}
    listed = checklist(lines, found)
    for box in listed:
        if not box.line.archived:
            boxes[box.phase] = (*boxes.get(box.phase, ()), _with_what_hangs_below(lines, box.line))
    return Layout(
        raw=tuple(text.split("\n")),
        lines=lines,
        sections=sections,
        blocks={id: Block(section.start.number - 1, _end(section)) for id, section in sections.items()},
        boxes=boxes,
        rows=_rows(lines),
        twice=frozenset(twice),
        last=found[-1] if found else None,
        shipped=frozenset(
            (
                *(section.phase for section in found if section.start.archived),
                *(box.phase for box in listed if box.line.archived),
            )
        ),
    )


def _end(section: Section) -> int:
    """Behind its last line that says something about it: rules and the footer of the whole file are not its own."""
    body = list(section.body)
    for position, line in enumerate(body):
        if not line.hidden and _RULE.match(line.text) and not any(map(_speaks, body[position + 1 :])):
            body = body[:position]
            break
    while body and not body[-1].text.strip():
        body.pop()
    return body[-1].number if body else section.start.number


def _speaks(line: Line) -> bool:
    return bool(heading(line) or fields_of(line) or (not line.hidden and _LISTED.match(line.text)))


def _with_what_hangs_below(lines: Sequence[Line], start: Line) -> Block:
    end = start.number
    while end < len(lines) and lines[end].text.strip() and lines[end].indent > start.indent:
        end += 1
    return Block(start.number - 1, end)


def _rows(lines: Sequence[Line]) -> dict[PhaseId, tuple[Place, ...]]:
    found: dict[PhaseId, tuple[Place, ...]] = {}
    for table in progress_tables(lines):
        for row in table.rows:
            if not row.line.archived and (id := row_phase(table, row)):
                found[id] = (*found.get(id, ()), Place(row.line.number - 1, row, table))
    return found
