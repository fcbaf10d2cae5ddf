"""The kept map of a repository's code."""

from __future__ import annotations

from typing import Protocol

from autopilot.model.repomap.code_map import Refreshed, RepoMap


class Maps(Protocol):
    """A text is parsed once, whatever its path, commit or branch. Nothing of the repository is run."""

    def refresh(self, tree: str = "") -> Refreshed:
        """Bring the map up to date with a commit or tree; "" is the working tree, uncommitted files included.

        No file breaks it: what cannot be read is listed with its problem.
        """

    def load(self, tree: str = "", most_linked: int | None = None) -> RepoMap:
        """The map of this commit or tree; "" is the working tree. It is refreshed first.

        Of more files than ``most_linked`` only what they define is loaded, half of it: no imports and no calls.
        """
