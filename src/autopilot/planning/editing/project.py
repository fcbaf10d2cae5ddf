"""One edit of a project's phases: what changes in every planning file, as one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from autopilot.model.planning.edit import Edit
from autopilot.model.planning.roadmap import Phase, PhaseId, Roadmap
from autopilot.planning.editing.mentions import Mentions
from autopilot.planning.editing.phase_folders import edit_front_matter, moved_files, own_folder
from autopilot.planning.editing.renumbered_lines import Stale, renumber_lines
from autopilot.planning.editing.renumbering import Renumbering
from autopilot.planning.editing.roadmap_text import RoadmapText, Written, mentions_in
from autopilot.planning.editing.state_text import StateChange, edit_state
from autopilot.planning.roadmap.phase_id import sort_key
from autopilot.planning.roadmap.standing.position import STATE
from autopilot.text.lines import scan_lines

REQUIREMENTS = ".planning/REQUIREMENTS.md"


class Project(Struct, frozen=True):
    """The planning files as they are, and what is read of them."""

    roadmap: Roadmap
    text: RoadmapText
    paths: tuple[str, ...]  # of every file below .planning
    read: Callable[[str], bytes | None]

    @property
    def live(self) -> tuple[PhaseId, ...]:
        return tuple(phase.id for phase in self.roadmap.phases)

    def find(self, id: PhaseId) -> Phase | None:
        return next((phase for phase in self.roadmap.phases if phase.id == id), None)

    def text_of(self, path: str) -> str | None:
        content = self.read(path)
        return None if content is None else content.decode("utf-8", "surrogateescape")


class Wanted(Struct, frozen=True):
    """An edit of the roadmap's text with what it means for the other files."""

    summary: str
    phase: PhaseId
    written: Written
    renumbering: Renumbering = Renumbering()
    count: int = 0
    happened: str = ""
    slugs: Mapping[PhaseId, str] = {}  # new names of folders, by the old number
    made: tuple[str, ...] = ()  # empty files to be made
    notes: tuple[str, ...] = ()


def carry_through(project: Project, wanted: Wanted) -> Edit:
    """The edit of the roadmap with all that refers to its phases."""
    mentions = mentions_in(project.text, wanted.renumbering)
    files: dict[str, bytes | None] = {}
    notes = [_still_named(project.text.path, found) for found in wanted.written.stale]
    _put(files, project, project.text.path, wanted.written.text)
    if (state := project.text_of(STATE)) is not None:
        is_reused = not project.text.layout.shipped.isdisjoint(wanted.renumbering.new)
        change = StateChange(mentions, wanted.count, wanted.happened, position_only=is_reused)
        text, stale = edit_state(state, change)
        _put(files, project, STATE, text)
        notes += [_still_named(STATE, found) for found in stale]
    requirements = project.text_of(REQUIREMENTS)
    if requirements is not None and not wanted.renumbering.is_empty:
        lines, stale = renumber_lines(requirements.split("\n"), scan_lines(requirements), mentions)
        _put(files, project, REQUIREMENTS, "\n".join(lines))
        notes += [_still_named(REQUIREMENTS, found) for found in stale]
    moved = moved_files(project.roadmap.phases, project.paths, mentions, wanted.slugs)
    files |= _in_folders(project, mentions, moved)
    files |= dict.fromkeys(wanted.made, b"")
    return Edit(
        summary=wanted.summary,
        phase=wanted.phase,
        files=files,
        moved=moved,
        renumbered=dict(sorted(wanted.renumbering.new.items(), key=lambda pair: sort_key(pair[0]))),
        notes=(*wanted.notes, *notes),
    )


def _in_folders(project: Project, mentions: Mentions, moved: Mapping[str, str]) -> dict[str, bytes | None]:
    """Files of phases: removed, moved, and with other numbers in their front matter."""
    files: dict[str, bytes | None] = {}
    for phase in project.roadmap.phases:
        folder = own_folder(phase, project.paths)
        for path in (path for path in project.paths if folder and path.startswith(f"{folder}/")):
            if phase.id in mentions.renumbering.removed:
                files[path] = None
            elif path in moved or not mentions.renumbering.is_empty:
                is_own = phase.id in mentions.renumbering.new
                _put_moved(files, project, path, moved.get(path, path), mentions, is_own=is_own)
    return files


def _put_moved(
    files: dict[str, bytes | None], project: Project, old: str, new: str, mentions: Mentions, *, is_own: bool
) -> None:
    content = project.read(old) or b""
    if old.endswith(".md") and content.startswith(b"---"):
        text = content.decode("utf-8", "surrogateescape")
        after = edit_front_matter(text, mentions, is_own=is_own).encode("utf-8", "surrogateescape")
    else:
        after = content
    if new != old:
        files.setdefault(old, None)
        files[new] = after
    elif after != content:
        files[new] = after


def _put(files: dict[str, bytes | None], project: Project, path: str, text: str) -> None:
    content = text.encode("utf-8", "surrogateescape")
    if content != project.read(path):
        files[path] = content


def _still_named(path: str, found: Stale) -> str:
    return f"{path}:{found.line} still names phase {found.phase}, which is removed: {found.text[:90]}"
