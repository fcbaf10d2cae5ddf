"""Which processes there are, as anybody on the machine can list them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from autopilot.adapters.sandbox.proctree import Process, descendants, identify


def offspring() -> frozenset[Process]:
    """All that has come from us and is alive."""
    return frozenset(descendants(os.getpid()))


def find_words(word: str) -> list[str]:
    """The command lines, of whichever process, that hold a word."""
    return [line for _, line in _command_lines() if word in line]


def survivors(seen: Iterable[Process], word: str) -> list[str]:
    """What lives on of the processes that were seen, and whatever carries the word; by command line."""
    known = {process.pid for process in seen if identify(process.pid) == process}
    return [line for pid, line in _command_lines() if pid in known or word in line]


def _command_lines() -> Iterator[tuple[int, str]]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes()
        except OSError:
            continue  # it has ended
        if words:
            yield int(path.parent.name), words.replace(b"\0", b" ").decode(errors="replace").strip()
