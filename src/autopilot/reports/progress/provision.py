"""Progress about the run's agents: fallbacks, waits and interrupted calls."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from autopilot.events.pieces import Change
from autopilot.events.provision import BACK_AGAIN, AgentCutOff, AgentSwitched, WaitStarted, Woken
from autopilot.events.state import RunState
from autopilot.model.policy import Assignment
from autopilot.reports.local_time import clock_words
from autopilot.reports.markdown import how_long
from autopilot.reports.status.brief import brief, out_words

PROVISION = (AgentSwitched, WaitStarted, Woken, AgentCutOff)


def provision_lines(
    event: AgentSwitched | WaitStarted | Woken | AgentCutOff, now: datetime, state: RunState, *, verbose: bool = False
) -> Iterator[str]:
    match event:
        case AgentSwitched(role=role, old=old, new=new, because=because) if verbose:
            yield f"Agents: {new} replaces {old} as {role.value} -- {because}"
        case AgentSwitched():
            yield from _switch_lines(event, now, state)
        case WaitStarted(until=until, because=because):
            reason = because if verbose else brief(because)
            duration = how_long((until - now).total_seconds())
            yield f"Waiting {duration}, until {clock_words(until, now, seconds=True)} -- {reason}"
        case Woken(waited_s=waited_s):
            yield f"Waited {how_long(waited_s)}; continuing."
        case AgentCutOff(phase=phase, role=role, agent=agent, usage=usage):
            yield f"[Phase {phase}] {agent} was interrupted as {role.value}; it had used {usage.tokens:,} tokens"


def _switch_lines(event: AgentSwitched, now: datetime, state: RunState) -> Iterator[str]:
    """Every role switches for itself, when its turn comes; the user reads of it once."""
    old, new = _agents(event)
    if _is_reported(event, state):
        return
    limit = state.provision.limits.get(state.policy.provider(old))
    if limit is not None and limit.because == event.because:
        yield f"Agents: {old} is rate-limited until {clock_words(limit.until, now)}; fallback {new} takes over"
    elif old in state.availability.out:
        yield f"Agents: {old} is unavailable ({out_words(state.availability.out[old])}); fallback {new} takes over"
    elif event.because == BACK_AGAIN:
        yield f"Agents: {new} is available again and takes over from {old}"
    else:
        yield f"Agents: {new} takes over from {old} -- {brief(event.because)}"


def _is_reported(event: AgentSwitched, state: RunState) -> bool:
    """Whether another role reported the same switch before, and the old agent has not returned since."""
    old, new = _agents(event)
    # The phase at work comes last, wherever it stands in the roadmap: its last change is this one.
    phases = sorted(state.phases.values(), key=lambda phase: phase is state.current)
    changes = [change for phase in phases for change in phase.agents.changes]
    for earlier in reversed(changes[:-1]):
        if (earlier.because, *_agents(earlier)) == (event.because, old, new):
            return True
        if _agents(earlier) == (new, old):
            return False
    return False


def _agents(change: AgentSwitched | Change) -> tuple[str, str]:
    return Assignment.parse(change.old).agent, Assignment.parse(change.new).agent
