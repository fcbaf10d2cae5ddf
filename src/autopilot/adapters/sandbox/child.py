"""One started process and the pipes to it: how it is launched, held back, released and reaped."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from autopilot.adapters.sandbox.proctree import Process, descendants, identify, mark, marked


class Spelled(NamedTuple):
    """What to execute; ``fds`` go to the child and are closed here afterwards."""

    argv: list[str]
    fds: tuple[int, ...] = ()


class Launch(NamedTuple):
    """A child that waits for a line on standard input before it goes on.

    Behind walls it prepares first and says ``ready``; it reports the command's end as a JSON line with ``exit-code``
    (bubblewrap's own form), and nothing else is evidence that the command ran. Without walls it becomes the command.
    """

    spell: Callable[[int], Spelled]  # given the status descriptor's number
    env: Mapping[str, str]
    walled: bool
    cwd: str = "/"
    limits: Mapping[int, int] = {}
    group: Path | None = None  # the control group it joins, removed afterwards
    scratch: str = ""  # a mount only the child sees; when it is full the result proves nothing
    cleanup: Callable[[], str] = lambda: ""  # afterwards; what went wrong, or ""


class Child:
    """Only used from the thread that started it: the kernel ties its death to that thread."""

    def __init__(self, launch: Launch) -> None:
        pipes = [os.pipe2(os.O_CLOEXEC) for _ in range(4)]
        (go_read, self._go), (self.stdout, out_write), (self.stderr, err_write), (self.status, told) = pipes
        self.pidfd = -1
        self._scratch = -1
        self._popen: subprocess.Popen[bytes] | None = None
        theirs = [go_read, out_write, err_write, told]
        try:
            spelled = launch.spell(told)
            theirs += spelled.fds
            self._popen = subprocess.Popen(
                spelled.argv,
                stdin=go_read,
                stdout=out_write,
                stderr=err_write,
                env=dict(launch.env),
                cwd=launch.cwd,
                pass_fds=(told, *spelled.fds) if launch.walled else spelled.fds,
                start_new_session=True,
            )
            self.pid = self._popen.pid
            self.pidfd = os.pidfd_open(self.pid)
            self.mark = mark(self.pid)
        except BaseException:
            self._abandon()
            raise
        finally:
            _close(theirs)
        for fd in (self.stdout, self.stderr, self.status):
            os.set_blocking(fd, False)
        self._walled = launch.walled
        self.ready = not launch.walled
        self.code: int | None = None  # as reported; behind walls never the wrapper's own exit status
        self.scratch_was_full = False
        self._partial = b""

    def _abandon(self) -> None:
        """It still waits for leave to go on, so there is nothing below it."""
        if self._popen is not None:
            self._popen.kill()
            self._popen.wait()
        self.close()

    def members(self) -> list[Process]:
        """Everything of the command that is alive: behind walls without the wrapper, which goes by itself."""
        found = dict.fromkeys(descendants(self.pid))
        if not self._walled:
            found |= dict.fromkeys([*marked(self.mark), *filter(None, [self.identity])])
        return list(found)

    def stragglers(self, long_ago: bool) -> list[Process]:
        """What is left when the child itself has ended. Walls that reported an exit code fell on everything inside."""
        if self._walled and self.code is not None:
            return []
        return marked(self.mark, newer_than=0 if long_ago else self.pid)

    @property
    def identity(self) -> Process | None:
        return identify(self.pid)

    def limit(self, limits: Mapping[int, int]) -> None:
        for what, most in limits.items():
            hard = resource.prlimit(self.pid, what)[1]
            value = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.prlimit(self.pid, what, (value, value))

    def watch_scratch(self, path: str) -> None:
        """Hold the child's own scratch mount open, to see at the end whether it was full."""
        self._scratch = os.open(f"/proc/{self.pid}/root{path}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def look_at_scratch(self) -> None:
        if self._scratch >= 0 and not self.scratch_was_full:
            facts = os.fstatvfs(self._scratch)
            self.scratch_was_full = facts.f_bavail * 200 < facts.f_blocks or facts.f_favail * 200 < facts.f_files

    def release(self) -> None:
        with suppress(BrokenPipeError):
            os.write(self._go, b"go\n")

    def let_end(self) -> None:
        """Close standard input of the wrapper: it need not wait for us any longer."""
        _close([self._go])
        self._go = -1

    def read_status(self) -> None:
        while chunk := read_available(self.status):
            *lines, self._partial = (self._partial + chunk).split(b"\n")
            for line in lines:
                self._take_status(line)

    def _take_status(self, line: bytes) -> None:
        if line == b"ready":
            self.ready = True
            return
        with suppress(msgspec.DecodeError):
            told = msgspec.json.decode(line, type=dict[str, int])
            self.code = told.get("exit-code", self.code)

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)

    @property
    def reaped(self) -> bool:
        return self._popen is None or self._popen.returncode is not None

    def reap(self) -> None:
        """Without walls the child's own exit status is the command's; by signal it counts as in a shell."""
        assert self._popen is not None
        status = self._popen.wait()
        if not self._walled:
            self.code = 128 - status if status < 0 else status

    def close(self) -> None:
        _close([self._go, self.stdout, self.stderr, self.status, self.pidfd, self._scratch])


def read_available(fd: int) -> bytes:
    """What is there now; empty when there is nothing or the other end is closed."""
    try:
        return os.read(fd, 65536)
    except BlockingIOError:
        return b""


def _close(fds: list[int] | tuple[int, ...]) -> None:
    for fd in fds:
        if fd >= 0:
            os.close(fd)
