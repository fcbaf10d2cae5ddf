"""A step that calls an agent needs one that is available: a fallback agent replaces it, or the run waits or stops."""

from __future__ import annotations

from autopilot.events.provision import BACK_AGAIN, AgentSwitched
from autopilot.events.state import RunState
from autopilot.flows.command import Command, Halt, Record, RunStep, Sleep
from autopilot.model.agent import Role
from autopilot.model.policy import Assignment, Policy
from autopilot.model.run import RunStatus, StopKind
from autopilot.rails.assignment import ASKS, Limited, NoAgent, acting, assigned_agent, find_assignment, why_unavailable


def assign_agent(state: RunState, policy: Policy, command: Command) -> Command:
    """The command itself when its agent is available; otherwise the command that has to come first."""
    role = ASKS.get(command.step) if isinstance(command, RunStep) else None
    if role is None:
        return command
    role = acting(state, role)
    match find_assignment(state, policy, role):
        case Assignment() as assignment if str(assignment) == assigned_agent(state, policy, role):
            return command
        case Assignment() as assignment:
            return _switch(state, policy, role, str(assignment))
        case Limited(until=until, because=because, too_long=True):
            # The time and not how long: what is recorded here is read hours later.
            message = f"{because}; Autopilot would ask again at {until:%Y-%m-%d %H:%M} UTC"
            longest = f"which is later than the longest wait allowed ({policy.assignments.max_wait_minutes:g} minutes)"
            return Halt(RunStatus.PAUSED, f"{message}, {longest}", 4, StopKind.LIMIT)
        case Limited(until=until, because=because):
            return Sleep(until, because)
        case NoAgent(because=because):
            message = f"no agent is available for the role {role.value}: {because}"
            return Halt(RunStatus.PAUSED, message, 5, StopKind.PROBLEM)


def _switch(state: RunState, policy: Policy, role: Role, new: str) -> Record:
    old = assigned_agent(state, policy, role)
    because = why_unavailable(state, policy, old) or BACK_AGAIN
    return Record(f"switch/{state.provision.switches + 1}", (AgentSwitched(role, old, new, because),))
