"""A milestone: phases of a roadmap that are shipped together."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Course(StrEnum):
    """What the roadmap itself says of a milestone."""

    SHIPPED = "shipped"
    CURRENT = "in progress"
    PLANNED = "planned"
    UNSAID = ""


class Milestone(Struct, frozen=True):
    version: str  # as it is written: "v1.1", "Milestone 2"
    name: str
    phases: tuple[str, ...] = ()  # of the roadmap that are not archived
    course: Course = Course.UNSAID
    line: int = 0  # of its heading; 0 where it has none
    listed: int = 0  # of its entry in a list of milestones; 0 where it has none

    @property
    def title(self) -> str:
        return f"{self.version} {self.name}".strip()
