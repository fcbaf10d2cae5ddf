"""A piece of a diff: lines that came and went, where they stand now, and which of them matter most."""

from __future__ import annotations

from msgspec import Struct

from autopilot.model.issue.issue import Decision, SeedFinding


class DiffLine(Struct, frozen=True):
    sign: str  # " ", "+" or "-"
    text: str
    number: int  # in the new file; of a line that went, where it would stand


class Hunk(Struct, frozen=True):
    path: str
    header: str  # "@@ -1,2 +1,3 @@ def total"
    lines: tuple[DiffLine, ...]

    @property
    def changed(self) -> tuple[DiffLine, ...]:
        return tuple(line for line in self.lines if line.sign != " ")

    @property
    def start(self) -> int:
        """Where the first change stands."""
        return self.changed[0].number if self.changed else self.lines[0].number if self.lines else 1


class KeyLine(Struct, frozen=True):
    line: DiffLine
    why: str


class ShownHunk(Struct, frozen=True):
    hunk: Hunk
    keys: tuple[KeyLine, ...] = ()


class Answered(Struct, frozen=True):
    """A finding, and what changed for it."""

    finding: SeedFinding
    hunks: tuple[ShownHunk, ...] = ()


class Artefact(Struct, frozen=True):
    """A document of a design: what was decided in it, or, where no decision is recorded, what it consists of."""

    name: str
    points: tuple[Decision, ...] = ()
    decided: bool = False


class Handing(Struct, frozen=True):
    """What is handed to a person: where it is, and what it changes."""

    branch: str
    commit: str
    paths: tuple[str, ...] = ()  # every file that changed
    hunks: tuple[Hunk, ...] = ()
    key_hunks: tuple[ShownHunk, ...] = ()
    summary: str = ""  # "2 files changed, 3 insertions(+)"
    url: str = ""
    warnings: tuple[str, ...] = ()


class Showing(Struct, frozen=True):
    """What a person is shown of the work; the caller fills in where it is."""

    branch: str
    commit: str
    hunks: tuple[ShownHunk, ...] = ()
    answered: tuple[Answered, ...] = ()  # of a presentation that answers findings
    others: tuple[Hunk, ...] = ()  # what changed and no finding asked for
    artefacts: tuple[Artefact, ...] = ()
    warnings: tuple[str, ...] = ()
    url: str = ""
