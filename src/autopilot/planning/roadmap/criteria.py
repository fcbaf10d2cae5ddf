"""The success criteria of a phase: listed under a label or a heading, in a table, or one sentence after the label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.planning.roadmap.section import CRITERIA, field_of, is_criteria, until_next
from autopilot.planning.roadmap.table import Table, cell, find_tables
from autopilot.text.lines import Line, heading, items

_UNMISTAKABLE = ("success criterion", "success criteria", "acceptance criterion", "acceptance criteria")
_PLAIN = ("criterion", "criteria")
_COMMAND = "verified by"


class _Label(Struct, frozen=True):
    line: Line
    sentence: str  # after the label
    under: tuple[Line, ...]


def criteria_items(body: Sequence[Line]) -> list[tuple[Line, str]]:
    """Every criterion with its line, in the order of the file."""
    label = _find_label(body)
    under = _numbers(label)
    tables = [table for table in find_tables(body) if _column(table, under) is not None]
    # With header and rule: a table may follow an item without a blank line.
    cut = {row.line.number - back for table in tables for row in table.rows for back in range(3)}
    found = list(items([line for line in label.under if line.number not in cut])) if label else []
    found += [read for table in tables for read in _rows(table, _column(table, under))]
    if label and label.sentence and not any(line.number in under for line, _ in found):
        found.append((label.line, label.sentence))
    return sorted(found, key=lambda read: read[0].number)


def unread_criteria(body: Sequence[Line]) -> Iterator[tuple[Line, str]]:
    """What stands where criteria are expected and was not read, with the reason."""
    label = _find_label(body)
    under = _numbers(label)
    if label and any(_column(table, under) is None for table in find_tables(label.under)):
        yield label.line, "a table of success criteria without a column `Criterion` is not read"
    elif label and any(line.text.strip() and not line.hidden for line in label.under) and not criteria_items(body):
        yield label.line, "no success criterion was read here: list them, or give a table a column `Criterion`"
    for table in find_tables(body):
        if (column := _column(table, under)) is not None:
            yield from _unread_code(table, column)


def _unread_code(table: Table, column: int) -> Iterator[tuple[Line, str]]:
    """A command in a column that is not read would be lost."""
    read = (column, table.column(_COMMAND))
    for row in table.rows:
        pairs = enumerate(zip(table.columns, row.cells, strict=False))
        if names := [name for index, (name, text) in pairs if index not in read and "`" in text]:
            yield row.line, f"the column `{names[0]}` of the success criteria is not read: call it `Verified by`"
            return


def _find_label(body: Sequence[Line]) -> _Label | None:
    for index, line in enumerate(body):
        found, label = heading(line), field_of(line)
        if found and is_criteria(found.text):
            return _Label(line, "", tuple(until_next(body[index + 1 :], under_heading=True)))
        if label and label[0] in CRITERIA:
            return _Label(line, label[1], tuple(until_next(body[index + 1 :], under_heading=False)))
    return None


def _numbers(label: _Label | None) -> frozenset[int]:
    return frozenset(line.number for line in label.under) if label else frozenset()


def _column(table: Table, under: frozenset[int]) -> int | None:
    """Which column holds the criteria. Without a label a table of criteria may just as well compare libraries."""
    labelled = any(row.line.number in under for row in table.rows[:1])
    return table.column(*_UNMISTAKABLE, *(_PLAIN if labelled else ()))


def _rows(table: Table, column: int | None) -> Iterator[tuple[Line, str]]:
    for row in table.rows:
        text = row.cells[column].strip() if column is not None and column < len(row.cells) else ""
        command = cell(table, row, _COMMAND)
        if text:
            yield row.line, (f"{text} -- verified by: {command}" if command else text).replace("\\|", "|")
