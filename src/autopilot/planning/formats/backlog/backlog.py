"""Backlog.md as a planning format: the status of a task and the boxes of its criteria are what is written back."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.model.planning.outline import Outline, Proven, SpanEdit
from autopilot.model.policy import Commands
from autopilot.planning.formats.backlog.board import FOLDERS, ROOT_CONFIG, find_backlog, read_backlog, statuses_of
from autopilot.planning.formats.backlog.scalar import replaced_scalar
from autopilot.planning.formats.backlog.task import parse_task_file
from autopilot.planning.formats.boxes import empty_boxes
from autopilot.planning.formats.format import Format, Texts
from autopilot.planning.formats.marking import tick_boxes
from autopilot.planning.formats.outlining import make_outline, name_pieces
from autopilot.planning.spec.spec import neutralise
from autopilot.text.frontmatter import parse_frontmatter

STATUS = "status"


def read(texts: Texts, commands: Commands) -> Outline:
    return make_outline(read_backlog(texts), commands)


def mark(texts: Texts, proven: Proven) -> tuple[SpanEdit, ...]:
    """A parent is done when all of its children are: one that was not proven keeps it open."""
    entry = next((entry for entry in name_pieces(read_backlog(texts)) if entry.id == proven.phase), None)
    if entry is None:
        return ()
    done = statuses_of(texts)[-1]
    shown = [step for id, step in entry.tasks if id in proven.tasks and not step.held]
    paths = [step.path for step in shown]
    if all(step.done or step.held or id in proven.tasks for id, step in entry.tasks):
        paths.append(entry.piece.path)
    return tuple(edit for path in paths for edit in _finished(path, texts[path], done))


def neutral(path: str, text: str) -> str:
    """Without the status, and with every box alike."""
    front = parse_frontmatter(text)
    lines = text.split("\n")
    if path.endswith(".md") and (number := front.line_numbers.get(STATUS)):
        del lines[number - 1]
    return neutralise(empty_boxes("\n".join(lines)))


def _finished(path: str, text: str, done: str) -> Iterator[SpanEdit]:
    task = parse_task_file(text, path)
    if isinstance(task, str):
        return
    if replaced := replaced_scalar(text, STATUS, done):
        yield SpanEdit(path, replaced.start, replaced.end, replaced.new)
    yield from tick_boxes(path, text, {box.line for box in task.boxes})


BACKLOG = Format(
    "backlog",
    "Backlog.md (backlog/)",
    (*FOLDERS, ROOT_CONFIG),
    find_backlog,
    read,
    mark,
    neutral,
)
