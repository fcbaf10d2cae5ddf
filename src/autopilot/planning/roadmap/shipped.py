"""Phases that lists of milestones call shipped: "✅ v1.2 Tea (Phases 7-10) - shipped", a row `| 1-4 | … | Complete |`.

Numbers go on over milestones, so the first phase of a roadmap often depends on one that is only listed so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import ID, normalise
from autopilot.planning.roadmap.section import Section
from autopilot.planning.roadmap.standing.status_words import says_complete
from autopilot.planning.roadmap.table import find_tables
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import Line

_SPAN = rf"({ID})(?!\w|\.[0-9])(?:\s*(?:[-–—]|to|through)\s*(?:Phase\s+)?({ID})(?!\w|\.[0-9]))?"
_PHASES = lazy_regex(rf"\bPhases?\s+{_SPAN}", re.IGNORECASE)
_MORE = lazy_regex(rf"\s*(?:,|&|\+|/|and\b)\s*{_SPAN}", re.IGNORECASE)
_CELL = lazy_regex(rf"[*~\s]*(?:Phases?\s+)?{_SPAN}[*~\s]*\Z", re.IGNORECASE)
_DONE = lazy_regex(r"[✅✓✔☑]|\[x\]|\b(?:shipped|completed?|done|archived|released)\b", re.IGNORECASE)
_GOING_ON = lazy_regex(r"🚧|📋|⏳|\b(?:in progress|planned|planning|active|current|next|upcoming)\b", re.IGNORECASE)
_LONGEST = 600

Spans = tuple[tuple[PhaseId, PhaseId], ...]


def shipped_spans(lines: Sequence[Line], sections: Iterable[Section]) -> Spans:
    """First and last number of every run of phases that is called shipped outside of the sections of phases."""
    inside = {line.number for section in sections for line in section.body}
    outside = [line for line in lines if line.number not in inside and not line.hidden]
    return (*_in_lines(outside), *_in_tables(outside))


def _in_lines(lines: Iterable[Line]) -> Iterator[tuple[PhaseId, PhaseId]]:
    for line in lines:
        text = line.text[:_LONGEST]
        if text.lstrip().startswith("|") or not _DONE.search(text) or _GOING_ON.search(text):
            continue
        yield from spans_in(text)


def spans_in(text: str) -> Iterator[tuple[PhaseId, PhaseId]]:
    """ "Phases 3-7, 9 and 11": first and last number of each."""
    for found in _PHASES.finditer(text):
        yield _pair(found)
        end = found.end()
        while more := _MORE.match(text, end):
            yield _pair(more)
            end = more.end()


def _in_tables(lines: Sequence[Line]) -> Iterator[tuple[PhaseId, PhaseId]]:
    for table in find_tables(lines):
        column = table.column("phase", "phases")
        for row in table.rows if column is not None else ():
            found = _CELL.match(row.cells[column]) if column is not None and column < len(row.cells) else None
            if found and found[2] and any(says_complete(text) for text in row.cells):
                yield _pair(found)


def _pair(found: re.Match[str]) -> tuple[PhaseId, PhaseId]:
    return normalise(found[1]), normalise(found[2] or found[1])
