"""A notice on the desktop, where there is one."""

from __future__ import annotations

import html
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from autopilot.model.errors import Unavailable
from autopilot.model.notice import Notice, NoticeKind

TIMEOUT_S = 5.0


class Desktop:
    """By `notify-send`. Without it, or without a session to show it in, nothing is sent and nothing is wrong."""

    name = "the desktop"

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)

    def send(self, notice: Notice) -> None:
        program = shutil.which("notify-send", path=self._environment.get("PATH", ""))
        if program is None or not self._has_session():
            return
        # What it shows is read as markup by some desktops.
        body = html.escape("\n".join(filter(None, (notice.reason, notice.command))), quote=False)
        urgency = "normal" if notice.kind is NoticeKind.COMPLETION else "critical"
        arguments = [program, "--app-name=Autopilot", f"--urgency={urgency}", "--", notice.title, body]
        try:
            subprocess.run(
                arguments,
                env=self._environment,
                cwd="/",
                timeout=TIMEOUT_S,
                check=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise Unavailable(f"notify-send: {_reason(error)}", "Set desktop = false below [notify].") from error

    def _has_session(self) -> bool:
        runtime = self._environment.get("XDG_RUNTIME_DIR", "")
        named = self._environment.get("DBUS_SESSION_BUS_ADDRESS")
        return bool(named) or (bool(runtime) and Path(runtime, "bus").exists())


def _reason(error: Exception) -> str:
    match error:
        case subprocess.TimeoutExpired():
            return f"no answer within {TIMEOUT_S:g} s"
        case subprocess.CalledProcessError(returncode=code):
            return f"it ended with status {code}"
        case _:
            return str(error)
