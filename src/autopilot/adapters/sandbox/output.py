"""What is kept of a command's output: its two ends, and its lines while a reader takes them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator

from autopilot.ports.sandbox import KEPT_BYTES

LONGEST_LINE = 1024 * 1024
UNREAD_LIMIT = 4 * 1024 * 1024


class HeadAndTail:
    """So many bytes of the beginning and of the end; what lies between is counted and thrown away."""

    def __init__(self, kept: int = KEPT_BYTES) -> None:
        self._most = kept
        self.head = bytearray()
        self._tail = bytearray()
        self._cut = 0

    def feed(self, chunk: bytes) -> None:
        room = self._most - len(self.head)
        self.head += chunk[:room]
        self._tail += chunk[room:]
        # Cut in large steps: moving all of it for every few bytes would make chatty commands slow.
        if len(self._tail) > 8 * self._most:
            self._trim()

    def _trim(self) -> None:
        excess = max(0, len(self._tail) - self._most)
        del self._tail[:excess]
        self._cut += excess

    @property
    def tail(self) -> bytes:
        self._trim()
        return bytes(self._tail)

    @property
    def dropped(self) -> int:
        self._trim()
        return self._cut


class Lines:
    """Standard output as lines, handed from the supervising thread to one reader with bounded memory.

    While it is open whether they will be read (``discard``), at most 4 MiB wait; then the pipe is left unread, which
    holds the command back. ``on_room`` tells the supervisor that it may read again.
    """

    def __init__(self, on_room: Callable[[], None]) -> None:
        self._on_room = on_room
        self._changed = threading.Condition()
        self._ready: deque[bytes] = deque()
        self._partial = bytearray()
        self._size = 0
        self._closed = False
        self._readers = 0
        self._discarding = False

    def feed(self, chunk: bytes) -> None:
        with self._changed:
            if self._discarding:
                return
            *whole, rest = chunk.split(b"\n")
            for piece in whole:
                self._extend(piece)
                self._finish_line()
            self._extend(rest)
            self._changed.notify_all()

    def _extend(self, piece: bytes) -> None:
        self._partial += piece[: LONGEST_LINE - len(self._partial)]

    def _finish_line(self) -> None:
        self._ready.append(bytes(self._partial))
        self._size += len(self._partial) + 1
        self._partial.clear()

    @property
    def full(self) -> bool:
        with self._changed:
            return self._size >= UNREAD_LIMIT and not self._discarding

    def close(self) -> None:
        with self._changed:
            if self._partial:
                self._finish_line()
            self._closed = True
            self._changed.notify_all()

    def discard(self, unless_read: bool = False) -> None:
        with self._changed:
            if unless_read and self._readers:
                return
            self._discarding = True
            self._ready.clear()
            self._partial.clear()
            self._size = 0
        self._on_room()

    def read(self) -> Iterator[bytes]:
        with self._changed:  # now, not at the first line: somebody else may call wait() in between
            self._readers += 1
        return self._read()

    def _read(self) -> Iterator[bytes]:
        finished = False
        try:
            while (line := self._next()) is not None:
                yield line
            finished = True
        finally:
            with self._changed:
                self._readers -= 1
            if not finished:
                self.discard()

    def _next(self) -> bytes | None:
        with self._changed:
            while not self._ready:
                if self._closed or self._discarding:
                    return None
                self._changed.wait()
            line = self._ready.popleft()
            was_full = self._size >= UNREAD_LIMIT
            self._size -= len(line) + 1
            room = was_full and self._size < UNREAD_LIMIT
        if room:
            self._on_room()
        return line
