"""Starts an ordinary command in a process of its own, which outlives the one that asked for it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence

from msgspec import Struct

from autopilot.adapters.own_module import run_own_module
from autopilot.api.assembly import Repository
from autopilot.model.errors import AutopilotError, UsageError

BEGINS_WITHIN_S = 3.0
_TAIL = 4_000  # characters of what it said


class Started(Struct, frozen=True):
    """A command that goes on, or that ended while it was looked at."""

    pid: int
    status: int | None  # None while it goes on
    message: str = ""  # its last line, where it ended


def start_detached(repository: Repository, arguments: Sequence[str], log: str) -> Started:
    """Start it and see that it begins. What it said is the error where it refused at once."""
    written = repository.home.root / log
    with written.open("wb") as output:
        process = subprocess.Popen(
            [*run_own_module("autopilot"), *arguments],
            cwd=repository.path,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    deadline = time.monotonic() + BEGINS_WITHIN_S
    while time.monotonic() < deadline:
        status = process.poll()
        if status is not None:
            return Started(process.pid, status, _end(status, written.read_text(encoding="utf-8", errors="replace")))
        time.sleep(0.05)
    return Started(process.pid, None)


def _end(status: int, output: str) -> str:
    lines = [line for line in output[-_TAIL:].splitlines() if line.strip()]
    if status == UsageError.exit_status:
        error = next((line.removeprefix("error: ") for line in lines if line.startswith("error: ")), "it did not begin")
        hint = next((line.removeprefix("hint: ") for line in lines if line.startswith("hint: ")), "")
        raise AutopilotError(error, hint)
    return lines[-1] if lines else "it said nothing"
