"""How a run that stopped can go on by one command, and which of its added a person may change first."""

from __future__ import annotations

from msgspec import Struct

from autopilot.events.state import RunState
from autopilot.model.run import BreakerStatus, StopKind
from autopilot.reports.run.caps import is_of_config, raised_caps
from autopilot.reports.status.gates import resume_command

NOW = "--now"


class Restart(Struct, frozen=True):
    """What stopped it, in a word, and the command that resumes it; "" where none does as it is."""

    kind: str
    label: str = "Resume"
    command: str = ""
    options: tuple[str, ...] = ()  # beside the caps
    caps: tuple[tuple[str, str], ...] = ()  # options with the values that are proposed
    takes_finding: bool = False  # whether a finding of the user's may go with it


def find_restart(state: RunState) -> Restart:
    resume = resume_command(state)
    if state.issue is not None and state.issue.ending.halted is not None:
        return Restart("halted issue", "Try again", resume, takes_finding=True)
    now = (NOW,) if _has_to_wait(state) else ()
    added = "".join(f" {option}" for option in now)
    if state.session.stop_kind is StopKind.CAP:
        caps = raised_caps(state)
        if is_of_config(state) or not caps:
            return Restart("cap reached")  # a run keeps the config it began with
        raised = "".join(f" {name} {value}" for name, value in caps)
        return Restart("cap reached", "Raise the cap and resume", f"{resume}{added}{raised}", now, caps)
    if state.session.stop_kind is StopKind.LIMIT:
        return Restart("provider's limit", "Resume now", f"{resume}{added}", now)
    if state.breaker.state == BreakerStatus.OPEN:
        return Restart("open breaker", "Resume now, the cause is removed", f"{resume}{added}", now)
    outages = state.availability.out.values()
    if state.session.stop_kind is StopKind.PROBLEM and outages:
        is_login = any(outage.needs_login for outage in outages)
        kind = "missing login" if is_login else "missing agent"
        return Restart(kind, "Resume, it is there now", resume)
    return Restart("stopped", "Resume", resume)


def _has_to_wait(state: RunState) -> bool:
    """Whether a resume alone would wait: for the breaker to cool down, or for a provider."""
    return state.breaker.state == BreakerStatus.OPEN or state.session.stop_kind is StopKind.LIMIT
