"""The calls to agents in a phase, as its documents list them."""

from __future__ import annotations

from msgspec import Struct

from autopilot.model.agent import Role


class Asked(Struct, frozen=True):
    """One call to an agent, for the phase's documents: which agent, and what it used; nothing of its reply."""

    role: Role
    agent: str
    tokens: int
    ending: str
    task: str = ""
    version: str = ""
    model: str = ""  # as chosen; "" for the agent's own default
    times: int = 1  # until its answer matched the schema, or Autopilot gave up
    counted: int = 0  # of the tokens, those that count towards a cap


class Change(Struct, frozen=True):
    """Another agent does a role from then on."""

    role: Role
    old: str
    new: str
    because: str


class Waited(Struct, frozen=True):
    because: str
    waited_s: float
