"""An issue as ``state.json`` and ``status`` hold it: where it stands, and what it came to."""

from __future__ import annotations

from typing import Any

import msgspec

from autopilot.events.issue.rooms import Round
from autopilot.events.state import RunState
from autopilot.model.human import OF_AN_ISSUE
from autopilot.reports.issue.halts import halt_of_run
from autopilot.reports.issue.wording import (
    halted_at,
    iteration_of,
    left_to_fix,
    merge_of,
    outcome_of,
    position,
    stands_at,
)


def issue_record(state: RunState) -> dict[str, Any] | None:
    """None in a run of the roadmap."""
    issue = state.issue
    if issue is None:
        return None
    phase, step = position(state)
    now = issue.convergence.rounds.get(step, Round())
    halted, shown = issue.ending.halted, issue.ending.handed_off or issue.presentation.last
    return {
        "number": issue.brief.number,
        "title": issue.brief.title,
        "folder": issue.brief.folder,
        "branch": issue.branch,
        "route": issue.route.value if issue.route else None,
        "recommended_route": issue.advice.recommended.value if issue.advice.recommended else None,
        "phase": phase,
        "step": step or None,
        "cycle": issue.cycle,
        "iteration": (halted_at(issue) or iteration_of(issue, step)) if step else None,
        "limit": issue.options.limit(step) if step else None,
        "limits": {item: issue.options.limit(item) for name in state.phases for item in issue.steps_of(name)},
        "where": stands_at(state),
        "oracle": msgspec.to_builtins(now.judged.state) if now.judged else None,
        "findings": [msgspec.to_builtins(item) for item in left_to_fix(state)],
        "requirements_approved_by": issue.requirements.approved_by or None,
        "design_approved_by": issue.design.approved_by or None,
        "cause": msgspec.to_builtins(issue.cause.agreed or issue.cause.proposed),
        "failure_rate_before": msgspec.to_builtins(issue.baseline.rate),
        "gates": [gate.asked.gate for gate in state.people.gates.values() if gate.asked.kind in OF_AN_ISSUE],
        "presentations": issue.presentation.count,
        "escalated": issue.escalated,
        "audit_rows": len(issue.audit.rows),
        "outcome": outcome_of(issue) or None,
        "reason": halted.reason.value if halted else None,
        "remedy": halt_of_run(state, issue, "", state.policy.agent_options),
        "url": (shown.url or None) if shown else None,
        "merge_command": merge_of(issue) or None,
    }
