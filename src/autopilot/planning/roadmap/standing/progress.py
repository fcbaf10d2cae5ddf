"""Progress tables: what their rows say of each phase, with the columns that real files shift."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.standing.status_words import is_status, says_complete
from autopilot.planning.roadmap.table import Row, Table, cell, row_phase, status_tables
from autopilot.text.lines import Line

_COUNTS = re.compile(r"\s*([0-9]{1,4})\s?/\s?([0-9]{1,4})(?![0-9/])")
# Columns that make it a table of other things, in which a phase only says where each belongs.
_SUBJECTS = {
    "requirement",
    "requirements",
    "req",
    "req id",
    "req-id",
    "id",
    "criterion",
    "task",
    "plan",
    "test",
    "issue",
}
_PROSE = {"name", "title", "goal", "description", "notes", "requirements", "depends on", "gate"}


class ProgressRow(Struct, frozen=True):
    """What a progress table says of one phase."""

    line: int
    status: str
    done: int = 0  # plans
    planned: int = 0

    @property
    def complete(self) -> bool:
        """A count alone says so too, where no status is written."""
        return says_complete(self.status) or (not self.status.strip(" -–—") and 0 < self.planned <= self.done)


def progress_rows(lines: Sequence[Line]) -> dict[PhaseId, ProgressRow]:
    """By phase what the first table about it says; of several rows in one table, the first that is not complete."""
    found: dict[PhaseId, ProgressRow] = {}
    for table in progress_tables(lines):
        here: dict[PhaseId, ProgressRow] = {}
        for row in table.rows:
            if (id := row_phase(table, row)) and (id not in here or here[id].complete):
                here[id] = _progress(table, row)
        found = {**here, **found}
    return found


def progress_tables(lines: Sequence[Line]) -> Iterator[Table]:
    """Tables of how phases stand, and not of other things that belong to phases."""
    return (
        table for table in status_tables(lines) if not _SUBJECTS & set(table.columns[: table.columns.index("phase")])
    )


def _progress(table: Table, row: Row) -> ProgressRow:
    """GSD leaves out a column now and then: a status that is a date or a count is looked for in its neighbours."""
    first = table.columns.index("phase") + 1
    named = zip(row.cells[first:], (*table.columns[first:], *("" for _ in row.cells)), strict=False)
    others = [text.strip() for text, name in named if name not in _PROSE]
    status = cell(table, row, "status")
    if not is_status(status):
        status = next((text for text in others if is_status(text)), "" if status[:1].isdigit() else status)
    counts = next((count for text in others if (count := _COUNTS.match(text))), None)
    return ProgressRow(row.line.number, status, *(map(int, counts.groups()) if counts else ()))
