"""What the doors say: data on standard output, talk on standard error, and nothing to a reader that has gone away."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

from autopilot.model.secrecy.terminal import strip_controls


def print_output(text: str) -> None:
    """Data. A reader that stops reading takes nothing from what was done: the exit status stays its own."""
    _write(sys.stdout, text)


def print_message(text: str) -> None:
    """Talk."""
    _write(sys.stderr, text)


def print_error(message: str, hint: str) -> None:
    lines = [f"error: {message}"] + ([f"hint: {hint}"] if hint else [])
    _write(sys.stderr, "".join(strip_controls(line).replace("\n", " ") + "\n" for line in lines))


def print_warning(message: str) -> None:
    _write(sys.stderr, f"warning: {strip_controls(message)}".replace("\n", " ") + "\n")


def flush_streams() -> None:
    """Before the process ends: the interpreter's own last flush would turn a broken pipe into a status of its own."""
    for stream in (sys.stdout, sys.stderr):
        _write(stream, "")


def discard_output(stream: TextIO) -> None:
    """Point a stream nobody reads any more at nothing, so that what it still holds goes somewhere."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError):  # a stream without a descriptor holds nothing back
        os.dup2(nothing, stream.fileno())
    os.close(nothing)


def _write(stream: TextIO, text: str) -> None:
    # A path may hold bytes that are no text, and a terminal may lack letters; neither may undo what was done.
    writable = text.encode(stream.encoding, "backslashreplace").decode(stream.encoding)
    try:
        stream.write(writable)
        stream.flush()
    except BrokenPipeError:
        discard_output(stream)
