"""Installing and removing the commands of a chat: everything is looked at before anything is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from posixpath import normpath

from msgspec import Struct

from autopilot.adapters.placing.tree import (
    REMEDY,
    count_missing_folders,
    read_placed,
    remove_empty_folder,
    remove_placed,
    write_placed,
)
from autopilot.api.chat.forms import FORMS, Form, find_root, render_files
from autopilot.api.chat.marking import Mark, read_mark, write_mark
from autopilot.api.chat.status_line import (
    EMPTY,
    WHOLE,
    add_status_line,
    has_status_line,
    is_ours,
    parse_settings,
    remove_status_line,
)
from autopilot.model.errors import UsageError

NOT_OURS = "is not a file of Autopilot's, or was changed since it was written"
KEPT_LINE = "kept the status line that is set there: it is not Autopilot's"


class Place(Struct, frozen=True):
    """Where the files of one agent go: names below ``folder`` are entered from ``root`` on."""

    agent: str
    root: Path
    folder: str

    @property
    def form(self) -> Form:
        return FORMS[self.agent]

    @property
    def settings(self) -> str:
        """The file that names the status line; "" where the agent has none."""
        return normpath(f"{self.folder}/{self.form.settings}") if self.form.settings else ""


class Deed(Struct, frozen=True):
    """``content`` is what is written; None removes the file, or an empty folder."""

    action: str  # "write", "update", "keep", "remove"
    name: str
    content: bytes | None = None
    before: bytes | None = None
    note: str = ""
    is_folder: bool = False


def find_place(agent: str, *, project: bool, start: Path, home: Path, environment: Mapping[str, str]) -> Place:
    if not project:
        return Place(agent, *find_root(FORMS[agent], home, environment))
    top = next((folder for folder in (start, *start.parents) if (folder / ".git").exists()), None)
    if top is None:
        raise UsageError(f"{start} is in no git repository", "change into one, or install for yourself with --user")
    return Place(agent, top, FORMS[agent].project)


def plan_install(place: Place, *, status_line: bool) -> Sequence[Deed]:
    """What has to be done; nothing where all is there. UsageError names every file that is not ours."""
    found = {f"{place.folder}/{file.name}": file.text for file in render_files(place.form)}
    before = {name: read_placed(place.root, name) for name in found}
    marks = {name: read_mark(content) for name, content in before.items() if content is not None}
    if foreign := [name for name, mark in marks.items() if mark is None or not mark.is_unchanged]:
        lines = [f"{place.root / name} {NOT_OURS}" for name in foreign]
        raise UsageError(f"nothing was installed: {len(foreign)} of the files are there already", REMEDY, lines)
    settings = list(_settings_to_add(place, marks.get(next(iter(found))))) if status_line and place.settings else []
    made_settings = any(deed.action == "write" for deed in settings)
    deeds, coming = [], set[str]()
    for name, text in found.items():
        mark = marks.get(name)
        made = mark.made if mark else _count_made(place.root, name, coming)
        has_made = not coming and (made_settings or bool(mark and mark.made_settings))
        coming |= {str(parent) for parent in PurePosixPath(name).parents}
        content = write_mark(text, made, made_settings=has_made, html=place.form.html)
        action = "write" if mark is None else "keep" if content == before[name] else "update"
        deeds.append(Deed(action, name, content, before[name]))
    return (*deeds, *settings)


def plan_removal(place: Place) -> Sequence[Deed]:
    names = [f"{place.folder}/{file.name}" for file in render_files(place.form)]
    before = {name: content for name in names if (content := read_placed(place.root, name)) is not None}
    marks = {name: mark for name, content in before.items() if (mark := read_mark(content)) is not None}
    ours = {name: mark for name, mark in marks.items() if mark.is_unchanged}
    kept = [Deed("keep", name, note=NOT_OURS) for name in before if name not in ours]
    removed = [Deed("remove", name, None, before[name]) for name in ours]
    settings = list(_settings_to_remove(place, any(mark.made_settings for mark in marks.values())))
    return (*kept, *removed, *settings, *_folders(ours))


def perform(place: Place, deeds: Sequence[Deed]) -> Iterator[Deed]:
    """Yields what was done; a folder that is not empty stays."""
    for deed in deeds:
        if deed.action == "keep":
            yield deed
        elif deed.is_folder:
            if remove_empty_folder(place.root, deed.name):
                yield deed
        elif deed.content is None:
            remove_placed(place.root, deed.name)
            yield deed
        else:
            write_placed(place.root, deed.name, deed.content, deed.before)
            yield deed


def _count_made(root: Path, name: str, coming: set[str]) -> int:
    """Folders that are made for this file, and were not for one before it: the deepest of those above it."""
    missing = count_missing_folders(root, name)
    parents = [str(parent) for parent in PurePosixPath(name).parents][:missing]
    return sum(parent not in coming for parent in parents)


def _folders(ours: Mapping[str, Mark]) -> Iterator[Deed]:
    """Folders that were made for our files, the deepest first."""
    made = {str(parent) for name, mark in ours.items() for parent in list(PurePosixPath(name).parents)[: mark.made]}
    for name in sorted(made - {"."}, key=lambda name: -name.count("/")):
        yield Deed("remove", name, is_folder=True)


def _settings_to_add(place: Place, main: Mark | None) -> Iterator[Deed]:
    before = read_placed(place.root, place.settings)
    if before is None:
        yield Deed("write", place.settings, WHOLE.encode(), note="with Autopilot's status line")
        return
    text = parse_settings(before, str(place.root / place.settings))
    if not has_status_line(text):
        yield Deed("update", place.settings, add_status_line(text).encode(), before, "Autopilot's status line added")
    elif not is_ours(text):
        yield Deed("keep", place.settings, note=KEPT_LINE)
    elif main is not None:
        yield Deed("keep", place.settings)


def _settings_to_remove(place: Place, made: bool) -> Iterator[Deed]:
    before = read_placed(place.root, place.settings) if place.settings else None
    if before is None:
        return
    try:
        text = parse_settings(before, str(place.root / place.settings))
    except UsageError:
        yield Deed("keep", place.settings, note="it is not valid JSON")
        return
    if not is_ours(text):
        return
    rest = remove_status_line(text)
    if made and rest == EMPTY:
        yield Deed("remove", place.settings, None, before)
    else:
        yield Deed("update", place.settings, rest.encode(), before, "Autopilot's status line removed")
