"""What came of looking at one commit."""

from __future__ import annotations

from msgspec import Struct

from autopilot.model.visual.facts import Seen
from autopilot.model.visual.finding import Compared, Finding, State


class VisualCheck(Struct, frozen=True):
    commit: str
    browser: str = ""  # its version
    seen: tuple[Seen, ...] = ()
    compared: tuple[Compared, ...] = ()
    findings: tuple[Finding, ...] = ()
    problem: str = ""  # why nothing could be looked at
    is_broken: bool = False  # the app cannot be looked at any more, and could be before the work

    @property
    def new(self) -> tuple[Finding, ...]:
        """What the baseline does not have."""
        return tuple(finding for finding in self.findings if not finding.is_known)

    @property
    def defects(self) -> tuple[Finding, ...]:
        """Wrong whatever was intended, and more than cosmetic."""
        return tuple(found for found in self.new if not found.cause.is_change and found.severity.is_serious)

    @property
    def uncompared(self) -> tuple[Compared, ...]:
        return tuple(pair for pair in self.compared if pair.state in (State.UNSTEADY, State.LOST))
