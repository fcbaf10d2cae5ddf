"""The shortest way to a prepared answer: one row, no events, no key. For display only, never to decide.

Loads SQLite and nothing else, not even paths; hence the strings.
"""

from __future__ import annotations

import os
import sqlite3

_NEWEST = "SELECT text, seq = (SELECT coalesce(max(seq), 0) FROM events) FROM prepared WHERE name = ?"


def read_prepared(journal: str, name: str) -> tuple[str, bool] | None:
    """The text and whether it is as new as the journal. None when there is none or anything is amiss: read slowly then.

    Leaves no file behind, by the same rule as `ReadableDatabase`.
    """
    if not os.path.exists(journal):  # noqa: PTH110
        return None
    mode = "ro" if os.path.exists(f"{journal}-wal") else "ro&immutable=1"  # noqa: PTH110
    quoted = os.path.abspath(journal).replace("%", "%25").replace("?", "%3f").replace("#", "%23")  # noqa: PTH100
    try:
        connection = sqlite3.connect(f"file:{quoted}?mode={mode}", uri=True)
        try:
            row = connection.execute(_NEWEST, (name,)).fetchone()
        finally:
            connection.close()
    except sqlite3.Error:
        return None
    return (row[0], bool(row[1])) if row else None
