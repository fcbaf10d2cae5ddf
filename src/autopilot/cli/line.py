"""``status --line`` in a few milliseconds: one prepared row, found without starting git."""

from __future__ import annotations

import fcntl
import json
import os
from hashlib import sha256

from autopilot.adapters.journal.prepared import read_prepared


def prepared_line() -> str | None:
    """The line, or None when the long way has to be taken: nothing prepared, or something unusual."""
    home = _home(_git_directory(os.getcwd()))
    if home is None:
        return None
    alive = _is_held(f"{home}/lock")
    row = read_prepared(f"{home}/journal.db", "line")
    if row is None or not (row[1] or alive):
        return None
    from autopilot.reports.status_line import render_line

    return render_line(json.loads(row[0]), alive)


def _git_directory(folder: str) -> str | None:
    """The common git directory around a folder, for the plain case; worktrees take the long way."""
    folder = os.path.realpath(folder)
    while True:
        found = os.path.join(folder, ".git")
        if os.path.isdir(found):
            return None if os.path.exists(os.path.join(found, "commondir")) else os.path.realpath(found)
        if os.path.exists(found) or folder == os.path.dirname(folder):
            return None
        folder = os.path.dirname(folder)


def _home(git_directory: str | None) -> str | None:
    if git_directory is None:
        return None
    state = os.environ.get("AUTOPILOT_STATE_HOME") or os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):
        state = os.path.join(os.environ.get("HOME", "/"), ".local", "state")
    return os.path.join(state, "autopilot", sha256(os.fsencode(git_directory)).hexdigest()[:16])


def _is_held(path: str) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False
    except OSError:
        return True
    finally:
        os.close(descriptor)
