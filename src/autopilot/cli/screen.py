"""The screen: plain lines anywhere, with live lines below them on a terminal."""

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

from autopilot.cli.echo import Echo
from autopilot.cli.saying import hush, say
from autopilot.model.secrecy.terminal import strip_controls

TICK_S = 0.5
MOST_BELOW = 8
WORDS = re.compile(r"\s*(?:`[^`]*`\S*|\S+)|\s+$")  # what stands between backquotes is one


Lines = Callable[[int], Sequence[str]]  # for so many columns


def nothing(_: int) -> Sequence[str]:
    return ()


class Screen:
    """Use it as a context. ``below`` says what is under way; that never reaches a file or a pipe.

    On a terminal a long line is continued on the next: its end is where the reason is.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        *,
        quiet: bool = False,
        below: Lines = nothing,
    ) -> None:
        self._stream = stream or sys.stderr
        self._quiet = quiet
        self._live = self._stream.isatty() and not quiet
        self._below = below
        self.deaf = False  # nobody is there to see it any more
        self._drawn = 0
        self._turn = threading.Lock()
        self._ended = threading.Event()
        self._ticker = threading.Thread(target=self._tick, name="footer", daemon=True)

    def __enter__(self) -> Screen:
        if self._live:
            self._echo = Echo(self._stream)
            self._echo.hush()
            self._ticker.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._live:
            try:
                self._ticker.join()
                self._write(self._erased())
            finally:
                self._echo.restore()

    def line(self, text: str) -> None:
        if self._quiet:
            return
        clean = strip_controls(text)
        with self._turn:
            if self._live:
                shown = "\n".join(wrap(clean, _columns()))
                self._write(f"{self._erased()}{shown}\n{self._footer()}")
            else:
                self._write(f"{clean}\n")

    def warn(self, text: str) -> None:
        self.line(f"warning: {text}")

    def _tick(self) -> None:
        while not self._ended.wait(TICK_S):
            with self._turn:
                self._write(self._erased() + self._footer())

    def _footer(self) -> str:
        columns = _columns()
        lines = [fit(strip_controls(line).replace("\n", " "), columns) for line in self._below(columns)]
        if len(lines) > MOST_BELOW:
            lines = [*lines[: MOST_BELOW - 1], f"  … {len(lines) - MOST_BELOW + 1} more"]
        self._drawn = len(lines)
        return "\n".join(lines)

    def _erased(self) -> str:
        """Back to where the live lines begin, and clear from there on."""
        up = f"\x1b[{self._drawn - 1}A" if self._drawn > 1 else ""
        self._drawn = 0
        return f"\r{up}\x1b[J"

    def _write(self, text: str) -> None:
        """Whoever watched may have gone (a closed terminal, `| head`): the run goes on without words."""
        if self.deaf:
            return
        encoding = self._stream.encoding or "utf-8"
        try:
            self._stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
            self._stream.flush()
        except OSError:
            self.deaf = True
            hush(self._stream)


def _columns() -> int:
    """Less than there are: a full line, or the ^C that a terminal adds to one, would move the cursor on."""
    return max(10, shutil.get_terminal_size().columns - 3)


def fit(text: str, columns: int) -> str:
    """As much of a line as a terminal has room for; some letters take two places."""
    if len(text) <= columns and text.isascii():
        return text
    used = 0
    for place, letter in enumerate(text):
        width = _width(letter)
        if used + width > columns or (used + width == columns and place + 1 < len(text)):
            return f"{text[:place]}…"
        used += width
    return text


def wrap(text: str, columns: int, indent: str = "    ") -> list[str]:
    """A line in as many as it needs, broken between words where there are any."""
    lines, rest = [], text
    while (end := _room(rest, columns)) < len(rest):
        blank = rest.rfind(" ", len(indent) + 1, end + 1)
        cut = blank if blank > 0 else max(end, len(indent) + 1)
        lines.append(rest[:cut].rstrip())
        rest = indent + rest[cut:].lstrip()
    return [*lines, rest]


def say_outcome(text: str) -> None:
    """Data; broken into lines only where somebody looks at it."""
    say(wrap_whole(text, _columns()) if sys.stdout.isatty() else text)


def wrap_whole(text: str, columns: int, indent: str = "    ") -> str:
    """Lines broken between words, and never inside a command: what is copied must still be one line.

    A word longer than a line is left to the terminal, which knows how to copy what it has broken itself.
    """
    return "\n".join(part for line in text.split("\n") for part in _whole_lines(line, columns, indent))


def _whole_lines(line: str, columns: int, indent: str) -> list[str]:
    lines, rest = [], ""
    for word in WORDS.findall(line):
        if rest.strip() and _room(rest + word, columns) < len(rest + word):
            lines.append(rest)
            rest = indent + word.lstrip()
        else:
            rest += word
    return [*lines, rest]


def _room(text: str, columns: int) -> int:
    """How many of its letters go into so many columns."""
    if len(text) <= columns and text.isascii():
        return len(text)
    widths = accumulate(_width(letter) for letter in text)
    return next((place for place, used in enumerate(widths) if used > columns), len(text))


def _width(letter: str) -> int:
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 0 if unicodedata.combining(letter) else 1
