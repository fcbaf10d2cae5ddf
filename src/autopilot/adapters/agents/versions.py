"""Versions of programs, kept as long as the program stays the same file: to ask for one takes a start of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from autopilot.adapters.files import write_atomically
from autopilot.model.errors import AutopilotError

MOST = 64


class Versions:
    """Only where there are records of ours already: reading must not make any. What cannot be kept is asked again."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known = _read(file)
        self._found: dict[str, str] = {}

    def tell(self, program: Path, ask: Callable[[], str]) -> str:
        """As it is known, or as the program says when it is asked."""
        mark = _mark(program)
        if mark not in self._known:
            self._found[mark] = ask()
        return self._known.get(mark) or self._found[mark]

    def keep(self) -> None:
        """What was asked for; the oldest go when there are too many."""
        new = {mark: version for mark, version in self._found.items() if mark}
        if not new or not self._file.parent.parent.is_dir():
            return
        kept = dict(list({**self._known, **new}.items())[-MOST:])
        with suppress(OSError, AutopilotError):
            self._file.parent.mkdir(mode=0o700, exist_ok=True)
            write_atomically(self._file, msgspec.json.encode(kept), mode=0o600)


def _mark(program: Path) -> str:
    """What changes with every update; "" for what is not there."""
    try:
        facts = program.stat()
    except OSError:
        return ""
    return f"{program} {facts.st_mtime_ns} {facts.st_size}"


def _read(file: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError):
        return {}
