"""The text of a roadmap with a phase added, removed or moved; every other byte stays as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from autopilot.model.errors import UsageError
from autopilot.model.planning.milestone import Course
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.editing.carrying import Journey, carry_lines, crosses_heading, members_after, with_ranges
from autopilot.planning.editing.checking import BY_HAND, Intended, check_edit
from autopilot.planning.editing.layout import Block, Layout, lay_out
from autopilot.planning.editing.mentions import Mentions
from autopilot.planning.editing.new_phase import NewPhase, box_line, row_line, section_lines
from autopilot.planning.editing.renumbered_lines import Stale, renumber_lines
from autopilot.planning.editing.renumbering import Padding, Renumbering, newest
from autopilot.planning.roadmap.language import phase_word
from autopilot.planning.roadmap.milestones import read_title
from autopilot.planning.roadmap.phase_id import sort_key
from autopilot.planning.roadmap.roadmap import parse_roadmap
from autopilot.planning.roadmap.section import phase_heading
from autopilot.planning.roadmap.standing.milestone import headings_above
from autopilot.text.lines import heading


class RoadmapText(Struct, frozen=True):
    """A roadmap as it is edited: where it is, and at which phase STATE.md is."""

    text: str
    path: str
    current: PhaseId | None = None

    @property
    def layout(self) -> Layout:
        return lay_out(self.text, self.current)

    @property
    def missing_end(self) -> str:
        """What the last line lacks of a line end: with it, every line of the file is like every other."""
        return "" if self.text.endswith("\n") or not self.text else "\r\n" if "\r\n" in self.text else "\n"

    @property
    def ended(self) -> RoadmapText:
        return RoadmapText(self.text + self.missing_end, self.path, self.current)


class Written(Struct, frozen=True):
    text: str
    stale: tuple[Stale, ...] = ()


def mentions_in(roadmap: RoadmapText, renumbering: Renumbering) -> Mentions:
    return Mentions(renumbering, phase_word(roadmap.text), find_padding(roadmap.layout))


def find_padding(layout: Layout) -> Padding:
    headings = {id: layout.raw[section.start.number - 1][:40] for id, section in layout.sections.items()}
    padded = {id for id, line in headings.items() if re.search(r"\s0[0-9]", line)}
    integers = any(not sort_key(id)[2] for id in padded)
    return Padding(integers, integers or any(sort_key(id)[2] for id in padded))


def with_phase(roadmap: RoadmapText, new: NewPhase) -> str:
    """The phase behind the one that precedes it: its section, and a line wherever that one has a line."""
    layout = roadmap.ended.layout
    padded = find_padding(layout).of(new.id)
    inserts: dict[int, list[str]] = {}
    before = newest([id for id in layout.blocks if id not in layout.twice], new.id)
    anchor = newest([*layout.blocks, *layout.boxes], new.id)
    boxes, rows = (layout.boxes.get(anchor), layout.rows.get(anchor)) if anchor else (None, None)
    box = box_line(new, layout.raw[boxes[0].start], padded=padded) if boxes else ""
    # Where phases are items of a list and nothing more, so is a new one that has no more to say.
    if layout.blocks or not box or new.criteria or new.requirements:
        lines = section_lines(new, layout.sections[before] if before else layout.last, layout, padded=padded)
        position, gap = _place_in_begun_milestone(layout) or _place_for_section(layout, before)
        inserts[position] = [*gap, *lines]
    if boxes and box:
        inserts[boxes[0].end] = [box]
    if rows:
        raw = layout.raw[rows[-1].index]
        inserts[rows[-1].index + 1] = [row_line(new, rows[-1], raw, padded=padded).removesuffix("\r")]
    text = _joined(layout.raw, inserts=inserts).removesuffix(roadmap.missing_end)
    check_edit(roadmap.text, text, roadmap.path, Intended(mentions_in(roadmap, Renumbering()), frozenset({new.id})))
    return text


def without_phase(roadmap: RoadmapText, renumbering: Renumbering) -> Written:
    """Without the phases that are removed, and with the numbers of those that move up."""
    layout = roadmap.ended.layout
    _must_be_renumberable(layout, roadmap, renumbering)
    written, stale = _renumbered(roadmap, layout, renumbering)
    gone: set[int] = set()
    for id in renumbering.removed:
        if block := layout.blocks.get(id):
            gone |= _section_with_gap(layout, block)
        for box in layout.boxes.get(id, ()):
            gone |= set(range(box.start, box.end))
        gone |= {place.index for place in layout.rows.get(id, ())}
    text = _joined(written, gone=gone).removesuffix(roadmap.missing_end)
    check_edit(roadmap.text, text, roadmap.path, Intended(mentions_in(roadmap, renumbering)))
    return Written(text, tuple(found for found in stale if found.line - 1 not in gone))


def with_phases_moved(roadmap: RoadmapText, renumbering: Renumbering, journey: Journey | None = None) -> Written:
    """The phases in their new order: each place keeps its number and takes what has that number now. Over a heading
    the lines of the phase itself are carried (``journey``)."""
    layout = roadmap.ended.layout
    _must_be_renumberable(layout, roadmap, renumbering)
    if journey and crosses_border(roadmap, journey):
        return _carried(roadmap, layout, renumbering, journey)
    _must_share_a_heading(layout, renumbering)
    written, stale = _renumbered(roadmap, layout, renumbering)
    kinds = [
        {id: block for id, block in layout.blocks.items() if id in renumbering.new},
        *_by_occurrence(layout.boxes, renumbering),
        *_by_occurrence(
            {id: tuple(Block(place.index, place.index + 1) for place in rows) for id, rows in layout.rows.items()},
            renumbering,
        ),
    ]
    changes = [change for blocks in kinds for change in _permuted(blocks, written, renumbering)]
    for block, lines in sorted(changes, key=lambda change: -change[0].start):
        written[block.start : block.end] = lines
    text = "\n".join(written).removesuffix(roadmap.missing_end)
    check_edit(roadmap.text, text, roadmap.path, Intended(mentions_in(roadmap, renumbering)))
    return Written(text, tuple(stale))


def crosses_border(roadmap: RoadmapText, journey: Journey) -> bool:
    return crosses_heading(roadmap.layout, parse_roadmap(roadmap.text, roadmap.path).milestones, journey)


def _carried(roadmap: RoadmapText, layout: Layout, renumbering: Renumbering, journey: Journey) -> Written:
    before = parse_roadmap(roadmap.text, roadmap.path).milestones
    members = members_after(before, journey, renumbering)
    written, stale = _renumbered(roadmap, layout, renumbering)
    text = "\n".join(carry_lines(layout, with_ranges(written, before, members), journey))
    text = text.removesuffix(roadmap.missing_end)
    check_edit(roadmap.text, text, roadmap.path, Intended(mentions_in(roadmap, renumbering)))
    for milestone in parse_roadmap(text, roadmap.path).milestones:
        if set(milestone.phases) != members.get(milestone.title, set()):
            why = f"{milestone.called} would have phases that were not meant"
            raise UsageError(f"{roadmap.path} is written in a form that this edit would damage: {why}", BY_HAND)
    return Written(text, tuple(stale))


def _place_in_begun_milestone(layout: Layout) -> tuple[int, list[str]] | None:
    """Right below a milestone that is in progress and has no phase yet: what is added now is its first."""
    heads = [(line, found) for line in layout.lines if not line.archived and (found := heading(line))]
    for position, (line, found) in enumerate(heads):
        own = read_title(found.text)
        if own and own.course is Course.CURRENT:
            behind = (after for _, after in heads[position + 1 :] if phase_heading(after) or read_title(after.text))
            following = next(behind, None)
            if following is None or not phase_heading(following):
                return line.number, [""]
    return None


def _place_for_section(layout: Layout, before: PhaseId | None) -> tuple[int, list[str]]:
    """Where a section goes, and what stands between it and the one before: an empty line, or a rule where all have."""
    if before is None:
        return layout.gap_before(len(layout.raw)), [""]
    block = layout.blocks[before]
    above, below = layout.gap_before(block.start), layout.gap_after(block.end)
    is_ruled = layout.has_rule(block.end, below) and (
        layout.has_rule(above, block.start) or (below < len(layout.raw) and layout.has_section_at(below))
    )
    return block.end, ["", "---", ""] if is_ruled else [""]


def _section_with_gap(layout: Layout, block: Block) -> set[int]:
    """The section, and the empty lines and the rule on one side of it: those on the other side remain."""
    above = layout.gap_before(block.start)
    follows_phase = above > 0 and layout.has_section_at(above - 1)
    if layout.has_rule(above, block.start) and not follows_phase:
        return set(range(block.start, layout.gap_after(block.end)))
    return set(range(above, block.end))


def _renumbered(roadmap: RoadmapText, layout: Layout, renumbering: Renumbering) -> tuple[list[str], list[Stale]]:
    inside = {line.number for section in layout.sections.values() for line in section.body}
    inside |= {index + 1 for boxes in layout.boxes.values() for box in boxes for index in range(box.start, box.end)}
    return renumber_lines(layout.raw, layout.lines, mentions_in(roadmap, renumbering), frozenset(inside))


def _by_occurrence(places: Mapping[PhaseId, tuple[Block, ...]], renumbering: Renumbering) -> list[dict[PhaseId, Block]]:
    """The first block of each phase, then the second ones, and so on: lists stand apart."""
    own = {id: blocks for id, blocks in places.items() if id in renumbering.new}
    most = max(map(len, own.values()), default=0)
    return [{id: blocks[n] for id, blocks in own.items() if len(blocks) > n} for n in range(most)]


def _permuted(
    blocks: Mapping[PhaseId, Block], written: Sequence[str], renumbering: Renumbering
) -> list[tuple[Block, list[str]]]:
    """By rank: where the n-th smallest number stood, the n-th smallest stands again."""
    old = sorted(blocks, key=sort_key)
    new = sorted(blocks, key=lambda id: sort_key(renumbering.of(id)))
    return [
        (blocks[place], list(written[blocks[content].start : blocks[content].end]))
        for place, content in zip(old, new, strict=True)
        if place != content
    ]


def _must_be_renumberable(layout: Layout, roadmap: RoadmapText, renumbering: Renumbering) -> None:
    if not phase_word(roadmap.text) and renumbering.new:
        raise UsageError(
            f"{roadmap.path} writes the number before the word for a phase, which is not renumbered", BY_HAND
        )
    if twice := sorted(layout.twice & {*renumbering.new, *renumbering.removed}):
        raise UsageError(
            f"phase {twice[0]} has two sections in {roadmap.path}", f"give one of them a number of its own; {BY_HAND}"
        )


def _must_share_a_heading(layout: Layout, renumbering: Renumbering) -> None:
    above = headings_above(layout.lines)
    headings = {above[layout.sections[id].start.number] for id in renumbering.new if id in layout.sections}
    if len(headings) > 1:
        names = " and ".join(f'"{found[-1]}"' if found else "no heading" for found in sorted(headings)[:2])
        raise UsageError(
            f"the phases that would change places stand below different headings: {names}",
            f"name a target below the heading that it is meant for, or cut and paste its section by hand; {BY_HAND}",
        )


def _joined(
    raw: Sequence[str], *, inserts: Mapping[int, Sequence[str]] | None = None, gone: set[int] | None = None
) -> str:
    """The lines without some and with others before an index; a new line ends as its neighbour does."""
    inserts, gone = inserts or {}, gone or set()
    written: list[str] = []
    for index in range(len(raw) + 1):
        if index in inserts:
            ending = "\r" if any(line.endswith("\r") for line in written[-2:]) else ""
            written += [f"{line}{ending}" for line in inserts[index]]
        if index < len(raw) and index not in gone:
            written.append(raw[index])
    return "\n".join(written)
