"""The tools that start, resume and stop runs: the ordinary commands, with the user's settings and caps alone."""

from __future__ import annotations

import shlex

from autopilot.adapters.home import open_home
from autopilot.adapters.lock import FileLock
from autopilot.api.assembly import Repository, assemble
from autopilot.api.cancellation import cancel
from autopilot.api.page.detached import start_detached
from autopilot.mcp_server.arguments import OfRepository, OfStart
from autopilot.mcp_server.places import Places
from autopilot.mcp_server.reading import Document
from autopilot.model.errors import UsageError
from autopilot.settings.reading import Settings

LOG = "mcp.log"
BY = "you, by a tool of a client of MCP"


def start_run(places: Places, given: OfStart) -> Document:
    return _start(places, given.repository, ["run", *given.phases])


def resume_run(places: Places, given: OfRepository) -> Document:
    """What stopped at a cap stops again: only the user raises one."""
    return _start(places, given.repository, ["resume"])


def stop_run(places: Places, given: OfRepository) -> Document:
    repository, settings = places.find(given.repository)
    return {"message": cancel(assemble(repository, settings), BY)}


def _start(places: Places, name: str, arguments: list[str]) -> Document:
    repository, settings = places.find(name)
    _refuse_second(repository, settings)
    command = shlex.join(("autopilot", *arguments))
    started = start_detached(repository, arguments, LOG)
    if started.status is not None:
        return {"command": command, "exit_status": started.status, "message": started.message}
    follow = "`status` shows whether it goes on; the user follows it with `autopilot watch`"
    return {"command": command, "process": started.pid, "message": f"it was started as process {started.pid}; {follow}"}


def _refuse_second(repository: Repository, settings: Settings) -> None:
    home = open_home(settings.state, repository.git_directory)
    if (holder := FileLock(home.lock).holder()) is not None:
        wrong = f"a run of {repository.path} is at work already, in process {holder.pid}"
        raise UsageError(wrong, "wait for its end, or stop it with the tool stop_run")
