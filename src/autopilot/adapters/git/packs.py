"""Packs of what was put into workspaces last: several reviewers in a row are shown the same commit."""

from __future__ import annotations

import threading
from pathlib import Path

from autopilot.adapters.files import translated
from autopilot.adapters.git.transport import Load
from autopilot.adapters.git.vault import GitVault

_MOST_KEPT = 4
_LARGEST_KEPT = 2 << 20  # bytes of a pack with its index; larger ones are packed anew


class Packs:
    """Kept in memory, copied out each time: a place an agent touched shares nothing with the next."""

    def __init__(self, vault: GitVault) -> None:
        self._vault = vault
        self._kept: dict[Load, dict[str, bytes]] = {}  # file name -> content
        self._turn = threading.Lock()

    def put(self, load: Load, objects: Path) -> None:
        """Fill the object folder of a fresh place. The same load is the same objects: its commit names them all."""
        folder = objects / "pack"
        with self._turn:
            files = self._kept.get(load)
        if files is None:
            self._vault.pack(load, objects)
            self._keep(load, folder)
            return
        with translated(folder):
            for name, content in files.items():
                (folder / name).write_bytes(content)
                (folder / name).chmod(0o444)

    def _keep(self, load: Load, folder: Path) -> None:
        with translated(folder):
            made = list(folder.iterdir())
            if sum(file.stat().st_size for file in made) > _LARGEST_KEPT:
                return
            files = {file.name: file.read_bytes() for file in made}
        with self._turn:
            self._kept[load] = files
            while len(self._kept) > _MOST_KEPT:
                del self._kept[next(iter(self._kept))]
