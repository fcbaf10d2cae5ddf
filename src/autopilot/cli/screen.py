"""Prints progress: plain lines everywhere, and live lines below them on a terminal."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TextIO

from autopilot.cli.colour import BOLD, can_redraw, may_colour, paint, tone_of
from autopilot.cli.echo import Echo
from autopilot.cli.output import discard_output, print_output, print_painted
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.live.columns import shorten_to_width, width_of, wrap_lines

REDRAW_EVERY_S = 0.5
MAX_LIVE_LINES = 8
TO_LINE_END, TO_SCREEN_END = "\x1b[K", "\x1b[J"


LiveLines = Callable[[int], Sequence[str]]  # from the number of columns to lines


def no_lines(_: int) -> Sequence[str]:
    return ()


class Screen:
    """A context manager. ``below`` returns the live lines, which are drawn only on a terminal.

    On a terminal a long line is wrapped and not cut, because the reason stands at its end. The cursor stays visible:
    then no kill can leave a terminal without one.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        *,
        quiet: bool = False,
        below: LiveLines = no_lines,
        plain: bool = False,
    ) -> None:
        self._stream = stream or sys.stderr
        self._quiet = quiet
        self.is_live = can_redraw(self._stream) and not (quiet or plain)
        self._coloured = may_colour(self._stream)
        self._below = below
        self.reader_gone = False  # the terminal or pipe is closed, or nothing more can be written
        self.fault: OSError | None = None  # why
        self._drawn: tuple[str, ...] = ()
        self._drawn_columns = 0
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._ticker = threading.Thread(target=self._tick, name="footer", daemon=True)

    def __enter__(self) -> Screen:
        if self.is_live:
            self._echo = Echo(self._stream)
            self._echo.hide()
            self._ticker.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        if self.is_live:
            try:
                self._ticker.join()
                self._write(f"{self._to_top()}{TO_SCREEN_END}")
            finally:
                self._echo.restore()

    def line(self, text: str) -> None:
        if self._quiet:
            return
        clean = strip_controls(text)
        with self._lock:
            if self.is_live:
                tone = tone_of(clean) if self._coloured else ""
                wrapped = wrap_lines(clean, columns_of(self._stream))
                shown = "\n".join(paint(part, tone) for part in wrapped.split("\n"))
                top = self._to_top()
                self._write(f"{top}{TO_SCREEN_END}{shown}\n{self._footer(self._live_lines())}")
            elif self._stream.isatty():
                self._write(f"{wrap_lines(clean, columns_of(self._stream))}\n")
            else:
                self._write(f"{clean}\n")

    def warn(self, text: str) -> None:
        self.line(f"warning: {text}")

    def _tick(self) -> None:
        while not self._stopped.wait(REDRAW_EVERY_S):
            with self._lock:
                lines, columns = self._live_lines(), size_of(self._stream).columns
                if lines != self._drawn or columns != self._drawn_columns:
                    self._write(self._to_top() + self._footer(lines))

    def _live_lines(self) -> tuple[str, ...]:
        columns, rows = columns_of(self._stream), size_of(self._stream).lines
        clean = (strip_controls(line).replace("\n", " ").replace("\t", "  ") for line in self._below(columns))
        lines = [shorten_to_width(line, columns) for line in clean]
        most = max(1, min(MAX_LIVE_LINES, rows - 1))
        if len(lines) > most:
            lines = [*lines[: most - 1], f"  … {len(lines) - most + 1} more"]
        return tuple(lines)

    def _footer(self, lines: tuple[str, ...]) -> str:
        """Written over the old one, which is not erased first: that would flicker."""
        self._drawn, self._drawn_columns = lines, size_of(self._stream).columns
        tones = ("" if line.startswith(" ") or not self._coloured else BOLD for line in lines)
        shown = f"{TO_LINE_END}\n".join(map(paint, lines, tones))
        return f"{shown}{TO_SCREEN_END}"

    def _to_top(self) -> str:
        """The control sequence that moves to the beginning of the live lines.

        A terminal that became narrower has broken them: each takes as many rows as it needs there.
        """
        columns = size_of(self._stream).columns
        rows = sum(max(1, -(-width_of(line) // columns)) for line in self._drawn)
        self._drawn = ()
        return f"\r\x1b[{rows - 1}A" if rows > 1 else "\r"

    def _write(self, text: str) -> None:
        """When the reader is gone (a closed terminal, `| head`) the run continues without output."""
        if self.reader_gone:
            return
        encoding = self._stream.encoding or "utf-8"
        try:
            self._stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
            self._stream.flush()
        except OSError as error:
            self.reader_gone, self.fault = True, error
            discard_output(self._stream)


def size_of(stream: TextIO) -> os.terminal_size:
    """Of the terminal that is written to: standard output may be a file."""
    try:
        size = os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):
        return shutil.get_terminal_size()
    return size if size.columns and size.lines else shutil.get_terminal_size()


def columns_of(stream: TextIO) -> int:
    """A little less than the terminal has: a full line, or an echoed ^C, would move the cursor to the next line."""
    return max(10, size_of(stream).columns - 3)


def print_outcome(text: str) -> None:
    """Print a result; it is wrapped and coloured only on a terminal."""
    if not sys.stdout.isatty():
        print_output(text)
        return
    coloured = may_colour(sys.stdout)
    for line in strip_controls(text).splitlines():
        tone = tone_of(line) if coloured else ""
        parts = wrap_lines(line, columns_of(sys.stdout)).split("\n")
        print_painted("".join(f"{paint(part, tone)}\n" for part in parts))
