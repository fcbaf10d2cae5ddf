"""A notice for a command of the user's own."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress

import msgspec

from autopilot.model.errors import Unavailable
from autopilot.model.notice import Notice

TIMEOUT_S = 10.0
HINT = "Check `command` below [notify] in your settings.toml."


class Command:
    """Run by the shell, outside every sandbox; the notice is JSON on its input, and in AUTOPILOT_* variables."""

    name = "the command"

    def __init__(self, command: str, environment: Mapping[str, str], timeout_s: float = TIMEOUT_S) -> None:
        self._command = command
        self._environment = dict(environment)
        self._timeout_s = timeout_s

    def send(self, notice: Notice) -> None:
        try:
            process = subprocess.Popen(
                ("/bin/sh", "-c", self._command),
                # Not in the repository: what lies there is not the user's word.
                cwd=self._environment.get("HOME") or "/",
                env=self._environment | variables(notice),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise Unavailable(f"it cannot be started: {error}", HINT) from error
        try:
            process.communicate(msgspec.json.encode(notice) + b"\n", timeout=self._timeout_s)
        except subprocess.TimeoutExpired as error:
            raise Unavailable(f"it did not end within {self._timeout_s:g} s", HINT) from error
        finally:
            _end(process)
        if process.returncode != 0:
            raise Unavailable(f"it ended with status {process.returncode}", HINT)


def variables(notice: Notice) -> dict[str, str]:
    return {
        "AUTOPILOT_NOTICE": notice.kind.value,
        "AUTOPILOT_RUN": notice.run,
        "AUTOPILOT_REPOSITORY": notice.repository,
        "AUTOPILOT_STATUS": notice.status,
        "AUTOPILOT_EXIT_STATUS": str(notice.exit_status),
        "AUTOPILOT_TITLE": notice.title,
        "AUTOPILOT_REASON": notice.reason,
        "AUTOPILOT_COMMAND": notice.command,
    }


def _end(process: subprocess.Popen[bytes]) -> None:
    """One that has ended may have left something on purpose; one that has not is ended with all it began."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
