"""What happens to a draft: it is asked for, written, judged by rule, and its user decides."""

from __future__ import annotations

from msgspec import Struct

from autopilot.model.evidence.observation import Observation
from autopilot.model.planning.draft import DraftBrief
from autopilot.model.planning.roadmap import PhaseId


class DraftBegun(Struct, frozen=True):
    """With the run: what is wanted."""

    brief: DraftBrief


class Drafted(Struct, frozen=True):
    """A planner wrote a roadmap; without complaints it waits for its user."""

    phase: PhaseId
    round: int
    commit: str = ""  # base with the drafted roadmap; "" where there is none
    complaints: tuple[str, ...] = ()
    concerns: tuple[str, ...] = ()  # the planner's own words: a claim
    observations: tuple[Observation, ...] = ()  # criteria that were run at the base
    left_out: tuple[str, ...] = ()  # what else it changed


class DraftSettled(Struct, frozen=True):
    """Its user had it written into the roadmap, or dropped it."""

    phase: PhaseId
    accepted: bool
    by: str
    commit: str = ""  # that wrote it, where it was a commit


DraftRunEvent = DraftBegun
DraftEvent = Drafted | DraftSettled
