"""A system call filter as bytes: what the sandbox's walls do not already stop, assembled without a library.

The kernel takes a classic BPF program (8 bytes an instruction) over ``struct seccomp_data``: number at 0, architecture
at 4, arguments from 16. Refused calls fail with EPERM, so that programs with a second way take it.
"""

from __future__ import annotations

import errno
import platform
import struct
from functools import cache

# name: (x86-64, aarch64)
_CALLS = {
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "open_by_handle_at": (304, 265),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),  # what the kernel logged of the whole machine; not every machine closes it to its users
}
# An agent's own sandbox needs these; a verification command does not. ptrace stays allowed in both: leak checkers and
# debuggers use it, and the pid namespace holds nothing that is not the command's own.
_MOUNT_CALLS = {
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    "setns": (308, 268),
}
# What a process needs that only computes, between two pipes that are open already.
_COMPUTING = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "setitimer": (38, 103),
    "clock_gettime": (228, 113),
    "futex": (202, 98),
    "getrandom": (318, 278),
    "exit": (60, 93),
    "exit_group": (231, 94),
}
# From a group namespace of its own, a process could mount the control groups of the machine.
_NEW_CGROUP = 0x02000000
_UNSHARE, _CLONE, _CLONE3 = (272, 97), (56, 220), (435, 435)
_SOCKET, _FAMILIES = (41, 198), (1, 2, 10, 16)  # unix, IPv4, IPv6, netlink; not to virtual machines, not to the kernel
# A socket that lingers blocks whoever closes it last, and it can be sent to us. To its program the call succeeds.
_SETSOCKOPT, _SOL_SOCKET, _SO_LINGER = (54, 208), 1, 13
_IOCTL = (16, 29)
# Whoever holds the first process of the namespace holds its end up: no command of it is ever reported as over.
_PTRACE, _ATTACH, _SEIZE, _FIRST_PROCESS = (101, 117), 16, 0x4206, 1
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C  # both put words into a terminal's mouth
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_FIRST, _SECOND, _THIRD = 16, 24, 32  # the low halves of the first three arguments
_ERROR = 0x00050000  # SECCOMP_RET_ERRNO
_ENDS = {"allow": 0x7FFF0000, "refuse": _ERROR | errno.EPERM, "missing": _ERROR | errno.ENOSYS, "done": _ERROR}
Line = tuple[int, int, str, str]  # operation, value, and where to go: on, to an end, or to a section


@cache
def assemble_filter(allow_mounts: bool, machine: str | None = None) -> bytes | None:
    """The program for this machine; None where we have no table of its system calls."""
    known = _ARCHITECTURES.get(machine or platform.machine())
    if known is None:
        return None
    column, audit = known
    refused = [numbers[column] for numbers in _CALLS.values()]
    if not allow_mounts:
        refused += [numbers[column] for numbers in _MOUNT_CALLS.values()]
    sections: dict[str, list[Line]] = {
        "": [
            (_LOAD, 4, "", ""),
            (_JUMP_EQUAL, audit, "next", "refuse"),
            (_LOAD, 0, "", ""),
            # The x32 numbering would walk around the table.
            *([(_JUMP_AT_LEAST, 0x40000000, "refuse", "next")] if column == 0 else []),
            *((_JUMP_EQUAL, number, "refuse", "next") for number in sorted(refused)),
            # Its flags lie in memory, where no filter can see them; without it, programs use the older call.
            (_JUMP_EQUAL, _CLONE3[column], "missing", "next"),
            (_JUMP_EQUAL, _UNSHARE[column], "namespaces", "next"),
            (_JUMP_EQUAL, _CLONE[column], "namespaces", "next"),
            (_JUMP_EQUAL, _SOCKET[column], "families", "next"),
            (_JUMP_EQUAL, _SETSOCKOPT[column], "options", "next"),
            (_JUMP_EQUAL, _PTRACE[column], "tracing", "next"),
            (_JUMP_EQUAL, _IOCTL[column], "terminal", "allow"),
        ],
        "tracing": [
            (_LOAD, _SECOND, "", ""),
            (_JUMP_EQUAL, _FIRST_PROCESS, "next", "allow"),
            (_LOAD, _FIRST, "", ""),
            (_JUMP_EQUAL, _ATTACH, "refuse", "next"),
            (_JUMP_EQUAL, _SEIZE, "refuse", "allow"),
        ],
        "options": [
            (_LOAD, _SECOND, "", ""),
            (_JUMP_EQUAL, _SOL_SOCKET, "next", "allow"),
            (_LOAD, _THIRD, "", ""),
            (_JUMP_EQUAL, _SO_LINGER, "done", "allow"),
        ],
        "namespaces": [(_LOAD, _FIRST, "", ""), (_JUMP_BITS, _NEW_CGROUP, "refuse", "allow")],
        "families": [
            (_LOAD, _FIRST, "", ""),
            *((_JUMP_EQUAL, family, "allow", "next") for family in _FAMILIES[:-1]),
            (_JUMP_EQUAL, _FAMILIES[-1], "allow", "refuse"),
        ],
        "terminal": [
            (_LOAD, _SECOND, "", ""),
            (_JUMP_EQUAL, _TIOCSTI, "refuse", "next"),
            (_JUMP_EQUAL, _TIOCLINUX, "refuse", "allow"),
        ],
    }
    return _encode(sections)


def assemble_computing(machine: str | None = None) -> bytes | None:
    """The program that refuses all but computing; None where we have no table of this machine's system calls."""
    known = _ARCHITECTURES.get(machine or platform.machine())
    if known is None:
        return None
    column, audit = known
    numbers = sorted(numbers[column] for numbers in _COMPUTING.values())
    lines: list[Line] = [(_LOAD, 4, "", ""), (_JUMP_EQUAL, audit, "next", "refuse"), (_LOAD, 0, "", "")]
    lines += [(_JUMP_EQUAL, number, "allow", "next") for number in numbers[:-1]]
    return _encode({"": [*lines, (_JUMP_EQUAL, numbers[-1], "allow", "refuse")]})


def _encode(sections: dict[str, list[Line]]) -> bytes:
    lines = [line for section in sections.values() for line in section]
    targets: dict[str, int] = {}
    for name in sections:
        targets[name] = sum(len(sections[before]) for before in targets)
    targets |= {name: len(lines) + number for number, name in enumerate(_ENDS)}

    def distance(here: int, name: str) -> int:
        return targets[name] - here - 1 if name not in ("", "next") else 0

    encoded = [struct.pack("=HBBI", op, distance(i, t), distance(i, f), k) for i, (op, k, t, f) in enumerate(lines)]
    return b"".join([*encoded, *(struct.pack("=HBBI", _RETURN, 0, 0, value) for value in _ENDS.values())])
