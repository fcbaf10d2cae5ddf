"""The truth: an append-only, chained record of events, and an inbox for everybody else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from autopilot.events.entry import Entry, Head, Message, Stored


class Journal(Protocol):
    """Only the holder of the repository lock appends, and of its threads always the same one."""

    def read(self, run: str | None = None, after: Head | None = None) -> Iterator[Stored]:
        """Stored entries in order, of all runs or one, checked against the chain: RecordBroken when it is not whole.

        ``after``: only what follows that entry, which must be in the chain.
        """

    def append(self, entries: Sequence[Entry]) -> tuple[Stored, ...]:
        """Store a batch durably, all or nothing; return the newly stored.

        An entry whose key is there already with the same content is left out; with other content it is our bug
        (``AssertionError``). A full disk is CapReached; nothing acknowledged is lost.
        """

    def head(self) -> Head:
        """The last sequence number and its digest; zero and "" for an empty journal."""

    def digest_at(self, seq: int) -> str | None:
        """The digest of one entry, its seal checked, to hold against an anchor; None when there is no such entry."""

    def keep_snapshot(self, name: str, head: Head, payload: bytes) -> None:
        """Keep what was worked out from the record up to ``head``, for `snapshot`. A cache: losing it loses nothing."""

    def snapshot(self, name: str) -> tuple[Head, bytes] | None:
        """What was kept last under that name; None unless we sealed it, with this program, at an entry of this chain.

        Entries up to that one are then checked in the background: when one is broken, nothing more is appended.
        """

    def post(self, message: Message) -> Message:
        """Put a message into the inbox; return what is stored under its key: an earlier one wins."""

    def inbox(self) -> tuple[Message, ...]:
        """Messages not recorded yet, in order."""

    def mark_taken(self, key: str) -> None: ...

    def prepare(self, seq: int, texts: Mapping[str, str]) -> None:
        """Keep ready-made answers for hot reading commands, by name, with the sequence number they were made at."""

    def prepared(self, name: str) -> tuple[int, str] | None: ...
