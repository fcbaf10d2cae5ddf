"""The text of a roadmap with a milestone put away or begun; every other byte stays as it is.

A milestone that is shipped goes into ``<details>``, as GSD writes it: each run of its sections, and each run of its
checklist lines. Its own words stay inside, and a reader of either tool takes what is there for history.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from autopilot.model.planning.milestone import Course, Milestone
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.editing.layout import Block, Layout
from autopilot.planning.editing.roadmap_text import RoadmapText
from autopilot.planning.roadmap.milestones import read_title
from autopilot.planning.roadmap.phase_id import sort_key
from autopilot.text.lines import heading

_MARK = re.compile(r"^(\s{0,3}(?:#{1,6}|[-*+])\s+(?:\[[ xX]\]\s)?)[^\w\s*\[]{1,3}\s?")
_STATE = re.compile(
    r"\s?\((?:in progress|in flight|planned|planning|current(?: milestone)?|active|upcoming|next|future|not started"
    r"|paused)\b[^()\n]{0,80}\)",
    re.IGNORECASE,
)
_LIST = re.compile(r"\W{0,6}milestones\b", re.IGNORECASE)
_MARKS = {Course.SHIPPED: "✅", Course.CURRENT: "🚧"}


def with_milestone_shipped(roadmap: RoadmapText, milestone: Milestone, phases: Sequence[PhaseId], date: str) -> str:
    layout = roadmap.ended.layout
    raw = list(layout.raw)
    if milestone.listed:
        raw[milestone.listed - 1] = _marked(raw[milestone.listed - 1], Course.SHIPPED, f"shipped {date}")
    summary = f"{_MARKS[Course.SHIPPED]} {milestone.title}{_span(phases)} — SHIPPED {date}"
    opened: dict[int, list[str]] = {}
    closed: dict[int, list[str]] = {}
    for block in _runs(layout, phases):
        start = _with_heading(layout, block, milestone)
        if start < block.start:
            raw[start] = _marked(raw[start], Course.SHIPPED, f"shipped {date}")
        opened[start] = ["<details>", f"<summary>{summary}</summary>", ""]
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
    opened: dict[int, list[str]] = {}
    if not milestone.listed:
        position, lines = _new_list(layout, f"- 🚧 **{milestone.title}** (in progress)")
        opened[position] = lines
    if not milestone.line and not milestone.phases:
        position = _place_for_heading(layout)
        opened[position] = [*opened.get(position, []), f"### 🚧 {milestone.title} (In Progress)", ""]
    return _written(raw, opened, {}).removesuffix(roadmap.missing_end)


def _runs(layout: Layout, phases: Sequence[PhaseId]) -> Iterator[Block]:
    """Lines of its phases that stand together, as one block each; what belongs to another phase parts them."""
    own = [layout.blocks[id] for id in phases if id in layout.blocks]
    boxes = [box for id in phases for box in layout.boxes.get(id, ())]
    yield from _joined(own, layout)
    yield from _joined([box for box in boxes if not layout.has_section_at(box.start)], layout)


def _joined(blocks: Iterable[Block], layout: Layout) -> list[Block]:
    runs: list[Block] = []
    for block in sorted(blocks, key=lambda block: block.start):
        if runs and layout.gap_after(runs[-1].end) >= block.start:
            runs[-1] = Block(runs[-1].start, block.end)
        else:
            runs.append(block)
    return runs


def _with_heading(layout: Layout, block: Block, milestone: Milestone) -> int:
    """From the milestone's own heading on, where its phases are the first thing below it."""
    above = next((line for line in reversed(layout.lines[: block.start]) if heading(line)), None)
    found = heading(above) if above else None
    own = read_title(found.text) if found else None
    return above.number - 1 if above and own and own.version == milestone.version else block.start


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
            return layout.gap_before(end), [entry]
    first = next((index for index, found in heads if found.level > 1), layout.gap_before(len(layout.raw)))
    return first, ["## Milestones", "", entry, ""]


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
