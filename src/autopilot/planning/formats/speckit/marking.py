"""What was proven, ticked in tasks.md as spec-kit's own command does: ``[X]``, or ``[x]`` where the file has that."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.model.planning.outline import Proven, SpanEdit
from autopilot.planning.formats.format import Texts
from autopilot.planning.formats.marking import line_starts, tick_box
from autopilot.planning.formats.speckit.places import TASKS, features
from autopilot.planning.formats.speckit.task_list import read_boxes

_SMALL = re.compile(r"^[^\S\n]{0,40}[-*+] \[x\]", re.MULTILINE)


def mark(texts: Texts, proven: Proven) -> tuple[SpanEdit, ...]:
    """The boxes of tasks with evidence of their own, with the boxes below them that are part of the same task."""
    feature = next((found for found in features(texts) if found.id == proven.phase), None)
    path = feature.file(TASKS) if feature else ""
    return tuple(_ticks(path, texts[path], proven)) if path in texts else ()


def _ticks(path: str, text: str, proven: Proven) -> Iterator[SpanEdit]:
    starts = line_starts(text)
    tick = "x" if _SMALL.search(text) else "X"
    for box in read_boxes(text)[0]:
        if box.id not in proven.tasks:
            continue
        for line in (box.line, *box.below):
            if edit := tick_box(path, text, starts[line.number - 1], tick):
                yield edit
