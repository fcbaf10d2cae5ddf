"""Markdown tables, of how phases stand and of others, found and cut into cells without losing a byte."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import ID, normalise
from autopilot.text.lines import Line

_CELL_END = re.compile(r"(?<!\\)\|")
_ROW_PHASE = re.compile(rf"[*~\s]*(?:Phase\s+)?({ID})(?=[.:)\s*~–—-]|$)(?!\s*[-–]\s*[0-9])", re.IGNORECASE)
_VOLATILE = {"status", "plans complete", "plans", "completed", "completed on"}


class Row(Struct, frozen=True):
    line: Line
    cells: tuple[str, ...]  # with their padding: joined by "|" they are the line again


class Table(Struct, frozen=True):
    columns: tuple[str, ...]  # lower-cased header words, one per cell of a row
    rows: tuple[Row, ...]

    def column(self, *names: str) -> int | None:
        return next((self.columns.index(name) for name in names if name in self.columns), None)

    def volatile(self) -> frozenset[int]:
        """Columns that change as work proceeds."""
        return frozenset(index for index, name in enumerate(self.columns) if name in _VOLATILE)


def status_tables(lines: Sequence[Line]) -> Iterator[Table]:
    """Every table with a column "Phase" and a column "Status"."""
    return (table for table in find_tables(lines) if "phase" in table.columns and "status" in table.columns)


def find_tables(lines: Sequence[Line]) -> Iterator[Table]:
    index = 0
    while index < len(lines):
        block = _block(lines, index)
        if len(block) >= 2 and _is_rule(block[1].text):
            columns = tuple(cell.strip(" *").lower() for cell in split_cells(block[0].text))
            yield Table(columns, tuple(Row(line, split_cells(line.text)) for line in block[2:]))
        index += max(1, len(block))


def row_phase(table: Table, row: Row) -> PhaseId | None:
    """The phase a row is about: its phase cell starts with one number ("3. Name", "Phase 3: Name"), or its column #."""
    found = _ROW_PHASE.match(cell(table, row, "phase")) or _ROW_PHASE.match(cell(table, row, "#", "no."))
    return normalise(found[1]) if found else None


def cell(table: Table, row: Row, *names: str) -> str:
    index = table.column(*names)
    return row.cells[index].strip() if index is not None and index < len(row.cells) else ""


def split_cells(text: str) -> tuple[str, ...]:
    return tuple(_CELL_END.split(text))


def _block(lines: Sequence[Line], start: int) -> Sequence[Line]:
    end = start
    while end < len(lines) and not lines[end].hidden and lines[end].text.lstrip().startswith("|"):
        end += 1
    return lines[start:end]


def _is_rule(text: str) -> bool:
    return "-" in text and not text.strip().strip("|:- \t")
