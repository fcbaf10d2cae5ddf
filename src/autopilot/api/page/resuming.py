"""Takes a stopped run up again in a process of its own, which outlives the one that asked for it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from autopilot.api.assembly import Repository
from autopilot.api.page.detached import start_detached
from autopilot.events.state import RunState
from autopilot.reports.status.gates import resume_command

LOG = "resume.log"


def start_resuming(repository: Repository, state: RunState, options: Sequence[str] = ()) -> str:
    """Start it with these options and see that it begins; what it said where it ended at once is the error."""
    started = start_detached(repository, [*shlex.split(resume_command(state))[1:], *options], LOG)
    if started.status is not None:
        return f"the run went on and stopped again with exit status {started.status}: {started.message}"
    return f"{state.run} goes on in process {started.pid}"
