"""The text of a roadmap with a milestone put away or begun; every other byte stays as it is.

A milestone that is shipped goes into ``<details>``, as GSD writes it: each run of its sections, and each run of its
checklist lines. Its own words stay inside, and a reader of either tool takes what is there for history. Boxes of what
is done are ticked: an open one would bring its phase back where STATE.md is at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from autopilot.model.planning.milestone import Course, Milestone
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.planning.editing.layout import Block, Layout
from autopilot.planning.editing.roadmap_text import RoadmapText
from autopilot.planning.roadmap.milestones import read_title
from autopilot.planning.roadmap.phase_id import sort_key
from autopilot.planning.roadmap.standing.milestone import own_field
from autopilot.text.lines import Line, heading

_MARK = re.compile(r"^(\s{0,3}(?:#{1,6}|[-*+])\s+(?:\[[ xX]\]\s)?)[^\w\s*\[]{1,3}\s?")
_EMPTY_BOX = re.compile(r"^(\s{0,3}[-*+]\s{1,4})\[ \]")
_WORDS = (
    r"(?:in progress|in flight|planned|planning|current(?: milestone)?|active|upcoming|next|future|not started"
    r"|paused)\b"
)
_STATE = re.compile(rf"\s?\({_WORDS}[^()\n]{{0,80}}\)|\s{{1,3}}[-–—]{{1,3}}\s{{1,3}}{_WORDS}\s*\Z", re.IGNORECASE)
_ITEM = re.compile(r"\s{0,3}[-*+]\s")
_LIST = re.compile(r"\W{0,6}milestones\b", re.IGNORECASE)
_MARKS = {Course.SHIPPED: "✅", Course.CURRENT: "🚧"}


def with_milestone_shipped(roadmap: RoadmapText, milestone: Milestone, own: Sequence[Phase], date: str) -> str:
    layout = roadmap.ended.layout
    raw = list(layout.raw)
    phases = [phase.id for phase in own]
    for box in (box for phase in own if not phase.dropped for box in layout.boxes.get(phase.id, ())):
        raw[box.start] = _EMPTY_BOX.sub(r"\1[x]", raw[box.start])
    if milestone.listed:
        raw[milestone.listed - 1] = _marked(raw[milestone.listed - 1], Course.SHIPPED, f"shipped {date}")
    summary = f"{_MARKS[Course.SHIPPED]} {milestone.title}{_span(phases)} — SHIPPED {date}"
    opened: dict[int, list[str]] = {}
    closed: dict[int, list[str]] = {}
    for block in _runs(layout, phases, milestone):
        if _is_heading_of(layout.lines[block.start], milestone):
            raw[block.start] = _marked(raw[block.start], Course.SHIPPED, f"shipped {date}")
        opened[block.start] = ["<details>", f"<summary>{summary}</summary>", ""]
        closed[block.end] = ["", "</details>"]
    if not milestone.listed:
        position, lines = _new_list(layout, f"- ✅ **{milestone.title}** —{_span(phases, '')} (shipped {date})")
        opened[position] = [*lines, *opened.get(position, [])]
    return _written(raw, opened, closed).removesuffix(roadmap.missing_end)


def with_milestone_begun(roadmap: RoadmapText, milestone: Milestone) -> str:
    """The mark of one that is there already, or a heading behind everything that belongs to phases."""
    layout = roadmap.ended.layout
    raw = list(layout.raw)
    for number in filter(None, (milestone.line, milestone.listed)):
        raw[number - 1] = _marked(
            raw[number - 1], Course.CURRENT, "In Progress" if number == milestone.line else "in progress"
        )
    if own := own_field(layout.lines):  # "**Milestone:** v1.0 — Name" above all phases
        line, version = own
        start = raw[line.number - 1].index(version)
        ending = "\r" if raw[line.number - 1].endswith("\r") else ""
        raw[line.number - 1] = f"{raw[line.number - 1][:start]}{milestone.title}{ending}"
    opened: dict[int, list[str]] = {}
    if not milestone.listed:
        position, lines = _new_list(layout, f"- 🚧 **{milestone.title}** (in progress)")
        opened[position] = lines
    if not milestone.line and not milestone.phases:
        position = _place_for_heading(layout)
        gap = [""] if position and raw[position - 1].strip() else []
        opened[position] = [*opened.get(position, []), *gap, f"{_level(layout)} 🚧 {milestone.title} (In Progress)", ""]
    return _written(raw, opened, {}).removesuffix(roadmap.missing_end)


def _runs(layout: Layout, phases: Sequence[PhaseId], milestone: Milestone) -> list[Block]:
    """Lines of its phases that stand together, as one block each; what belongs to another phase parts them."""
    own = [layout.blocks[id] for id in phases if id in layout.blocks]
    boxes = [box for id in phases for box in layout.boxes.get(id, ()) if not layout.has_section_at(box.start)]
    runs = [_with_heading(layout, run, milestone) for blocks in (own, boxes) for run in _joined(blocks, layout)]
    found: list[Block] = []
    for run in sorted(runs, key=lambda run: run.start):
        if found and run.start < found[-1].end:  # the checklist and the sections below one heading
            found[-1] = Block(found[-1].start, max(found[-1].end, run.end))
        else:
            found.append(run)
    return found


def _joined(blocks: Iterable[Block], layout: Layout) -> list[Block]:
    runs: list[Block] = []
    for block in sorted(blocks, key=lambda block: block.start):
        if runs and layout.gap_after(runs[-1].end) >= block.start:
            runs[-1] = Block(runs[-1].start, block.end)
        else:
            runs.append(block)
    return runs


def _with_heading(layout: Layout, block: Block, milestone: Milestone) -> Block:
    """From the milestone's own heading on, where its phases are the first thing below it."""
    above = next((line for line in reversed(layout.lines[: block.start]) if heading(line)), None)
    is_own = above is not None and _is_heading_of(above, milestone)
    return Block(above.number - 1, block.end) if above and is_own else block


