"""What a gate says of one subject."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from autopilot.model.evidence.subject import Subject, parse_subject


class Outcome(StrEnum):
    PASS = "PASS"
    FAIL = "FAIL"
    UNPROVEN = "UNPROVEN"


class Verdict(Struct, frozen=True):
    """One judged subject: a criterion, a check, a commit, a whole phase."""

    subject: str
    outcome: Outcome
    because: str
    # True when the reason lies with us (a sandbox that did not start), not with the work.
    ours: bool = False
    # True where no change of the work can make it better: what has to change is the project's config.
    of_config: bool = False

    @property
    def about(self) -> Subject:
        return parse_subject(self.subject)
