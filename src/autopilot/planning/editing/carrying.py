"""The text of a roadmap with a phase carried below another heading: from one milestone to another.

Within one milestone phases change places, and places keep their numbers. Over a heading that would push a third phase
into the other milestone. So its lines are cut out, with the gap above them, and put beside the phase that the user
names; all others stay where they are, with the number that they have then. Carried back, every byte is as it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from autopilot.model.errors import UsageError
from autopilot.model.planning.milestone import Milestone
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.editing.checking import BY_HAND
from autopilot.planning.editing.layout import Block, Layout
from autopilot.planning.editing.renumbering import Renumbering, inserted_after
from autopilot.planning.roadmap.phase_id import sort_key
from autopilot.planning.roadmap.standing.milestone import headings_above
from autopilot.planning.roadmap.table import split_cells

_RANGE = re.compile(r"(\bPhases?\s+)([0-9]+)(\s*(?:[-–—]|to|through)\s*)([0-9]+)(?![\w.])", re.IGNORECASE)
_MILESTONE = "milestone"


class Journey(Struct, frozen=True):
    """Which phase goes where; its number is the old one."""

    phase: PhaseId
    target: PhaseId
    before: bool


def crosses_heading(layout: Layout, milestones: Sequence[Milestone], journey: Journey) -> bool:
    """Whether phase and target stand below different headings, or belong to different milestones by any other sign."""
    above, ends = headings_above(layout.lines), (journey.phase, journey.target)
    headings = {above[layout.sections[id].start.number] for id in ends if id in layout.sections}
    return len(headings) > 1 or len({home_of(id, milestones) for id in ends}) > 1


def home_of(phase: PhaseId, milestones: Sequence[Milestone]) -> str:
    return next((milestone.title for milestone in milestones if phase in milestone.phases), "")


def carry_lines(layout: Layout, written: Sequence[str], journey: Journey) -> list[str]:
    """Section, checklist lines and table rows of the phase beside those of its target; ``written``: renumbered."""
    lines = list(written)
    cuts = [*_of_sections(layout, journey), *_of_boxes(layout, journey), *_of_rows(layout, lines, journey)]
    for cut, position in cuts:
        others = [other for other, _ in cuts if other is not cut]
        if any(cut.start < other.end and other.start < cut.end for other in others) or any(
            other.start < position < other.end for other, _ in cuts
        ):
            why = f"the lines of phase {journey.phase} stand inside one another: list, section or table"
            raise UsageError(why, BY_HAND)
    pieces = {position: lines[cut.start : cut.end] for cut, position in cuts}
    gone = {index for cut, _ in cuts for index in range(cut.start, cut.end)}
    carried: list[str] = []
    for index in range(len(lines) + 1):
        carried += pieces.get(index, [])
        carried += lines[index : index + 1] if index not in gone else []
    return carried


Cut = tuple[Block, int]  # lines, and before which they go


def _of_sections(layout: Layout, journey: Journey) -> list[Cut]:
    if journey.phase not in layout.blocks:
        return []
    if journey.target not in layout.blocks:
        why = f"phase {journey.target} has no section that the one of phase {journey.phase} could be put beside"
        raise UsageError(why, BY_HAND)
    own, other = (_whole(layout, id) for id in (journey.phase, journey.target))
    position = layout.gap_before(other.start) if journey.before else other.end
    return [(Block(layout.gap_before(own.start), own.end), position)]


def _whole(layout: Layout, phase: PhaseId) -> Block:
    """The section with those of its decimals, which go with it."""
    ids = [phase, *inserted_after(layout.blocks, phase)]
    blocks = sorted((layout.blocks[id] for id in ids), key=lambda block: block.start)
    for block, following in pairwise(blocks):
        if layout.gap_after(block.end) < following.start:
            why = f"something else stands between phase {phase} and what was inserted after it"
            raise UsageError(why, BY_HAND)
    return Block(blocks[0].start, blocks[-1].end)


def _of_boxes(layout: Layout, journey: Journey) -> list[Cut]:
    """List by list: the first line of each, then the second ones."""
    own, other = (layout.boxes.get(id, ()) for id in (journey.phase, journey.target))
    pairs = [(a, b) for a, b in zip(own, other, strict=False) if not layout.has_section_at(a.start)]
    decimals = [box for id in inserted_after(layout.boxes, journey.phase) for box in layout.boxes[id]]
    if pairs and decimals:
        raise UsageError(f"phase {journey.phase} has decimals in a checklist, which are not carried", BY_HAND)
    behind = inserted_after(layout.boxes, journey.target)
    last = [max((b, *(layout.boxes[id][0] for id in behind)), key=lambda box: box.end) for _, b in pairs]
    return [(a, b.start if journey.before else end.end) for (a, b), end in zip(pairs, last, strict=True)]


def _of_rows(layout: Layout, lines: list[str], journey: Journey) -> list[Cut]:
    """A row takes the milestone of the one it is put beside."""
    cuts: list[Cut] = []
    for own, other in zip(*(layout.rows.get(id, ()) for id in (journey.phase, journey.target)), strict=False):
        column = own.table.column(_MILESTONE)
        cells, like = list(split_cells(lines[own.index])), split_cells(lines[other.index])
        if column is not None and column < min(len(cells), len(like)):
            old, new = cells[column].strip(), like[column].strip()
            cells[column] = cells[column].replace(old, new, 1) if old else f" {new} "
            lines[own.index] = "|".join(cells)
        behind = [layout.rows[id][0].index for id in inserted_after(layout.rows, journey.target)]
        position = other.index if journey.before else max((other.index, *behind)) + 1
        cuts.append((Block(own.index, own.index + 1), position))
    return cuts


def members_after(milestones: Sequence[Milestone], journey: Journey, renumbering: Renumbering) -> dict[str, set[str]]:
    """By title: the phases that each milestone has then."""
    going = {id for id in _all(milestones) if id == journey.phase or id.startswith(f"{journey.phase}.")}
    home = home_of(journey.target, milestones)
    found: dict[str, set[str]] = {}
    for milestone in milestones:
        stays = {PhaseId(id) for id in milestone.phases} - going
        members = stays | going if milestone.title == home else stays
        found[milestone.title] = {renumbering.of(id) for id in members}
        if milestone.phases and not members:
            why = f"{milestone.called} would have no phase left"
            raise UsageError(why, "move another phase there first, or remove the milestone by hand")
    return found


def _all(milestones: Sequence[Milestone]) -> set[PhaseId]:
    return {PhaseId(id) for milestone in milestones for id in milestone.phases}


def with_ranges(lines: Sequence[str], milestones: Sequence[Milestone], members: dict[str, set[str]]) -> list[str]:
    """The titles of milestones with the first and last number that they have now."""
    written = list(lines)
    for milestone in milestones:
        numbers = sorted({sort_key(PhaseId(id))[0] for id in members.get(milestone.title, ())})
        for number in filter(None, (milestone.line, milestone.listed)):
            found = _RANGE.search(written[number - 1])
            if numbers and found and milestone.spans:
                ends = f"{found[1]}{numbers[0]}{found[3]}{numbers[-1]}"
                line = written[number - 1]
                written[number - 1] = f"{line[: found.start()]}{ends}{line[found.end() :]}"
    return written
