"""The acceptance criteria of an issue, by id, as its documents have them at a commit of its run."""

from __future__ import annotations

from collections.abc import Callable

from autopilot.events.issue.state import IssueState
from autopilot.events.state import RunState
from autopilot.model.issue.issue import ISSUE_FILE, PRD
from autopilot.planning.issue.acceptance import place_criteria


def read_criteria(state: RunState, issue: IssueState, read: Callable[[str, str], str | None]) -> dict[str, str]:
    """``read``: a file of a commit. {} where neither document is kept."""
    last = issue.presentation.last
    commit = last.commit if last is not None else state.line.tip or state.line.base
    found: dict[str, str] = {}
    for name in (PRD, ISSUE_FILE):
        text = read(commit, issue.brief.path(name)) if commit else None
        for id, (_, wording) in place_criteria(text or "").items():
            found.setdefault(id, wording)
    return found
