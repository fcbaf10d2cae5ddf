"""An event on its way into the journal, and one that is in it."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from autopilot.events.happened import Event


class Entry(Struct, frozen=True):
    """``key`` makes it exactly-once: run/phase/step/attempt/kind/ordinal."""

    run: str
    key: str
    event: Event


class Stored(Struct, frozen=True):
    seq: int
    time: datetime
    run: str
    key: str
    event: Event


class Message(Struct, frozen=True):
    """Something that another process wants recorded; the process that holds the lock reads it."""

    key: str
    run: str
    event: Event


class Head(Struct, frozen=True):
    seq: int
    digest: str
