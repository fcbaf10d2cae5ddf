"""The code quality report of GitLab: a list of issues with fingerprints, shown in the merge request."""

from __future__ import annotations

import json

from autopilot.events.state import RunState
from autopilot.reports.ci.remarks import Level, home_of, remarks_of

SEVERITIES = {Level.ERROR: "major", Level.WARNING: "minor", Level.NOTE: "info"}


def render_code_quality(state: RunState) -> str:
    issues = [
        {
            "description": f"[phase {remark.phase}] {remark.text}" if remark.phase else remark.text,
            "check_name": f"autopilot/{remark.rule}",
            "fingerprint": remark.fingerprint,
            "severity": SEVERITIES[remark.level],
            "location": {"path": remark.path or home_of(state), "lines": {"begin": remark.line or 1}},
        }
        for remark in remarks_of(state)
    ]
    return json.dumps(issues, indent=2) + "\n"
