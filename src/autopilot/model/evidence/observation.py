"""Evidence: what Autopilot itself ran and saw, at an exact commit."""

from __future__ import annotations

from enum import StrEnum

from msgspec import UNSET, Struct, UnsetType

from autopilot.model.evidence.likeness import Compared, Likeness
from autopilot.model.evidence.subject import Subject, parse_subject
from autopilot.model.evidence.testing import Tally
from autopilot.model.planning.criterion import Strength
from autopilot.model.stored_text import StoredText


class Seen(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    TIMED_OUT = "timed out"
    NOTHING = "could not be run"  # our own sandbox failed: never evidence, never red

    @property
    def text(self) -> str:
        return self.value


class Trouble(StrEnum):
    """Why a command came to nothing, where that is not the work's own doing alone."""

    SETUP = "setup"  # the project's setup command did not succeed
    VIOLATION = "violation"  # it reports a call that the sandbox refuses
    SERVICE = "service"  # a service that it needs was not ready, so it was not started
    SERVICE_LOST = "service lost"  # a service beside it was gone when it ended
    NOT_RUN = "not run"  # of a configured check: its program, its script or what they need is not there


class Observation(Struct, frozen=True):
    """One command, run by us on a clean checkout of one commit."""

    subject: str  # as ``about`` spells it
    command: str
    commit: str
    seen: Seen
    strength: Strength = Strength.COMMAND
    exit_code: int | None = None
    excerpt: str = ""  # the first 200 characters of redacted output
    output: StoredText = ""  # what was kept of the output
    duration_ms: int = 0
    reason: str = ""  # why nothing could be run, or which line contradicted the exit code
    # Per-criterion lines of a task's test script: (criterion text, passed).
    lines: tuple[tuple[str, bool], ...] = ()
    tests: Tally | None = None  # of a command that runs tests: what its tools reported
    legacy: int = 0  # tests that were red before the work began, where nothing else is red
    ran: str = ""  # what was really run, where a report had to be asked for
    trouble: Trouble | UnsetType | None = UNSET  # UNSET: recorded before there was such a field
    opened: StoredText = ""  # of tests and criteria: the files of the project that the run opened, a line each
    rewritten: tuple[str, ...] = ()  # of a run of tests: files of the commit that it wrote to or deleted
    compared: Compared | None = None  # of a red check that was red before the work: how it compares with that
    brought: bool = False  # every test that passed stands in a file that came with the work
    last_lines: tuple[str, ...] = ()  # of one that did not pass: how its redacted output ends

    @property
    def about(self) -> Subject:
        return parse_subject(self.subject)

    @property
    def lacks_service(self) -> bool:
        return self.trouble in (Trouble.SERVICE, Trouble.SERVICE_LOST)

    @property
    def is_not_run(self) -> bool:
        return self.trouble is Trouble.NOT_RUN

    @property
    def never_ran(self) -> bool:
        """Neither before the work nor after it: that says nothing about the work, good or bad."""
        return self.compared is not None and self.compared.likeness is Likeness.NEVER_RAN

    @property
    def is_excused(self) -> bool:
        """Whether it is red by nothing but what was red before the work began."""
        return self.legacy > 0 or (self.compared is not None and self.compared.is_excused)
