"""The processes below one process, as /proc shows them, and how to end them all."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from typing import NamedTuple

FREEZE_ROUNDS = 100


class Process(NamedTuple):
    """A pid alone may be used again; with its start time it names one process."""

    pid: int
    started: int  # clock ticks since boot


class _Stat(NamedTuple):
    process: Process
    parent: int
    session: int
    dead: bool


def identify(pid: int) -> Process | None:
    stat = _read_stat(pid)
    return None if stat is None or stat.dead else stat.process


def descendants(root: int) -> list[Process]:
    """Everything alive below ``root``, nearest first."""
    children: dict[int, list[_Stat]] = {}
    for stat in _all_stats():
        children.setdefault(stat.parent, []).append(stat)
    found: list[Process] = []
    waiting = [root]
    while waiting:
        for stat in children.pop(waiting.pop(0), []):
            waiting.append(stat.process.pid)
            if not stat.dead:
                found.append(stat.process)
    return found


def in_session(session: int) -> list[Process]:
    return [stat.process for stat in _all_stats() if stat.session == session and not stat.dead]


def has_children(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", "rb") as file:  # noqa: PTH123 - hot path
            return bool(file.read(1))
    except OSError:
        return bool(descendants(pid))


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


def end_below(root: int) -> None:
    """Kill everything below ``root``. Each is stopped first, so that nothing forks away while we count."""
    frozen: set[Process] = set()
    for _ in range(FREEZE_ROUNDS):
        fresh = [process for process in descendants(root) if process not in frozen]
        if not fresh:
            break
        for process in fresh:
            send(process, signal.SIGSTOP)
        frozen.update(fresh)
    for process in frozen:
        send(process, signal.SIGKILL)


def end_tree(root: Process, patience_s: float = 5.0) -> bool:
    """Kill a process that is not our child, with everything below it; True when it was there and is gone."""
    if identify(root.pid) != root:
        return False
    end_below(root.pid)
    send(root, signal.SIGKILL)
    deadline = time.monotonic() + patience_s
    while identify(root.pid) == root and time.monotonic() < deadline:
        time.sleep(0.005)
    return identify(root.pid) != root


def _all_stats() -> list[_Stat]:
    pids = (int(name) for name in os.listdir("/proc") if name.isdigit())  # noqa: PTH208 - names are all we need
    return [stat for pid in pids if (stat := _read_stat(pid)) is not None]


def _read_stat(pid: int) -> _Stat | None:
    with suppress(OSError, IndexError, ValueError), open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
        # The name in parentheses may itself hold spaces and parentheses; the last one closes it.
        fields = file.read().rpartition(b")")[2].split()
        return _Stat(Process(pid, int(fields[19])), int(fields[1]), int(fields[3]), fields[0] in b"ZX")
    return None
