"""The section of one phase in a roadmap: its heading and the lines that belong to it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.fields import is_criteria, is_requirements
from autopilot.planning.roadmap.language import may_open_phase, opens_in_other_words
from autopilot.planning.roadmap.phase_id import ID, normalise
from autopilot.planning.roadmap.standing.status_words import marked_done
from autopilot.text.lines import Heading, Line, heading

_DECORATION = re.compile(r"^[^\w(\[<{]+|~~|\*\*")
_PHASE = re.compile(
    rf"Phase\s+({ID})(?!\w|\.[0-9])\s*+(?:\(([^()]*)\))?\s*(?:(?:[:：–—]|-(?!\s*[0-9]))\s*(.*))?$", re.IGNORECASE
)
_LOOKS = re.compile(rf"Phase\s+{ID}(?!\w)", re.IGNORECASE)
_NOTE = re.compile(r"\(\s*(?:INSERTED|COMPLETED?|DONE|SHIPPED)\b[^()]*\)\Z", re.IGNORECASE)
_MARKS = " \t✅✓✔*~\ufe0f"


class Section(Struct, frozen=True):
    phase: PhaseId
    name: str
    mark: bool  # the heading itself says it is done
    start: Line
    level: int
    body: tuple[Line, ...]


class Oddity(Struct, frozen=True):
    """A heading that looks like a phase and could not be read as one."""

    line: Line
    text: str
    foreign: bool

    def describe(self) -> str:
        why = (
            "is not `Phase N: …`: not read as a phase" if self.foreign else "looks like a phase but was not understood"
        )
        return f"heading `{self.text}` {why}"


def find_sections(lines: Sequence[Line]) -> tuple[tuple[Section, ...], tuple[Oddity, ...]]:
    """A section ends at the next phase, at a heading of its level that is not part of it, or with its archive."""
    sections: list[Section] = []
    oddities: list[Oddity] = []
    head: tuple[Line, int, PhaseId, str] | None = None
    body: list[Line] = []

    def close() -> None:
        if head:
            line, level, phase, name = head
            sections.append(Section(phase, name, marked_done(line.text), line, level, tuple(body)))

    for line in lines:
        found = heading(line)
        named = phase_heading(found) if found else None
        if found and not named and (odd := _odd(line, found)):
            oddities.append(odd)
        outside = found is not None and head is not None and found.level <= head[1] and not _is_part(found)
        if named or outside or (head and head[0].archived != line.archived):
            close()
            head, body = ((line, found.level, *named) if found and named else None), []
        else:
            body.append(line)
    close()
    return tuple(sections), tuple(oddities)


def phase_heading(found: Heading) -> tuple[PhaseId, str] | None:
    """Number and name, when this heading opens a phase."""
    if not may_open_phase(found):
        return None
    matched = _PHASE.match(_DECORATION.sub("", found.text).strip())
    if not matched:
        return None
    name = (matched[3] or matched[2] or "").rstrip(_MARKS).strip()
    while name.endswith(")") and (note := _NOTE.match(name, name.rfind("("))):
        name = name[: note.start()].rstrip(_MARKS)
    return normalise(matched[1]), name or f"Phase {normalise(matched[1])}"


def _is_part(found: Heading) -> bool:
    """Whether a heading of the phase's own level still speaks of it."""
    return is_criteria(found.text) or (found.level >= 3 and is_requirements(found.text))


def _odd(line: Line, found: Heading) -> Oddity | None:
    plain = _DECORATION.sub("", found.text).strip()
    # Words for "phase" that are none here, because the roadmap has another one: reported, not read.
    foreign = may_open_phase(found) and opens_in_other_words(plain)
    return Oddity(line, found.text, foreign) if foreign or _LOOKS.match(plain) else None
