"""Carries bytes both ways between two sockets until both sides have ended, one fails, or nothing moves any more."""

from __future__ import annotations

import select
import socket
import time
from contextlib import suppress

from autopilot.adapters.egress.body import Body

IDLE_S = 900.0  # a model may think for minutes before it says a word
CHUNK = 64 * 1024


class _Direction:
    """From one socket to the other: at most one chunk is held, so a slow reader slows the writer down."""

    def __init__(self, source: socket.socket, sink: socket.socket, body: Body | None = None) -> None:
        self.source = source
        self.sink = sink
        self.held = b""
        self.ended = False
        self._body = body

    @property
    def awaits(self) -> tuple[socket.socket, int] | None:
        if self.held:
            return self.sink, select.POLLOUT
        return None if self.ended else (self.source, select.POLLIN)

    def move(self) -> None:
        """What can be moved without waiting. An end of input is passed on, and the other direction goes on.

        What comes behind the body is such an end: its host was not checked.
        """
        with suppress(BlockingIOError):
            if self.held:
                self.held = self.held[self.sink.send(self.held) :]
            else:
                received = self.source.recv(CHUNK)
                self.held = self._body.take(received) if self._body else received
                self.ended = not received or len(self.held) < len(received)
            if self.ended and not self.held:
                self.sink.shutdown(socket.SHUT_WR)


def carry(
    client: socket.socket, server: socket.socket, stop_fd: int, idle_s: float = IDLE_S, body: Body | None = None
) -> None:
    """Of the client no more than ``body``, if given. Ends at once when ``stop_fd`` becomes readable.

    Raises OSError when a side fails.
    """
    directions = (_Direction(client, server, body), _Direction(server, client))
    for end in (client, server):
        end.setblocking(False)
    while not all(direction.ended and not direction.held for direction in directions):
        if not wait([found for direction in directions if (found := direction.awaits)], stop_fd, idle_s):
            return
        for direction in directions:
            if direction.awaits:
                direction.move()


def wait(awaited: list[tuple[socket.socket, int]], stop_fd: int, limit_s: float) -> bool:
    """Whether one of the sockets is ready; False when the time is over or the proxy stops."""
    poll = select.poll()
    events: dict[int, int] = {}
    for end, event in awaited:
        events[end.fileno()] = events.get(end.fileno(), 0) | event
    for number, event in events.items():
        poll.register(number, event)
    poll.register(stop_fd, select.POLLIN)
    ready = poll.poll(limit_s * 1000)
    return bool(ready) and all(number != stop_fd for number, _ in ready)


def receive_more(client: socket.socket, stop_fd: int, limit_s: float = IDLE_S) -> bytes:
    """What comes next. ConnectionError when nothing comes any more, in time, or at all."""
    client.setblocking(False)
    if wait([(client, select.POLLIN)], stop_fd, limit_s) and (data := client.recv(CHUNK)):
        return data
    raise ConnectionAbortedError


def receive_head(client: socket.socket, end: bytes, most: int, stop_fd: int, limit_s: float) -> tuple[bytes, bytes]:
    """What comes before ``end``, and what came after it already. Empty when it did not come within the limits."""
    received, deadline = b"", time.monotonic() + limit_s
    client.setblocking(False)
    while end not in received:
        left_s = deadline - time.monotonic()
        if len(received) > most or left_s <= 0 or not wait([(client, select.POLLIN)], stop_fd, left_s):
            return b"", b""
        with suppress(BlockingIOError):
            chunk = client.recv(most)
            if not chunk:
                return b"", b""
            received += chunk
    head, _, rest = received.partition(end)
    return (head, rest) if len(head) <= most else (b"", b"")
