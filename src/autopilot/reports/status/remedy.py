"""What a person does about agents that cannot be asked, as lines that can be followed."""

from __future__ import annotations

from autopilot.events.pieces import Outage
from autopilot.events.state import RunState


def remedy_lines(state: RunState) -> list[str]:
    """One for each agent that is out."""
    return [_remedy(agent, outage) for agent, outage in state.availability.out.items()]


def _remedy(agent: str, outage: Outage) -> str:
    if outage.needs_login:
        return f"`autopilot agents login {agent} --key` or `autopilot agents login {agent}`"
    # A program that is missing says what to do after what is wrong.
    return f"{agent}: {outage.because.partition('; ')[2] or outage.because}"
