"""Joins the user's terminal with one of its own for a confined command: nothing of the user's terminal goes inside.

What runs inside holds the other end of a pseudo-terminal that is made for it. It can neither read what was typed
before nor put words into the user's terminal.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import sys
import termios
import threading
import tty
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

from autopilot.adapters.sandbox.user import kernel_uid
from autopilot.ports.sandbox import Outcome, Running

NAP_S = 0.1
CHUNK = 65_536
PASSED_ON = ("TERM", "COLORTERM")

Start = Callable[[str, dict[str, str]], Running]


def run_at_terminal(start: Start, environment: Mapping[str, str] = os.environ) -> Outcome:
    """Run what ``start`` begins with the name of a terminal and an environment, until it ends."""
    ours, its = os.openpty()
    try:
        if (uid := kernel_uid()) is not None:
            os.fchown(its, uid, -1)
        env = {name: environment[name] for name in PASSED_ON if name in environment}
        with _as_large_as_ours(ours), _raw_input():
            return _relay(start(os.ttyname(its), env), ours)
    finally:
        os.close(ours)
        os.close(its)


def _relay(running: Running, ours: int) -> Outcome:
    outcomes: list[Outcome] = []
    waiting = threading.Thread(target=lambda: outcomes.append(running.wait()), name="shell", daemon=True)
    waiting.start()
    typed = [sys.stdin.fileno()]
    try:
        while waiting.is_alive():
            _pass_on(ours, typed, NAP_S)
        while select.select([ours], [], [], 0)[0] and _pass_on(ours, [], 0):
            pass  # its last words
    finally:
        running.stop()
        waiting.join()
    return outcomes[0]


def _pass_on(ours: int, typed: list[int], patience_s: float) -> bool:
    """One turn of both directions; whether anything came from inside."""
    ready, _, _ = select.select([ours, *typed], [], [], patience_s)
    for fd in [fd for fd in typed if fd in ready]:
        if text := os.read(fd, CHUNK):
            os.write(ours, text)
        else:
            typed.remove(fd)
    if ours not in ready:
        return False
    text = os.read(ours, CHUNK)
    os.write(sys.stdout.fileno(), text)
    return bool(text)


@contextmanager
def _raw_input() -> Iterator[None]:
    """Keys go inside as they are, Ctrl-C too; the user's terminal is restored as it was."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setraw(terminal)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


@contextmanager
def _as_large_as_ours(its: int) -> Iterator[None]:
    def follow(*_: object) -> None:
        with suppress(OSError):  # a terminal without a size
            size = fcntl.ioctl(sys.stdin.fileno(), termios.TIOCGWINSZ, b"\0" * 8)
            fcntl.ioctl(its, termios.TIOCSWINSZ, size)

    follow()
    before = signal.signal(signal.SIGWINCH, follow)
    try:
        yield
    finally:
        signal.signal(signal.SIGWINCH, before)
