"""Work folders for the overlays of agents: the kernel wants one beside each upper layer, on the same file system."""

from __future__ import annotations

import os
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from autopilot.adapters.git.removal import remove_tree
from autopilot.model.errors import AutopilotError


class OverlayFolders:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._in_use: set[Path] = set()
        self._guard = threading.Lock()

    def make(self) -> Path:
        with self._guard:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            made = Path(tempfile.mkdtemp(dir=self._folder))
            self._in_use.add(made)
        return made

    def remove(self, made: Path) -> None:
        with suppress(AutopilotError):  # what cannot be removed now is removed by the next run
            if os.path.lexists(made):
                remove_tree(made)
        with self._guard:
            self._in_use.discard(made)

    def remove_leftovers(self) -> None:
        """What a killed run left behind."""
        with self._guard:
            left = set(self._folder.glob("*")) - self._in_use
        for folder in left:
            self.remove(folder)
