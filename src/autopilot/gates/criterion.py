"""Does one criterion hold? Decided from what was seen, without asking anyone."""

from __future__ import annotations

from typing import assert_never

from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import Criterion, Kind


def judge_criterion(criterion: Criterion, base: Seen | None, after: Seen) -> Verdict:
    """Judge by kind; only a *new* criterion must have been seen to fail first.

    A new check that already passes at the base would also pass had the task done nothing.
    """
    if after is Seen.NOTHING:
        return Verdict(criterion.id, Outcome.UNPROVEN, "the check could not be run after the change", ours=True)
    if after is not Seen.PASSED:
        return Verdict(criterion.id, Outcome.FAIL, f"the check {after.words} after the change")
    match criterion.kind:
        case Kind.NEW if base is Seen.FAILED:
            return Verdict(criterion.id, Outcome.PASS, "red at the base, green after the change")
        case Kind.NEW if base is Seen.PASSED:
            return Verdict(criterion.id, Outcome.UNPROVEN, "the check already passed at the base")
        case Kind.NEW:
            return Verdict(criterion.id, Outcome.UNPROVEN, "no red evidence at the base", ours=base is Seen.NOTHING)
        case Kind.KEEP | Kind.ALREADY if base is Seen.PASSED:
            return Verdict(criterion.id, Outcome.PASS, "green before and after")
        case Kind.KEEP | Kind.ALREADY:
            return Verdict(criterion.id, Outcome.PASS, "green after; it was not green before")
        case _:
            assert_never(criterion.kind)
