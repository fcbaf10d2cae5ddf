"""What a commit changed, file by file: small changes open, large ones folded, the largest only named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import dropwhile
from typing import Any

from msgspec import Struct

from autopilot.api.evidence.phase_evidence import find_run
from autopilot.api.page.records import Record
from autopilot.events.state import PhaseState, RunState
from autopilot.model.errors import UsageError
from autopilot.web.debugging.session import session_pairs
from autopilot.web.views.pair import Pair

MOST_LINES = 3_000  # of one page
MOST_OF_A_FILE = 400
FEW_LINES = 60  # a file of more is folded
FEW_FILES = 8  # of more, each is folded


class DiffLine(Struct, frozen=True):
    text: str
    kind: str = ""  # added, removed, place or ""


class FileDiff(Struct, frozen=True):
    path: str
    lines: tuple[DiffLine, ...]
    added: int
    removed: int
    left_out: int = 0

    @property
    def is_short(self) -> bool:
        return len(self.lines) <= FEW_LINES and not self.left_out


def pairs_of(state: RunState) -> Mapping[str, Pair]:
    """By the name in the address of a page."""
    found = issue_pairs(state) | session_pairs(state)
    for phase in (*state.phases.values(), *state.parts.values(), *state.completion.closing.values()):
        found |= task_pairs(phase)
    return found


def issue_pairs(state: RunState) -> dict[str, Pair]:
    """The design of an issue as it was presented, and what was made of it."""
    last = state.issue.presentation.last if state.issue is not None else None
    if state.issue is None or last is None or not state.line.base:
        return {}
    found = {"design": Pair("What was presented last, since the run began", state.line.base, last.commit)}
    before = state.issue.presentation.shown
    if before and before != last.commit:
        found["revision"] = Pair("Since the presentation before", before, last.commit)
    if state.issue.ending.handed_off is not None:
        found["implementation"] = Pair("Since the design was presented", last.commit, state.line.tip)
    return found


def task_pairs(phase: PhaseState) -> dict[str, Pair]:
    return {
        task.commit[:12]: Pair(f"Task {name}: {task.task.title}", task.parent, task.commit)
        for name, task in phase.tasks.items()
        if task.commit and task.parent
    }


def show_diff(record: Record, run: str, name: str) -> dict[str, Any]:
    state = find_run(record.history().runs, run)
    pair = pairs_of(state).get(name)
    if pair is None:
        raise UsageError("the run has no such commit", "its pages list those that it has")
    files = read_files(record, pair)
    return {"record": record, "run": run, "pair": pair, "files": files, "few": len(files) <= FEW_FILES}


def read_files(record: Record, pair: Pair) -> list[FileDiff]:
    return list(parse_patch(record.patch(pair.old, pair.new)))


def parse_patch(patch: str) -> Iterator[FileDiff]:
    room = MOST_LINES
    for part in re.split(r"^(?=diff --git )", patch, flags=re.MULTILINE):
        lines = part.splitlines()
        if not lines:
            continue
        path = lines[0].rpartition(" b/")[2].rstrip('"') if lines[0].startswith("diff --git ") else ""
        body = list(dropwhile(lambda line: not line.startswith("@@"), lines)) or lines[1 if path else 0 :]
        shown = body[: min(room, MOST_OF_A_FILE)]
        room -= len(shown)
        yield FileDiff(
            path=path,
            lines=tuple(DiffLine(line, _kind(line)) for line in shown),
            added=sum(line.startswith("+") for line in body),
            removed=sum(line.startswith("-") for line in body),
            left_out=len(body) - len(shown),
        )


def _kind(line: str) -> str:
    return "place" if line.startswith("@@") else {"+": "added", "-": "removed"}.get(line[:1], "")
