"""The section of one phase in a roadmap: its heading and its fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import ID, normalise
from autopilot.planning.roadmap.status_words import marked_done
from autopilot.text.lines import Heading, Line, heading

_DECORATION = re.compile(r"^[^\w(\[<{]+|~~|\*\*")
_PHASE = re.compile(
    rf"Phase\s+({ID})(?!\w|\.[0-9])\s*+(?:\(([^()]*)\))?\s*(?:(?::|[–—]|-(?!\s*[0-9]))\s*(.*))?$", re.IGNORECASE
)
_LOOKS = re.compile(rf"Phase\s+{ID}(?!\w)", re.IGNORECASE)
# Words for "phase" in other languages and forks: reported to the user, never read as phases.
_FOREIGN = re.compile(
    rf"(?:(?:фаза|этап|objective|fase|etapa|étape|stage|sprint|阶段|階段|フェーズ|단계)\s*{ID}\b|第\s*[0-9一二三四五六七八九十]+\s*(?:阶段|階段|フェーズ))",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\(\s*(?:INSERTED|COMPLETED?|DONE|SHIPPED)\b[^()]*\)\Z", re.IGNORECASE)
_MARKS = " \t✅✓✔*~\ufe0f"
_FIELD = re.compile(r"^\s*(?:[-*+]\s+)?\*\*([^*\n]{1,60}?)\s*+(:?)\*\*\s*(\([^()\n]*\))?\s*(:?)\s*(.*)$")
CRITERIA = {"success criteria", "success criterion", "success", "acceptance criteria"}


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


def find_sections(lines: Sequence[Line]) -> tuple[tuple[Section, ...], tuple[Oddity, ...]]:
    """A section ends at the next phase, at a heading of its level that is not its criteria, or with its archive."""
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
        outside = found is not None and head is not None and found.level <= head[1] and not is_criteria(found.text)
        if named or outside or (head and head[0].archived != line.archived):
            close()
            head, body = ((line, found.level, *named) if found and named else None), []
        else:
            body.append(line)
    close()
    return tuple(sections), tuple(oddities)


def phase_heading(found: Heading) -> tuple[PhaseId, str] | None:
    """Number and name, when this heading opens a phase."""
    if not 2 <= found.level <= 4:
        return None
    matched = _PHASE.match(_DECORATION.sub("", found.text).strip())
    if not matched:
        return None
    name = (matched[3] or matched[2] or "").rstrip(_MARKS).strip()
    while name.endswith(")") and (note := _NOTE.match(name, name.rfind("("))):
        name = name[: note.start()].rstrip(_MARKS)
    return normalise(matched[1]), name or f"Phase {normalise(matched[1])}"


def read_fields(body: Sequence[Line]) -> dict[str, tuple[int, str]]:
    """Fields by lower-cased name: where they stand and their words, the lines they run on over included."""
    fields: dict[str, tuple[int, str]] = {}
    index = 0
    while index < len(body):
        found = field_of(body[index])
        if found:
            name, value = found
            parts = [value, *(line.text.strip() for line in _run_on(body[index + 1 :], body[index].indent))]
            fields.setdefault(name, (body[index].number, " ".join(word for word in parts if word)))
        index += 1
    return fields


def is_criteria(text: str) -> bool:
    return re.sub(r"\([^)\n]{0,200}+\)|[*:]", "", text).strip().lower() in CRITERIA


def field_of(line: Line) -> tuple[str, str] | None:
    found = None if line.hidden else _FIELD.match(line.text)
    if not found or not (found[2] or found[4]):
        return None
    return found[1].strip().lower(), found[5].strip()


def _run_on(rest: Sequence[Line], indent: int) -> Iterator[Line]:
    for line in rest:
        if line.hidden or not line.text.strip() or heading(line) or field_of(line):
            return
        if re.match(r"^\s*(?:[-*+]|\d+[.)])\s|^\s*[|<]|^\s*Plans:", line.text) or line.indent < indent:
            return
        yield line


def until_next(rest: Sequence[Line], under_heading: bool) -> list[Line]:
    """Lines of a criteria list: up to the next field, heading, or word that opens something else."""
    kept: list[Line] = []
    for line in rest:
        stops = heading(line) or (not under_heading and (field_of(line) or re.match(r"^(?:Plans|Wave)\b", line.text)))
        if stops or re.match(r"^\s*(?:---+|<\w+>)\s*$", line.text):
            break
        kept.append(line)
    return kept


def _odd(line: Line, found: Heading) -> Oddity | None:
    plain = _DECORATION.sub("", found.text).strip()
    foreign = 2 <= found.level <= 4 and _FOREIGN.match(plain) is not None
    return Oddity(line, found.text, foreign) if foreign or _LOOKS.match(plain) else None
