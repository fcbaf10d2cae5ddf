"""Which child processes are ours, on disk, so that a later run can end what a killed one left behind."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path

import msgspec

from autopilot.adapters.sandbox.cgroup import remove_group
from autopilot.adapters.sandbox.proctree import Process, descendants, end_all, identify, marked


class Record(msgspec.Struct, frozen=True):
    pid: int
    started: int
    mark: int
    boot: str
    label: str
    cgroup: str = ""
    shown: str = ""
    since: float = 0.0  # on the clock that runs while the machine sleeps


class Registry:
    """``<state>/processes/<pid>-<start time>.json``, written while the child still waits for leave to start.

    Not synced to disk: the page cache survives the death of this process, and no child survives the loss of power.
    A record torn by a kill belongs to a child that was never released and ends by itself.
    """

    def __init__(self, state: Path) -> None:
        self._folder = state / "processes"
        self._live: set[Path] = set()

    def add(self, process: Process, mark: int, label: str, cgroup: str = "", shown: str = "") -> Path:
        """The record's place. The number alone would not do: once reaped, the next child may have the same."""
        since = time.clock_gettime(time.CLOCK_BOOTTIME)
        record = Record(process.pid, process.started, mark, boot_id(), label, cgroup, shown, since)
        path = self._folder / f"{process.pid}-{process.started}.json"
        self._live.add(path)  # first: what another thread finds on disk must not look like an orphan
        try:
            path.write_bytes(msgspec.json.encode(record))
        except FileNotFoundError:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.write_bytes(msgspec.json.encode(record))
        return path

    def remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        self._live.discard(path)

    def end_orphans(self) -> tuple[str, ...]:
        """End what is listed, still alive and not ours now; return the labels of those ended."""
        ended = []
        for path in sorted(self._folder.glob("*.json")):
            if path in self._live:
                continue
            record = _read(path)
            if record is not None and _end(record):
                ended.append(record.label)
            path.unlink(missing_ok=True)
        return tuple(ended)


def read_running(folder: Path) -> list[tuple[str, int]]:
    """Every command in progress that is to be shown, with its seconds so far; the oldest first."""
    now = time.clock_gettime(time.CLOCK_BOOTTIME)
    records = [record for path in folder.glob("*.json") if (record := _read(path)) and record.shown]
    alive = [record for record in records if identify(record.pid) == Process(record.pid, record.started)]
    return sorted(
        ((record.shown, max(0, int(now - record.since))) for record in alive), key=lambda running: -running[1]
    )


def _read(path: Path) -> Record | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Record)
    except (OSError, msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def _end(record: Record) -> bool:
    """True when something was still alive: the process with that number *and* start time, or anything with its mark."""
    root = Process(record.pid, record.started)

    def members() -> list[Process]:
        listed = [root, *descendants(root.pid)] if identify(root.pid) == root else []
        return list(dict.fromkeys([*listed, *marked(record.mark)]))

    alive = record.boot == boot_id() and bool(members())
    if alive:
        end_all(members)
    if record.cgroup:
        remove_group(Path(record.cgroup))
    return alive


@cache
def boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
