"""Switches the terminal's echo off while something live is drawn, and always restores it."""

from __future__ import annotations

import os
import signal
import termios
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any, TextIO

SignalAction = Callable[[int, FrameType | None], object] | int | None
# Signals that may end the process without running our cleanup.
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP)
LOCAL_MODES = 3  # where termios keeps its local modes


class Echo:
    """``hide`` and ``restore`` may be called in any order, and more than once.

    ``also``: further local modes to switch off; ``enter`` and ``leave``: control sequences for before and after.
    A background process must not change the terminal: the kernel would stop it.
    """

    def __init__(self, stream: TextIO, *, also: int = 0, enter: str = "", leave: str = "") -> None:
        self._terminal = stream.fileno()
        self._modes = termios.ECHO | also
        self._enter, self._leave = enter.encode(), leave.encode()
        self.times_hidden = 0  # whoever has drawn before the last time has to draw again
        self._before: list[Any] | None = None
        self._actions: dict[signal.Signals, SignalAction] = {}

    def hide(self) -> None:
        # The handlers first: a signal between the two steps must not leave the terminal without its echo.
        if not self._actions and threading.current_thread() is threading.main_thread():
            self._handle_signals()
        if self._before is None and self._is_foreground():
            with suppress(termios.error):
                self._before = termios.tcgetattr(self._terminal)
                quiet = termios.tcgetattr(self._terminal)
                quiet[LOCAL_MODES] &= ~self._modes
                termios.tcsetattr(self._terminal, termios.TCSANOW, quiet)
            self._send(self._enter)
            self.times_hidden += 1

    def _handle_signals(self) -> None:
        # What to do besides is known before the first handler can run.
        self._actions = {number: signal.getsignal(number) for number in (*ENDING_SIGNALS, signal.SIGTSTP)}
        for number in ENDING_SIGNALS:
            signal.signal(number, self._end)
        signal.signal(signal.SIGTSTP, self._pause)

    def restore(self) -> None:
        self._restore_terminal()
        for number, action in self._actions.items():
            # A handler installed meanwhile is newer than the one saved here, and stays.
            if signal.getsignal(number) in (self._end, self._pause):
                signal.signal(number, signal.SIG_DFL if action is None else action)
        self._actions = {}

    def _restore_terminal(self) -> None:
        before, self._before = self._before, None
        if before is not None and self._is_foreground():
            self._send(self._leave)
            with suppress(termios.error):
                termios.tcsetattr(self._terminal, termios.TCSANOW, before)

    def _send(self, sequence: bytes) -> None:
        """Past every buffer: a signal may have come in the middle of another write."""
        with suppress(OSError):
            os.write(self._terminal, sequence)

    def _end(self, number: int, frame: FrameType | None) -> None:
        """Restore the terminal before the previous action runs, because that may end the process."""
        self._restore_terminal()
        action = self._actions.get(signal.Signals(number))
        if callable(action):
            signal.signal(number, action)
            action(number, frame)
        elif action != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    def _pause(self, number: int, _: FrameType | None) -> None:
        """Restore the terminal, suspend the process, and hide the echo again when it continues."""
        if self._actions.get(signal.SIGTSTP) == signal.SIG_IGN:
            return
        self._restore_terminal()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, self._pause)
        self.hide()

    def _is_foreground(self) -> bool:
        try:
            return os.tcgetpgrp(self._terminal) == os.getpgrp()
        except OSError:
            return True  # no job control: there is no background