def _is_heading_of(line: Line, milestone: Milestone) -> bool:
    found = heading(line)
    own = read_title(found.text) if found else None
    return own is not None and own.version == milestone.version


def _marked(raw: str, course: Course, state: str) -> str:
    """The line with another sign before and another state behind its name; its own words stay."""
    ending = "\r" if raw.endswith("\r") else ""
    text = raw.removesuffix("\r").rstrip()
    text = _STATE.sub("", _MARK.sub(r"\1", text, count=1), count=1)
    found = re.match(r"\s{0,3}(?:#{1,6}|[-*+])\s+(?:\[[ xX]\]\s)?", text)
    cut = found.end() if found else 0
    return f"{text[:cut]}{_MARKS[course]} {text[cut:]} ({state}){ending}"


def _new_list(layout: Layout, entry: str) -> tuple[int, list[str]]:
    """A list of milestones is begun, or gets a line more; its place is before the first part of the roadmap."""
    heads = [(line.number - 1, found) for line in layout.lines if (found := heading(line)) and not line.archived]
    for index, found in heads:
        if found.level > 1 and _LIST.match(found.text):
            end = next((other for other, _ in heads if other > index), len(layout.raw))
            return _end_of_list(layout, index + 1, end, entry)
    first = next((index for index, found in heads if found.level > 1), layout.gap_before(len(layout.raw)))
    return first, ["## Milestones", "", entry, ""]


def _end_of_list(layout: Layout, start: int, end: int, entry: str) -> tuple[int, list[str]]:
    """Behind the last item and what is indented below it; what follows, be it prose or history, stays behind."""
    own = [line for line in layout.lines[start:end] if not line.hidden and not line.archived]
    items = [line.number for line in own if _ITEM.match(line.text)]
    if not items:
        return layout.gap_before(end), ["", entry]
    last = items[-1]
    while last < end and layout.raw[last].strip() and layout.raw[last][:1] in " \t":
        last += 1
    return last, [entry]


def _level(layout: Layout) -> str:
    """That of the phases, as GSD writes it: a deeper heading would not have them below it."""
    found = heading(layout.last.start) if layout.last else None
    return "#" * min(found.level if found else 3, 3)


def _place_for_heading(layout: Layout) -> int:
    """Before the progress table, or at the end."""
    last = max((block.end for block in layout.blocks.values()), default=0)
    heads = [line for line in layout.lines if (found := heading(line)) and found.level <= 2 and not line.archived]
    tables = [line.number - 1 for line in heads if "progress" in line.text.casefold() and line.number > last]
    return tables[0] if tables else layout.gap_before(len(layout.raw))


def _written(raw: Sequence[str], opened: dict[int, list[str]], closed: dict[int, list[str]]) -> str:
    written: list[str] = []
    for index in range(len(raw) + 1):
        for lines in (closed.get(index, ()), opened.get(index, ())):
            ending = "\r" if any(line.endswith("\r") for line in raw[:3]) else ""
            written += [f"{line}{ending}" for line in lines]
        written += raw[index : index + 1]
    return "\n".join(written)


def _span(phases: Sequence[PhaseId], brackets: str = "()") -> str:
    if not phases:
        return ""
    first, last = min(phases, key=sort_key), max(phases, key=sort_key)
    text = f"Phase {first}" if first == last else f"Phases {first}-{last}"
    return f" ({text})" if brackets else f" {text}"
