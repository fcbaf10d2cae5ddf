"""The screen: plain lines anywhere, with a live footer below them on a terminal."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from types import TracebackType
from typing import TextIO

from autopilot.cli.saying import hush
from autopilot.model.terminal import strip_controls

CLEAR_LINE = "\r\x1b[K"
TICK_S = 0.5


class Screen:
    """Use it as a context. The footer shows what is under way and for how long; it never reaches a file or a pipe."""

    def __init__(self, stream: TextIO | None = None, *, quiet: bool = False) -> None:
        self._stream = stream or sys.stderr
        self._quiet = quiet
        self._live = self._stream.isatty() and not quiet
        self._deaf = False
        self._footer = ""
        self._since = time.monotonic()
        self._turn = threading.Lock()
        self._ended = threading.Event()
        self._ticker = threading.Thread(target=self._tick, name="footer", daemon=True)

    def __enter__(self) -> Screen:
        if self._live:
            self._ticker.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._live:
            self._ticker.join()
            self._write(CLEAR_LINE)

    def line(self, text: str) -> None:
        if self._quiet:
            return
        with self._turn:
            clean = strip_controls(text)
            self._write(f"{CLEAR_LINE}{clean}\n{self._drawn()}" if self._live else f"{clean}\n")

    def warn(self, text: str) -> None:
        self.line(f"warning: {text}")

    def footer(self, text: str) -> None:
        if text != self._footer:
            self._footer, self._since = strip_controls(text), time.monotonic()

    def _tick(self) -> None:
        while not self._ended.wait(TICK_S):
            with self._turn:
                self._write(f"{CLEAR_LINE}{self._drawn()}")

    def _drawn(self) -> str:
        if not self._footer:
            return ""
        text = f"{self._footer} · {int(time.monotonic() - self._since)}s"
        return text[: shutil.get_terminal_size().columns - 1]

    def _write(self, text: str) -> None:
        """Whoever watched may have gone (a closed terminal, `| head`): the run goes on without words."""
        if self._deaf:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._deaf = True
            hush(self._stream)
