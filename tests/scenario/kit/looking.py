"""Looking at a checkout, at processes and at what a command says."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE_S = 600.0  # it only keeps a broken test from hanging, whatever else this machine is doing


def photograph(project: Path) -> dict[str, Any]:
    """Every file outside .autopilot and .git with kind, mode and bytes; the index; what git status says."""
    picture: dict[str, Any] = {}
    for path in sorted(project.rglob("*")):
        name = path.relative_to(project).as_posix()
        if name.split("/")[0] in (".git", ".autopilot"):
            continue
        facts = path.lstat()
        content = path.read_bytes() if stat.S_ISREG(facts.st_mode) else b""
        picture[name] = (oct(facts.st_mode), content, str(path.readlink()) if path.is_symlink() else "")
    for words in (("ls-files", "-s"), ("status", "--porcelain")):
        # Without the lock, looking changes nothing: git would otherwise refresh the index.
        done = subprocess.run(("git", "--no-optional-locks", *words), cwd=project, capture_output=True, check=True)
        picture[" ".join(words)] = done.stdout
    return picture


def processes_of(folder: Path) -> list[str]:
    """Command lines of living processes that stand in a folder or name it."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            standing = str((entry / "cwd").readlink())
        except OSError:
            continue
        if str(folder) in words or standing.startswith(str(folder)):
            found.append(f"{entry.name}: {words}")
    return found


def wait_until(holds: Callable[[], object], what: str) -> None:
    """Look again and again; a deadline only keeps a broken test from hanging."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, f"never happened: {what}"
        time.sleep(0.02)


def wait_for_line(process: subprocess.Popen[str], words: str) -> list[str]:
    """Read what a command says until it says these words."""
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if words in line:
            return said
    raise AssertionError(f"never said {words!r}, but:\n{''.join(said)}")


def end(process: subprocess.Popen[str]) -> None:
    """Clean up a command that a failed test may have left running."""
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.communicate(timeout=PATIENCE_S)
