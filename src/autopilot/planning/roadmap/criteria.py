"""The success criteria of a phase: listed under labels or headings, in a table, or one sentence after the label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.planning.roadmap.criteria_list import is_open, lines_under, list_items, open_items
from autopilot.planning.roadmap.fields import CRITERIA, fields_at, fields_of, is_criteria
from autopilot.planning.roadmap.table import Table, cell, find_tables
from autopilot.text.lines import Line, heading

_UNMISTAKABLE = ("success criterion", "success criteria", "acceptance criterion", "acceptance criteria")
_PLAIN = ("criterion", "criteria")
_COMMAND = "verified by"


class _Label(Struct, frozen=True):
    line: Line
    sentence: str  # after the label
    under: tuple[Line, ...]


def criteria_items(body: Sequence[Line]) -> list[tuple[Line, str]]:
    """Every criterion with its line, in the order of the file."""
    labels = _find_labels(body)
    under = _numbers(labels)
    tables = [table for table in find_tables(body) if _column(table, under) is not None]
    # With header and rule: a table may follow an item without a blank line.
    cut = {row.line.number - back for table in tables for row in table.rows for back in range(3)}
    found = [read for table in tables for read in _rows(table, _column(table, under))]
    rows = {line.number for line, _ in found}
    for label in labels:
        listed = list(list_items([line for line in label.under if line.number not in cut]))
        if not listed and label.sentence and not is_open(label.sentence) and rows.isdisjoint(_numbers([label])):
            listed = [(label.line, label.sentence)]
        found += listed
    return sorted(found, key=lambda read: read[0].number)


def unread_criteria(body: Sequence[Line]) -> Iterator[tuple[Line, str]]:
    """What stands where criteria are expected and was not read, with the reason."""
    labels = _find_labels(body)
    under = _numbers(labels)
    read = {line.number for line, _ in criteria_items(body)}
    for label in labels:
        named = [line for line in (label.line, *label.under) if line.text.strip() and not line.hidden]
        if is_open(label.sentence) or any(open_items(label.under)):
            yield label.line, "the success criteria are still to be written: nothing is read here"
        elif any(_column(table, under) is None for table in find_tables(label.under)):
            yield label.line, "a table of success criteria without a column `Criterion` is not read"
        elif len(named) > 1 and not any(line.number in read for line in named):
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


def _find_labels(body: Sequence[Line]) -> list[_Label]:
    """Labels in turn; one that stands below another of them belongs to that list."""
    found: list[_Label] = []
    last = 0
    for index, line in enumerate(body):
        title = heading(line)
        if line.number <= last:
            continue
        if title and is_criteria(title.text):
            found.append(_Label(line, "", lines_under(body, index, under_heading=True)))
        elif (label := fields_of(line)) and label[-1][0] in CRITERIA:
            sentence = fields_at(body, index)[-1][1] if label[-1][1] else ""
            found.append(_Label(line, sentence, lines_under(body, index, under_heading=False)))
        last = max((line.number for label in found[-1:] for line in label.under), default=last)
    return found


def _numbers(labels: Sequence[_Label]) -> frozenset[int]:
    return frozenset(line.number for label in labels for line in label.under)


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
