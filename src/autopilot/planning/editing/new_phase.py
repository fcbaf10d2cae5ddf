"""A new phase as lines of a roadmap, in the form of the phase it follows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.editing.layout import Layout, Place
from autopilot.planning.editing.renumbering import spell
from autopilot.planning.roadmap.phase_id import ID
from autopilot.planning.roadmap.section import Section

TO_BE_PLANNED = "[To be planned]"  # GSD's words for a goal that nobody has written yet
_LEVEL = re.compile(r"^\s{0,3}(#{2,4})(?!#)")
_WORD = re.compile(rf"(?<!\w)([^\W\d_]{{1,20}}+)(\s{{0,3}})({ID})(?!\w|\.[0-9])")
_BOX = re.compile(
    rf"^(\s{{0,3}}[-*+]\s{{1,4}})\[[^\]]\]\s{{1,4}}(\*{{0,3}})([^\W\d_]{{1,20}}+)(\s{{0,3}}){ID}(\*\*)?(\s{{0,3}}[:：–—-]?\s{{0,3}})"
)
_CELL = re.compile(rf"^(\s*+)[*~]{{0,4}}((?:[^\W\d_]{{1,20}}+\s{{1,3}})?)({ID})([.:)]?\s{{0,3}}[–—-]?\s{{0,3}})(.*)$")


class NewPhase(Struct, frozen=True):
    id: PhaseId
    name: str
    goal: str = ""
    depends_on: str = ""  # as it is to be written: "Phase 3, Phase 4"
    requirements: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    inserted: bool = False


def section_lines(new: NewPhase, like: Section | None, layout: Layout, *, padded: bool) -> list[str]:
    raw = layout.raw[like.start.number - 1] if like else ""
    level, word = _LEVEL.match(raw), _WORD.search(raw)
    inside = like is not None and any("**Goal:**" in line.text for line in like.body)
    mark = "#" * (len(level[1]) if level else 3)
    named = f"{word[1]}{word[2]}" if word else "Phase "
    number = spell(new.id, padded=padded)
    return [
        f"{mark} {named}{number}: {new.name}" + (" (INSERTED)" if new.inserted else ""),
        "",
        _field("Goal", new.goal or TO_BE_PLANNED, inside),
        _field("Depends on", new.depends_on or "Nothing (first phase)", inside),
        _field("Requirements", ", ".join(new.requirements) or "TBD", inside),
        *_criteria(new, inside),
        _field("Plans", "TBD", inside),
    ]


def _criteria(new: NewPhase, inside: bool) -> Iterator[str]:
    if new.criteria:
        yield "**Success Criteria** (what must be TRUE):" if not inside else "**Success Criteria:**"
        yield from (f"  {number}. {text}" for number, text in enumerate(new.criteria, start=1))


def _field(name: str, value: str, inside: bool) -> str:
    return f"**{name}:** {value}" if inside else f"**{name}**: {value}"


def box_line(new: NewPhase, like: str, *, padded: bool) -> str:
    """A checklist line like another one; "" where that one has a form of its own."""
    found = _BOX.match(like)
    if not found:
        return ""
    bullet, bold, word, space, early, between = found.groups()
    named = f"{word}{space}{spell(new.id, padded=padded)}"
    summary = f" - {new.goal or TO_BE_PLANNED}"
    if early:
        return f"{bullet}[ ] {bold}{named}**{between or ': '}{new.name}{summary}"
    return f"{bullet}[ ] {bold}{named}{between if between.strip() else ': '}{new.name}{bold}{summary}"


def row_line(new: NewPhase, like: Place, raw: str, *, padded: bool) -> str:
    """A row like another one, with nothing done."""
    table, cells = like.table, list(like.row.cells)
    for index, name in enumerate(table.columns[: len(cells)]):
        old = cells[index]
        if name == "phase":
            cells[index] = _fill(old, _phase_cell(old, new, padded))
        elif name in ("#", "no."):
            cells[index] = _fill(old, spell(new.id, padded=padded))
        elif name in ("name", "title"):
            cells[index] = _fill(old, new.name)
        elif name == "status":
            cells[index] = _fill(old, "Not started")
        elif name in ("plans", "plans complete"):
            cells[index] = _fill(old, "0/TBD")
        elif name not in ("", "milestone"):
            cells[index] = _fill(old, "-")
    return "|".join(cells) + ("\r" if raw.endswith("\r") else "")


def _phase_cell(old: str, new: NewPhase, padded: bool) -> str:
    found = _CELL.match(old)
    number = spell(new.id, padded=padded)
    if not found or not found[5].strip():
        return number if found else new.name
    return f"{found[2]}{number}{found[4]}{new.name.replace('|', '/')}"


def _fill(cell: str, text: str) -> str:
    return f" {text} ".ljust(len(cell))
