"""What `doctor` reports of the planning files: everything that a reader passed over, once, with its line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from autopilot.api.finding import Finding
from autopilot.engine.written_plans import make_brief, plan_doubts, read_plans
from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.roadmap import Roadmap
from autopilot.model.policy import Policy
from autopilot.ports.git import Checkout


def find_unread(roadmap: Roadmap, policy: Policy, checkout: Checkout) -> Iterator[Finding]:
    """Of the roadmap, and of the plans of its open phases."""
    yield from (_finding("roadmap", complaint) for complaint in roadmap.complaints)
    for phase in (phase for phase in roadmap.phases if not phase.ticked):
        doubts = plan_doubts(roadmap, [phase.id], checkout, lambda _: ())
        plans = read_plans(make_brief(phase, checkout), policy, checkout)
        for complaint in (*doubts, *(complaint for plan in plans for complaint in plan.complaints)):
            yield _finding("plans", complaint)


def _finding(subject: str, complaint: Complaint) -> Finding:
    state: Literal["note", "warning"] = "note" if complaint.severity is Severity.INFO else "warning"
    return Finding(subject, state, str(complaint), "correct that line, or leave it: what was not read has no effect")
