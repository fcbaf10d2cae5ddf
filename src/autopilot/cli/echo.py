"""Keys typed while live lines are drawn: they are not shown among them, and the terminal is always given back."""

from __future__ import annotations

import os
import signal
import termios
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any, TextIO

Answer = Callable[[int, FrameType | None], object] | int | None  # to a signal
# What may end the process without another word of ours.
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP)
LOCAL = 3  # where termios keeps its local modes


class Echo:
    """``hush`` and ``restore`` may be called in any order, and more than once.

    In the background the terminal belongs to somebody else, and whoever touches it there is stopped.
    """

    def __init__(self, stream: TextIO) -> None:
        self._terminal = stream.fileno()
        self._before: list[Any] | None = None
        self._answers: dict[signal.Signals, Answer] = {}

    def hush(self) -> None:
        if self._before is None and self._is_ours():
            with suppress(termios.error):
                self._before = termios.tcgetattr(self._terminal)
                quiet = termios.tcgetattr(self._terminal)
                quiet[LOCAL] &= ~termios.ECHO
                termios.tcsetattr(self._terminal, termios.TCSANOW, quiet)
        if not self._answers and threading.current_thread() is threading.main_thread():
            self._answers = {number: signal.signal(number, self._end) for number in ENDING}
            self._answers[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, self._pause)

    def restore(self) -> None:
        self._give_back()
        for number, answer in self._answers.items():
            # Where another answer was given meanwhile, that is the newer wish.
            if signal.getsignal(number) in (self._end, self._pause):
                signal.signal(number, signal.SIG_DFL if answer is None else answer)
        self._answers = {}

    def _give_back(self) -> None:
        before, self._before = self._before, None
        if before is not None and self._is_ours():
            with suppress(termios.error):
                termios.tcsetattr(self._terminal, termios.TCSANOW, before)

    def _end(self, number: int, frame: FrameType | None) -> None:
        """The terminal first: whoever answers after us may end the process, now or at the next signal."""
        self._give_back()
        answer = self._answers.get(signal.Signals(number))
        if callable(answer):
            signal.signal(number, answer)
            answer(number, frame)
        elif answer != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    def _pause(self, number: int, _: FrameType | None) -> None:
        """Suspended here, and gone on from here."""
        if self._answers.get(signal.SIGTSTP) == signal.SIG_IGN:
            return
        self._give_back()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, self._pause)
        self.hush()

    def _is_ours(self) -> bool:
        try:
            return os.tcgetpgrp(self._terminal) == os.getpgrp()
        except OSError:
            return True  # nobody's jobs are controlled from there
