"""The index of the user's checkout under git's own lock, with our words in the lock so that we know it again."""

from __future__ import annotations

import os
from pathlib import Path

from autopilot.adapters.files import sync_folder, translated
from autopilot.adapters.git.repository import read_plain

_WORDS = b"autopilot landing "


class LockedIndex:
    """While the lock stands, no git changes the index. A new index is made as ``draft`` and put in place at once."""

    def __init__(self, git_dir: Path) -> None:
        self._git_dir = git_dir
        self._lock = git_dir / "index.lock"
        self._words = git_dir / "autopilot-lock"
        self.draft = git_dir / "autopilot-index"

    def lock(self) -> bool:
        """Linked into place with its words in it: a lock without them is not ours."""
        with translated(self._lock):
            self._words.unlink(missing_ok=True)
            with self._words.open("xb") as file:  # never through a link that somebody left under this name
                file.write(_WORDS + str(os.getpid()).encode())
                file.flush()
                os.fsync(file.fileno())  # a loss of power must not leave a lock that nobody owns up to
            try:
                os.link(self._words, self._lock)
            except FileExistsError:
                return False
            finally:
                self._words.unlink()
            return True

    def foreign_lock(self) -> str:
        """What to say of a lock that is not ours; "" when there is none."""
        if not self._lock.exists() or self._is_ours():
            return ""
        return f"another git program is at work, or one died: {self._lock} exists"

    def replace(self) -> None:
        index = self._git_dir / "index"
        with translated(self.draft):
            if index.exists():
                self.draft.chmod(index.stat().st_mode & 0o777)
            with self.draft.open("rb") as file:
                os.fsync(file.fileno())
            self.draft.replace(index)
            sync_folder(self._git_dir)

    def clear(self) -> None:
        """Remove what is ours in the git directory."""
        with translated(self._git_dir):
            for leftover in (self._words, self.draft, self.draft.with_name(f"{self.draft.name}.lock")):
                leftover.unlink(missing_ok=True)
            if self._is_ours():
                self._lock.unlink()
                sync_folder(self._git_dir)

    def _is_ours(self) -> bool:
        return read_plain(self._lock, len(_WORDS)) == _WORDS
