"""The changes of OpenSpec in the order in which they were begun; each is a phase under its own name."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.standing import Stand
from autopilot.planning.formats.found import Piece, Reading, Step
from autopilot.planning.formats.openspec.change import Proposal, parse_proposal, parse_tasks
from autopilot.planning.formats.openspec.delta import Delta, parse_delta
from autopilot.text.frontmatter import parse_mapping

CHANGES = "openspec/changes"
_FILE = re.compile(
    rf"{CHANGES}/(?P<archive>archive/)?(?P<folder>[^/]{{1,255}})/"
    r"(?P<file>proposal\.md|tasks\.md|design\.md|\.openspec\.yaml|specs/(?:[^/]{1,255}/){0,8}[^/]{1,255}\.md)\Z"
)
_DATED = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})-(.+)\Z")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
PROPOSAL, TASKS, META = "proposal.md", "tasks.md", ".openspec.yaml"


class Change(Struct, frozen=True):
    folder: str  # path
    key: str  # the name that it had before it was archived
    archived: str = ""  # the day, or "archive" where the folder has none
    files: tuple[str, ...] = ()  # below the folder

    def path(self, file: str) -> str:
        return f"{self.folder}/{file}"

    @property
    def deltas(self) -> list[str]:
        return [self.path(file) for file in self.files if file.startswith("specs/")]

    @property
    def specs(self) -> tuple[str, ...]:
        """What it must do, the proposal first."""
        named = [self.path(file) for file in (PROPOSAL, "design.md") if file in self.files]
        return (*named[:1], *self.deltas, *named[1:])


def find_openspec(paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(path for path in paths if _FILE.match(path)))


def read_openspec(texts: Mapping[str, str]) -> Reading:
    complaints: list[Complaint] = []
    changes = _changes(texts)
    known = {change.key for change in changes}
    dated = [(_began(change, texts), change) for change in changes]
    ordered = sorted(dated, key=lambda pair: (not pair[1].archived, pair[0], pair[1].key))
    pieces = tuple(_piece(change, texts, known, complaints) for _, change in ordered)
    return Reading(CHANGES, pieces, tuple(complaints))


def _changes(paths: Collection[str]) -> list[Change]:
    """Those at work keep their names; an archived one of the same name is called by its folder, with its day."""
    files: dict[tuple[bool, str], list[str]] = {}
    for path in sorted(paths):
        found = _FILE.match(path)
        if found and (found["archive"] or found["folder"] != "archive"):
            files.setdefault((found["archive"] is not None, found["folder"]), []).append(found["file"])
    taken: set[str] = set()
    changes: list[Change] = []
    for (archived, folder), held in sorted(files.items(), key=lambda item: item[0]):
        dated = _DATED.match(folder) if archived else None
        name = dated[2] if dated else folder
        key = folder if name in taken else name
        taken.add(key)
        place = f"{CHANGES}/archive/{folder}" if archived else f"{CHANGES}/{folder}"
        changes.append(Change(place, key, (dated[1] if dated else "archive") if archived else "", tuple(held)))
    return changes


def _began(change: Change, texts: Mapping[str, str]) -> str:
    """A day; a change that names none comes after those that do."""
    if _DAY.match(change.archived):
        return change.archived
    day = parse_mapping(texts.get(change.path(META), "")).text_of("created")
    return day if _DAY.match(day) else "9999"


def _piece(change: Change, texts: Mapping[str, str], known: Collection[str], complaints: list[Complaint]) -> Piece:
    proposal = parse_proposal(texts.get(change.path(PROPOSAL), ""), known)
    steps = parse_tasks(texts.get(change.path(TASKS), ""), change.path(TASKS))
    deltas = [parse_delta(texts[path], path) for path in change.deltas]
    stand, because = _standing(change, steps)
    if not change.archived:
        complaints += [complaint for delta in deltas for complaint in delta.complaints]
        complaints += _doubts(change, proposal, steps, deltas)
    return Piece(
        key=change.key,
        name=proposal.title or change.key,
        goal=proposal.goal,
        stand=stand,
        because=because,
        needs=tuple(key for key in proposal.waits if key != change.key),
        criteria=tuple(promise for delta in deltas for promise in delta.promises),
        steps=steps,
        path=change.path(TASKS if TASKS in change.files else PROPOSAL),
        line=1,
        specs=change.specs,
    )


def _standing(change: Change, steps: Sequence[Step]) -> tuple[Stand, str]:
    done = sum(step.done for step in steps)
    if change.archived:
        return Stand.DONE, f"archived {change.archived}".replace("archived archive", "archived")
    if steps and done == len(steps):
        return Stand.DONE, "every box is ticked, and it is not archived"
    return Stand.OPEN, f"{done} of {len(steps)} tasks are ticked" if steps else "it lists no task"


def _doubts(change: Change, proposal: Proposal, steps: Sequence[Step], deltas: Sequence[Delta]) -> list[Complaint]:
    if PROPOSAL not in change.files and TASKS not in change.files:
        return [Complaint(change.folder, 0, "has neither proposal.md nor tasks.md")]
    found = []
    if TASKS in change.files and not steps:
        found.append(Complaint(change.path(TASKS), 1, "no box was found: an agent plans this change"))
    if not proposal.goal and not any(delta.promises for delta in deltas):
        found.append(Complaint(change.path(PROPOSAL), 1, "says neither why nor what: no section `## Why` was found"))
    return found
