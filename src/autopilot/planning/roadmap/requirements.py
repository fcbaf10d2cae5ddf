"""The requirements of a phase: named in a field, listed below a label or a heading, or in a column of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autopilot.planning.roadmap.criteria_list import lines_under
from autopilot.planning.roadmap.fields import fields_at, fields_of, is_requirements
from autopilot.planning.roadmap.requirement_ids import find_ids, leading_ids, list_of_ids
from autopilot.planning.roadmap.table import cell, find_tables
from autopilot.text.lines import Line, heading, items

COLUMNS = ("requirements", "requirement", "req", "reqs", "requirement id", "requirement ids", "req id", "req ids")
_BRACKET = re.compile(r"\(([^()\n]{5,300})\)")
# What a field says that names no requirement on purpose.
_NONE = re.compile(r"\W*(?:none|nothing|n/?a|no\b|tb[da]\b|to be |all\b|see\b|-+\W*\Z|—)", re.IGNORECASE)

Found = tuple[tuple[str, ...], list[tuple[int, str]]]


def read_requirements(body: Sequence[Line]) -> Found:
    """Every id with what was passed over, by line. Without a label, items that open with a bold id are it."""
    ids: list[str] = []
    unread: list[tuple[int, str]] = []
    labels = list(_labels(body))
    for line, value, under in labels:
        named = find_ids(value)
        listed = [id for text in _listed(under) for id in leading_ids(text)] if not named.ids else []
        ids += [*named.ids, *listed]
        unread += [
            (line.number, f"requirement {id} is marked as deferred or dropped: not asked of this phase")
            for id in named.later
        ]
        if not (named.ids or named.later or listed or _NONE.match(value)) and (value or under):
            unread.append((line.number, f"no requirement id was read in: {(value or under[0].text.strip())[:80]}"))
    if not labels:
        ids = [*_bold_items(body), *_column_ids(body)] or [*_bracketed(body)]
    return tuple(dict.fromkeys(ids)), unread


def _labels(body: Sequence[Line]) -> Iterator[tuple[Line, str, tuple[Line, ...]]]:
    """Each label with the words after it and the lines below it."""
    for index, line in enumerate(body):
        title = heading(line)
        fields = fields_at(body, index) if title or fields_of(line) else []
        own = next((field for field in fields if is_requirements(field[0])), None)
        if own:
            is_last = own is fields[-1]
            yield line, own[1], lines_under(body, index, under_heading=title is not None) if is_last else ()


def _listed(under: Sequence[Line]) -> Iterator[str]:
    """Items, and rows of a table by their first cell."""
    yield from (text for _, text in items(under))
    for table in find_tables(under):
        yield from (row.cells[1].strip() for row in table.rows if len(row.cells) > 1)


def _bold_items(body: Sequence[Line]) -> Iterator[str]:
    for _, text in items(body):
        if re.match(r"\*\*\w", text) and (ids := leading_ids(text)):
            yield from (id for id in ids if re.search(r"[A-Z]-", id) and id[-1:].isalnum())


def _bracketed(body: Sequence[Line]) -> Iterator[str]:
    """``- [ ] Boil the water (REQ-TEA-01, 02)``: a bracket that holds nothing else, of names that say what they are."""
    for _, text in items(body):
        for inside in _BRACKET.findall(text):
            yield from (id for id in list_of_ids(inside) if id.startswith("REQ"))


def _column_ids(body: Sequence[Line]) -> Iterator[str]:
    for table in find_tables(body):
        if table.column(*COLUMNS) is not None:
            yield from (id for row in table.rows for id in find_ids(cell(table, row, *COLUMNS)).ids)
