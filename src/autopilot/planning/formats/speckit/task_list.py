"""The boxes of a tasks.md: ``- [ ] T012 [P] [US2] Text with a path``, below headings such as ``## Phase 2: Setup``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.model.planning.criterion import criterion_id
from autopilot.model.planning.plan import Task
from autopilot.model.policy import Commands
from autopilot.planning.formats.named_paths import paths_in
from autopilot.planning.plan.criterion import parse_criterion
from autopilot.text.lines import Line, heading, lines_below, scan_lines

BOX = re.compile(r"^(\s{0,40})(?:[-*+]|[0-9]{1,4}[.)])\s{1,9}\[([ xX✓✔~-])\]\s{1,9}(.*)$")
# "- [ ]T012", "-[ ] T012", "- [] T012", "[x] T012": meant as a box, and none that the tool would tick.
_ALMOST = re.compile(r"^\s{0,40}(?:[-*+]|[0-9]{1,4}[.)])?\s{0,9}\[\s{0,3}[xX✓✔~-]?\s{0,3}\](?![(\[:])\s{0,9}\S")
_ID = re.compile(r"(?:\*\*)?(T[0-9]{1,5}[A-Za-z]?)(?![A-Za-z0-9])(?:\*\*)?[:.]?\s{0,9}")
_TAG = re.compile(r"\[(P|(?:US|Story ?)[0-9]{1,3}[A-Za-z]?)\]\s{0,9}", re.IGNORECASE)
# Lists below these are about the work, and no work: also as headings in Chinese and Japanese.
_ABOUT = re.compile(
    r"\W{0,4}(?:format|path conventions?|dependenc|parallel|implementation strategy|notes?\b|summary|execution order|"
    r"格式|依赖|依存|并行|並列|実装戦略|实施策略|备注|注意|总结|概要|まとめ)",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"\s{0,3}\*\*(Goal|Purpose|Independent Test|Checkpoint)\*{0,2}\s{0,3}:\s{0,3}\*{0,2}(.{1,2000})\Z", re.IGNORECASE
)
_LONGEST = 4000
_TITLE = 200  # characters: every task of the section is shown with it


class Listed(Struct, frozen=True):
    """One box, with what stands below it."""

    id: str
    mark: str
    text: str
    line: Line
    below: tuple[Line, ...]
    section: int  # the how-manieth heading of the second level
    parallel: bool
    story: str


class Section(Struct, frozen=True):
    title: str
    fields: tuple[str, ...]  # "Goal: …"

    def __str__(self) -> str:
        return "\n".join((f"Part of: {self.title}", *self.fields)) if self.title else "\n".join(self.fields)


def read_boxes(text: str) -> tuple[tuple[Listed, ...], tuple[Section, ...]]:
    """Every task in the order of the file, and the sections that they stand in."""
    lines = scan_lines(text)
    sections: list[Section] = [Section("", ())]
    found: list[Listed] = []
    counts: set[str] = set()
    is_about, ordinal, inner = False, 0, 0
    for index, line in enumerate(lines):
        if title := heading(line):
            if title.level <= 2:
                is_about = bool(_ABOUT.match(title.text))
                sections.append(Section(title.text.strip("* ")[:_TITLE], ()))
            continue
        if field := None if line.hidden else _FIELD.match(line.text):
            last = sections[-1]
            sections[-1] = Section(last.title, (*last.fields[:5], f"{field[1]}: {field[2].strip()}"))
        box = None if line.hidden or is_about else BOX.match(line.text)
        if not box or line.number <= inner:
            continue
        ordinal += 1
        below = _below(lines, index)
        inner = below[-1].number if below else 0
        id, rest = _id(box[3], ordinal, counts)
        tags, plain = _tags(rest)
        counts.add(id)
        story = next((tag for tag in tags if tag != "P"), "")
        found.append(Listed(id, box[2], plain[:_LONGEST], line, below, len(sections) - 1, "P" in tags, story))
    return tuple(found), tuple(sections)


def unread_boxes(text: str) -> tuple[int, ...]:
    """The lines that were meant as boxes: what they ask for is in no task."""
    found: list[int] = []
    is_about = False
    for line in scan_lines(text):
        if title := heading(line):
            is_about = bool(_ABOUT.match(title.text)) if title.level <= 2 else is_about
        elif not line.hidden and not is_about and _ALMOST.match(line.text) and not BOX.match(line.text):
            found.append(line.number)
    return tuple(found)


def make_tasks(boxes: Sequence[Listed], sections: Sequence[Section], path: str, commands: Commands) -> Iterator[Task]:
    """``[P]`` tasks of a section that follow each other share a wave; any other opens one of its own."""
    wave, before = 0, None
    for box in boxes:
        together = before is not None and before.parallel and box.parallel and before.section == box.section
        wave, before = wave if together else wave + 1, box
        below = "\n".join(line.text.strip() for line in box.below)
        criterion, _ = parse_criterion(box.text, criterion_id(box.id, 1), box.line.number, commands, path)
        about = (box.text, below, str(sections[box.section]), f"User story: {box.story}" if box.story else "")
        yield Task(
            box.id,
            box.text[:200],
            files=paths_in(f"{box.text}\n{below}"),
            action="\n\n".join(part for part in about if part)[: 2 * _LONGEST],
            criteria=(criterion,) if criterion.is_runnable else (),
            done=box.text,
            wave=wave,
            line=box.line.number,
            path=path,
        )


def _below(lines: Sequence[Line], index: int) -> tuple[Line, ...]:
    """What is indented deeper than the box, up to the next line that is not; boxes with ids are tasks of their own."""
    own, kept = lines[index].indent, []
    for line in lines_below(lines, index):
        nested = BOX.match(line.text)
        is_task = nested is not None and _ID.match(nested[3]) is not None
        if not line.text.strip() or line.indent <= own or is_task or heading(line):
            break
        kept.append(line)
    return tuple(kept)


def _id(text: str, ordinal: int, taken: set[str]) -> tuple[str, str]:
    """Its own id; of one without, or with one that is used before, its number in the file."""
    found = _ID.match(text)
    if found and found[1] not in taken:
        return found[1], text[found.end() :]
    return f"box-{ordinal}", text[found.end() :] if found else text


def _tags(text: str) -> tuple[list[str], str]:
    tags, position = [], 0
    while found := _TAG.match(text, position):
        tags.append(found[1].upper())
        position = found.end()
    return tags, text[position:].strip()
