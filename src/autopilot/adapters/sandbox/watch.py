"""One poll over everything a child can tell us."""

from __future__ import annotations

import os
import select
import time

from autopilot.adapters.sandbox.child import Child, read_available
from autopilot.adapters.sandbox.output import HeadAndTail, Lines


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
        self.active_at = time.monotonic()
        for fd in (child.pidfd, child.stdout, child.stderr, child.status, wake):
            self._include(fd)

    def turn(self, timeout_s: float) -> None:
        """Wait for news at most this long and take it in."""
        self._hold_back_or_read()
        for fd, event in self._poll.poll(timeout_s * 1000):
            if fd == self._child.pidfd:
                self._exited = True
            elif fd == self._wake:
                os.eventfd_read(fd)
            elif not event & select.POLLIN:
                # A closed pipe is ready for ever; without this the loop would spin until the process ends.
                self._leave_out(fd)
                self._closed.add(fd)
            elif fd == self._child.status:
                self._child.read_status()
            else:
                self._take(fd)
        if self._exited:
            self._child.read_status()

    def has_exited(self) -> bool:
        return self._exited

    def drain(self) -> None:
        """The tree is dead: whatever the pipes hold is the rest (at most their own size)."""
        for fd in (self._child.stdout, self._child.stderr):
            while self._take(fd):
                pass

    def _take(self, fd: int) -> bool:
        chunk = read_available(fd)
        if chunk:
            self.active_at = time.monotonic()
            self._kept.feed(chunk)
            if fd == self._child.stdout:
                self._lines.feed(chunk)
        return bool(chunk)

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

    def _leave_out(self, fd: int) -> None:
        if fd in self._polled:
            self._poll.unregister(fd)
            self._polled.remove(fd)
