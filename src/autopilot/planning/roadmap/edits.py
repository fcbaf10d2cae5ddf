"""Span edits of a roadmap: what is touched is exactly the phase's own lines, and of those only the span concerned."""

from __future__ import annotations

import re

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.language import roadmap_lines
from autopilot.planning.roadmap.scan import checklist
from autopilot.planning.roadmap.section import find_sections
from autopilot.planning.roadmap.standing.status_words import says_complete
from autopilot.planning.roadmap.table import Table, row_phase, split_cells, status_tables

_EMPTY_BOX = re.compile(r"^(\s{0,3}[-*+]\s+)\[ \]")
_DATED = re.compile(r"\(completed\b|\bcompleted\s+[0-9]{4}-", re.IGNORECASE)


def tick_phase(text: str, phase: PhaseId, date: str) -> str:
    """Tick the phase's checklist line, mark it "(completed DATE)" once, and set its row of the progress table.

    The forms are GSD's, so that its tools go on reading the file. Doing it twice changes nothing more.
    """
    raw = text.split("\n")
    lines = roadmap_lines(text)
    sections, _ = find_sections(lines)
    own = [box for box in checklist(lines, sections) if box.phase == phase]
    # Inside <details> a box is history, unless it is the only one: STATE.md may be at a phase that stands there.
    for box in [box for box in own if not box.line.archived] or [box for box in own if not box.ticked]:
        index = box.line.number - 1
        raw[index] = _tick_line(raw[index], date)
    for table in status_tables(lines):
        for row in table.rows:
            if row_phase(table, row) == phase and not row.line.archived:
                raw[row.line.number - 1] = _complete_row(raw[row.line.number - 1], table, date)
    return "\n".join(raw)


def _tick_line(raw: str, date: str) -> str:
    ticked = _EMPTY_BOX.sub(r"\1[x]", raw)
    if _DATED.search(ticked):
        return ticked
    text = ticked.rstrip()
    return f"{text} (completed {date}){ticked[len(text) :]}"


def _complete_row(raw: str, table: Table, date: str) -> str:
    """A row that already says complete is left as it is. Its cells are those of the file: a row is read in English."""
    cells = list(split_cells(raw.removesuffix("\r")))
    status = table.column("status")
    if status is None or status >= len(cells) or says_complete(cells[status]):
        return raw
    cells[status] = _fill(cells[status], "Complete")
    plans = table.column("plans complete", "plans")
    if (
        plans is not None
        and plans < len(cells)
        and (count := re.fullmatch(r"\s*[0-9]+\s*/\s*([0-9]+)\s*", cells[plans]))
    ):
        cells[plans] = _fill(cells[plans], f"{count[1]}/{count[1]}")
    completed = table.column("completed", "completed on")
    if completed is not None and completed < len(cells):
        cells[completed] = _fill(cells[completed], date)
    return "|".join(cells) + ("\r" if raw.endswith("\r") else "")


def _fill(cell: str, text: str) -> str:
    """The words in place of the old ones, at the cell's old width where they fit."""
    return f" {text} ".ljust(len(cell))
