"""One poll over everything a child can tell us."""

from __future__ import annotations

import os
import select
import time

from autopilot.adapters.sandbox.child import Child
from autopilot.adapters.sandbox.output import HeadAndTail, Lines

LONGEST_BEGUN = 4096


class Watch:
    def __init__(self, child: Child, wake: int, kept: HeadAndTail, lines: Lines) -> None:
        self._child = child
        self._wake = wake
        self._kept = kept
        self._lines = lines
        self._poll = select.poll()
        self._polled: set[int] = set()
        self._closed: set[int] = set()
        self._exited = False
        self._begun: dict[int, bytes] = {}  # of each pipe, the line that is not at its end yet
        self.active_at = time.monotonic()
        for fd in (child.pidfd, child.stdout, child.stderr, wake):
            self._include(fd)
        if not child.ready:
            self._include(child.hold)

    def turn(self, timeout_s: float) -> None:
        """Wait for news at most this long and take it in."""
        self._hold_back_or_read()
        for fd, event in self._poll.poll(timeout_s * 1000):
            if fd == self._child.pidfd:
                self._exited = True
            elif fd == self._wake:
                os.eventfd_read(fd)
            elif fd == self._child.hold:
                self._child.read_hold()  # it speaks once
                self._close(fd)
            elif not event & select.POLLIN:
                self._close(fd)
            else:
                self._take(fd)
        self._child.read_status()

    def has_exited(self) -> bool:
        return self._exited

    def let_end(self) -> None:
        """No longer polled first: once closed, the number may be another thread's."""
        self._close(self._child.hold)
        self._child.let_end()

    def drain(self) -> None:
        """The tree is dead: whatever the pipes hold is the rest (at most their own size)."""
        for fd in (self._child.stdout, self._child.stderr):
            while self._take(fd):
                pass
            self._kept.feed(self._begun.pop(fd, b""))

    def _take(self, fd: int) -> bool:
        try:
            chunk = os.read(fd, 65536)
        except BlockingIOError:
            return False
        except ConnectionResetError:
            chunk = b""
        if not chunk:  # a socket that is shut down tells so by an empty read alone, again and again
            self._close(fd)
            return False
        self.active_at = time.monotonic()
        self._keep(fd, chunk)
        if fd == self._child.stdout:
            self._lines.feed(chunk)
        return True

    def _keep(self, fd: int, chunk: bytes) -> None:
        """Line by line: one that is written in pieces must not be cut in two by what the other pipe brings."""
        whole, newline, rest = (self._begun.get(fd, b"") + chunk).rpartition(b"\n")
        self._kept.feed(whole + newline)
        if len(rest) > LONGEST_BEGUN:
            self._kept.feed(rest)
            rest = b""
        self._begun[fd] = rest

    def _hold_back_or_read(self) -> None:
        if not self._lines.full:
            self._include(self._child.stdout)
        else:
            self._leave_out(self._child.stdout)
            self.active_at = time.monotonic()  # it is the reader who stalls, not the command

    def _include(self, fd: int) -> None:
        if fd not in self._polled | self._closed:
            self._poll.register(fd, select.POLLIN)
            self._polled.add(fd)

    def _close(self, fd: int) -> None:
        """A closed pipe is ready for ever; without this the loop would spin until the process ends."""
        self._leave_out(fd)
        self._closed.add(fd)

    def _leave_out(self, fd: int) -> None:
        if fd in self._polled:
            self._poll.unregister(fd)
            self._polled.remove(fd)
