"""The shortest way to a prepared answer: one row, no events, no key. For display only, never to decide.

Loads SQLite and nothing else, not even paths; hence the strings.
"""

from __future__ import annotations

import os
import sqlite3

_NEWEST = "SELECT text, seq = (SELECT coalesce(max(seq), 0) FROM events) FROM prepared WHERE name = ?"
_KIND = "SELECT kind, seq FROM events WHERE kind = ? LIMIT 1"
_CANCEL = "SELECT kind, seq FROM inbox WHERE kind = 'CancelRequested' AND taken = 0 AND run = ?"


def read_prepared(journal: str, name: str) -> tuple[str, bool] | None:
    """The text and whether it is as new as the journal. None when there is none or anything is amiss: read slowly."""
    row = _first(journal, _NEWEST, name)
    return (row[0], bool(row[1])) if row else None


def is_cancel_waiting(journal: str, run: str) -> bool:
    """Whether a stop was requested that the driver has not read yet."""
    return _first(journal, _CANCEL, run) is not None


def has_issues(journal: str) -> bool:
    """Whether any run of this repository is about an issue: several of those may wait side by side."""
    return _first(journal, _KIND, "IssueOpened") is not None


def _first(journal: str, sql: str, word: str) -> tuple[str, int] | None:
    """Leaves no file behind, by the same rule as `ReadableDatabase`."""
    if not os.path.exists(journal) or not _is_used_since_this_boot(journal):  # noqa: PTH110
        return None
    mode = "ro" if os.path.exists(f"{journal}-wal") else "ro&immutable=1"  # noqa: PTH110
    quoted = os.path.abspath(journal).replace("%", "%25").replace("?", "%3f").replace("#", "%23")  # noqa: PTH100
    try:
        connection = sqlite3.connect(f"file:{quoted}?mode={mode}", uri=True)
        try:
            row: tuple[str, int] | None = connection.execute(sql, (word,)).fetchone()
        finally:
            connection.close()
    except sqlite3.Error:
        return None
    return row


def _is_used_since_this_boot(journal: str) -> bool:
    """Whether its lock is free or of this boot; of any other, the slow way finds out whether that was another host."""
    try:
        with open(os.path.join(os.path.dirname(journal), "lock"), "rb") as file:  # noqa: PTH118, PTH120, PTH123
            holder = file.read(65_536)
        if not holder:
            return True
        with open("/proc/sys/kernel/random/boot_id", "rb") as file:  # noqa: PTH123
            return file.read().strip() in holder
    except FileNotFoundError:
        return True
    except OSError:
        return False
