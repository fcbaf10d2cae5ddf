"""What was proven, as ``"status": "done"``; every other byte of tasks.json stays."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.model.planning.outline import Proven, SpanEdit
from autopilot.planning.formats.format import Texts, plain_neutral
from autopilot.planning.formats.taskmaster.entries import Entry, read_entries
from autopilot.planning.formats.taskmaster.places import FILE, OLDER
from autopilot.planning.formats.taskmaster.reading import DONE, current_tag, task_id
from autopilot.planning.roadmap.phase_id import carry_id

# What Task Master and we write as work proceeds; in a string of the file, quotes have a backslash before them.
_CHANGES = re.compile(
    r'"(?:status|updatedAt|updated|lastModified)"\s{0,20}:\s{0,20}"[^"\\]{0,100}"\s{0,200}+(?:,\s{0,200}+)?'
)


def mark(texts: Texts, proven: Proven) -> tuple[SpanEdit, ...]:
    """The phase is proven, so its task is done; of its subtasks those that have evidence of their own."""
    path = FILE if FILE in texts else OLDER
    text = texts.get(path, "")
    found = read_entries(text, current_tag(texts)[0])
    entry = next((entry for entry in found.entries if entry.id and carry_id(entry.id) == proven.phase), None)
    return tuple(_edits(path, text, entry, proven)) if entry else ()


def neutral(path: str, text: str) -> str:
    """Of the list of tasks: without statuses, be they ours, and the times of changes."""
    return _CHANGES.sub("", text) if path in (FILE, OLDER) else plain_neutral(path, text)


def _edits(path: str, text: str, entry: Entry, proven: Proven) -> Iterator[SpanEdit]:
    yield from _done(path, text, entry)
    for number, subtask in enumerate(entry.subtasks, start=1):
        if task_id(proven.phase, subtask, number) in proven.tasks:
            yield from _done(path, text, subtask)


def _done(path: str, text: str, entry: Entry) -> Iterator[SpanEdit]:
    status = entry.member("status")
    if status is not None and entry.status not in DONE:
        yield SpanEdit(path, status.start, status.end, '"done"')
    elif status is None and entry.members:
        first = entry.members[0]
        yield SpanEdit(path, first.key_start, first.key_start, f'"status": "done",{_gap(text, entry, first.key_start)}')


def _gap(text: str, entry: Entry, key: int) -> str:
    """What stands between the brace and the first key: a new line with its indentation, or nothing much."""
    return text[entry.start + 1 : key] or " "
