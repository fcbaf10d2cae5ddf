"""A step that asks needs somebody who can be asked: another steps in, or the run waits, or it stops and says why."""

from __future__ import annotations

from datetime import datetime

from autopilot.events.provision import BACK_AGAIN, AgentSwitched
from autopilot.events.state import RunState
from autopilot.flows.command import Command, Halt, Record, RunStep, Sleep
from autopilot.model.agent import Role
from autopilot.model.policy import Policy, Seat
from autopilot.model.run import RunStatus
from autopilot.rails.seating import ASKS, Limited, Nobody, acting, find_seat, who_serves, why_not


def man(state: RunState, policy: Policy, command: Command) -> Command:
    """The command itself when its agent can be asked; otherwise what has to be done first."""
    role = ASKS.get(command.step) if isinstance(command, RunStep) else None
    if role is None:
        return command
    role = acting(state, role)
    match find_seat(state, policy, role):
        case Seat() as seat if str(seat) == who_serves(state, policy, role):
            return command
        case Seat() as seat:
            return _switch(state, policy, role, str(seat))
        case Limited(until=until, because=because, too_long=True):
            words = (
                f"{because}; the rate limit ends in {_minutes(state, until)} minutes, and the longest wait allowed is"
            )
            return Halt(RunStatus.PAUSED, f"{words} {policy.max_wait_minutes:g}", 4, limited=True)
        case Limited(until=until, because=because):
            return Sleep(until, because)
        case Nobody(because=because):
            return Halt(RunStatus.PAUSED, f"no agent is available for the role {role.value}: {because}", 5)


def _switch(state: RunState, policy: Policy, role: Role, new: str) -> Record:
    old = who_serves(state, policy, role)
    because = why_not(state, policy, old) or BACK_AGAIN
    return Record(f"switch/{state.switches + 1}", (AgentSwitched(role, old, new, because),))


def _minutes(state: RunState, until: datetime) -> int:
    return int((until - state.now).total_seconds() // 60) + 1
