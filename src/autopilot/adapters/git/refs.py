"""The refs of the vault: read as files, moved by one ``git update-ref`` that is kept open."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.files import sync_folder, translated
from autopilot.adapters.git.batch import BatchProcess
from autopilot.adapters.git.command import Git, failure, first_line

_LOCK_IS_DEAD_S = 15.0
_SECOND_LOOK_S = 0.2
_DONE = b"commit: ok"


def read_refs(git_dir: Path, prefix: str) -> dict[str, str]:
    """Name and id of every ref that begins so. For the vault alone: it keeps refs as files, and only we write them."""
    folder = git_dir / prefix[: prefix.rindex("/")]
    with translated(git_dir):
        found = {name: commit for name, commit in _packed(git_dir) if name.startswith(prefix)}
        for here, _, files in os.walk(folder):
            for file in files:
                path = Path(here, file)
                name = path.relative_to(git_dir).as_posix()
                # A lock stands beside a ref that is being moved.
                if name.startswith(prefix) and not name.endswith(".lock"):
                    found[name] = path.read_text(encoding="ascii").strip()
    return dict(sorted(found.items()))


class RefWriter:
    """Every move is a transaction of its own, and on disk when git has answered."""

    def __init__(self, git: Git) -> None:
        self._git_dir = git.git_dir
        self._process = BatchProcess(git, "update-ref", "--stdin", "-z", errors=subprocess.STDOUT)

    def move(self, name: str, new: str, old: str | None = None) -> None:
        """Compare with ``old`` first when given; Unavailable when git refuses."""
        fields = ("start", f"update {name}", new, old or "", "prepare", "commit")
        printed: list[bytes] = []
        remove_dead_lock(self._git_dir / f"{name}.lock")
        with self._process.turn:
            try:
                self._process.send("".join(f"{field}\0" for field in fields).encode())
                while not printed or printed[-1] != _DONE:
                    printed.append(self._process.read_line())
            except BrokenPipeError:  # a refusal ends the process
                self._process.close()
                complaints = [line for line in printed if not line.endswith(b": ok")]
                raise failure(["update-ref"], first_line(b"\n".join(complaints))) from None
        sync_ref(self._git_dir, name)

    def close(self) -> None:
        with self._process.turn:
            self._process.close()


def remove_dead_lock(lock: Path) -> None:
    """Remove the lock of a ref whose process is gone: git holds one for milliseconds, and waits ten seconds.

    A process that was killed, or a loss of power, leaves it behind; then the ref could never be moved again. The second
    look is for a clock that was set meanwhile: it makes a lock of this moment seem old.
    """
    with translated(lock):
        if _is_old(lock):
            time.sleep(_SECOND_LOOK_S)
            if _is_old(lock):
                lock.unlink(missing_ok=True)


def _is_old(lock: Path) -> bool:
    try:
        age_s = SystemClock().now().timestamp() - lock.lstat().st_mtime
    except FileNotFoundError:
        return False
    return abs(age_s) > _LOCK_IS_DEAD_S


def sync_ref(common: Path, name: str) -> None:
    """Make a ref durable that git has moved: git syncs the file, not the name it gives to it.

    ``common``: the folder that holds ``refs``.
    """
    with translated(common / name):
        sync_folder((common / name).parent)


def _packed(git_dir: Path) -> list[tuple[str, str]]:
    file = git_dir / "packed-refs"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    pairs = (line.split(" ", 1) for line in lines if not line.startswith(("#", "^")))
    return [(name, commit) for commit, name in pairs]
