"""From the record to the gate's door: evidence only, each piece judged by its own rule."""

from __future__ import annotations

from autopilot.events.state import PhaseState
from autopilot.gates.phase import judge_check
from autopilot.gates.task import judge_criteria
from autopilot.model.policy import CHECKS
from autopilot.model.verdict import Outcome, Verdict


def phase_verdicts(phase: PhaseState) -> tuple[Verdict, ...]:
    """Every check, criterion and script of the phase at its last commit, and every task that was never taken in."""
    after, before = phase.observations or (), phase.red or ()
    verdicts = [judge_check(o) for o in after if o.subject in CHECKS]
    if not phase.tasks:
        verdicts += judge_criteria(phase.criteria, phase.triage or (), after)
    for state in phase.tasks.values():
        if not state.task.is_automatic:
            continue
        if state.status == "refused":
            verdicts.append(Verdict(f"task {state.task.id}", Outcome.FAIL, state.refusal))
        script = f"script:{state.task.id}"
        verdicts += judge_criteria(state.task.criteria, before, after, script, ours=phase.plan_ours)
    return tuple(verdicts)
