"""Printing: results to standard output, messages to standard error; a closed pipe is no error, a full disk is one."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TextIO

from autopilot.cli.inert_json import render_json
from autopilot.model.errors import CapReached
from autopilot.model.secrecy.terminal import strip_controls


def print_output(text: str) -> None:
    """Print a result without control sequences. A reader that closes the pipe does not change the exit status."""
    _write(sys.stdout, strip_controls(text))


def print_painted(text: str) -> None:
    """Print what has colours of ours: the caller has stripped it of all others."""
    _write(sys.stdout, text)


def print_json(document: Any) -> None:
    """Print a result for programs: nothing is removed, what would steer a terminal is escaped."""
    _write(sys.stdout, f"{render_json(document)}\n")


def print_message(text: str) -> None:
    """Print a message that is not part of the result."""
    _write(sys.stderr, strip_controls(text))


def print_error(message: str, *hints: str, before: Sequence[str] = ()) -> None:
    """``before``: lines that come first, such as a list that the message sums up."""
    lines = [*before, f"error: {message}", *(f"hint: {hint}" for hint in hints if hint)]
    _write(sys.stderr, "".join(strip_controls(line).replace("\n", " ") + "\n" for line in lines))


def print_warning(message: str) -> None:
    _write(sys.stderr, f"warning: {strip_controls(message)}".replace("\n", " ") + "\n")


def flush_streams() -> None:
    """Flush before the process ends: the interpreter's own flush would turn a broken pipe into exit status 120."""
    for stream in (sys.stdout, sys.stderr):
        _write(stream, "")


def discard_output(stream: TextIO) -> None:
    """Redirect a stream whose reader is gone to /dev/null, so that buffered text can be flushed."""
    null = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError):  # a stream without a descriptor has no buffer
        os.dup2(null, stream.fileno())
    os.close(null)


def _write(stream: TextIO, text: str) -> None:
    # A path may contain bytes that are not UTF-8, and a terminal may lack characters: neither is an error.
    writable = text.encode(stream.encoding, "backslashreplace").decode(stream.encoding)
    try:
        stream.write(writable)
        stream.flush()
    except BrokenPipeError:
        discard_output(stream)
    except OSError as error:
        discard_output(stream)
        if stream is sys.stdout:  # of standard error nobody can be told
            raise _unwritable(error) from error


def refuse_full_disk(error: OSError | None) -> None:
    """CapReached where lines are missing because the disk is full; who closes a pipe or a terminal has seen enough."""
    if error is not None and _is_full(error):
        raise _unwritable(error) from error


def _is_full(error: OSError) -> bool:
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def _unwritable(error: OSError) -> CapReached:
    full = _is_full(error)
    why, first = ("the disk is full", "free some space, or ") if full else (error.strerror, "")
    return CapReached(f"standard output cannot be written: {why}", f"{first}send the output elsewhere")
