"""The map of the commits in the vault, opened for each question: steps ask from threads of their own, and rarely."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autopilot.adapters.git.command import Git
from autopilot.adapters.repomap.maps import SqliteMaps
from autopilot.model.repomap.code_map import Refreshed, RepoMap


class VaultMaps:
    def __init__(self, path: Path, git: Git, processes: int) -> None:
        self._path = path
        self._git = git
        self._processes = processes

    def refresh(self, tree: str = "") -> Refreshed:
        with self._opened() as maps:
            return maps.refresh(tree)

    def load(self, tree: str = "", most_linked: int | None = None) -> RepoMap:
        with self._opened() as maps:
            return maps.load(tree, most_linked)

    @contextmanager
    def _opened(self) -> Iterator[SqliteMaps]:
        maps = SqliteMaps(self._path, self._git, None, self._processes)
        try:
            yield maps
        finally:
            maps.close()
