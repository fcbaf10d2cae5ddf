"""Asking at a terminal: words out, wrapped; a line back, or nothing when the user would rather not."""

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
from autopilot.cli.screen import wrap
from autopilot.model.secrecy.terminal import strip_controls

SKIP_WORD = "later"
INDENT = re.compile(r" *(?:\S{1,12}  +|\d{1,3}\. )?")  # spaces, and a number or a name that stands by itself
T = TypeVar("T")


def is_terminal() -> bool:
    """Whether somebody is there to be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def show(text: str) -> None:
    """Talk, so not among the data; every line broken where the terminal ends, and gone on below its first words."""
    columns = max(20, shutil.get_terminal_size().columns - 1)
    for line in strip_controls(text).rstrip("\n").split("\n"):
        indent = INDENT.match(line)
        print_message("\n".join(wrap(line, columns, " " * (indent.end() if indent else 0))) + "\n")


def ask(prompt: str) -> str | None:
    """What is typed, or None for "later". EOFError and KeyboardInterrupt when the user leaves."""
    # Only a terminal may be written to by whoever edits the line; elsewhere the prompt would get among the data.
    with nullcontext() if sys.stdout.isatty() else redirect_stdout(sys.stderr):
        typed = input(prompt)
    text = strip_controls(typed.encode("utf-8", "replace").decode("utf-8")).strip()
    return None if text.lower() == SKIP_WORD else text


def ask_until(prompt: str, parse: Callable[[str], T | None], otherwise: str) -> T | None:
    """Ask again until it is understood; None for "later"."""
    while (text := ask(prompt)) is not None:
        if (value := parse(text)) is not None:
            return value
        show(otherwise)
    return None


def yes_or_no(text: str) -> bool | None:
    return {"y": True, "yes": True, "n": False, "no": False}.get(text.lower())


@contextmanager
def default_signals() -> Iterator[None]:
    """While it lasts, a signal means what it means to any program: nothing is under way that would have to be saved."""
    if not os.environ.get("NO_COLOR"):  # a line that can be edited is drawn with control sequences
        with suppress(ImportError):
            import readline  # importing it is what makes `input` use it

            # Pasted lines are one answer; otherwise each would answer a question of its own.
            readline.parse_and_bind("set enable-bracketed-paste on")
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        yield
    finally:
        for number, action in before.items():
            signal.signal(number, signal.SIG_DFL if action is None else action)
