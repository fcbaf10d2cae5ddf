"""What phases wait for, said outside of their sections: a column of a table, or a section on dependencies.

Such a section holds sentences ("Phase 2 depends on Phase 1"), arrows ("Phase 1 → Phase 2, 3"), or a drawing. The field
of a phase goes before all of them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.planning.roadmap.dependency import Wait, parse_depends
from autopilot.planning.roadmap.drawing import drawn_edges
from autopilot.planning.roadmap.fields import DEPENDS
from autopilot.planning.roadmap.language import names_dependencies
from autopilot.planning.roadmap.phase_id import ID, normalise
from autopilot.planning.roadmap.section import Section
from autopilot.planning.roadmap.table import cell, find_tables, row_phase
from autopilot.text.lazy_regex import lazy_regex
from autopilot.text.lines import Line, heading

COLUMNS = (*DEPENDS, "depends-on", "deps", "requires", "waits for")
_SENTENCE = lazy_regex(
    rf"\W*Phase\s+({ID})(?!\w|\.[0-9])[^→;]{{0,80}}?\b(?:depends?\s+on|requires|needs|waits\s+for|builds\s+on|after)\b(.*)\Z",
    re.IGNORECASE,
)
_NODE = lazy_regex(rf"([A-Za-z]\w{{0,20}})\s?[\[({{]{{1,2}}\"?\s?Phase\s+({ID})(?!\w)", re.IGNORECASE)
_ARROW = lazy_regex(r"(?:-{1,3}>|={1,3}>|[─━-]{0,8}[→⟶➜►▶])(?:\|[^|\n]{0,60}\|)?")
_DEPENDENCIES = lazy_regex(r"\bdependenc(?:y|ies)\b", re.IGNORECASE)
_BARE = lazy_regex(rf"\W*(?:P|Phases?\s+)?({ID})(?!\w|\.[0-9])\W*\Z", re.IGNORECASE)


UNREAD_DRAWING = "this part of the drawing was not understood: write a `Depends on` line for these phases"


class Elsewhere(Struct, frozen=True):
    waits: dict[PhaseId, tuple[int, Wait]]  # with the line it was read in
    unread: tuple[int, ...] = ()  # lines of drawings that were not understood


def waits_elsewhere(lines: Sequence[Line], sections: Iterable[Section]) -> Elsewhere:
    inside = {line.number for section in sections for line in section.body}
    outside = [line for line in lines if line.number not in inside]
    waits: dict[PhaseId, tuple[int, Wait]] = {}
    unread: list[int] = []
    for part in dependency_sections(outside):
        edges, missed = _edges(part)
        unread += missed
        for phase, number, before in edges:
            first, known = waits.get(phase, (number, Wait()))
            waits[phase] = (first, known.joined(before))
    return Elsewhere(waits | {phase: (number, wait) for phase, number, wait in _in_tables(outside)}, tuple(unread))


def drop_circles(
    settled: Sequence[tuple[Phase, list[Complaint]]], soft: Container[PhaseId], path: str
) -> list[tuple[Phase, list[Complaint]]]:
    """A dependency read in a drawing or a table never closes a circle: there the fields are right."""
    waits = {phase.id: set(phase.depends_on) for phase, _ in settled}
    kept: list[tuple[Phase, list[Complaint]]] = []
    for phase, complaints in settled:
        circular = [id for id in phase.depends_on if phase.id in soft and phase.id in _reached(id, waits)]
        waits[phase.id] -= set(circular)
        more = [
            Complaint(path, phase.line, f"phase {phase.id} would wait for {id} in a circle: ignored") for id in circular
        ]
        rest = tuple(id for id in phase.depends_on if id not in circular)
        kept.append((replace(phase, depends_on=rest), [*complaints, *more]))
    return kept


def _reached(start: PhaseId, waits: Mapping[PhaseId, set[PhaseId]]) -> set[PhaseId]:
    seen, left = {start}, [start]
    while left:
        new = waits.get(left.pop(), set()) - seen
        seen |= new
        left += new
    return seen


def _in_tables(lines: Sequence[Line]) -> Iterator[tuple[PhaseId, int, Wait]]:
    for table in find_tables(lines):
        if "phase" in table.columns and table.column(*COLUMNS) is not None:
            for row in table.rows:
                if (phase := row_phase(table, row)) and (text := cell(table, row, *COLUMNS)):
                    yield phase, row.line.number, parse_depends(text)


def dependency_sections(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines below each heading that speaks of dependencies, code fences included: drawings stand in them."""
    level, kept = 0, list[Line]()
    for line in lines:
        found = heading(line)
        if level and found and found.level <= level:
            yield kept
            level = 0
        if not level and found and (_DEPENDENCIES.search(found.text) or names_dependencies(found.text)):
            level, kept = found.level, []
        elif level:
            kept.append(line)
    if level:
        yield kept


def _edges(part: Sequence[Line]) -> tuple[list[tuple[PhaseId, int, Wait]], list[int]]:
    found: list[tuple[PhaseId, int, Wait]] = []
    left: list[Line] = []
    nodes = {node[1]: normalise(node[2]) for line in part for node in _NODE.finditer(line.text[:500])}
    for line in part:
        sentences = [match for clause in line.text[:500].split(";") if (match := _SENTENCE.match(clause))]
        chain = [_phases(piece, nodes) for piece in _ARROW.split(line.text[:500])]
        if sentences:
            found += [(normalise(match[1]), line.number, parse_depends(match[2])) for match in sentences]
        elif len(chain) > 1 and all(chain):
            found += [(phase, line.number, Wait(before)) for before, after in pairwise(chain) for phase in after]
        else:
            left.append(line)
    drawn, missed = drawn_edges(left)
    found += [(after, number, Wait((before,))) for before, after, number in drawn]
    return found, missed


def _phases(piece: str, nodes: dict[str, PhaseId]) -> tuple[PhaseId, ...]:
    """The phases one side of an arrow names, and nothing but them."""
    plain = re.sub(r"\([^()\n]{0,200}\)|\[[^\[\]\n]{0,200}\]|[`*;]", "", piece).strip()
    if plain in nodes:
        return (nodes[plain],)
    if bare := _BARE.match(plain):
        return (normalise(bare[1]),)
    if not re.match(r"\W*Phases?\s+[0-9]", plain, re.IGNORECASE):
        return ()
    return parse_depends(plain).single
