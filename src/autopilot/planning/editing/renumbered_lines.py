"""The lines of a planning file with the numbers of phases as they are after an edit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.editing.mentions import Mentions, Rewritten
from autopilot.planning.roadmap.dependency import BARE
from autopilot.planning.roadmap.elsewhere import COLUMNS, dependency_sections
from autopilot.planning.roadmap.fields import DEPENDS, fields_of
from autopilot.planning.roadmap.table import Table, find_tables, split_cells
from autopilot.text.lines import Line

UNMAPPED = "Unmapped"  # GSD's word for a requirement that no phase answers for
_PHASE_COLUMNS = {"phase", "phases"}
_NUMBERS = {"#", "no."}


class Stale(Struct, frozen=True):
    """A line that still names a phase which is gone."""

    line: int
    phase: PhaseId
    text: str


def renumber_lines(
    raw: Sequence[str], lines: Sequence[Line], mentions: Mentions, inside: frozenset[int] = frozenset()
) -> tuple[list[str], list[Stale]]:
    """``inside``: numbers of the lines that belong to a phase, where plans are named by their numbers alone."""
    tables = {row.line.number: table for table in find_tables(lines) for row in table.rows}
    outside = [line for line in lines if line.number not in inside]
    drawn = {line.number for part in dependency_sections(outside) for line in part}
    written, stale = list[str](), list[Stale]()
    for line, old in zip(lines, raw, strict=True):
        if line.archived:
            written.append(old)
            continue
        text = old.removesuffix("\r")
        if table := tables.get(line.number):
            found = _in_row(text, table, mentions)
        elif line.number in inside:
            found = _in_section(line, text, mentions)
        elif line.number in drawn or _tells_order(text, mentions):
            found = mentions.in_chain(text)
        else:
            found = mentions.in_prose(text)
        written.append(found.text + old[len(text) :])
        stale += [Stale(line.number, id, " ".join(text.split())) for id in found.stale]
    return written, stale


def _tells_order(text: str, mentions: Mentions) -> bool:
    """ "Phases execute in numeric order: 1 → 2 → 3", which is as true after two of them have changed places."""
    return not mentions.renumbering.permutes and re.search(r"\bphases?\b", text, re.IGNORECASE) is not None


def _in_section(line: Line, text: str, mentions: Mentions) -> Rewritten:
    value = next((value for name, value in fields_of(line) if name in DEPENDS), "")
    if value and BARE.match(value) and text.count(value) == 1:
        before, after = text.split(value)
        found = mentions.in_list(value)
        return Rewritten(f"{before}{found.text}{after}", found.stale)
    return mentions.in_plan_list(text)


def _in_row(text: str, table: Table, mentions: Mentions) -> Rewritten:
    cells, stale = list[str](), list[PhaseId]()
    for name, cell in _named(text, table):
        is_number = name in _NUMBERS and not _PHASE_COLUMNS.isdisjoint(table.columns)
        is_bare = name in COLUMNS and BARE.match(cell.strip()) is not None
        found = mentions.in_list(cell) if name in _PHASE_COLUMNS or is_number or is_bare else mentions.in_prose(cell)
        if name in _PHASE_COLUMNS and found.stale and _is_number(cell, mentions):
            cells.append(f" {UNMAPPED} ".ljust(len(cell)))
        else:
            cells.append(found.text)
            stale += found.stale
    return Rewritten("|".join(cells), tuple(stale))


def _named(text: str, table: Table) -> Iterator[tuple[str, str]]:
    for index, cell in enumerate(split_cells(text)):
        yield (table.columns[index] if index < len(table.columns) else ""), cell


def _is_number(cell: str, mentions: Mentions) -> bool:
    return (
        re.fullmatch(rf"(?:{mentions.word or 'Phase'})?[\s0-9.A-Z]{{1,12}}", cell.strip(" *~"), re.IGNORECASE)
        is not None
    )
