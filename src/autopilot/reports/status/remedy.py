"""What a person does about agents that cannot be asked, as lines that can be followed."""

from __future__ import annotations

from autopilot.events.pieces import Outage
from autopilot.events.state import RunState

# Agents with a sign-in command of their own; what else there is takes a key.
SIGN_IN = ("claude", "codex", "opencode", "claude-acp")


def remedy_lines(state: RunState) -> list[str]:
    """One for each agent that is out."""
    return [_remedy(agent, outage) for agent, outage in state.availability.out.items()]


def _remedy(agent: str, outage: Outage) -> str:
    if outage.needs_login:
        return _sign_in(agent)
    if agent == "scripted" and not outage.remedy:
        return "scripted plays a script: correct the script, or choose another agent with --agent"
    return f"{agent}: {outage.remedy}" if outage.remedy else f"install {agent}, or choose another agent with --agent"


def _sign_in(agent: str) -> str:
    if agent == "scripted":
        return f"{agent} plays a script and needs no sign-in: correct the script, or choose another agent with --agent"
    key = f"`autopilot agents login {agent} --key`"
    return f"{key} or `autopilot agents login {agent}`" if agent in SIGN_IN else key
