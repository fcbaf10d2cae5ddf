"""The key that seals the record: made once, readable by its owner alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from autopilot.adapters.files import create_atomically, translated
from autopilot.model.errors import RecordBroken, Unavailable

LENGTH = 32


def open_key(path: Path) -> bytes:
    """The key, made first when there is none."""
    with translated(path):
        missing = not path.exists()
    if missing:
        create_atomically(path, os.urandom(LENGTH), mode=0o600)
    return read_key(path)


def read_key(path: Path) -> bytes:
    """The key as it is; refused when anybody else could have read or changed it."""
    with translated(path):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        with os.fdopen(descriptor, "rb") as file:
            facts = os.fstat(file.fileno())
            key = file.read(LENGTH + 1)
    if stat.S_IMODE(facts.st_mode) & 0o077:
        raise Unavailable(f"{path} can be read by others", f"If you trust what is recorded so far: chmod 600 {path}")
    if facts.st_uid != os.geteuid():
        raise Unavailable(f"{path} belongs to another user", "Run Autopilot as the user who made this run.")
    if len(key) != LENGTH:
        raise RecordBroken(
            f"{path} is not a key of {LENGTH} bytes", "Put it back from a backup; no other key opens the record."
        )
    return key
