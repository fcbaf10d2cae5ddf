"""Takes every system call from this process but those that computing and its two open pipes need."""

from __future__ import annotations

import ctypes
import struct

from autopilot.adapters.sandbox.seccomp import assemble_computing

_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER = 38, 22, 2
_INSTRUCTION = 8  # bytes


def refuse_system_calls() -> None:
    """Where there is no table of this machine's system calls, or the kernel has no filters, all stay allowed."""
    instructions = assemble_computing()
    if instructions is None:
        return
    held = ctypes.create_string_buffer(instructions)
    program = struct.pack("@HP", len(instructions) // _INSTRUCTION, ctypes.addressof(held))
    libc = ctypes.CDLL(None)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0:
        libc.prctl(_SECCOMP, _FILTER, program, 0, 0)
