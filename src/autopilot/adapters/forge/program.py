"""A program of the user's own, run with the user's environment and with a deadline; never through a shell."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from autopilot.model.errors import Unavailable


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
    """How it ended; one that cannot be started, or does not end, is Unavailable."""
    name = Path(arguments[0]).name
    try:
        process = subprocess.Popen(
            list(arguments),
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # without a terminal it cannot ask anybody
        )
    except (OSError, ValueError) as error:
        raise Unavailable(f"{name} cannot be started: {error}", "Check that it runs in your terminal.") from error
    with process:
        try:
            output, errors = process.communicate(stdin.encode("utf-8", "replace"), timeout=timeout_s)
        except subprocess.TimeoutExpired:
            hint = "Check the network, and that it asks for nothing in your terminal."
            raise Unavailable(f"{name} did not end within {timeout_s:g} s", hint) from None
        finally:
            _end(process)
    return Ended(process.returncode, _text(output), _text(errors))


def _end(process: subprocess.Popen[bytes]) -> None:
    """With all it began, or a child that holds the pipe open would be waited for."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _text(printed: bytes) -> str:
    return printed.decode("utf-8", "replace").strip()
