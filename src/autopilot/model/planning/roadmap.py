"""A roadmap: phases in order, what each wants, and what each waits for."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import NewType

from msgspec import Struct

from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.criterion import Criterion
from autopilot.model.planning.milestone import Milestone
from autopilot.model.planning.standing import Stand, Standing

PLACEHOLDER = "[To be defined]"  # from the roadmap template

PhaseId = NewType("PhaseId", str)  # normalised for display: "3", "6.1", "20A"; never zero-padded


class Phase(Struct, frozen=True):
    id: PhaseId
    name: str
    goal: str = ""
    depends_on: tuple[PhaseId, ...] = ()
    requirements: tuple[str, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    ticked: bool = False  # done by a box or any other witness: "done, unproven" unless our journal proves it
    line: int = 0
    slug: str = ""  # folder-friendly name
    standing: Standing = Standing()  # what ``ticked`` rests on
    path: str = ""  # the file it stands in, where the roadmap is no single one

    @property
    def dropped(self) -> bool:
        """Whether it is not to be run as things stand: given up, or held until a person has settled something."""
        return self.standing.stand in (Stand.DROPPED, Stand.HELD)

    @property
    def held(self) -> bool:
        return self.standing.stand is Stand.HELD


class Roadmap(Struct, frozen=True):
    path: str  # repository-relative
    phases: tuple[Phase, ...] = ()
    archived: tuple[PhaseId, ...] = ()  # inside <details>: shipped history, never selected, never waited for
    complaints: tuple[Complaint, ...] = ()
    current: PhaseId | None = None  # where .planning/STATE.md is, be it a phase of this roadmap or not
    disagreements: tuple[tuple[PhaseId, Complaint], ...] = ()  # about how a phase stands, in one line
    subjects: Mapping[int, PhaseId] = {}  # by the line of a complaint: the phase it is about
    milestones: tuple[Milestone, ...] = ()  # those that are not archived, in the order of their phases
    milestone: str = ""  # the version that .planning/STATE.md calls current

    def warnings_for(self, phases: Container[PhaseId]) -> tuple[Complaint, ...]:
        """What a run of these phases has to show: of other phases and of mere notes `doctor` speaks."""
        return tuple(
            complaint
            for complaint in self.complaints
            if complaint.severity is not Severity.INFO
            and ((subject := self.subjects.get(complaint.line)) is None or subject in phases)
        )
