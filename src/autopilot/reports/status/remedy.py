"""What a person does about agents that cannot be asked, as lines that can be followed."""

from __future__ import annotations

from autopilot.events.fold_provision import SIGN_IN
from autopilot.events.state import RunState


def remedy_lines(state: RunState) -> list[str]:
    """One for each agent that is out."""
    return [_remedy(agent, why) for agent, why in state.out.items()]


def _remedy(agent: str, why: str) -> str:
    if why.endswith(f"{SIGN_IN}{agent}"):
        return f"`autopilot agents login {agent} --key` or `autopilot agents login {agent}`"
    # A program that is missing says what to do after what is wrong.
    return f"{agent}: {why.partition('; ')[2] or why}"
