"""A terminal for a command: what it shows there, what is typed when it asks, and its screen as a person sees it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import pyte

from autopilot.adapters.visual.terminal import Cell, read_cell
from tests.scenario.kit.looking import PATIENCE_S, wait_until
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


class Emulator:
    """A program at a terminal: what stands where, which keys it takes, its size."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        *,
        columns: int = 80,
        rows: int = 24,
        redirected: bool = False,
    ) -> None:
        """``redirected``: standard output goes to a file."""
        self._ours, self.terminal = pty.openpty()
        self._screen = pyte.HistoryScreen(columns, rows, history=1000)
        self._stream = pyte.ByteStream(self._screen)
        self.resize(columns, rows)
        self.raw = b""
        out = (folder / "redirected").open("wb") if redirected else None
        self.process = subprocess.Popen(
            (*AS_AT_A_TERMINAL, sys.executable, "-c", OWN_IT, *command),
            cwd=folder,
            env={"TERM": "xterm-256color", **environment},
            stdin=self.terminal,
            stdout=out or self.terminal,
            stderr=self.terminal,
            start_new_session=True,
        )
        if out:
            out.close()
        os.set_blocking(self._ours, False)

    def __enter__(self) -> Emulator:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE_S)
        os.close(self.terminal)
        os.close(self._ours)

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._screen.resize(rows, columns)
        if hasattr(self, "process"):
            self.process.send_signal(signal.SIGWINCH)

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    @property
    def lines(self) -> list[str]:
        """What stands on the screen now."""
        self._look()
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def cells(self) -> list[list[Cell]]:
        """The same with colours."""
        self._look()
        return [
            [read_cell(self._screen.buffer[y][x]) for x in range(self._screen.columns)]
            for y in range(self._screen.lines)
        ]

    @property
    def shows_cursor(self) -> bool:
        self._look()
        return not self._screen.cursor.hidden

    def wait_for(self, words: str) -> str:
        wait_until(lambda: words in self.text, f"the screen shows {words!r}; it shows:\n{self.text}")
        return self.text

    def end(self) -> int:
        wait_until(lambda: self.text and self.process.poll() is not None, f"it ends; it shows:\n{self.text}")
        return self.process.wait(PATIENCE_S)

    def _look(self) -> None:
        with suppress(OSError):  # nothing more for now
            while heard := os.read(self._ours, 65_536):
                self.raw += heard
                self._stream.feed(heard)
