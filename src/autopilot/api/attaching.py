"""Giving a moved repository its records back."""

from __future__ import annotations

from pathlib import Path

from autopilot.adapters.files import write_atomically
from autopilot.adapters.home import Home, home_of
from autopilot.adapters.lock import FileLock
from autopilot.api.assembly import find_repository
from autopilot.model.errors import UsageError
from autopilot.settings.reading import Settings


def attach(start: Path, settings: Settings, name: str) -> str:
    """Records are found by the path of the git directory; after a move they are put where the new path leads."""
    repository = find_repository(start, settings)
    old, new = Home(settings.state / "autopilot" / name), home_of(settings.state, repository.git_directory)
    if "/" in name or not old.repository.exists():
        raise UsageError(f"there are no records named {name!r}", "autopilot doctor")
    if Path(old.repository.read_text(encoding="utf-8", errors="surrogateescape")).exists():
        raise UsageError("those records belong to a repository that is still there", "autopilot doctor")
    if new.journal.exists():
        raise UsageError("this repository has records of its own", f"look at {new.root} before you decide")
    if FileLock(old.lock).holder() is not None:
        raise UsageError("a run is using those records", "autopilot cancel")
    old.root.rename(new.root)
    write_atomically(new.repository, str(repository.git_directory).encode("utf-8", "surrogateescape"), mode=0o600)
    return f"the records of {name} now belong to {repository.path}"
