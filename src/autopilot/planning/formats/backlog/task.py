"""One task file of Backlog.md: its front matter, its sections, its acceptance criteria."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from autopilot.planning.formats.boxes import Box, find_boxes
from autopilot.planning.formats.found import Promise
from autopilot.text.frontmatter import Frontmatter, parse_frontmatter
from autopilot.text.lines import Line, heading, scan_lines

_ID = re.compile(r"(?P<prefix>[A-Za-z]{1,40})-(?P<number>[0-9]{1,6}(?:\.[0-9]{1,6}){0,8})\Z")
_NUMBERED = re.compile(r"#[0-9]{1,6}[ \t]+")
_MARKER = re.compile(r"\s*<!--[^>]{0,200}-->\s*\Z")
CRITERIA = ("acceptance criteria", "definition of done")


class Id(Struct, frozen=True):
    """Case and zeros before a number do not count: ``TASK-01`` and ``task-1`` are one task."""

    prefix: str
    number: str

    def __str__(self) -> str:
        return f"{self.prefix}-{self.number}"

    @property
    def parent(self) -> Id | None:
        above, dot, _ = self.number.rpartition(".")
        return Id(self.prefix, above) if dot else None


class TaskFile(Struct, frozen=True):
    path: str
    id: Id
    front: Frontmatter
    title: str
    description: str
    plan: str
    boxes: tuple[Box, ...]  # of its criteria

    def line_of(self, key: str) -> int:
        return self.front.line_numbers.get(key, 0)

    @property
    def criteria(self) -> tuple[Promise, ...]:
        return tuple(Promise(self.path, box.line, text) for box in self.boxes if (text := _words(box)))


def parse_id(text: str) -> Id | None:
    found = _ID.match(text.strip())
    return Id(found["prefix"].lower(), _plain(found["number"])) if found else None


def parse_task_file(text: str, path: str) -> TaskFile | str:
    """The task, or why this file is none."""
    front = parse_frontmatter(text)
    if not front.lines:
        return "has no front matter: it is no task"
    if (id := parse_id(front.text_of("id"))) is None:
        return f"has no id such as task-12: `{front.text_of('id')[:40]}`"
    lines = scan_lines(text)[front.lines :]
    sections = dict(_sections(lines))
    return TaskFile(
        path,
        id,
        front,
        title=front.text_of("title") or str(id),
        description=_prose(sections.get("description", ())),
        plan=_prose(sections.get("implementation plan", ())),
        boxes=tuple(box for box in find_boxes(lines) if any(title.lower() in CRITERIA for title in box.under)),
    )


def _sections(lines: Sequence[Line]) -> Iterator[tuple[str, Sequence[Line]]]:
    """By the headings of the second level; of two alike the later one."""
    starts = [index for index, line in enumerate(lines) if (title := heading(line)) and title.level <= 2]
    for start, end in pairwise([*starts, len(lines)]):
        title = heading(lines[start])
        yield (title.text.lower() if title else ""), lines[start + 1 : end]


def _prose(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines if not _MARKER.match(line.text)).strip()


def _words(box: Box) -> str:
    more = [line.text.strip() for line in box.body if line.text.strip() and not line.hidden]
    return " ".join([_NUMBERED.sub("", box.text, count=1), *more]).strip()


def _plain(number: str) -> str:
    return ".".join(str(int(part)) for part in number.split("."))
