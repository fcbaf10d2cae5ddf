"""Which agent is available now: the first of a role's chain that is installed and not rate limited."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct

from autopilot.events.state import RunState
from autopilot.model.agent import Role
from autopilot.model.policy import Assignment, Policy
from autopilot.model.run import Step

# Steps that call an agent, and its role; the others spend nothing.
ASKS: Mapping[Step, Role] = {step: step.role for step in Step if step.role}


class Limited(Struct, frozen=True):
    """Every available agent is rate limited."""

    until: datetime
    because: str
    too_long: bool  # over the wait cap


class NoAgent(Struct, frozen=True):
    because: str


def find_assignment(state: RunState, policy: Policy, role: Role) -> Assignment | Limited | NoAgent:
    chain = policy.chain(acting(state, role).value)
    available = [assignment for assignment in chain if assignment.agent not in state.availability.out]
    for assignment in available:
        if not _is_limited(state, policy, assignment):
            return assignment
    if not available:
        return NoAgent(
            "; ".join(f"{assignment.agent}: {state.availability.out[assignment.agent]}" for assignment in chain)
            or f"no agent is configured for the role {role}"
        )
    longest_s = policy.assignments.max_wait_minutes * 60
    limits = (state.provision.limits[policy.provider(assignment.agent)] for assignment in available)
    found = [
        Limited(limit.until, limit.because, (limit.until - limit.since).total_seconds() > longest_s) for limit in limits
    ]
    # An agent that the run may wait for goes before one that is back sooner but was waited for too long already.
    return min(found, key=lambda limited: (limited.too_long, limited.until))


def acting(state: RunState, role: Role) -> Role:
    """An issue that a plain model could not finish is implemented by the designer's agent from then on."""
    escalated = state.issue is not None and state.issue.escalated
    return Role.DESIGNER if escalated and role is Role.IMPLEMENTER else role


def assigned_agent(state: RunState, policy: Policy, role: Role) -> str:
    """The agent of a role by the record: the preferred one, unless a fallback replaced it."""
    role = acting(state, role)
    chain = policy.chain(role.value)
    return state.availability.serving.get(role.value) or (str(chain[0]) if chain else "")


def why_unavailable(state: RunState, policy: Policy, word: str) -> str:
    """Why an agent is not available now; "" when it is."""
    assignment = Assignment.parse(word)
    if assignment.agent in state.availability.out:
        return str(state.availability.out[assignment.agent])
    if not _is_limited(state, policy, assignment):
        return ""
    return state.provision.limits[policy.provider(assignment.agent)].because


def _is_limited(state: RunState, policy: Policy, assignment: Assignment) -> bool:
    limit = state.provision.limits.get(policy.provider(assignment.agent))
    return limit is not None and limit.until > state.now
