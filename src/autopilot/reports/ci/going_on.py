"""How a run that stopped in a CI job goes on: on a person's machine, or in the next job."""

from __future__ import annotations

from autopilot.events.state import RunState
from autopilot.model.run import RunStatus
from autopilot.reports.inert import make_inert
from autopilot.reports.markdown import one_line
from autopilot.reports.status.gates import find_waiting, resume_command


def render_going_on(state: RunState, artefact: str = "") -> str:
    """Markdown; "" for a run that is over. ``artefact``: the file that the job has left, if it did."""
    if state.status is RunStatus.COMPLETED:
        return ""
    waiting = [item.command for item in find_waiting(state)]
    if not artefact:
        head = "The record of this run is in this job's state home. Where that is kept:"
        return _section(head, [*waiting, f"{resume_command(state)} --ci"])
    head = f"Download `{artefact}` into a checkout of this repository; with the key it was sealed with:"
    decided = [*waiting, f"autopilot log export {artefact}"] if waiting else []
    last = f"{resume_command(state)} --ci --artefact {artefact}"
    return _section(head, [f"autopilot log import {artefact}", *decided, f"{last}   # in a job, or without --ci here"])


def _section(head: str, commands: list[str]) -> str:
    lines = "\n".join(map(one_line, commands))
    return make_inert(f"### To go on\n\n{head}\n\n```sh\n{lines}\n```\n")
