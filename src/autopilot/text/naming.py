"""Names in a message: the first, and how many more there are."""

from __future__ import annotations

from collections.abc import Sequence


def name_some(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
