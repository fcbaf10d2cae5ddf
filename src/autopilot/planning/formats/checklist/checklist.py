"""Check lists as planning formats: Ralph's ``fix_plan.md``, and plain lists at the root. A done box is written back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from autopilot.model.planning.outline import Outline, Proven, SpanEdit
from autopilot.model.policy import Commands
from autopilot.planning.formats.box_marks import neutral_boxes, tick_steps
from autopilot.planning.formats.checklist.items import read_list
from autopilot.planning.formats.format import Format, Texts
from autopilot.planning.formats.marking import tick_boxes
from autopilot.planning.formats.outlining import make_outline, name_pieces

FIX_PLANS = (".ralph/fix_plan.md", ".ralph/@fix_plan.md", "@fix_plan.md", "fix_plan.md")
CHECKLISTS = ("PLAN.md", "TASKS.md", "TODO.md")


def _find(places: Sequence[str], paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(place for place in places if place in paths)


def _read(places: Sequence[str], texts: Texts, commands: Commands) -> Outline:
    return make_outline(read_list(texts, places), commands)


def _mark(places: Sequence[str], texts: Texts, proven: Proven) -> tuple[SpanEdit, ...]:
    """The boxes of proven tasks, and the phase's own when none below it is left."""
    reading = read_list(texts, places)
    entry = next((entry for entry in name_pieces(reading) if entry.id == proven.phase), None)
    if entry is None:
        return ()
    edits = tick_steps(texts, reading, proven)
    if all(step.done or id in proven.tasks for id, step in entry.tasks):
        edits += tick_boxes(reading.path, texts[reading.path], {entry.piece.line})
    return edits


def _list(name: str, title: str, places: tuple[str, ...], *, last_resort: bool = False) -> Format:
    find, read, mark = partial(_find, places), partial(_read, places), partial(_mark, places)
    return Format(name, title, places, find, read, mark, neutral_boxes, last_resort)


FIX_PLAN = _list("fix-plan", "Ralph's fix plan (fix_plan.md)", FIX_PLANS)
CHECKLIST = _list("checklist", "a check list (PLAN.md, TASKS.md, TODO.md)", CHECKLISTS, last_resort=True)
