"""How much of the machine a command may use, and what it uses: memory of its whole tree, room on the disk.

One process alone is held by a limit of the kernel (see `limits_for`). All of them together are watched: a control group
with a memory limit is not to be had everywhere, and where it is, it kills without saying whom.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Sequence

from msgspec import Struct

from autopilot.adapters.sandbox.proctree import read_kernel_file

_PAGE = os.sysconf("SC_PAGE_SIZE")
_SHARE = re.compile(rb"^Pss:\s+(\d+) kB", re.MULTILINE)
_IN_PROCESSES = re.compile(rb"^(?:AnonPages|Mapped):\s+(\d+) kB", re.MULTILINE)
_LEAST_MB = 1024
_UNKNOWN_MB = 2**40  # where the kernel does not tell, every command is added up
DISK_FLOOR_MB = 256
CHECK_EVERY_S = 1.0


class Allowance(Struct, frozen=True):
    memory_mb: int
    disk: str = ""  # a folder the command may write to
    disk_floor_mb: int = DISK_FLOOR_MB

    def find_excess(self, list_pids: Callable[[], Sequence[int]]) -> str:
        """What these processes used too much of, or "". They are listed only when they may have used too much."""
        if _Machine.used_mb() > self.memory_mb and (used := _find_memory(list_pids(), self.memory_mb)):
            return f"it used {used} MB of memory, over the cap of {self.memory_mb} MB"
        if not self.disk:
            return ""
        free, has_names = _find_room(self.disk)
        if free < self.disk_floor_mb:
            return f"it left {free} MB on the disk, under the floor of {self.disk_floor_mb} MB"
        return "" if has_names else "it used up the disk's inodes: hardly one more file could be made"


class _Machine:
    """What all processes hold together, as it was within the last second: no command holds more than that.

    One look for everyone who only watches. Hundreds of agents may be watched at once, and to add up the processes of
    each takes a file of the kernel for every one of them.
    """

    _guard = threading.Lock()
    _seen_at = float("-inf")
    _used_mb = 0

    @classmethod
    def used_mb(cls) -> int:
        with cls._guard:
            if time.monotonic() - cls._seen_at >= CHECK_EVERY_S:
                pages_kb = map(int, _IN_PROCESSES.findall(read_kernel_file("/proc/meminfo")))
                cls._used_mb, cls._seen_at = sum(pages_kb) // 1024 or _UNKNOWN_MB, time.monotonic()
            return cls._used_mb


def allow(memory_mb: int, folder: str) -> Allowance:
    """What a command may use that begins now. On a disk that is nearly full already, no command is blamed for that."""
    floor = min(DISK_FLOOR_MB, _find_room(folder)[0] // 2) if folder else 0
    return Allowance(memory_mb, folder, floor)


def default_memory_mb() -> int:
    """Three quarters of the machine's: what is left is for you, for Autopilot and for the file cache."""
    total = os.sysconf("SC_PHYS_PAGES") * _PAGE // 2**20
    return max(_LEAST_MB, total * 3 // 4)


def _find_memory(pids: Sequence[int], cap_mb: int) -> int:
    """MB used when that is over the cap, else 0. Pages that several share are counted once, where it matters."""
    if sum(map(_resident_bytes, pids)) <= cap_mb * 2**20:
        return 0
    used = sum(map(_shared_out_bytes, pids)) // 2**20
    return used if used > cap_mb else 0


def _resident_bytes(pid: int) -> int:
    fields = read_kernel_file(f"/proc/{pid}/statm").split()
    return int(fields[1]) * _PAGE if len(fields) > 1 else 0  # it ended


def _shared_out_bytes(pid: int) -> int:
    found = _SHARE.search(read_kernel_file(f"/proc/{pid}/smaps_rollup"))
    return int(found[1]) * 1024 if found else 0


def _find_room(folder: str) -> tuple[int, bool]:
    """Megabytes that are free, and whether files can still be made. Some file systems count no files."""
    try:
        facts = os.statvfs(folder)
    except OSError:
        return DISK_FLOOR_MB, True  # it is gone, and nothing is written to it
    return facts.f_bavail * facts.f_frsize // 2**20, not facts.f_files or facts.f_favail * 200 >= facts.f_files
