"""An edit of the phases of a roadmap, with every planning file that it changes."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from autopilot.model.planning.roadmap import PhaseId


class Edit(Struct, frozen=True):
    """What is to be written; nothing has been yet."""

    summary: str  # as the subject of a commit
    phase: PhaseId  # the one that it is about, by its new number
    files: Mapping[str, bytes | None]  # by path; None: removed
    moved: Mapping[str, str] = {}  # old path to new path
    renumbered: Mapping[PhaseId, PhaseId] = {}
    notes: tuple[str, ...] = ()  # what is left to the user
