"""A draft of a roadmap, or of further phases: what the user wants, in a sentence or a document."""

from __future__ import annotations

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId

DRAFT = PhaseId("draft")  # the one phase of such a run
NEW_ROADMAP = ".planning/ROADMAP.md"
MOST_ROUNDS = 3  # a draft that is not accepted is sent back twice
LONGEST = 256 * 1024  # bytes of a document


class DraftRequest(Struct, frozen=True):
    """What the user asked for, before anything was read."""

    text: str
    source: str = ""  # the document that it was read from


class DraftBrief(Struct, frozen=True):
    text: str
    source: str = ""
    path: str = NEW_ROADMAP  # the roadmap
    further: bool = False  # phases are added to the roadmap that is there
