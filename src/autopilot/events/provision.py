"""What can happen to a run's agents: limits, waits for their end, others that step in, calls that were cut off."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from autopilot.model.agent import Role, Usage
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import Step

BACK_AGAIN = "the preferred agent is available again"  # why a role goes back to who has it by the settings


class AgentSwitched(Struct, frozen=True):
    """Another agent of the configured chain does a role from now on, or the preferred one does it again."""

    role: Role
    old: str
    new: str
    because: str


class WaitStarted(Struct, frozen=True):
    """Nobody who could go on can be asked before that time."""

    until: datetime
    because: str


class Woken(Struct, frozen=True):
    """The wait is over. Its entry carries the time, which is what the next decision goes by."""

    waited_s: float


class AgentCutOff(Struct, frozen=True):
    """A call ended together with the sitting it was made in. It gave no reply, but what it used was used."""

    phase: PhaseId
    step: Step
    role: Role
    agent: str
    usage: Usage
    task: str = ""
    transcript: str = ""  # blob digest of what it had said


ProvisionRunEvent = AgentSwitched | WaitStarted | Woken
