"""Reconnects a moved repository with its records."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.files import translated, write_atomically
from autopilot.adapters.home import Home, home_of
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import read_key
from autopilot.adapters.lock import FileLock
from autopilot.api.assembly import find_repository
from autopilot.model.errors import UsageError
from autopilot.settings.reading import Settings


def attach(start: Path, settings: Settings, name: str) -> str:
    """Records are found by the path of the git directory; after a move they are renamed to match the new path."""
    repository = find_repository(start, settings)
    # `doctor` prints the folder as well as its name.
    if Path(name).parent == settings.state / "autopilot":
        name = Path(name).name
    old, new = Home(settings.state / "autopilot" / name), home_of(settings.state, repository.git_directory)
    if "/" in name or not old.repository.exists():
        raise UsageError(
            f"there are no records named {name}", "`autopilot doctor` lists the records of moved repositories"
        )
    with translated(old.repository):
        old_path = Path(os.fsdecode(old.repository.read_bytes()))
    if old_path.exists():
        raise UsageError(
            f"the records {name} belong to {old_path}, which still exists",
            "attach only records of a repository that was moved; `autopilot doctor` lists them",
        )
    if _holds_events(new):
        raise UsageError(
            "this repository already has records of its own", f"if you do not need them, move {new.root} away first"
        )
    if any(FileLock(home.lock).holder() is not None for home in (old, new)):
        raise UsageError("a run is using these records", "wait for its end, or stop it: `autopilot cancel`")
    _replace(new, old)
    write_atomically(new.repository, os.fsencode(os.path.realpath(repository.git_directory)), mode=0o600)
    return f"the records of {name} now belong to {repository.path}"


def _holds_events(home: Home) -> bool:
    if not home.journal.exists():
        return False
    return SqliteJournal(home.journal, read_key(home.key), SystemClock(), readonly=True).head().seq > 0


def _replace(new: Home, old: Home) -> None:
    """Replace a home without events, which a reading command created; it is removed after the replacement."""
    backup = Home(new.root.with_name(f".{new.root.name}.{os.urandom(6).hex()}"))
    with translated(new.root):
        exists = new.root.exists()
        if exists:
            new.root.rename(backup.root)
        try:
            old.root.rename(new.root)
        except OSError:
            if exists:
                backup.root.rename(new.root)
            raise
    if exists:
        _remove(backup)


def _remove(unused: Home) -> None:
    """Remove known files only. A folder that is not empty does not belong to an unused home, and stays."""
    journal = [unused.journal.with_name(f"{unused.journal.name}{end}") for end in ("", "-wal", "-shm")]
    with suppress(OSError):
        for file in (*journal, unused.key, unused.lock, unused.repository):
            file.unlink(missing_ok=True)
        for folder in (unused.vault, unused.workspaces):  # copies that can be created again from the repository
            if folder.exists():
                shutil.rmtree(folder)
        for folder in (unused.blobs, unused.processes, unused.layers, unused.root):
            if folder.exists():
                folder.rmdir()
