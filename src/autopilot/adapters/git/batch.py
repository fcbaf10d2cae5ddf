"""A git process that is kept open: a question costs a tenth of a millisecond, a process of its own five."""

from __future__ import annotations

import os
import subprocess
import threading
import time
import weakref
from contextlib import suppress

from autopilot.adapters.git.command import TIMEOUT_S, Git, failure
from autopilot.adapters.git.pipes import is_ready


class BatchProcess:
    """Started when it is first asked something, and again after it ended. Its user holds ``turn`` for each exchange."""

    def __init__(self, git: Git, *arguments: str, errors: int = subprocess.DEVNULL) -> None:
        self.turn = threading.Lock()
        self._git = git
        self._arguments = arguments
        self._errors = errors
        self._child: subprocess.Popen[bytes] | None = None
        self._rest = b""
        self._deadline = 0.0

    def send(self, question: bytes) -> None:
        """BrokenPipeError, here or where the answer is read, when it ended instead of answering."""
        if self._child is None or self._child.poll() is not None:
            self.close()
            self._child = self._git.start(*self._arguments, stdin=subprocess.PIPE, stderr=self._errors)
            weakref.finalize(self, _end, self._child)
        self._deadline = time.monotonic() + TIMEOUT_S
        assert self._child.stdin is not None
        self._child.stdin.write(question)
        self._child.stdin.flush()

    def read_line(self) -> bytes:
        while b"\n" not in self._rest:
            self._rest += self._more()
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def read(self, size: int) -> bytes:
        parts, have = [self._rest], len(self._rest)
        while have < size:
            parts.append(self._more())
            have += len(parts[-1])
        whole = b"".join(parts)
        self._rest = whole[size:]
        return whole[:size]

    def close(self) -> None:
        if self._child is not None:
            _end(self._child)
        self._child, self._rest = None, b""

    def _more(self) -> bytes:
        assert self._child is not None and self._child.stdout is not None
        descriptor = self._child.stdout.fileno()
        if not is_ready(descriptor, self._deadline):
            self.close()
            raise failure(self._arguments, "no answer in time")
        part = os.read(descriptor, 1 << 20)
        if not part:
            raise BrokenPipeError
        return part


def _end(child: subprocess.Popen[bytes]) -> None:
    """Its input ends, so it ends."""
    for stream in (child.stdin, child.stdout):
        if stream is not None and not stream.closed:
            with suppress(BrokenPipeError):  # it may be gone already
                stream.close()
    child.kill()
    child.wait()
