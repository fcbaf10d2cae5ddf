"""A terminal for a command: what it shows there, and what is typed when it asks."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.scenario.looking import PATIENCE_S


def at_terminal(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], *, asked: str, typed: str
) -> tuple[int, str]:
    """Run a command, type a line when it has shown the words ``asked``; its exit status and all that was shown."""
    ours, its = pty.openpty()
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=its, stdout=its, stderr=its, start_new_session=True
    )
    os.close(its)
    shown, answered, deadline = b"", False, time.monotonic() + PATIENCE_S
    try:
        while time.monotonic() < deadline and (piece := _read(ours)) is not None:
            shown += piece
            if not answered and asked.encode() in shown:
                os.write(ours, f"{typed}\n".encode())
                answered = True
        return process.wait(PATIENCE_S), shown.decode(errors="replace")
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def _read(terminal: int) -> bytes | None:
    if not select.select([terminal], [], [], 1.0)[0]:
        return b""
    try:
        return os.read(terminal, 65536) or None
    except OSError:
        return None  # the last program has let go of it
