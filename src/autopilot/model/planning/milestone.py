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
    spans: tuple[tuple[str, str], ...] = ()  # first and last phase of each range that its title names
    date: str = ""  # that its title names: when it was shipped

    @property
    def title(self) -> str:
        return f"{self.version} {self.name}".strip()

    @property
    def called(self) -> str:
        """As a sentence names it."""
        return self.title if self.version.casefold().startswith("milestone") else f"milestone {self.title}"

    @property
    def slug(self) -> str:
        """As the names of its archives begin."""
        return self.version.replace(" ", "-")

    def answers_to(self, version: str) -> bool:
        """Whether the user means it: "1.1" is v1.1, "2" is Milestone 2."""
        own, other = self.version.casefold(), version.casefold()
        return bool(other) and own in (other, f"v{other}", f"milestone {other}")
