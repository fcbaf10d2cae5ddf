"""Tells open pages that a record has grown, as server-sent events.

One look serves every open page. The kernel says where something changed; what it does not say is looked for now and
then, and often where it says nothing at all. Without an open page nothing is looked at.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.responses import StreamingResponse

from autopilot.api.page.growth import Growth
from autopilot.api.page.records import Records

REST_S = 0.1  # between two looks: a flood of changes is one
LOOK_EVERY_S = 0.2  # where the kernel does not tell
LOOK_AGAIN_EVERY_S = 5.0  # where it does
STILL_THERE_EVERY_S = 15.0  # so that a browser that is gone is noticed
MOST_LISTENERS = 50


class Listener:
    """An open page that shows one record, or all of them."""

    def __init__(self, record: str = "") -> None:
        self._record = record
        self._changed = asyncio.Event()

    def tell(self, changed: frozenset[str]) -> None:
        if changed and (not self._record or self._record in changed):
            self._changed.set()

    async def wait(self, patience_s: float) -> bool:
        """Whether something changed meanwhile."""
        try:
            async with asyncio.timeout(patience_s):
                await self._changed.wait()
        except TimeoutError:
            return False
        self._changed.clear()
        return True


class Changes:
    def __init__(self, records: Records) -> None:
        self._records = records
        self._listeners: set[Listener] = set()
        self._looking: asyncio.Task[None] | None = None

    @property
    def is_full(self) -> bool:
        return len(self._listeners) >= MOST_LISTENERS

    def stream(self, record: str = "", shown: str = "") -> StreamingResponse:
        """``shown``: what the page that asks was made from; what changed since then is told at once."""
        return StreamingResponse(self._events(record, shown), media_type="text/event-stream")

    async def _events(self, record: str, shown: str) -> AsyncIterator[str]:
        listener = Listener(record)
        self._listeners.add(listener)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look_on())
        try:
            yield "retry: 1000\n\n"
            if shown and await asyncio.to_thread(self._records.version, record) != shown:
                yield "event: changed\ndata:\n\n"
            while True:
                is_changed = await listener.wait(STILL_THERE_EVERY_S)
                yield "event: changed\ndata:\n\n" if is_changed else ": still there\n\n"
        finally:
            self._listeners.discard(listener)
            if not self._listeners and self._looking is not None:
                self._looking.cancel()
                self._looking = None

    async def _look_on(self) -> None:
        growth = await asyncio.to_thread(Growth, self._records)
        try:
            while True:
                patience_s = LOOK_AGAIN_EVERY_S if growth.is_watched else LOOK_EVERY_S
                is_reported = await _is_readable(growth.fileno(), patience_s)
                changed = await asyncio.to_thread(growth.look if is_reported else growth.look_at_all)
                for listener in self._listeners:
                    listener.tell(changed)
                await asyncio.sleep(REST_S)
        finally:
            growth.close()


async def _is_readable(descriptor: int, patience_s: float) -> bool:
    """Whether it was, in time. Nobody asks the kernel while it rests: it would answer without end."""
    if descriptor < 0:
        await asyncio.sleep(patience_s)
        return False
    ready = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(descriptor, ready.set)
    try:
        async with asyncio.timeout(patience_s):
            await ready.wait()
    except TimeoutError:
        return False
    finally:
        loop.remove_reader(descriptor)
    return True
