"""One started process and the pipes to it: how it is launched, held back, released and reaped."""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from autopilot.adapters.openings import Openings, Project
from autopilot.adapters.sandbox.proctree import Process, descendants, identify, is_child, mark, marked
from autopilot.adapters.sandbox.usage import Allowance


class Spelled(NamedTuple):
    """What to execute; ``fds`` go to the child and are closed here afterwards."""

    argv: list[str]
    fds: tuple[int, ...] = ()


NAMESPACE_LIMIT_S = 10.0
FIRST_FD = 10  # a shell can name the numbers below only


class Launch(NamedTuple):
    """A child that waits for a line on standard input, a socket, before it goes on; when we die, it ends instead.

    Behind walls the innermost process waits, and says ``ready`` on the same socket when it does; the command's end is
    written as a JSON line with ``exit-code`` (bubblewrap's own form) to the status descriptor, and nothing else is
    evidence that the command ran. Without walls the child becomes the command.
    """

    spell: Callable[[int], Spelled]  # given the status descriptor's number, or -1 without walls
    env: Mapping[str, str]
    walled: bool
    cwd: str = "/"
    limits: Mapping[int, int] = {}
    group: Path | None = None  # the control group it joins, removed afterwards
    sealed: bool = False  # only who inherits its output can write to it: see `_open_pairs`
    report: int = -1  # a descriptor the command may write to, read and closed by who watches
    services: int = -1  # the same, on which is written what became of the services beside it
    id_map: str = ""  # written for the child's user namespace, which waits for it
    scratch: str = ""  # a mount only the child sees; when it is full the result proves nothing
    scratch_mb: int = 0  # its size
    watched: Project | None = None  # whose files are told that it opens
    allowance: Allowance | None = None
    cleanup: Callable[[], str] = lambda: ""  # afterwards; what went wrong, or ""
    refused_hosts: Callable[[], tuple[str, ...]] = tuple  # by its proxy, when all is over
    unreached_hosts: Callable[[], tuple[str, ...]] = tuple  # by its proxy, each with the reason


