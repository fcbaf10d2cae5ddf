"""The tasks of a Kiro spec: numbered boxes, in one list or below each other, some of them optional."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from autopilot.planning.formats.boxes import Box, find_boxes
from autopilot.planning.formats.found import Promise, Step
from autopilot.planning.formats.kiro.requirements import Requirements
from autopilot.planning.formats.numbering import split_number
from autopilot.text.lines import scan_lines

OPTIONAL = "optional: Kiro leaves it out unless it is asked for"
# "_Requirements: 1.2, 2.3_", "**Validates: Requirements 1.2**", "_需求: 1.1_", "Requirements: 5.1-5.7"
_NAMES = re.compile(r"[ \t]*(?:[-*+][ \t]+)?[_*]{1,2}(?P<label>[^_*:：\n]{1,40}[:：])[_*]{0,2}(?P<list>[^\n]{1,500})\Z")
_PLAIN = re.compile(r"[ \t]*(?:[-*+][ \t]+)?(?P<label>Requirements?[ \t]*[:：])(?P<list>[^\n]{1,500})\Z", re.IGNORECASE)
_ABOUT = re.compile(r"requi|validat|exigenc|anforder|требован|需求|要件|要求|요구|valida", re.IGNORECASE)
_REFERENCE = re.compile(r"(?<![\w.])([0-9]{1,3})(?:\.([0-9]{1,3}))?(?![\w.]*[0-9A-Za-z])")
_TO = re.compile(r"[ \t]*(?:-|–|to)[ \t]*")
_MOST = 200  # references of a task
_MOST_ASKED = 1_000  # criteria that they lead to
_ABOVE = 200  # characters of the box above


def parse_tasks(text: str, path: str, requirements: Requirements) -> tuple[Step, ...]:
    """A box that only holds others is no task: it is ticked with the last of them."""
    boxes = find_boxes(scan_lines(text))
    parents = _parents(boxes)
    holders = _holders(boxes, parents)
    named = requirements.by_reference()
    return tuple(_step(index, boxes, parents, path, named) for index in range(len(boxes)) if index not in holders)


def holder_lines(text: str) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The line of each box that only holds others, and the lines of those that count; inner ones first."""
    boxes = find_boxes(scan_lines(text))
    parents = _parents(boxes)
    held = _holders(boxes, parents)
    return tuple(
        (boxes[position].line, tuple(boxes[child].line for child in held[position]))
        for position in sorted(held, reverse=True)
    )


def _holders(boxes: Sequence[Box], parents: Mapping[int, int]) -> dict[int, list[int]]:
    """Boxes without words of their own below them, each with the boxes below it that are not optional."""
    held: dict[int, list[int]] = {}
    for index, parent in parents.items():
        if not _is_optional(index, boxes, parents) and not any(line.text.strip() for line in boxes[parent].body):
            held.setdefault(parent, []).append(index)
    return held


def _parents(boxes: Sequence[Box]) -> dict[int, int]:
    """By indent, or by number: "2.1" belongs to "2." in one flat list too."""
    found: dict[int, int] = {}
    numbers: dict[str, int] = {}
    for index, box in enumerate(boxes):
        number, _ = split_number(box.text)
        above = numbers.get(number.rpartition(".")[0]) if "." in number else None
        if box.parent is not None:
            found[index] = box.parent
        elif above is not None:
            found[index] = above
        if number:
            numbers[number] = index
    return found


def _is_optional(index: int, boxes: Sequence[Box], parents: Mapping[int, int]) -> bool:
    position: int | None = index
    while position is not None:
        if boxes[position].optional:
            return True
        position = parents.get(position)
    return False


def _step(
    index: int, boxes: Sequence[Box], parents: Mapping[int, int], path: str, named: Mapping[str, tuple[Promise, ...]]
) -> Step:
    box = boxes[index]
    number, name = split_number(box.text)
    above = boxes[parents[index]].text[:_ABOVE] if index in parents else ""
    asked = (promise for key in dict.fromkeys(_references(box)) for promise in named.get(key, ()))
    parts = [f"{split_number(above)[1]}: {name}" if above else name]
    parts += [line.text for line in box.body if line.text.strip()]
    return Step(
        key=number,
        name=name,
        detail="\n".join(parts),
        done=box.is_done,
        held=OPTIONAL if _is_optional(index, boxes, parents) else "",
        path=path,
        line=box.line,
        lines=(box.line,),
        criteria=tuple(dict.fromkeys(islice(asked, _MOST_ASKED))),
    )


def _references(box: Box) -> Iterator[str]:
    """The requirements that a task names, ranges written out."""
    for line in box.body:
        found = None if line.hidden else _NAMES.match(line.text[:600]) or _PLAIN.match(line.text[:600])
        if not found or not _ABOUT.search(found["label"]):
            continue
        last: tuple[str, int, int] | None = None  # requirement, criterion, where it ended
        for named in list(_REFERENCE.finditer(found["list"]))[:_MOST]:
            first, second = str(int(named[1])), int(named[2] or 0)
            between = found["list"][last[2] : named.start()] if last else ""
            if last and second and last[0] == first and _TO.fullmatch(between):
                yield from (f"{first}.{number}" for number in range(last[1] + 1, min(second, last[1] + _MOST)))
            yield f"{first}.{second}" if second else first
            last = (first, second, named.end())
