"""The repositories that this server speaks of, and no others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autopilot.api.assembly import Repository, find_repository
from autopilot.model.errors import UsageError
from autopilot.settings.reading import Settings, read_settings


class Places:
    """Settings are read anew for every question: a server lives for days."""

    def __init__(self, folders: Sequence[Path]) -> None:
        settings = read_settings()
        self._folders = tuple(dict.fromkeys(find_repository(each, settings, to_read=True).path for each in folders))

    @property
    def paths(self) -> tuple[Path, ...]:
        return self._folders

    def find(self, name: str) -> tuple[Repository, Settings]:
        settings = read_settings()
        return find_repository(self._named(name), settings, to_read=True), settings

    def _named(self, name: str) -> Path:
        listed = ", ".join(map(str, self._folders))
        if not name:
            if len(self._folders) == 1:
                return self._folders[0]
            raise UsageError("this server has several repositories", f"name one of them: {listed}")
        found = [folder for folder in self._folders if name in (str(folder), folder.name)]
        if len(found) != 1:
            wrong = (
                f"this server has no repository {name!r}" if not found else f"several repositories are called {name!r}"
            )
            raise UsageError(wrong, f"name one of them by its path: {listed}")
        return found[0]
