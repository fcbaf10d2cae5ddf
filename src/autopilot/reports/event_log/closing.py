"""The audit at the end of a run, in the words of ``state.json``'s event log."""

from __future__ import annotations

from autopilot.events import closing as c
from autopilot.events import happened as h
from autopilot.events.state import RunState
from autopilot.model.audit import Gap
from autopilot.reports.event_log.refinement import Named
from autopilot.reports.run.audit import fix_commit_of
from autopilot.reports.run.batch import build_batch
from autopilot.reports.run.metrics import is_over
from autopilot.reports.status.files import BATCH


def closing_named(event: h.Event, state: RunState) -> list[Named]:
    match event:
        case c.IntegrationChecked(gaps=gaps):
            return [_found(gap) for gap in gaps]
        case c.AuditStarted(phases=phases, spec=spec):
            return [("audit", "self_audit_started", {"phases_to_audit": list(phases), "spec_path": spec})]
        case c.Audited(cycle=cycle, gaps=gaps, closed=closed):
            # A later pass looks at what was found before: what it still finds is no new gap.
            found = [_found(gap) for gap in gaps] if cycle == 0 else []
            return [*found, *(_fixed(state, requirement) for requirement in closed)]
        case c.AuditEnded():
            details = {
                "total_requirements_checked": event.checked,
                "passed_on_first_check": event.passed,
                "gaps_found": event.found,
                "gaps_fixed": event.fixed,
                "gaps_remaining": len(event.remaining),
                "audit_cycles": event.cycles,
            }
            return [("audit", "self_audit_completed", details)]
        case _:
            return []


def batch_named(state: RunState) -> list[Named]:
    """The report over all outstanding phases is written where the run rests."""
    if not state.inputs.intent.complete or not is_over(state):
        return []
    batch = build_batch(state)
    details = {
        "phases_attempted": batch.phases_attempted,
        "phases_succeeded": batch.phases_succeeded,
        "phases_failed": batch.phases_failed,
        "phases_skipped": len(batch.phases_skipped),
        "completion_percentage": batch.completion_percentage,
        "report_path": BATCH,
    }
    return [("", "batch_completion_report", details)]


def _found(gap: Gap) -> Named:
    details = {
        "requirement_id": gap.requirement,
        "phase_id": gap.phase,
        "gap_description": gap.description,
        "fix_complexity": gap.complexity,
    }
    return "audit", "self_audit_gap_found", details


def _fixed(state: RunState, requirement: str) -> Named:
    known = (gap.phase for gap in state.completion.audit.first_gaps if gap.requirement == requirement)
    commit = fix_commit_of(state, requirement)
    details = {"requirement_id": requirement, "phase_id": next(known, None), "fix_commit": commit or None}
    return "audit", "self_audit_gap_fixed", {**details, "re_verified": True}
