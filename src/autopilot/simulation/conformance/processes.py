"""Lists processes, as every user of the machine can."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from autopilot.adapters.sandbox.proctree import Process, descendants, identify


def find_descendants() -> frozenset[Process]:
    """All running descendants of this process."""
    return frozenset(descendants(os.getpid()))


def find_command_lines(text: str) -> list[str]:
    """The command lines of all processes that contain a text."""
    return [line for _, line in _command_lines() if text in line]


def find_survivors(seen: Iterable[Process], text: str) -> list[str]:
    """The command lines of the given processes that still run, and of others that contain the text."""
    known = {process.pid for process in seen if identify(process.pid) == process}
    return [line for pid, line in _command_lines() if pid in known or text in line]


def _command_lines() -> Iterator[tuple[int, str]]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            content = path.read_bytes()
        except OSError:
            continue  # it has ended
        if content:
            yield int(path.parent.name), content.replace(b"\0", b" ").decode(errors="replace").strip()
