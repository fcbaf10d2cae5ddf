"""Formats that say by boxes what is done: the boxes of proven tasks are ticked, and nothing else changes."""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.model.planning.outline import Proven, SpanEdit
from autopilot.planning.formats.boxes import empty_boxes
from autopilot.planning.formats.found import Reading
from autopilot.planning.formats.marking import tick_boxes
from autopilot.planning.formats.outlining import name_pieces
from autopilot.planning.spec.spec import neutralise


def tick_steps(texts: Mapping[str, str], reading: Reading, proven: Proven) -> tuple[SpanEdit, ...]:
    entry = next((entry for entry in name_pieces(reading) if entry.id == proven.phase), None)
    lines: dict[str, set[int]] = {}
    for id, step in entry.tasks if entry else ():
        if id in proven.tasks:
            lines.setdefault(step.path, set()).update(step.lines)
    return tuple(edit for path, held in lines.items() for edit in tick_boxes(path, texts[path], held))


def neutral_boxes(_path: str, text: str) -> str:
    """With every box alike, whatever it was marked with."""
    return neutralise(empty_boxes(text))
