"""Which machine this is: a lock that the kernel frees is worth something only on the machine that took it."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct


class Host(Struct, frozen=True):
    name: str = ""
    machine: str = ""  # "" where the machine has no id, as in many containers
    boot: str = ""  # "" in what an older Autopilot wrote

    def shares_locks_with(self, other: Host) -> bool:
        """Whether it is the same machine: the same boot, or a later one of it.

        Neither name nor machine id alone will do: copies of one image have the same id, and containers any name.
        """
        is_same_machine = bool(self.machine) and (self.machine, self.name) == (other.machine, other.name)
        return not other.boot or self.boot == other.boot or is_same_machine


def this_host() -> Host:
    return Host(os.uname().nodename, _read("/etc/machine-id"), _read("/proc/sys/kernel/random/boot_id"))


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
