"""A program of the user's own, run with the user's environment, a deadline and a bound; never through a shell."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from msgspec import Struct

from autopilot.model.errors import Unavailable

MOST = 64 << 20  # bytes that it prints: 500 issues of the longest text that GitHub takes, and as much again
_LOOK_S = 0.1


class Ended(Struct, frozen=True):
    code: int
    output: str
    complaint: str


def find_program(name: str, environment: Mapping[str, str], hint: str) -> str:
    """Where it is. A folder of the ``PATH`` that is not named whole would be looked for inside the repository."""
    folders = environment.get("PATH", "").split(os.pathsep)
    found = shutil.which(
        name, path=os.pathsep.join(folder_name for folder_name in folders if Path(folder_name).is_absolute())
    )
    if found is None:
        raise Unavailable(f"{name} is not installed", hint)
    return found


def run_program(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], timeout_s: float, stdin: str = ""
) -> Ended:
    """How it ended; one that cannot be started, or does not end, is Unavailable.

    What it prints is what a host says that it asks, so it goes to files, whose size is seen while they grow.
    """
    name = Path(arguments[0]).name
    try:
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            given.write(stdin.encode("utf-8", "replace"))
            given.seek(0)
            process = subprocess.Popen(
                list(arguments),
                cwd=folder,
                env=dict(environment),
                stdin=given,
                stdout=output,
                stderr=errors,
                start_new_session=True,  # without a terminal it cannot ask anybody
            )
            try:
                _wait(process, name, timeout_s, (output, errors))
            finally:
                _end(process)
            return Ended(process.returncode, _text(output), _text(errors))
    except (OSError, ValueError) as error:
        raise Unavailable(f"{name} cannot be started: {error}", "Check that it runs in your terminal.") from error


def _wait(process: subprocess.Popen[bytes], name: str, timeout_s: float, printed: Sequence[IO[bytes]]) -> None:
    deadline = time.monotonic() + timeout_s
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, min(_LOOK_S, deadline - time.monotonic())))
        if any(os.fstat(file.fileno()).st_size > MOST for file in printed):
            raise Unavailable(f"{name} printed more than {MOST >> 20} MB", "Look at what answers there.")
        if process.returncode is not None:
            return
        if time.monotonic() >= deadline:
            hint = "Check the network, and that it asks for nothing in your terminal."
            raise Unavailable(f"{name} did not end within {timeout_s:g} s", hint)


def _end(process: subprocess.Popen[bytes]) -> None:
    """With all that it began."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _text(printed: IO[bytes]) -> str:
    printed.seek(0)
    return printed.read(MOST).decode("utf-8", "replace").strip()
