"""No socket of an abstract name outside can be reached from inside, where the kernel can forbid it (Linux 6.12).

An agent shares the machine's network, and with it these names: desktop sessions and daemons listen there, without any
file whose rights would be asked. What is restricted so can mount nothing any more. Hence it is done inside, as the last
thing before the command, by a program of a few lines: neither a shell nor bubblewrap can call it.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from pathlib import Path

_CREATE = 444  # the same number on every architecture
_VERSION_FLAG = 1
_SCOPES_SINCE = 6

# A ruleset without files and ports, scoped for abstract sockets; then no new privileges, and it holds for good.
RESTRICT = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
rules = libc.syscall(444, (ctypes.c_uint64 * 3)(0, 0, 1), ctypes.c_size_t(24), 0)
if rules < 0 or libc.prctl(38, 1, 0, 0, 0) or libc.syscall(446, rules, 0):
    sys.exit("the abstract sockets of the machine could not be closed")
os.close(rules)
try:
    os.execvp(sys.argv[1], sys.argv[1:])
except OSError as error:
    print(f"{sys.argv[1]}: {error.strerror}", file=sys.stderr)
    sys.exit(127 if isinstance(error, FileNotFoundError) else 126)
"""


def is_available() -> bool:
    version = ctypes.CDLL(None).syscall(_CREATE, None, ctypes.c_size_t(0), _VERSION_FLAG)
    return bool(version >= _SCOPES_SINCE)


def restrict(argv: Sequence[str]) -> tuple[str, ...]:
    """The command, with the abstract sockets of the machine closed to it; as it is where that is not possible."""
    if not is_available():
        return tuple(argv)
    return (str(Path(sys.base_prefix, "bin", "python3")), "-I", "-S", "-c", RESTRICT, *argv)
