"""The key that seals the record: made once, readable by its owner alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from autopilot.adapters.files import create_atomically, translated
from autopilot.model.errors import RecordBroken, Unavailable

LENGTH = 32


def open_key(path: Path, journal: Path) -> bytes:
    """The key, made first when there is no journal yet: a new key would make an existing journal look forged."""
    with translated(path):
        # The journal first: another process makes the key before the journal, perhaps at this moment.
        may_create = not journal.exists() and not path.exists()
    if may_create:
        create_atomically(path, os.urandom(LENGTH), mode=0o600)
    return read_key(path)


def read_key(path: Path) -> bytes:
    """The key as it is; refused when anybody else could have read or changed it."""
    with translated(path):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        except FileNotFoundError:
            raise RecordBroken(f"the key of these records is missing: {path}", _hint(path)) from None
        with os.fdopen(descriptor, "rb") as file:
            facts = os.fstat(file.fileno())
            key = file.read(LENGTH + 1)
    if stat.S_IMODE(facts.st_mode) & 0o077:
        raise Unavailable(f"{path} can be read by others", f"If you trust what is recorded so far: chmod 600 {path}")
    if facts.st_uid != os.geteuid():
        raise Unavailable(f"{path} belongs to another user", "Run Autopilot as the user who made this run.")
    if len(key) != LENGTH:
        raise RecordBroken(f"{path} is not a key of {LENGTH} bytes", _hint(path))
    return key


def _hint(path: Path) -> str:
    return (
        f"Put it back from a backup (no other key opens the record), or move the folder {path.parent} away "
        "and run again: what was landed stays in git."
    )
