"""Which records have grown: one look for every reader of this process, at what the kernel says has changed."""

from __future__ import annotations

import threading
from pathlib import Path

from autopilot.adapters.folder_changes import FolderChanges
from autopilot.api.page.records import Record, Records


class Growth:
    def __init__(self, records: Records) -> None:
        self._records = records
        self._looking = threading.Lock()  # nothing is closed in the middle of a look
        self._folders = FolderChanges()
        self._seen = {record.id: record.seen() for record in records.all()}
        self._is_watched = self._watch_all()

    @property
    def is_watched(self) -> bool:
        """Whether the kernel reports every change; where it does not, records have to be looked at."""
        return self._is_watched

    def fileno(self) -> int:
        return self._folders.fileno()

    def look(self) -> frozenset[str]:
        """The ids of records that changed since the last look, among those that the kernel reported, or among all."""
        if not self._is_watched:
            return self.look_at_all()
        with self._looking:
            return self._compare(self._named(self._folders.take()))

    def look_at_all(self) -> frozenset[str]:
        """Also for what the kernel does not report: a process that was killed, a folder of another machine."""
        with self._looking:
            self._folders.take()
            self._is_watched = self._watch_all()
            return self._compare(self._records.all())

    def close(self) -> None:
        with self._looking:
            self._folders.close()

    def _named(self, folders: set[Path]) -> list[Record]:
        """Of the changed folders; a folder that is not known yet may be the home of a first run."""
        if not folders:
            return []
        homes = self._records.homes
        names = {folder.name if folder.parent == homes else folder.parent.name for folder in folders}
        self._is_watched = self._watch_all()
        return [record for record in self._records.all() if record.id in names or record.id not in self._seen]

    def _compare(self, records: list[Record]) -> frozenset[str]:
        now = {record.id: record.seen() for record in records}
        changed = frozenset(name for name, seen in now.items() if seen != self._seen.get(name))
        self._seen |= now
        return changed

    def _watch_all(self) -> bool:
        """The folder of all homes, each home, and what its agents are saying now."""
        homes = self._records.homes
        if not self._folders.watch(homes):
            return False
        try:
            found = [folder for folder in homes.iterdir() if folder.is_dir()]
        except OSError:
            return False  # removed a moment ago
        live = [place for folder in found if (place := folder / "live").is_dir()]
        watched = [self._folders.watch(folder) for folder in (*found, *live)]
        return all(watched)
