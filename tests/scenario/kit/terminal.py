"""A terminal for a command: what it shows there, and what is typed when it asks."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.scenario.kit.looking import PATIENCE_S
from tests.scenario.kit.world import Ran, World
from tests.signals import AS_AT_A_TERMINAL

# A terminal sends its signals to the session it belongs to.
OWN_IT = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"

CTRL_C = "\x03"
# The words to wait for, and what is typed then; what happens elsewhere before it is typed may say what that is.
Turn = tuple[str, str | Callable[[], str]]


def talk(world: World, words: Sequence[str], *turns: Turn, columns: int = 80, **env: str) -> Ran:
    """A command of a world at a terminal; all that was shown there is its output."""
    environment = {**world.environment, "TERM": "xterm", **env}
    status, shown = talk_at_terminal(world.command(*words), world.project, environment, turns, columns)
    return Ran(status, shown.replace("\r\n", "\n"), "")


def at_terminal(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], *, asked: str, typed: str
) -> tuple[int, str]:
    """Run a command, type a line when it has shown the words ``asked``; its exit status and all that was shown."""
    return talk_at_terminal(command, folder, environment, ((asked, f"{typed}\n"),))


def talk_at_terminal(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    turns: Sequence[Turn],
    columns: int = 80,
) -> tuple[int, str]:
    """The same with several turns: each types what it has to say when its words were shown after the one before."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        (*AS_AT_A_TERMINAL, sys.executable, "-c", OWN_IT, *command),
        cwd=folder,
        env=environment,
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    )
    os.close(its)
    shown, seen, left, deadline = b"", 0, list(turns), time.monotonic() + PATIENCE_S
    typed, shown_then = "", 0
    try:
        while time.monotonic() < deadline and (piece := _read(ours)) is not None:
            shown += piece
            # Whoever waits for a line may miss a signal that comes just before; a person presses again.
            if not piece and typed == CTRL_C and len(shown) == shown_then:
                os.write(ours, typed.encode())
            while left and (place := shown.find(left[0][0].encode(), seen)) >= 0:
                asked, say = left.pop(0)
                seen, typed = place + len(asked.encode()), say if isinstance(say, str) else say()
                os.write(ours, typed.encode())
                shown_then, deadline = len(shown), time.monotonic() + PATIENCE_S
        return process.wait(PATIENCE_S), shown.decode(errors="replace")
    except subprocess.TimeoutExpired:
        waited = f"waiting for {left[0][0]!r}" if left else f"after {typed!r} was typed"
        raise AssertionError(f"the command did not end, {waited}; it showed: {shown!r}") from None
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
