"""Prints progress: plain lines everywhere, and live lines below them on a terminal."""

from __future__ import annotations

import re
import shutil
import sys
import threading
import unicodedata
from collections.abc import Callable, Sequence
from itertools import accumulate
from types import TracebackType
from typing import TextIO

from autopilot.cli.colour import may_colour, paint, tone_of
from autopilot.cli.echo import Echo
from autopilot.cli.output import discard_output, print_output, print_painted
from autopilot.model.secrecy.terminal import strip_controls

REDRAW_EVERY_S = 0.5
MAX_LIVE_LINES = 8
WORD = re.compile(r"\s*(?:`[^`]*`\S*|\S+)|\s+$")  # text between backquotes is one word


LiveLines = Callable[[int], Sequence[str]]  # from the number of columns to lines


def no_lines(_: int) -> Sequence[str]:
    return ()


class Screen:
    """A context manager. ``below`` returns the live lines, which are drawn only on a terminal.

    On a terminal a long line is wrapped and not cut, because the reason stands at its end.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        *,
        quiet: bool = False,
        below: LiveLines = no_lines,
    ) -> None:
        self._stream = stream or sys.stderr
        self._quiet = quiet
        self._live = self._stream.isatty() and not quiet
        self._coloured = may_colour(self._stream)
        self._below = below
        self.reader_gone = False  # the terminal or pipe is closed
        self._drawn = 0
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._ticker = threading.Thread(target=self._tick, name="footer", daemon=True)

    def __enter__(self) -> Screen:
        if self._live:
            self._echo = Echo(self._stream)
            self._echo.hide()
            self._ticker.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        if self._live:
            try:
                self._ticker.join()
                self._write(self._erase())
            finally:
                self._echo.restore()

    def line(self, text: str) -> None:
        if self._quiet:
            return
        clean = strip_controls(text)
        with self._lock:
            if self._live:
                tone = tone_of(clean) if self._coloured else ""
                shown = "\n".join(paint(part, tone) for part in wrap_lines(clean, _columns()).split("\n"))
                self._write(f"{self._erase()}{shown}\n{self._footer()}")
            else:
                self._write(f"{clean}\n")

    def warn(self, text: str) -> None:
        self.line(f"warning: {text}")

    def _tick(self) -> None:
        while not self._stopped.wait(REDRAW_EVERY_S):
            with self._lock:
                self._write(self._erase() + self._footer())

    def _footer(self) -> str:
        columns = _columns()
        lines = [shorten_to_width(strip_controls(line).replace("\n", " "), columns) for line in self._below(columns)]
        if len(lines) > MAX_LIVE_LINES:
            lines = [*lines[: MAX_LIVE_LINES - 1], f"  … {len(lines) - MAX_LIVE_LINES + 1} more"]
        self._drawn = len(lines)
        return "\n".join(lines)

    def _erase(self) -> str:
        """The control sequence that clears the live lines."""
        up = f"\x1b[{self._drawn - 1}A" if self._drawn > 1 else ""
        self._drawn = 0
        return f"\r{up}\x1b[J"

    def _write(self, text: str) -> None:
        """When the reader is gone (a closed terminal, `| head`) the run continues without output."""
        if self.reader_gone:
            return
        encoding = self._stream.encoding or "utf-8"
        try:
            self._stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
            self._stream.flush()
        except OSError:
            self.reader_gone = True
            discard_output(self._stream)


def _columns() -> int:
    """A little less than the terminal has: a full line, or an echoed ^C, would move the cursor to the next line."""
    return max(10, shutil.get_terminal_size().columns - 3)


def shorten_to_width(text: str, columns: int) -> str:
    """The line cut to a width; some characters take two columns."""
    if len(text) <= columns and text.isascii():
        return text
    used = 0
    for index, character in enumerate(text):
        width = _width(character)
        if used + width > columns or (used + width == columns and index + 1 < len(text)):
            return f"{text[:index]}…"
        used += width
    return text


def wrap(text: str, columns: int, indent: str = "    ") -> list[str]:
    """A line wrapped between words."""
    lines, rest = [], text
    while (end := _fitting_length(rest, columns)) < len(rest):
        space = rest.rfind(" ", len(indent) + 1, end + 1)
        cut = space if space > 0 else max(end, len(indent) + 1)
        lines.append(rest[:cut].rstrip())
        rest = indent + rest[cut:].lstrip()
    return [*lines, rest]


def print_outcome(text: str) -> None:
    """Print a result; it is wrapped and coloured only on a terminal."""
    if not sys.stdout.isatty():
        print_output(text)
        return
    coloured = may_colour(sys.stdout)
    for line in strip_controls(text).splitlines():
        tone = tone_of(line) if coloured else ""
        print_painted("".join(f"{paint(part, tone)}\n" for part in wrap_lines(line, _columns()).split("\n")))


def wrap_lines(text: str, columns: int, indent: str = "    ") -> str:
    """Lines wrapped between words and never inside a command, so that a command can be copied.

    A word longer than a line is left to the terminal, which copies its own wrapping correctly.
    """
    return "\n".join(part for line in text.split("\n") for part in _wrap_line(line, columns, indent))


def _wrap_line(line: str, columns: int, indent: str) -> list[str]:
    lines, rest = [], ""
    for word in WORD.findall(line):
        if rest.strip() and _fitting_length(rest + word, columns) < len(rest + word):
            lines.append(rest)
            rest = indent + word.lstrip()
        else:
            rest += word
    return [*lines, rest]


def _fitting_length(text: str, columns: int) -> int:
    """How many characters of a text fit into the columns."""
    if len(text) <= columns and text.isascii():
        return len(text)
    widths = accumulate(_width(character) for character in text)
    return next((index for index, used in enumerate(widths) if used > columns), len(text))


def _width(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in "WF" else 0 if unicodedata.combining(character) else 1
