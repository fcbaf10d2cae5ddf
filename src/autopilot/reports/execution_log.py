"""EXECUTION-LOG.md: every task, its commit, and what was seen there."""

from __future__ import annotations

from autopilot.events.state import PhaseState, TaskState
from autopilot.model.verdict import Outcome
from autopilot.reports.markdown import bullets

STATUS = {"verified": "COMPLETED", "failed": "FAILED", "refused": "FAILED", "committed": "NEEDS_REVIEW"}


def render_execution_log(phase: PhaseState) -> str:
    entries = [_entry(task) for task in phase.tasks.values()]
    return f"# Phase {phase.id} Execution Log: {phase.brief.name}\n\n" + "\n".join(entries)


def _entry(state: TaskState) -> str:
    passed = sum(v.outcome is Outcome.PASS for v in state.verdicts)
    failures = [f"{v.subject}: {v.because}" for v in state.verdicts if v.outcome is not Outcome.PASS]
    result = "PASS" if state.status == "verified" else "FAIL"
    lines = [
        f"### Task {state.task.id}: {state.task.title}",
        f"- **Status:** {STATUS.get(state.status, 'NOT RUN')}",
        f"- **Commit SHA:** {state.commit or 'none'}",
        f"- **Files modified:** {', '.join(state.files) or 'none'}",
        f"- **Outside the task's list:** {', '.join(state.outside) or 'none'}",
        "- **Mini-Verification:**",
        f"  - **Result:** {result}",
        f"  - **Criteria checked:** {len(state.verdicts)}",
        f"  - **Criteria passed:** {passed}",
        f"  - **Failures:** {'; '.join(failures) or 'None'}",
        f"  - **Debug attempts:** {state.debugs}",
    ]
    if state.caught:
        lines += ["", "What was handed in and refused:", "", bullets(state.caught)]
    return "\n".join(lines) + "\n"
