"""A program at a terminal whose screen can be looked at: what stands where, which keys it takes, its size."""

from __future__ import annotations

import os
import pty
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from types import TracebackType

import pyte

from tests.scenario.kit.looking import PATIENCE_S, wait_until
from tests.scenario.kit.terminal import OWN_IT
from tests.signals import AS_AT_A_TERMINAL


class Emulator:
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
        ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
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
