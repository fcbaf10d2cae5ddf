"""What an agent's ending means to the whole run: limits are the provider's, so they hold for every phase."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from autopilot.events.happened import AgentReplied, RunResumed
from autopilot.events.pieces import Change, Limit, Outage, Wait, Waited
from autopilot.events.provision import AgentSwitched, ProvisionRunEvent, WaitStarted, Woken
from autopilot.events.state import RunState
from autopilot.model.agent import Ending
from autopilot.model.policy import Assignment

LIMITED = (Ending.RATE_LIMITED, Ending.OVERLOADED, Ending.OFFLINE)
GONE = (Ending.AUTH, Ending.NOT_FOUND)
LEAST_WAIT_S, LONGEST_WAIT_S = 0.001, 900.0  # the longest where the provider names no time; 0 cannot be doubled
DOUBLINGS = 20  # enough to make the longest of the least
FURTHEST_S = 90 * 86_400.0  # a time further away than that is a mistake, and must not overflow either
JITTER = 0.1  # of the wait: those who were limited together must not retry at the same time


def fold_provision(state: RunState, event: ProvisionRunEvent) -> RunState:
    match event:
        case AgentSwitched(role=role, old=old, new=new, because=because):
            if (outage := state.availability.out.get(Assignment.parse(old).agent)) is not None:
                because = outage.because  # without the remedy, which is for the user at the terminal
            if (current := state.current) is not None:
                change = Change(role, old, new, because)
                agents = replace(current.agents, changes=(*current.agents.changes, change))
                state = state.with_phase(replace(current, agents=agents))
            serving = {**state.availability.serving, role.value: new}
            return replace(
                state,
                availability=replace(state.availability, serving=serving),
                provision=replace(state.provision, switches=state.provision.switches + 1),
            )
        case WaitStarted(until=until, because=because):
            return replace(
                state,
                availability=replace(state.availability, wait=Wait(until, because, state.now)),
                provision=replace(state.provision, waits=state.provision.waits + 1),
            )
        case Woken(waited_s=waited_s):
            return _woken(state, waited_s)


def _woken(state: RunState, waited_s: float) -> RunState:
    """Time spent waiting for a provider counts towards no time cap: nothing was done in it."""
    wait = state.availability.wait
    waited = Waited(wait.because if wait else "", waited_s)
    for phase in state.at_work or ((state.current,) if state.current else ()):
        agents = phase.agents
        agents = replace(agents, waited_s=agents.waited_s + waited_s, waits=(*agents.waits, waited))
        state = state.with_phase(replace(phase, agents=agents))
    return replace(
        state,
        availability=replace(state.availability, wait=None),
        session=replace(state.session, waited_s=state.session.waited_s + waited_s),
    )


def learn_from_reply(state: RunState, reply: AgentReplied) -> RunState:
    """What the run learns about a provider, or about an agent, from how a call to it ended."""
    provider = state.policy.provider(reply.agent)
    if reply.ending in GONE:
        needs_login = reply.agent if reply.ending is Ending.AUTH else ""
        outage = Outage(reply.detail or f"it {reply.ending.in_words}", needs_login, reply.remedy or "")
        out = {**state.availability.out, reply.agent: outage}
        return replace(state, availability=replace(state.availability, out=out))
    if reply.ending in LIMITED:
        limits = {**state.provision.limits, provider: _limit(state, provider, reply)}
        return replace(state, provision=replace(state.provision, limits=limits))
    return state


def end_limits(state: RunState, replies: Sequence[AgentReplied]) -> RunState:
    """A step has ended with these replies: the limits of the providers that gave them are over.

    Not with the first of several replies: a step whose second question is limited every time would start over with
    the shortest wait each time, for ever.
    """
    answered = {state.policy.provider(reply.agent) for reply in replies if reply.ending is Ending.COMPLETED}
    # A limit that still holds was met by a parallel call after this one started: the reply is older than the limit.
    limits = state.provision.limits
    over = {name for name in answered if name in limits and limits[name].until <= state.now}
    kept = {name: limit for name, limit in limits.items() if name not in over}
    return replace(state, provision=replace(state.provision, limits=kept))


def _limit(state: RunState, provider: str, reply: AgentReplied) -> Limit:
    """Calls in progress at the same time are limited together: that is one strike, and the longest wait counts."""
    before = _in_a_row(state, provider, reply)
    together = before is not None and before.until > state.now
    strikes = before.strikes + (not together) if before else 1
    until = state.now + timedelta(seconds=_wait_s(state, provider, reply, strikes))
    because = f"{reply.agent} {reply.ending.in_words}" + (f": {reply.detail}" if reply.detail else "")
    if before is not None and together and before.until >= until:
        return before
    return Limit(until, before.since if before else state.now, strikes, because)


def _in_a_row(state: RunState, provider: str, reply: AgentReplied) -> Limit | None:
    """The limit that this one follows; one that was over long before the call started does not count."""
    limit, begun = state.provision.limits.get(provider), state.now - timedelta(milliseconds=reply.duration_ms)
    return limit if limit and begun - limit.until <= timedelta(seconds=LONGEST_WAIT_S) else None


def _wait_s(state: RunState, provider: str, reply: AgentReplied, strikes: int) -> float:
    """As long as the provider asked for; doubled for each further limit in a row, or where it named no time."""
    requested_s = _requested_s(reply, state.now)
    usual_s = min(state.policy.assignments.first_wait_s, FURTHEST_S)
    first_s = max(usual_s if requested_s is None else requested_s, LEAST_WAIT_S)
    wait_s = max(first_s, min(first_s * 2.0 ** min(strikes - 1, DOUBLINGS), LONGEST_WAIT_S))
    return wait_s * (1 + JITTER * (zlib.crc32(f"{state.run}/{provider}/{state.seq}".encode()) % 100) / 100)


def _requested_s(reply: AgentReplied, now: datetime) -> float | None:
    """How long the provider asks us to wait, from now; None when it named no time, or one that is past."""
    if reply.resets_at is not None and (left_s := _left_s(reply.resets_at, now)) > 0:
        return min(left_s, FURTHEST_S)
    if reply.retry_after_s is not None and reply.retry_after_s > 0:
        return min(reply.retry_after_s, FURTHEST_S)
    return None


def _left_s(then: datetime, now: datetime) -> float:
    # Written without a zone it means UTC: a fold must come to its end whatever was recorded.
    return ((then if then.tzinfo else then.replace(tzinfo=UTC)) - now).total_seconds()


def begin_session(state: RunState, at_rest: bool, resumed: RunResumed) -> RunState:
    """After a stop the user has had a chance to act: unavailable agents are tried again, the wait cap counts from here.

    After a kill the run continues unchanged. Time caps start over in both cases, and so do the waits.
    """
    phases = {key: replace(phase, agents=replace(phase.agents, waited_s=0.0)) for key, phase in state.phases.items()}
    limits = {} if resumed.limits_over else state.provision.limits
    if at_rest:
        limits = {name: replace(limit, since=state.now) for name, limit in limits.items()}
    available = state.availability
    if resumed.limits_over:
        available = replace(available, wait=None)
    if resumed.assignments is not None:
        available = replace(available, serving={}, wait=None)  # the run may now wait for other agents, or for none
    return replace(state, phases=phases, provision=replace(state.provision, limits=limits), availability=available)
