"""A terminal borrowed as a whole: rows are drawn where they changed, keys are read, and it is always restored."""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

from autopilot.cli.colour import BOLD, DIM, GREEN, RED, YELLOW, may_colour, paint
from autopilot.cli.echo import Echo
from autopilot.cli.live.keys import parse_keys
from autopilot.cli.screen import size_of
from autopilot.reports.live.row import Row, Tone

if TYPE_CHECKING:
    from collections.abc import Iterator

# The other screen, without a cursor and without wrapping; then the way back.
ENTER, LEAVE = "\x1b[?1049h\x1b[?25l\x1b[?7l", "\x1b[?7h\x1b[?25h\x1b[?1049l"
REVERSED = "7"
TONES = {Tone.HEAD: BOLD, Tone.DIM: DIM, Tone.GOOD: GREEN, Tone.BAD: RED, Tone.WARN: YELLOW, Tone.CHOSEN: REVERSED}
REST_OF_KEY_S = 0.05  # a key may be several bytes, which a slow line brings one by one
MOST_BYTES = 1024


class FullScreen:
    """A context manager around standard input and output."""

    def __init__(self) -> None:
        self._echo = Echo(sys.stdout, also=termios.ICANON, enter=ENTER, leave=LEAVE)
        self._coloured = may_colour(sys.stdout)
        self._drawn: list[Row] = []
        self._entered = 0
        self._woken = os.pipe()

    def __enter__(self) -> FullScreen:
        for end in self._woken:
            os.set_blocking(end, False)
        self._before = signal.signal(signal.SIGWINCH, self._wake)
        self._echo.hide()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._echo.restore()
        signal.signal(signal.SIGWINCH, self._before)
        for end in self._woken:
            os.close(end)

    @property
    def size(self) -> tuple[int, int]:
        size = size_of(sys.stdout)
        return size.columns, size.lines

    @contextmanager
    def lent(self) -> Iterator[None]:
        """The ordinary screen for a conversation."""
        self._echo.restore()
        try:
            yield
        finally:
            self._echo.hide()

    def draw(self, rows: Sequence[Row]) -> None:
        """Only what differs from what stands there; all of it after a change of size, or when it was lent."""
        if len(rows) != len(self._drawn) or self._entered != self._echo.times_hidden:
            self._drawn, self._entered = [], self._echo.times_hidden
        old: Sequence[Row | None] = self._drawn or [None] * len(rows)
        pairs = zip(rows, old, strict=True)
        changed = [self._row(place, row) for place, (row, was) in enumerate(pairs, 1) if row != was]
        if changed:
            clear = "" if self._drawn else "\x1b[2J"
            self._write(clear + "".join(changed))
        self._drawn = list(rows)

    @property
    def is_drawn(self) -> bool:
        """Whether what was drawn last still stands there."""
        return bool(self._drawn) and self._entered == self._echo.times_hidden

    def keys(self, timeout_s: float) -> list[str]:
        """The keys pressed since; none after the timeout, or at once when the size has changed."""
        standard_input = sys.stdin.fileno()
        ready, _, _ = select.select([standard_input, self._woken[0]], [], [], timeout_s)
        if self._woken[0] in ready:
            with suppress(BlockingIOError):
                os.read(self._woken[0], MOST_BYTES)
            self._drawn = []  # the terminal may have moved them
        if standard_input not in ready:
            return []
        text = self._read(standard_input)
        while text.endswith("\x1b") and select.select([standard_input], [], [], REST_OF_KEY_S)[0]:
            text += self._read(standard_input)
        return list(parse_keys(text))

    def _read(self, descriptor: int) -> str:
        """EOFError when the terminal is gone."""
        try:
            received = os.read(descriptor, MOST_BYTES)
        except OSError:
            received = b""
        if not received:
            raise EOFError
        return received.decode("utf-8", "replace")

    def _row(self, place: int, row: Row) -> str:
        tone = TONES.get(row.tone, "") if self._coloured else ""
        # Cleared first: after a row that is full, the sequence would clear its last character.
        return f"\x1b[{place};1H\x1b[2K{paint(row.text, tone)}"

    def _write(self, text: str) -> None:
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()

    def _wake(self, _: int, __: FrameType | None) -> None:
        with suppress(BlockingIOError):
            os.write(self._woken[1], b"w")
