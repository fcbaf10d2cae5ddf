"""Counts and names in a message: "2 tasks", "phases 1 and 2", "a, b and 5 more"; names that are alike."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

MOST_NAMED = 12  # phases in one message: the rest is counted
_BETWEEN = re.compile(r"[^a-z0-9]+")


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def name_some(names: Sequence[str], most: int = 1) -> str:
    """The first of them, and how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def name_phases(ids: Collection[str]) -> str:
    """ "phase 1", "phases 1, 2"."""
    return f"phase{'' if len(ids) == 1 else 's'} {name_some(list(ids), MOST_NAMED)}"


def render_runs(names: Sequence[str]) -> str:
    """Which runs there are, the last three of them, as a hint says it."""
    return f"the only run is {names[0]}" if len(names) == 1 else f"the last runs are {', '.join(names[-3:])}"


def render_phases(ids: Collection[str]) -> str:
    """Which phases there are, as a hint says it."""
    if not ids:
        return "it has no phase"
    shown = name_some(list(ids), MOST_NAMED)
    return f"its phases are {shown}" if len(ids) > 1 else f"its only phase is {shown}"


def squeeze(text: str) -> str:
    """Its letters and digits alone: `--dry-run`, `dry_run` and `dryRun` are one."""
    return _BETWEEN.sub("", text.casefold())
