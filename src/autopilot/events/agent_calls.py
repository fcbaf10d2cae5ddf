"""Who did the work of a phase, as far as its documents tell."""

from __future__ import annotations

from msgspec import Struct

from autopilot.model.agent import Role


class Asked(Struct, frozen=True):
    """One call to an agent, for the phase's documents: who it was and what it used, nothing of what it said."""

    role: Role
    agent: str
    tokens: int
    ending: str
    task: str = ""
    version: str = ""
    model: str = ""  # as chosen; "" for the agent's own choice
    times: int = 1  # until its answer fitted, or was given up


class Change(Struct, frozen=True):
    """Another agent does a role from then on."""

    role: Role
    old: str
    new: str
    because: str


class Waited(Struct, frozen=True):
    because: str
    waited_s: float
