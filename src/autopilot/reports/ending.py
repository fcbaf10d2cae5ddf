"""What a run came to, for the person who comes back to it."""

from __future__ import annotations

from autopilot.events.state import PhaseState, RunState
from autopilot.model.run import PhaseStatus, RunStatus
from autopilot.model.verdict import Outcome
from autopilot.reports.markdown import one_line


def render_ending(state: RunState) -> str:
    lines = [f"{state.run}: {state.status.value}, {state.stop_reason}"]
    lines += [_phase_line(phase) for phase in state.phases.values()]
    lines += _caught(state)
    lines += _next(state)
    return "\n".join(map(one_line, lines)) + "\n"


def _phase_line(phase: PhaseState) -> str:
    proven = sum(v.outcome is Outcome.PASS for v in phase.verdicts)
    match phase.status:
        case PhaseStatus.COMPLETED:
            landed = "landed" if phase.landing.state == "landed" else "not landed yet"
            told = f"{proven}/{len(phase.verdicts)} proven, {phase.score}/10, {landed}"
            return f"  phase {phase.id} passed: {told}; report {phase.brief.folder}/VERIFICATION.md"
        case PhaseStatus.FAILED:
            kept = f"; what was tried is on {phase.diagnostic_branch}" if phase.diagnostic_branch else ""
            return f"  phase {phase.id} failed in {phase.failure_step}: {phase.failure}{kept}"
        case _:
            return f"  phase {phase.id} {phase.status.value}"


def _caught(state: RunState) -> list[str]:
    return [
        f"  caught: phase {phase.id} task {task.task.id} {reason}"
        for phase in state.phases.values()
        for task in phase.tasks.values()
        for reason in task.caught
    ]


def _next(state: RunState) -> list[str]:
    """One complete command that can be pasted."""
    deferred = [p.landing for p in state.phases.values() if p.landing.state == "deferred"]
    if state.status is RunStatus.WAITING and deferred:
        return [
            f"  to land it: commit or put aside your changes, then `autopilot resume`; or take it yourself: "
            f"`git merge {deferred[-1].branch}`"
        ]
    if state.status in (RunStatus.FAILED, RunStatus.PAUSED):
        return ["  to go on: `autopilot resume`; to start over: `autopilot run --fresh`"]
    return []
