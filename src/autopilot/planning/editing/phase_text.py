"""The text of a roadmap with one phase edited: its name, a field, its criteria."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from autopilot.model.errors import UsageError
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.editing.checking import BY_HAND
from autopilot.planning.editing.layout import Layout
from autopilot.planning.editing.roadmap_text import RoadmapText
from autopilot.planning.roadmap.criteria import criteria_items
from autopilot.planning.roadmap.dependency import parse_depends
from autopilot.planning.roadmap.fields import CRITERIA, DEPENDS, GOAL, fields_of, is_requirements, run_on
from autopilot.planning.roadmap.phase_id import ID, normalise
from autopilot.planning.roadmap.section import Section

_ITEM = re.compile(r"^(\s*)(?:[-*+]|(\d{1,3})([.)]))(\s+)(.*)$")
_LABELS = {"goal": "Goal", "depends_on": "Depends on", "requirements": "Requirements"}
_NUMBER = re.compile(rf"(?<![\w.]){ID}(?!\w|\.[0-9])")


class PhaseChange(Struct, frozen=True):
    """What is to be said of a phase; None: as it is."""

    name: str | None = None
    goal: str | None = None
    depends_on: str | None = None  # as it is to be written
    requirements: str | None = None
    criteria: tuple[str, ...] = ()  # to be added

    @property
    def fields(self) -> frozenset[str]:
        named = [name for name in ("name", "goal", "depends_on", "requirements") if getattr(self, name) is not None]
        return frozenset((*named, *(["criteria"] if self.criteria else [])))


def with_change(roadmap: RoadmapText, phase: PhaseId, change: PhaseChange, old_name: str) -> str:
    text = roadmap.text
    for name in ("goal", "depends_on", "requirements"):
        value = getattr(change, name)
        if value is not None:
            text = _with_field(RoadmapText(text, roadmap.path, roadmap.current), phase, name, value)
    if change.criteria:
        text = _with_criteria(RoadmapText(text, roadmap.path, roadmap.current), phase, change.criteria)
    if change.name is not None:
        text = _with_name(RoadmapText(text, roadmap.path, roadmap.current), phase, old_name, change.name)
    return text


def with_another_dependency(roadmap: RoadmapText, lines: Mapping[PhaseId, int], on: PhaseId, also: PhaseId) -> str:
    """``also`` beside ``on``, wherever these lines name it."""
    raw = list(roadmap.layout.raw)
    for number in lines.values():
        for found in _NUMBER.finditer(raw[number - 1]):
            if normalise(found[0]) == on and on in parse_depends(f"Phase {raw[number - 1][found.start() :]}").single:
                line = raw[number - 1]
                raw[number - 1] = f"{line[: found.end()]}, {also}{line[found.end() :]}"
                break
    return "\n".join(raw)


def without_criteria(roadmap: RoadmapText, phase: PhaseId, numbers: Sequence[int]) -> tuple[str, tuple[str, ...]]:
    """The text without these criteria, counted from 1, and what they say."""
    layout, section = _section(roadmap, phase)
    items = criteria_items(section.body)
    if wrong := [number for number in numbers if not 1 <= number <= len(items)]:
        raise UsageError(
            f"phase {phase} has no criterion {wrong[0]}", f"it has {len(items)}: `autopilot phase show {phase}`"
        )
    gone: set[int] = set()
    for number in numbers:
        gone |= _item_lines(layout, items[number - 1][0].number - 1)
    raw = [line for index, line in enumerate(layout.raw) if index not in gone]
    text = _recounted(RoadmapText("\n".join(raw), roadmap.path, roadmap.current), phase)
    return text, tuple(items[number - 1][1] for number in numbers)


def _with_name(roadmap: RoadmapText, phase: PhaseId, old: str, new: str) -> str:
    """In its heading, its checklist lines and its table rows."""
    layout, section = _section(roadmap, phase)
    raw = list(layout.raw)
    places = [section.start.number - 1, *(box.start for box in layout.boxes.get(phase, ()))]
    places += [place.index for place in layout.rows.get(phase, ())]
    if old not in raw[places[0]]:
        raise UsageError(f"the heading of phase {phase} has a form in which its name is not replaced", BY_HAND)
    for index in places:
        raw[index] = raw[index].replace(old, new, 1)
    return "\n".join(raw)


def _with_field(roadmap: RoadmapText, phase: PhaseId, name: str, value: str) -> str:
    layout, section = _section(roadmap, phase)
    raw = list(layout.raw)
    for position, line in enumerate(section.body):
        old = next((old for label, old in fields_of(line) if _is(label, name)), None)
        if old is None:
            continue
        index = line.number - 1
        is_last = fields_of(line)[-1][1] == old
        more = len(list(run_on(section.body, position + 1, line.indent))) if is_last else 0
        if not old or raw[index].count(old) != 1:
            raise UsageError(f"the {_LABELS[name].lower()} of phase {phase} has a form that is not edited", BY_HAND)
        raw[index : index + 1 + more] = [raw[index].replace(old, value)]
        return "\n".join(raw)
    return _with_new_field(layout, section, f"**{_LABELS[name]}**: {value}")


def _with_new_field(layout: Layout, section: Section, line: str) -> str:
    """After the last of the fields that usually precede it, else right below the heading."""
    first = (line for line in section.body if any(_is(label, name) for label, _ in fields_of(line) for name in _LABELS))
    after = max((found.number for found in first), default=section.start.number)
    raw = list(layout.raw)
    ending = "\r" if raw[after - 1].endswith("\r") else ""
    return "\n".join([*raw[:after], f"{line}{ending}", *raw[after:]])


def _with_criteria(roadmap: RoadmapText, phase: PhaseId, new: Sequence[str]) -> str:
    layout, section = _section(roadmap, phase)
    items = criteria_items(section.body)
    raw = list(layout.raw)
    if items:
        last = items[-1][0].number - 1
        form = _ITEM.match(raw[last])
        if not form:
            raise UsageError(f"the criteria of phase {phase} have a form that is not edited", BY_HAND)
        after = max(_item_lines(layout, last)) + 1
        lines = [_like(form, offset, text) for offset, text in enumerate(new, start=1)]
    else:
        labels = [line for line in section.body if any(label in CRITERIA for label, _ in fields_of(line))]
        if labels:
            raise UsageError(f"phase {phase} has a label for criteria and none that is read below it", BY_HAND)
        block = layout.blocks[phase]
        fields = [line.number for line in section.body if any(map(_is_opening, fields_of(line)))]
        after = max(fields, default=block.end)
        numbered = (f"  {number}. {text}" for number, text in enumerate(new, start=1))
        lines = ["**Success Criteria** (what must be TRUE):", *numbered]
    ending = "\r" if raw[after - 1].endswith("\r") else ""
    return "\n".join([*raw[:after], *(f"{line}{ending}" for line in lines), *raw[after:]])


def _is_opening(field: tuple[str, str]) -> bool:
    return any(_is(field[0], name) for name in _LABELS)


def _like(form: re.Match[str], offset: int, text: str) -> str:
    indent, number, mark, space, _ = form.groups()
    if number is None:
        bullet = form[0].lstrip()[:1]
        box = "[ ] " if form[5].startswith("[") else ""
        return f"{indent}{bullet}{space}{box}{text}"
    return f"{indent}{int(number) + offset}{mark}{space}{text}"


def _recounted(roadmap: RoadmapText, phase: PhaseId) -> str:
    layout, section = _section(roadmap, phase)
    raw = list(layout.raw)
    for number, (line, _) in enumerate(criteria_items(section.body), start=1):
        found = _ITEM.match(raw[line.number - 1])
        if found and found[2] is not None:
            raw[line.number - 1] = f"{found[1]}{number}{found[3]}{found[4]}{found[5]}"
    return "\n".join(raw)


def _item_lines(layout: Layout, start: int) -> set[int]:
    """An item with the lines that hang below it."""
    indent = layout.lines[start].indent
    end = start + 1
    while end < len(layout.raw) and layout.raw[end].strip() and layout.lines[end].indent > indent:
        end += 1
    return set(range(start, end))


def _section(roadmap: RoadmapText, phase: PhaseId) -> tuple[Layout, Section]:
    layout = roadmap.layout
    section = layout.sections.get(phase)
    if section is None or phase in layout.twice:
        why = "two sections" if section else "no section"
        raise UsageError(f"phase {phase} has {why} in {roadmap.path}", BY_HAND)
    return layout, section


def _is(label: str, name: str) -> bool:
    if name == "requirements":
        return is_requirements(label)
    return label in (GOAL if name == "goal" else DEPENDS)
