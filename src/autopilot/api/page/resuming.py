"""Takes a stopped run up again in a process of its own, which outlives the one that asked for it."""

from __future__ import annotations

import shlex
import subprocess
import time
from collections.abc import Sequence

from autopilot.adapters.own_module import run_own_module
from autopilot.api.assembly import Repository
from autopilot.events.state import RunState
from autopilot.model.errors import AutopilotError, UsageError
from autopilot.reports.status.gates import resume_command

BEGINS_WITHIN_S = 3.0
_TAIL = 4_000  # characters of what it said


def start_resuming(repository: Repository, state: RunState, options: Sequence[str] = ()) -> str:
    """Start it with these options and see that it begins; what it said where it ended at once is the error."""
    log = repository.home.root / "resume.log"
    arguments = [*shlex.split(resume_command(state))[1:], *options]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*run_own_module("autopilot"), *arguments],
            cwd=repository.path,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    deadline = time.monotonic() + BEGINS_WITHIN_S
    while time.monotonic() < deadline:
        status = process.poll()
        if status is not None:
            return _say_end(status, log.read_text(encoding="utf-8", errors="replace")[-_TAIL:])
        time.sleep(0.05)
    return f"{state.run} goes on in process {process.pid}"


def _say_end(status: int, output: str) -> str:
    lines = [line for line in output.splitlines() if line.strip()]
    if status == UsageError.exit_status:
        error = next((line.removeprefix("error: ") for line in lines if line.startswith("error: ")), "it did not begin")
        hint = next((line.removeprefix("hint: ") for line in lines if line.startswith("hint: ")), "")
        raise AutopilotError(error, hint)
    return f"the run went on and stopped again with exit status {status}: {lines[-1] if lines else 'it said nothing'}"
