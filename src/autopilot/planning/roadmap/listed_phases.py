"""Phases written as items of a list, with their fields below: read as if each item were a heading.

``- **Phase 1**: Name`` is an everyday line. It is taken for a phase where the file has no phase by a heading or a box,
and a field of a phase (``**Goal:**``, ``**Plans:**``) stands below one of the items.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from autopilot.planning.roadmap.phase_id import ID
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import Line, heading

_ITEM = lazy_regex(rf"[-*+]\s{{1,4}}\*\*(Phase\s{{1,3}}{ID})(?!\w|\.[0-9])([^*\n]{{0,200}})\*\*(.*)\Z", re.IGNORECASE)
_SEVERAL = lazy_regex(r"\s*(?:[-–—&+,/]|and\b|to\b)\s*(?:Phase\s+)?[0-9]", re.IGNORECASE)
_FIELD = lazy_regex(
    r"\s{1,8}(?:[-*+]\s)?\*{0,2}(?:goal|plans|depends on|requirements|success criteria)\b", re.IGNORECASE
)
_OTHER_PHASE = lazy_regex(rf"\W{{0,12}}Phase\s+{ID}(?!\w)", re.IGNORECASE)


def items_as_headings(lines: Sequence[Line]) -> tuple[Line, ...]:
    items = {line.number: found for line in lines if not line.hidden and (found := _phase_item(line))}
    if not items or not _has_field(lines, items) or any(map(_says_phase_otherwise, lines)):
        return tuple(lines)
    return tuple(
        replace(line, text=_as_heading(items[line.number])) if line.number in items else line for line in lines
    )


def _phase_item(line: Line) -> re.Match[str] | None:
    found = _ITEM.match(line.text[:400])
    return found if found and not _SEVERAL.match(found[2]) else None


def _has_field(lines: Sequence[Line], items: dict[int, re.Match[str]]) -> bool:
    """The line after an item, blank ones left out."""
    written = [line for line in lines if line.text.strip() and not line.hidden]
    after = [line for before, line in pairwise(written) if before.number in items]
    return any(_FIELD.match(line.text) for line in after)


def _says_phase_otherwise(line: Line) -> bool:
    found = heading(line)
    is_box = not line.hidden and re.match(r"\s{0,3}[-*+]\s\[.\]\s", line.text) is not None
    return bool((found and _OTHER_PHASE.match(found.text)) or (is_box and _OTHER_PHASE.match(line.text[5:])))


def _as_heading(found: re.Match[str]) -> str:
    name = f"{found[2]}{found[3]}".strip(" :–—-")
    return f"### {found[1]}: {name}" if name else f"### {found[1]}"
