"""Tells open pages that a record has grown, as server-sent events.

Each open page looks at the times of the journal's files, and reads nothing until one changes; without an open page
nothing is looked at.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from itertools import count

from starlette.responses import StreamingResponse

from autopilot.api.page.records import Records, Stamp

LOOK_EVERY_S = 0.1
LIST_EVERY = 10  # looks
STILL_THERE_EVERY_S = 15.0  # so that a browser that is gone is noticed
MOST_LISTENERS = 50


class Changes:
    def __init__(self) -> None:
        self.listeners = 0

    @property
    def is_full(self) -> bool:
        return self.listeners >= MOST_LISTENERS

    def stream(self, look: Callable[[], object]) -> StreamingResponse:
        """``look``: what changes with what is shown."""
        return StreamingResponse(self._events(look), media_type="text/event-stream")

    async def _events(self, look: Callable[[], object]) -> AsyncIterator[str]:
        self.listeners += 1
        try:
            yield "retry: 1000\n\n"
            seen, quiet_s = await asyncio.to_thread(look), 0.0
            while True:
                await asyncio.sleep(LOOK_EVERY_S)
                quiet_s += LOOK_EVERY_S
                now = look()
                if now != seen:
                    seen, quiet_s = now, 0.0
                    yield "event: changed\ndata:\n\n"
                elif quiet_s >= STILL_THERE_EVERY_S:
                    quiet_s = 0.0
                    yield ": still there\n\n"
        finally:
            self.listeners -= 1


def stamps_of(records: Records) -> Callable[[], tuple[Stamp, ...]]:
    """Of every repository. Which there are is looked up once a second: one may have its first run meanwhile."""
    looks = count()
    known = records.all()

    def look() -> tuple[Stamp, ...]:
        nonlocal known
        if next(looks) % LIST_EVERY == 0:
            known = records.all()
        return tuple(record.stamp() for record in known)

    return look
