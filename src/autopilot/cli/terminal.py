"""Questions at a terminal: prints wrapped text and reads a line, or None when the user skips."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout, suppress
from typing import TypeVar

from autopilot.cli.output import print_message
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.live.columns import wrap_lines

SKIP_WORD = "later"
INDENT = re.compile(r" *(?:\S{1,12}  +|\d{1,3}\. )?")  # spaces, and a number or name before the text
T = TypeVar("T")


def is_terminal() -> bool:
    """Whether a user can be asked at this terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def show(text: str) -> None:
    """Print to standard error; long lines are wrapped and indented below their beginning."""
    columns = max(20, shutil.get_terminal_size().columns - 1)
    for line in strip_controls(text).rstrip("\n").split("\n"):
        indent = INDENT.match(line)
        print_message(wrap_lines(line, columns, " " * (indent.end() if indent else 0)) + "\n")


def ask(prompt: str) -> str | None:
    """The typed text, or None for "later". EOFError and KeyboardInterrupt when the user leaves."""
    # `input` prints its prompt to standard output; unless that is a terminal, the prompt belongs to standard error.
    with nullcontext() if sys.stdout.isatty() else redirect_stdout(sys.stderr):
        typed = input(prompt)
    text = strip_controls(typed.encode("utf-8", "replace").decode("utf-8")).strip()
    return None if text.lower() == SKIP_WORD else text


def ask_until(prompt: str, parse: Callable[[str], T | None], otherwise: str) -> T | None:
    """Ask until the text can be parsed; None for "later"."""
    while (text := ask(prompt)) is not None:
        if (value := parse(text)) is not None:
            return value
        show(otherwise)
    return None


def yes_or_no(text: str) -> bool | None:
    return {"y": True, "yes": True, "n": False, "no": False}.get(text.lower())


@contextmanager
def default_signals() -> Iterator[None]:
    """Default signal actions during a conversation: there is nothing to save when the user interrupts it."""
    if not os.environ.get("NO_COLOR"):  # readline prints control sequences
        with suppress(ImportError):
            import readline  # `input` uses it once it is imported

            # Pasted lines are one answer; without this, each line would answer the next question.
            readline.parse_and_bind("set enable-bracketed-paste on")
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        yield
    finally:
        for number, action in before.items():
            signal.signal(number, signal.SIG_DFL if action is None else action)
