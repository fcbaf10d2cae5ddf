"""An issue: where it stands between its gates, and its criteria traced to tests, files and commits and back."""

from __future__ import annotations

from typing import Any

from autopilot.api.issue.criteria import read_criteria
from autopilot.api.page.records import Record
from autopilot.events.state import RunState
from autopilot.model.errors import AutopilotError
from autopilot.reports.issue.html import issue_sections
from autopilot.reports.issue.trace import trace_criteria, trace_files
from autopilot.web.views.diff import issue_pairs


def show_issue(record: Record, state: RunState) -> dict[str, Any]:
    """Empty for a run of the roadmap."""
    issue = state.issue
    if issue is None:
        return {"issue": [], "criteria": [], "files": [], "diffs": {}}
    try:
        texts = read_criteria(state, issue, record.file)
    except AutopilotError:
        texts = {}  # the commits are not kept any more; the record still names the criteria
    return {
        "issue": list(issue_sections(state, issue)),
        "criteria": list(trace_criteria(issue, texts)),
        "files": list(trace_files(issue)),
        "diffs": issue_pairs(state),
    }
