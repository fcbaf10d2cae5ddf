"""The shortest way to a prepared answer: one row, no events, no key. For display only, never to decide.

Loads SQLite and nothing else, not even paths; hence the strings.
"""

from __future__ import annotations

import os
import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NEWEST = "SELECT text, seq = (SELECT coalesce(max(seq), 0) FROM events) FROM prepared WHERE name = ?"
_KIND = "SELECT kind, seq FROM events WHERE kind = ? LIMIT 1"
_WAITING = "SELECT kind, seq FROM inbox WHERE kind = '{}' AND taken = 0 AND run = ?"
_CANCEL, _PAUSE = _WAITING.format("CancelRequested"), _WAITING.format("PauseRequested")

_SEALED = "SELECT seq, run, key, at, kind, schema, payload, prev, mac FROM events ORDER BY seq LIMIT ?"
MOST_CHECKED = 2_000  # rows, some milliseconds; a longer record is verified by whatever reads it


def read_prepared(journal: str, name: str) -> tuple[str, bool] | None:
    """The text and whether it is as new as the journal. None when there is none or anything is amiss: read slowly."""
    row = _first(journal, _NEWEST, name)
    return (row[0], bool(row[1])) if row else None


def is_plainly_broken(journal: str, key: str) -> bool:
    """Whether the key is missing, or a row of a short record does not verify: the slow way says what it is."""
    if not os.path.exists(journal):  # noqa: PTH110
        return False
    try:
        with open(key, "rb") as file:  # noqa: PTH123
            secret = file.read(4096)
        rows = _select(journal, _SEALED, MOST_CHECKED + 1)
        if len(rows) > MOST_CHECKED:
            return False
        from autopilot.adapters.journal.seal import seal_row

        before = [""] + [row[8] for row in rows]
        return any(row[7] != prev or seal_row(secret, row) != row[8] for row, prev in zip(rows, before, strict=False))
    except (OSError, AttributeError, TypeError):  # a column of another type
        return True


def is_cancel_waiting(journal: str, run: str) -> bool:
    """Whether a stop was requested that the driver has not read yet."""
    return _first(journal, _CANCEL, run) is not None


def is_pause_waiting(journal: str, run: str) -> bool:
    """The same for a stop after the step in progress."""
    return _first(journal, _PAUSE, run) is not None


def has_runs_beside(journal: str) -> bool:
    """Whether any run of this repository is about an issue or a bug: several of those may wait side by side."""
    return any(_first(journal, _KIND, kind) is not None for kind in ("IssueOpened", "SessionOpened"))


def _first(journal: str, sql: str, word: str) -> tuple[str, int] | None:
    if not os.path.exists(journal) or not _is_used_since_this_boot(journal):  # noqa: PTH110
        return None
    rows: list[tuple[str, int]] = _select(journal, sql, word)
    return rows[0] if rows else None


def _select(journal: str, sql: str, argument: str | int) -> list[Any]:
    """Leaves no file behind, by the same rule as `ReadableDatabase`."""
    mode = "ro" if os.path.exists(f"{journal}-wal") else "ro&immutable=1"  # noqa: PTH110
    quoted = os.path.abspath(journal).replace("%", "%25").replace("?", "%3f").replace("#", "%23")  # noqa: PTH100
    try:
        connection = sqlite3.connect(f"file:{quoted}?mode={mode}", uri=True)
        try:
            return connection.execute(sql, (argument,)).fetchall()
        finally:
            connection.close()
    except sqlite3.Error:
        return []


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
