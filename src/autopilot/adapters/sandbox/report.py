"""A descriptor through which a command hands out one report: a file without a name that cannot grow."""

from __future__ import annotations

import fcntl
import os

from msgspec.structs import replace

from autopilot.adapters.sandbox.child import FIRST_FD
from autopilot.ports.sandbox import CommandSpec

LARGEST = 32 * 1024 * 1024  # what is read of it has a limit of its own, below this one
VARIABLE = "REPORT_FD"


def open_report(spec: CommandSpec) -> tuple[int, CommandSpec]:
    """Its number, -1 when none is wanted, and the command that gets it."""
    if not spec.report:
        return -1, spec
    kept = open_descriptor()
    return kept, replace(spec, env={**spec.env, VARIABLE: str(kept)})


def open_descriptor() -> int:
    fd = os.memfd_create("report", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        # Sparse: it takes the room that is written to, and what would be more than this fails for who writes it.
        os.ftruncate(fd, LARGEST)
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK)
        return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, FIRST_FD)
    finally:
        os.close(fd)


def take_report(fd: int) -> bytes:
    """What was written, and the end of the descriptor."""
    if fd < 0:
        return b""
    try:
        return os.pread(fd, os.lseek(fd, 0, os.SEEK_HOLE), 0).rstrip(b"\0")
    finally:
        os.close(fd)
