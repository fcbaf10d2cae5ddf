"""How long each room of an issue's state lasts, and the one way to forget what is over."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from msgspec.structs import replace

from autopilot.events.issue.state import IssueState


class IssueLifetime(IntEnum):
    """None outlasts the one before it: reopening the design starts a new cycle as well."""

    ISSUE = 0  # as long as the run
    REQUIREMENTS = 1  # until prd.md is sent back
    DESIGN = 2  # until the design is approved or sent back
    CYCLE = 3  # until the steps begin to converge anew
    ENTRY = 4  # until a person resumes a run that had stopped


ISSUE_LIFETIMES: Mapping[str, IssueLifetime] = {
    **dict.fromkeys(("brief", "options", "advice", "route"), IssueLifetime.ISSUE),
    **dict.fromkeys(("cause", "decisions", "pinned", "audit", "baseline", "presentation"), IssueLifetime.ISSUE),
    **dict.fromkeys(("cycle", "remarks", "escalated"), IssueLifetime.ISSUE),
    "requirements": IssueLifetime.REQUIREMENTS,
    "design": IssueLifetime.DESIGN,
    **dict.fromkeys(("convergence", "ending"), IssueLifetime.CYCLE),
    "frozen": IssueLifetime.ENTRY,
}


def forget_of_issue(issue: IssueState, lifetime: IssueLifetime) -> IssueState:
    """The issue without anything that lasts no longer than this: every such room is as in a new issue."""
    new = IssueState(issue.brief)
    return replace(issue, **{name: getattr(new, name) for name, lasts in ISSUE_LIFETIMES.items() if lasts >= lifetime})
