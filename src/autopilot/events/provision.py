"""What can happen to a run's agents: limits, waits for their end, fallbacks, calls that were cut off."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from autopilot.model.agent import Role, Usage
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import Step
from autopilot.model.stored_text import StoredText

BACK_AGAIN = "the preferred agent is available again"  # why a role goes back to its agent of the settings


class AgentSwitched(Struct, frozen=True):
    """Another agent of the configured chain does a role from now on, or the preferred one does it again."""

    role: Role
    old: str
    new: str
    because: str


class WaitStarted(Struct, frozen=True):
    """No agent that could continue the run is available before that time."""

    until: datetime
    because: str


class Woken(Struct, frozen=True):
    """The wait is over. Its entry carries the time, which is what the next decision goes by."""

    waited_s: float


class AgentCutOff(Struct, frozen=True):
    """A call ended with the session that made it. It gave no reply, but what it used counts."""

    phase: PhaseId
    step: Step
    role: Role
    agent: str
    usage: Usage
    task: str = ""
    transcript: StoredText = ""  # its output


ProvisionRunEvent = AgentSwitched | WaitStarted | Woken
