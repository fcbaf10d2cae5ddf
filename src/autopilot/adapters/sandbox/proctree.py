"""Which processes belong to a command, as /proc shows them, and how to end them all."""

from __future__ import annotations

import os
import resource
import secrets
import signal
import threading
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

_RLIMIT_LOCKS = 10
_FEW = 64
_OVERVIEW_HOLDS_S = 1.0


class Process(NamedTuple):
    """A pid alone may be used again; with its start time it names one process."""

    pid: int
    started: int  # clock ticks since boot


class _Stat(NamedTuple):
    process: Process
    parent: int
    dead: bool


def identify(pid: int) -> Process | None:
    stat = _read_stat(pid)
    return None if stat is None or stat.dead else stat.process


def is_child(pid: int, parent: int) -> bool:
    stat = _read_stat(pid)
    return stat is not None and not stat.dead and stat.parent == parent


def descendants(root: int, fresh: bool = True) -> list[Process]:
    """Everything alive below ``root``, nearest first; unless ``fresh``, as it was within the last second."""
    children = _children() if fresh else _Overview.children()
    found: list[Process] = []
    waiting = [root]
    while waiting:
        for stat in children.get(waiting.pop(0), []):
            waiting.append(stat.process.pid)
            if not stat.dead:
                found.append(stat.process)
    return found


class _Overview:
    """One look at all processes for everyone who only watches: hundreds of agents may be watched at once."""

    _guard = threading.Lock()
    _seen_at = float("-inf")
    _seen: Mapping[int, list[_Stat]] = {}

    @classmethod
    def children(cls) -> Mapping[int, list[_Stat]]:
        with cls._guard:
            if time.monotonic() - cls._seen_at >= _OVERVIEW_HOLDS_S:
                cls._seen, cls._seen_at = _children(), time.monotonic()
            return cls._seen


def _children() -> Mapping[int, list[_Stat]]:
    children: dict[int, list[_Stat]] = {}
    for stat in _all_stats():
        children.setdefault(stat.parent, []).append(stat)
    return children


def mark(pid: int) -> int:
    """Give a process a number that all it ever starts inherits, whatever they do to parents, sessions and environment.

    It is the limit on file locks, which Linux has ignored since 2.4. No process can raise it again without privilege.
    """
    _, hard = resource.prlimit(pid, _RLIMIT_LOCKS)
    most = 2**62 if hard == resource.RLIM_INFINITY else hard
    number = 1 + secrets.randbelow(max(1, most - 1))
    resource.prlimit(pid, _RLIMIT_LOCKS, (number, number))
    return number


def marked(number: int, newer_than: int = 0) -> list[Process]:
    """Everything alive with that mark; ``newer_than`` spares looking at processes that were there before that pid."""
    last = _last_pid() if newer_than else 0
    if newer_than and last == newer_than:
        return []  # the kernel has started nothing since: looking through /proc would take as long as the command
    if last < newer_than:  # the numbers have started over since
        newer_than = 0
    few = newer_than and last - newer_than <= _FEW  # then asking for each is quicker than a list of all there are
    started = range(newer_than + 1, last + 1) if few else (pid for pid in _all_pids() if pid > newer_than)
    pids = [pid for pid in started if _mark_of(pid) == number]
    return [process for pid in pids if (process := identify(pid)) is not None]


def left_by_starter(name: bytes, sign: bytes) -> list[Process]:
    """First processes of pid namespaces whose starter, of the same name, is gone; ``sign`` stands in their command.

    bubblewrap ties its own life to ours before it tells its child to go on. Killed just between, it leaves a child that
    waits for ever, has run nothing, and is in no record.
    """
    return [stat.process for stat in _all_stats() if _is_left(stat, name, sign)]


def _is_left(stat: _Stat, name: bytes, sign: bytes) -> bool:
    if stat.dead or _name_of(stat.process.pid) != name or _name_of(stat.parent) == name:
        return False
    namespaces = read_kernel_file(f"/proc/{stat.process.pid}/status").partition(b"NSpid:")[2].split(b"\n")[0].split()
    return namespaces[1:][-1:] == [b"1"] and sign in read_kernel_file(f"/proc/{stat.process.pid}/cmdline")


def _name_of(pid: int) -> bytes:
    return read_kernel_file(f"/proc/{pid}/comm").rstrip(b"\n")


def send(process: Process, signum: signal.Signals) -> bool:
    """Signal exactly this process; False when it is gone. The descriptor is opened before the identity is checked."""
    try:
        pidfd = os.pidfd_open(process.pid)
    except OSError:
        return False
    try:
        if identify(process.pid) != process:
            return False
        signal.pidfd_send_signal(pidfd, signum)
        return True
    except OSError:
        return False
    finally:
        os.close(pidfd)


def end_all(find: Callable[[], list[Process]], patience_s: float = 5.0) -> bool:
    """Kill whatever ``find`` finds until it finds nothing; False when something would not die.

    Each is stopped first, so that nothing forks away while we count.
    """
    deadline = time.monotonic() + patience_s
    while found := find():
        frozen: set[Process] = set()
        while (fresh := [process for process in found if process not in frozen]) and time.monotonic() < deadline:
            for process in fresh:
                send(process, signal.SIGSTOP)
            frozen.update(fresh)
            found = find()
        for process in frozen:
            send(process, signal.SIGKILL)
        if time.monotonic() > deadline:
            return False
        time.sleep(0.002)
    return True


def _all_pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208 - names are all we need


def _all_stats() -> list[_Stat]:
    return [stat for pid in _all_pids() if (stat := _read_stat(pid)) is not None]


def _read_stat(pid: int) -> _Stat | None:
    # The name in parentheses may itself hold spaces and parentheses; the last one closes it.
    fields = read_kernel_file(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    if len(fields) < 20:
        return None
    return _Stat(Process(pid, int(fields[19])), int(fields[1]), fields[0] in b"ZX")


def _mark_of(pid: int) -> int | None:
    try:
        return resource.prlimit(pid, _RLIMIT_LOCKS)[0]
    except PermissionError:  # another user's: the kernel shows it as text alone, which takes ten times as long
        line = read_kernel_file(f"/proc/{pid}/limits").partition(b"Max file locks")[2].split(None, 2)
        return int(line[1]) if len(line) > 1 and line[1].isdigit() else None
    except OSError:
        return None  # it ended


def _last_pid() -> int:
    return int(read_kernel_file("/proc/loadavg").split()[-1])


def read_kernel_file(path: str) -> bytes:
    """A file that the kernel shows, of a process that may be gone by now: then b""."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        content = b""
        while chunk := os.read(fd, 65_536):  # a file object would ask the kernel eight things more
            content += chunk
        return content
    except OSError:
        return b""
    finally:
        os.close(fd)
