"""A program that runs another one with a small disk at a path, in a mount namespace of its own.

    python -m tests.chaos.small_disk PATH BYTES INODES PROGRAM [ARGUMENT …]

Nothing is mounted for anybody else, and nothing is left when the program ends. An ordinary user gets a user namespace
for it and gives the capabilities up again before the program starts.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

CLONE_NEWNS, CLONE_NEWUSER = 0x0002_0000, 0x1000_0000
MS_REC, MS_PRIVATE = 0x4000, 1 << 18
LIBC = ctypes.CDLL(None, use_errno=True)


def main(path: str, size: str, inodes: str, *program: str) -> None:
    uid, gid = os.getuid(), os.getgid()
    check(LIBC.unshare(CLONE_NEWNS if uid == 0 else CLONE_NEWNS | CLONE_NEWUSER), "unshare")
    if uid != 0:
        # Becoming root inside is not needed: the maker of a user namespace has every capability until it execs.
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
    check(LIBC.mount(None, b"/", None, MS_REC | MS_PRIVATE, None), "mount / privately")
    options = f"size={int(size)},nr_inodes={int(inodes)},mode=0700,uid={uid},gid={gid}".encode()
    check(LIBC.mount(b"tmpfs", os.fsencode(path), b"tmpfs", 0, options), f"mount {path}")
    os.execvp(program[0], program)


def check(result: int, what: str) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    main(*sys.argv[1:])
