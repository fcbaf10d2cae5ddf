"""Who can be asked now: the first of a role's chain that is there and not limited."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct

from autopilot.events.state import RunState
from autopilot.model.agent import Role
from autopilot.model.policy import Policy, Seat
from autopilot.model.run import Step

# Steps that ask an agent, and whom; the others spend nothing.
ASKS: Mapping[Step, Role] = {step: step.role for step in Step if step.role}


class Limited(Struct, frozen=True):
    """Everybody who could be asked is limited."""

    until: datetime
    because: str
    too_long: bool  # over the wait cap


class Nobody(Struct, frozen=True):
    because: str


def find_seat(state: RunState, policy: Policy, role: Role) -> Seat | Limited | Nobody:
    chain = policy.chain(acting(state, role).value)
    there = [seat for seat in chain if seat.agent not in state.out]
    for seat in there:
        if not _is_limited(state, policy, seat):
            return seat
    if not there:
        return Nobody(
            "; ".join(f"{seat.agent}: {state.out[seat.agent]}" for seat in chain)
            or f"no agent is configured for the role {role}"
        )
    longest_s = policy.max_wait_minutes * 60
    limits = (state.limits[policy.provider(seat.agent)] for seat in there)
    found = [
        Limited(limit.until, limit.because, (limit.until - limit.since).total_seconds() > longest_s) for limit in limits
    ]
    # Who may be waited for goes before who would be back sooner but has been waited for too long already.
    return min(found, key=lambda limited: (limited.too_long, limited.until))


def acting(state: RunState, role: Role) -> Role:
    """An issue that a plain model could not bring to its end is implemented by whoever designs, from then on."""
    escalated = state.issue is not None and state.issue.escalated
    return Role.DESIGNER if escalated and role is Role.IMPLEMENTER else role


def who_serves(state: RunState, policy: Policy, role: Role) -> str:
    """Who does a role by the record: the preferred one, unless another stepped in."""
    role = acting(state, role)
    chain = policy.chain(role.value)
    return state.serving.get(role.value) or (str(chain[0]) if chain else "")


def why_not(state: RunState, policy: Policy, word: str) -> str:
    """Why an agent cannot be asked now; "" when it can."""
    seat = Seat.parse(word)
    if seat.agent in state.out:
        return str(state.out[seat.agent])
    return state.limits[policy.provider(seat.agent)].because if _is_limited(state, policy, seat) else ""


def _is_limited(state: RunState, policy: Policy, seat: Seat) -> bool:
    limit = state.limits.get(policy.provider(seat.agent))
    return limit is not None and limit.until > state.now