class Child:
    """Only used from the thread that started it: the kernel ties its death to that thread."""

    def __init__(self, launch: Launch) -> None:
        self.hold, held, self.stdout, out_write, self.stderr, err_write = _open_pairs(launch.sealed)
        self._status = -1
        self.pidfd = -1
        self._scratch = -1
        self._innermost = -1
        self._popen: subprocess.Popen[bytes] | None = None
        theirs = [held, out_write, err_write]
        try:
            # Not a pipe: bubblewrap must be able to write when we are dead, or it would leave its child waiting.
            self._status = keep_in_memory(b"") if launch.walled else -1
            spelled = launch.spell(self._status)
            theirs += spelled.fds
            self._popen = subprocess.Popen(
                spelled.argv,
                stdin=held,
                stdout=out_write,
                stderr=err_write,
                env=dict(launch.env),
                cwd=launch.cwd,
                pass_fds=[fd for fd in (self._status, launch.report, launch.services, *spelled.fds) if fd >= 0],
                start_new_session=True,
            )
            self.pid = self._popen.pid
            self.pidfd = os.pidfd_open(self.pid)
            self.mark = mark(self.pid)
            if launch.id_map:
                write_id_map(self.pid, launch.id_map)
                os.write(self.hold, b"mapped\n")
        except BaseException:
            self._abandon()
            raise
        finally:
            _close(theirs)
        for fd in (self.hold, self.stdout, self.stderr):
            os.set_blocking(fd, False)
        self._walled = launch.walled
        self.ready = not launch.walled
        self.code: int | None = None  # as reported; behind walls never the wrapper's own exit status
        self.scratch_was_full = self.scratch_is_filling = False

    def _abandon(self) -> None:
        """It still waits for leave to go on, so there is nothing below it."""
        if self._popen is not None:
            self._popen.kill()
            self._popen.wait()
        self.close()

    def members(self, fresh: bool = True) -> list[Process]:
        """Everything of the command that is alive: behind walls without the wrapper, which goes by itself."""
        found = dict.fromkeys(descendants(self.pid, fresh))
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
        """Behind walls the innermost process, which still waits; all the command starts comes from there."""
        pid = self.pid
        if self._walled:
            self.read_status()  # its number is told before it may run
            pid = self._innermost
            if not is_child(pid, self.pid):
                raise ProcessLookupError("the process inside the sandbox is gone")
        for resource_kind, most in limits.items():
            hard = resource.prlimit(pid, resource_kind)[1]
            value = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.prlimit(pid, resource_kind, (value, value))

    def watch_scratch(self, path: str) -> None:
        """Hold the child's own scratch mount open, to see at the end whether it was full."""
        self._scratch = os.open(f"/proc/{self.pid}/root{path}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def look_at_scratch(self) -> None:
        if self._scratch >= 0 and not self.scratch_was_full:
            facts = os.fstatvfs(self._scratch)
            self.scratch_was_full = facts.f_bavail * 200 < facts.f_blocks or facts.f_favail * 200 < facts.f_files
            self.scratch_is_filling = not self.scratch_was_full and facts.f_bavail * 2 < facts.f_blocks

    def watch_files(self, project: Project) -> Openings:
        """Before it may go on: nothing of the project is open yet."""
        return Openings(project, f"/proc/{self.pid}/root" if self._walled else "")

    def release(self) -> None:
        with suppress(BrokenPipeError):
            os.write(self.hold, b"go\n")

    def let_end(self) -> None:
        """Close standard input of the child: what still waits there for leave has waited in vain."""
        _close([self.hold])
        self.hold = -1

    def read_hold(self) -> None:
        self.ready = self.ready or read_available(self.hold) == b"ready\n"

    def read_status(self) -> None:
        """No event says when it is written to; it is there when the child has exited, and mostly a little before."""
        if self._status < 0 or self.code is not None:
            return
        for line in os.pread(self._status, 65536, 0).splitlines():
            with suppress(msgspec.DecodeError, UnicodeError, RecursionError):  # half a line
                status = msgspec.json.decode(line, type=dict[str, int])
                self._innermost = status.get("child-pid", self._innermost)
                self.code = status.get("exit-code", self.code)

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
        _close([self.hold, self.stdout, self.stderr, self._status, self.pidfd, self._scratch])


def write_id_map(pid: int, id_map: str) -> None:
    """For a process that makes a user namespace of its own: only a process outside may map more than one user."""
    ours, theirs = (Path(f"/proc/{process}/ns/user") for process in ("self", pid))
    deadline = time.monotonic() + NAMESPACE_LIMIT_S
    while theirs.readlink() == ours.readlink():
        if time.monotonic() > deadline:
            raise TimeoutError(f"the user namespace was not made within {NAMESPACE_LIMIT_S:.0f} s")
        time.sleep(0.0005)
    for name in ("gid_map", "uid_map"):
        descriptor = os.open(f"/proc/{pid}/{name}", os.O_WRONLY)
        try:
            os.write(descriptor, id_map.encode())
        finally:
            os.close(descriptor)


def keep_in_memory(content: bytes) -> int:
    """A descriptor for a file without a name, under a number that no shell script of ours uses."""
    fd = os.memfd_create("sandbox", os.MFD_CLOEXEC)
    try:
        os.pwrite(fd, content, 0)
        return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, FIRST_FD)
    finally:
        os.close(fd)


def _open_pairs(sealed: bool) -> list[int]:
    """A socket and two pipes, or an error and nothing left open.

    A pipe can be opened once more through /proc by every process of the same user: code that an agent runs could answer
    in its place. Sealed, the output is a socket, which cannot.
    """
    opened: list[int] = []
    try:
        opened += (end.detach() for end in socket.socketpair())
        for _ in range(2):
            opened += (end.detach() for end in socket.socketpair()) if sealed else os.pipe2(os.O_CLOEXEC)
    except OSError:
        _close(opened)
        raise
    return opened


def read_available(fd: int) -> bytes:
    """What is there now; empty when there is nothing or the other end is closed."""
    try:
        return os.read(fd, 65536)
    except (BlockingIOError, ConnectionResetError):
        return b""


def _close(fds: list[int] | tuple[int, ...]) -> None:
    for fd in fds:
        if fd >= 0:
            os.close(fd)
