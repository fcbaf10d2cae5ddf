"""Which rail ends the convergence of an issue, by its recorded iterations."""

from __future__ import annotations

from autopilot.events.issue.state import IssueState
from autopilot.model.issue.issue import HaltReason
from autopilot.rails.issue.convergence import first_halt


def find_halt(issue: IssueState, step: str) -> HaltReason | None:
    """Asked of an iteration that is recorded and did not pass."""
    now = issue.convergence.rounds[step]
    assert now.row is not None, "nothing is decided before it is recorded"
    judged = now.judged
    found = {
        HaltReason.DRIFT: bool(now.drift),
        HaltReason.INTEGRITY: bool(now.broken),
        # What its author can mend by writing the test another way is not handed to a person at once.
        HaltReason.UNVERIFIABLE: judged is not None and judged.state.is_unverifiable and not judged.fixable,
    }
    standing = [reason for reason, holds in found.items() if holds]
    return first_halt(issue.audit.rows, step, now.iteration, issue.options.limit(step), standing)
