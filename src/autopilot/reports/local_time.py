"""Times as their reader's clock shows them: for a screen alone. What is stored or sent says UTC."""

from __future__ import annotations

from datetime import datetime


def clock_words(moment: datetime, now: datetime | None = None, *, seconds: bool = False) -> str:
    """With the name of the zone, and with the day unless it is that of ``now``."""
    here = moment.astimezone()
    day = f"{here:%Y-%m-%d} " if now is not None and here.date() != now.astimezone().date() else ""
    return f"{day}{here:%H:%M:%S %Z}" if seconds else f"{day}{here:%H:%M %Z}"
