"""OpenSpec as a planning format: the boxes of ``tasks.md`` are what is written back; archiving is left to the user."""

from __future__ import annotations

from autopilot.model.planning.outline import Outline, Proven, SpanEdit
from autopilot.model.policy import Commands
from autopilot.planning.formats.box_marks import neutral_boxes, tick_steps
from autopilot.planning.formats.format import Format, Texts
from autopilot.planning.formats.openspec.changes import CHANGES, find_openspec, read_openspec
from autopilot.planning.formats.outlining import make_outline


def read(texts: Texts, commands: Commands) -> Outline:
    return make_outline(read_openspec(texts), commands)


def mark(texts: Texts, proven: Proven) -> tuple[SpanEdit, ...]:
    return tick_steps(texts, read_openspec(texts), proven)


OPENSPEC = Format("openspec", "OpenSpec (openspec/changes/)", (CHANGES,), find_openspec, read, mark, neutral_boxes)
